"""What each layer may import from outside, and which modules alone may touch a foreign library."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = {"__future__", "voxint", "voxint_contracts", "tools"}

PURE = {"collections", "dataclasses", "functools", "itertools", "math", "typing"}
ALLOWED = {
    "__init__": set[str](),
    "__main__": {"importlib", "pathlib", "signal", "sys"},
    "stats": PURE | {"fractions", "hashlib", "numpy", "statistics"},
    "text": PURE | {"re", "unicodedata"},
    "semantics": PURE | {"re"},
    "speakers": PURE | {"numpy"},
    "ports": PURE,
    "autorater": PURE | {"hashlib", "re"},
    "audio_eval": PURE | {"hashlib"},
    "errors": PURE,
    "corpus": PURE,
    "upgrades": PURE,
    "harness": PURE | {"annotated_types", "array", "calendar", "fractions", "hashlib", "heapq", "numpy", "struct"},
    "io": PURE
    | {"array", "bisect", "contextlib", "enum", "errno", "fcntl", "hashlib", "io", "json", "operator", "os", "pathlib"}
    | {"posixpath", "re", "secrets", "stat", "sys", "types", "weakref", "zlib", "_typeshed"}
    | {"defusedxml", "jiter", "pydantic", "pydantic_core", "xml", "zstandard"},
    "edges": (PURE - {"functools", "itertools", "math"})
    | {"annotated_types", "asyncio", "contextlib", "datetime", "hashlib", "importlib", "io", "logging", "os", "pathlib"}
    | {"urllib", "httpx2", "matplotlib", "numpy", "openai", "platformdirs", "pydantic_ai", "soundfile", "tenacity"},
    "store": (PURE - {"functools", "itertools", "math"})
    | {"contextlib", "datetime", "hashlib", "importlib", "logging", "os", "pathlib", "re", "struct", "urllib"}
    | {"alembic", "numpy", "sqlalchemy"},
    "harness_export": (PURE - {"functools", "itertools"})
    | {"contextlib", "datetime", "fractions", "hashlib", "pathlib"}
    | {"pydantic", "sqlalchemy"},
    "cli": (PURE - {"functools", "itertools"})
    | {
        "base64",
        "contextlib",
        "difflib",
        "enum",
        "gc",
        "html",
        "importlib",
        "inspect",
        "io",
        "pathlib",
        "re",
        "shutil",
        "sys",
        "tempfile",
    }
    | {"textwrap", "time", "traceback", "types"}
    | {"fire", "jiter", "rich"},
    "tools": (PURE - {"functools", "itertools"})
    | {"argparse", "ast", "concurrent", "contextlib", "datetime", "hashlib", "os"}
    | {"importlib", "inspect", "json", "keyword", "pathlib", "posixpath", "re", "shutil"}
    | {"subprocess", "sys", "tempfile", "textwrap", "tomllib", "types"}
    | {"annotated_types", "docstring_parser", "pydantic"},
}
"""The modules from outside that a layer may import, by the name before the first dot."""

HOLDERS = {
    "fire": {"voxint/cli/plan.py"},
    "rich": {"voxint/cli/progress.py", "voxint/cli/render.py"},
    "matplotlib": {"voxint/edges/plots.py"},
    "pydantic_ai": {"voxint/edges/llm.py"},
    "httpx2": {"voxint/edges/llm.py"},
    "openai": {"voxint/edges/llm.py"},
    "tenacity": {"voxint/edges/llm.py"},
    "platformdirs": {"voxint/edges/reply_cache.py"},
    "soundfile": {"voxint/edges/audio_payload.py"},
    "alembic": {
        "voxint/store/migrate.py",
        "voxint/store/migrations/versions/r0001_first.py",
        "voxint/store/migrations/versions/r0002_counts_and_indexes.py",
    },
    "jiter": {"voxint/io/check.py", "voxint/cli/contracts.py"},
    "zstandard": {"voxint/io/unpack.py"},
    "defusedxml": {"voxint/io/ami_xml.py"},
    "xml": {"voxint/io/ami_xml.py"},
    "pydantic": {
        "tools/_contracts/properties.py",
        "voxint/harness_export/align_input.py",
        "voxint/harness_export/files.py",
        "voxint/io/canonical.py",
        "voxint/io/check.py",
        "voxint/io/documents.py",
        "voxint/io/keys.py",
        "voxint/io/read.py",
    },
    "pydantic_core": {"voxint/io/check.py", "voxint/io/words.py"},
    "docstring_parser": {"tools/_contracts/signatures.py"},
    "secrets": {"voxint/io/temporary.py"},
    "subprocess": {
        "tools/_contracts/buf.py",
        "tools/_contracts/models.py",
        "tools/_stores.py",
        "tools/explain_snapshots.py",
        "tools/sabotage.py",
    },
}
"""The modules that alone import a library, or a part of Python that reaches outside."""


def _imports(path: Path) -> Iterator[str]:
    """The full names that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _top(name: str) -> str:
    return name.partition(".")[0]


