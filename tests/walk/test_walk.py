"""Every examples/*/command, byte for byte, in its three forms; and the same bytes in any surroundings."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension

from voxint.cli import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
COMMANDS = [
    pytest.param(folder.name, line, id=f"{folder.name}-{number}")
    for folder in sorted(EXAMPLES.iterdir())
    if folder.is_dir()
    for number, line in enumerate((folder / "command").read_text(encoding="utf-8").splitlines(), 1)
]
NOES = {"calibrate plan", "calibrate select", "calibrate certify"}
"""Commands whose examples end in a no: their exit code is 1, their output as complete as any."""

SURROUNDINGS: list[dict[str, str]] = [
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONHASHSEED": "4242", "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "LC_ALL": "C.UTF-8"},
    {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3", "OMP_NUM_THREADS": "1"},
]


def run(folder: str, words: list[str], **surroundings: str) -> subprocess.CompletedProcess[bytes]:
    """The command in its example's folder, warnings about features that this machine lacks left aside."""
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}", "PYTHONWARNINGS": "ignore"}
    return subprocess.run(
        [sys.executable, "-m", "voxint", *words], cwd=EXAMPLES / folder, env=env | surroundings, capture_output=True
    )


class _Json(SingleFileSnapshotExtension):
    file_extension = "json"


class _Table(SingleFileSnapshotExtension):
    file_extension = "txt"


class _Markdown(SingleFileSnapshotExtension):
    file_extension = "md"


FORMS = {"json": _Json, "table": _Table, "md": _Markdown}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("folder", "line"), COMMANDS)
def test_example_is_its_snapshot(
    folder: str,
    line: str,
    form: str,
    snapshot: SnapshotAssertion,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(EXAMPLES / folder)
    assert main([*shlex.split(line), "--format", form]) == (" ".join(line.split()[:2]) in NOES)
    printed = capfdbinary.readouterr()
    assert printed.err == b""
    assert printed.out == snapshot(extension_class=FORMS[form])


@pytest.mark.parametrize(("folder", "line"), COMMANDS)
def test_no_surroundings_change_a_byte(folder: str, line: str) -> None:
    outputs = {run(folder, shlex.split(line), **around).stdout for around in SURROUNDINGS}
    assert len(outputs) == 1
    assert outputs.pop().endswith(b"same trials.\n" if line.startswith("attribution report") else b"}\n")


@pytest.mark.parametrize(("number", "space"), [(1, "ge2e"), (2, "campplus")])
def test_the_fused_verdicts_are_those_that_agreement_prints(number: int, space: str) -> None:
    folder = EXAMPLES / "agreement"
    line = (folder / "command").read_text(encoding="utf-8").splitlines()[number - 1]
    assert run("agreement", shlex.split(line)).stdout == (folder / f"verdicts-{space}.jsonl").read_bytes()


def _console_blocks() -> list[tuple[str, str]]:
    """The commands of the README that show their output, and that output."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n\$ voxint ([^\n]*)\n(.*?)```", text, re.DOTALL)
    return [(line, output) for line, output in blocks if output.strip()]


@pytest.mark.parametrize(("line", "output"), _console_blocks())
def test_the_readme_shows_what_the_command_prints(line: str, output: str) -> None:
    folder = next(p.values[0] for p in COMMANDS if line.startswith(str(p.values[1])))
    assert isinstance(folder, str)
    assert run(folder, shlex.split(line)).stdout.decode() == output


def test_the_readme_shows_an_output() -> None:
    assert len(_console_blocks()) >= 2


def test_the_readme_library_example_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("0.9896907216494846 [0.963")


def test_the_demo_prints_all_three_runs() -> None:
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    done = subprocess.run([sys.executable, "examples/demo.py"], cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"Accuracy ([01]\.\d{4}): (\d+) of 194 slots right", done.stdout) == [
        ("0.9278", "180"),
        ("0.9897", "192"),
        ("1.0000", "194"),
    ]
