"""Is the house as drawn: limits, bijection of tests, light imports, nothing of this machine in the text."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [p for top in ("voxint", "tools") for p in sorted((ROOT / top).rglob("*.py")) if p.name != "catalog.py"]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
JUDGING = {"pydantic_ai", "openai", "google.genai", "httpx", "httpx2", "soundfile", "platformdirs"}
MODULES = [p for p in SOURCES if p.is_relative_to(ROOT / "voxint") and p.name != "__main__.py"]


def _functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_no_file_is_longer_than_300_lines() -> None:
    lengths = {str(p.relative_to(ROOT)): len(p.read_text(encoding="utf-8").splitlines()) for p in SOURCES + TESTS}
    assert {name: n for name, n in lengths.items() if n > 300} == {}


def too_long_programs(root: Path) -> dict[str, int]:
    """Programs are tools/*.py; what they share is in packages, and may be as long as any file."""
    lengths = {p.name: len(p.read_text(encoding="utf-8").splitlines()) for p in (root / "tools").glob("*.py")}
    return {name: n for name, n in lengths.items() if n > 150}


def test_no_program_of_tools_is_longer_than_150_lines(tmp_path: Path) -> None:
    assert too_long_programs(ROOT) == {}
    (tmp_path / "tools").mkdir()
    for lines in (150, 151):
        (tmp_path / f"tools/of_{lines}.py").write_text("pass\n" * lines)
    assert too_long_programs(tmp_path) == {"of_151.py": 151}


def test_no_function_is_longer_than_40_lines() -> None:
    long = {
        f"{p.relative_to(ROOT)}:{f.name}": f.end_lineno - f.lineno + 1
        for p in SOURCES
        for f in _functions(p)
        if f.end_lineno is not None and _body_lines(p, f) > 40
    }
    assert long == {}


def _body_lines(path: Path, function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring: prose is no complexity."""
    assert function.end_lineno is not None
    length = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        first = function.body[0]
        assert first.end_lineno is not None
        length -= first.end_lineno - first.lineno + 1
    return length


def test_every_module_has_its_test_and_every_unit_test_its_module() -> None:
    expected = {
        "test_" + "_".join(p.relative_to(ROOT / "voxint").with_suffix("").parts)
        for p in MODULES
        if p.name != "__init__.py" and _functions(p) and "migrations" not in p.parts
    }
    found = {p.stem for folder in ("unit", "llm", "store") for p in (ROOT / "tests" / folder).rglob("test_*.py")}
    missing = {name for name in expected if name not in found}
    stray = {name for name in found if not any(name == e or name.startswith(e + "_") for e in expected)}
    assert (missing, stray) == (set(), set())


def test_every_public_function_says_what_it_returns() -> None:
    bare = [
        f"{p.relative_to(ROOT)}:{f.name}"
        for p in SOURCES
        for f in _functions(p)
        if not f.name.startswith("_") and ast.get_docstring(f) is None and f.col_offset == 0
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("code", "forbidden"),
    [
        ("import voxint", {"pydantic", "numpy", "scipy", "fire", "rich", "json"}),
        ("from voxint.cli import main; main(['--help'])", {"pydantic", "numpy", "scipy", "fire", "rich"}),
        (
            "from voxint.cli import main; main(['score', 'name-accuracy', '--help'])",
            {"pydantic", "numpy", "scipy", "fire", "rich"},
        ),
        (
            "from voxint.cli import main; main(['score', 'name-accuracy', 'x', '--sed', '3'])",
            {"pydantic", "numpy", "scipy"},
        ),
        ("import voxint.harness.calibration", {"scipy", "numpy", "matplotlib", "fire", "rich"}),
        ("from voxint.cli import main; main(['attribution', 'report', '--help'])", {"pydantic", "numpy", "matplotlib"}),
        ("from voxint.cli import main; main(['rate', 'judge', '--help'])", {"pydantic", "numpy", *JUDGING}),
        ("import voxint.autorater.judge_prompt, voxint.autorater.injection", {"numpy", "fire", "json", *JUDGING}),
        ("import voxint.audio_eval.judge_prompt, voxint.ports", {"numpy", "fire", *JUDGING}),
        ("import voxint.edges.script_judge, voxint.edges.audio_judge", {"fire", "rich", *JUDGING}),
        ("import voxint.harness.name_accuracy", {"scipy", "fire", "rich", "sqlalchemy"}),
    ],
)
def test_what_is_not_needed_is_not_imported(code: str, forbidden: set[str]) -> None:
    probe = (
        f"import sys\n{code}\nsys.stderr.write('|' + ' '.join(m for m in {sorted(forbidden)!r} if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'generated'}", "PATH": ""},
    )
    assert done.stderr.rpartition("|")[2] == ""


def test_committed_text_names_no_machine_and_no_registry() -> None:
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    pattern = re.compile(
        rb"/" rb"work/|/" rb"root/|/" rb"opt/pypi|pypi" rb"\.org|files\.python" rb"hosted|farm-" rb"studio"
    )
    texts = {name: (ROOT / name.decode()).read_bytes() for name in files if name and (ROOT / name.decode()).is_file()}
    assert [name for name, text in texts.items() if pattern.search(text)] == []


def test_every_example_has_a_command_and_a_readme() -> None:
    folders = [p for p in sorted((ROOT / "examples").iterdir()) if p.is_dir()]
    assert folders
    assert [p.name for p in folders if not (p / "command").is_file() or not (p / "README.md").is_file()] == []


def test_version_is_stated_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "voxint/__init__.py"