def _sources(root: Path) -> dict[str, Path]:
    files = [path for top in ("voxint", "tools") for path in sorted((root / top).rglob("*.py"))]
    return {path.relative_to(root).as_posix(): path for path in files}


def _layer(name: str) -> str:
    """The layer of a file; `semantics_family.py` belongs to semantics."""
    top, second = name.split("/")[:2]
    stem = second.removesuffix(".py")
    return (
        "tools" if top == "tools" else max((each for each in ALLOWED if stem.startswith(each)), key=len, default=stem)
    )


def strangers(root: Path) -> set[tuple[str, str]]:
    """Files, and what they import that their layer may not."""
    return {
        (name, _top(each))
        for name, path in _sources(root).items()
        for each in _imports(path)
        if _top(each) not in OURS | ALLOWED.get(_layer(name), set())
    }


def holders(root: Path) -> dict[str, set[str]]:
    """The files that import each library of HOLDERS."""
    return {
        library: {name for name, path in _sources(root).items() if library in {_top(each) for each in _imports(path)}}
        for library in HOLDERS
    }


def crossings(root: Path) -> set[tuple[str, str]]:
    """Tools, and what they import of tools beside tools._contracts and tools._stores."""
    return {
        (name, each)
        for name, path in _sources(root).items()
        for each in _imports(path)
        if _top(each) == "tools" and not f"{each}.".startswith(("tools._contracts.", "tools._stores."))
    }


def test_a_layer_imports_what_it_may() -> None:
    assert strangers(ROOT) == set()


def test_a_library_is_imported_where_it_must_be() -> None:
    assert holders(ROOT) == HOLDERS


def test_a_tool_imports_no_other_tool() -> None:
    assert crossings(ROOT) == set()


def test_no_name_is_allowed_for_nothing() -> None:
    """The lists stay as short as the code: what reaches outside leaves the list with its last import."""
    used = {(_layer(name), _top(each)) for name, path in _sources(ROOT).items() for each in _imports(path)}
    spare = {(layer, each) for layer, names in ALLOWED.items() for each in names - PURE if (layer, each) not in used}
    assert spare <= {("stats", "hashlib"), ("harness", "struct")}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for top in ("voxint", "tools"):
        shutil.copytree(ROOT / top, tmp_path / top, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def _break(root: Path, name: str, line: str) -> None:
    path = root / name
    path.write_text(f"{path.read_text(encoding='utf-8')}\n\ndef broken():\n    {line}\n", encoding="utf-8")


WORLD = "urllib.request http.client uuid secrets shutil glob platform sqlite3 multiprocessing asyncio jiter zstandard"


@pytest.mark.parametrize("module", WORLD.split())
@pytest.mark.parametrize("name", ["harness/names.py", "stats/rates.py", "text.py", "semantics.py", "errors.py"])
def test_the_core_cannot_reach_the_world(copied: Path, name: str, module: str) -> None:
    _break(copied, f"voxint/{name}", f"import {module}")
    assert strangers(copied) == {(f"voxint/{name}", _top(module))}


@pytest.mark.parametrize("module", ["fire", "rich", "rich.console", "docstring_parser", "numpy", "socket"])
def test_io_shows_nothing_and_counts_nothing(copied: Path, module: str) -> None:
    _break(copied, "voxint/io/read.py", f"from {module} import anything")
    assert strangers(copied) == {("voxint/io/read.py", _top(module))}


@pytest.mark.parametrize("library", HOLDERS)
def test_a_library_in_one_more_module_is_seen(copied: Path, library: str) -> None:
    _break(copied, "voxint/io/lines.py", f"import {library}")
    assert holders(copied) == HOLDERS | {library: HOLDERS[library] | {"voxint/io/lines.py"}}


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("from tools import generate", "tools.generate"),
        ("import tools.generate", "tools.generate"),
        ("from tools.explain_snapshots import table", "tools.explain_snapshots.table"),
    ],
)
def test_a_tool_that_imports_another_is_seen(copied: Path, line: str, seen: str) -> None:
    _break(copied, "tools/check_contracts.py", line)
    assert crossings(copied) == {("tools/check_contracts.py", seen)}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("harness/joins.py", "from voxint.harness import agreement_gates"),
        ("harness/ensemble.py", "import numpy"),
        ("harness/packed.py", "from voxint.harness.vectors import TaggedVector"),
    ],
)
def test_the_linter_sees_a_vector_behind_fusion(copied: Path, name: str, line: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", copied)
    shutil.copytree(ROOT / "generated", copied / "generated", ignore=shutil.ignore_patterns("__pycache__"))
    _break(copied, f"voxint/{name}", line)
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{copied}{os.pathsep}{copied / 'generated'}"}
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    found = subprocess.run(command, cwd=copied, env=env, capture_output=True, text=True, timeout=120)
    assert found.returncode == 1
    assert "Fusion sees verdicts, never vectors BROKEN" in found.stdout
