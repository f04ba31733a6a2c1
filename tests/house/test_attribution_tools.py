"""The programs of attribution: as scripts and as modules, they are the commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import eval_attribution, generate_attribution_protocol
from voxint.cli.catalog import SPECS

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "attribution"
GENERATE = ["--meetings-xml", "meetings.xml", "--gold-rttm-dir", "gold", "--open-set", "5"]


def run(*argv: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *argv], cwd=EXAMPLE, capture_output=True, env={"PYTHONPATH": str(ROOT)})


@pytest.mark.parametrize(
    ("tool", "words", "command"),
    [
        ("eval_attribution", ["protocol", "--manifest", "protocol.json"], ["protocol", "--manifest", "protocol.json"]),
        ("eval_attribution", ["align", "--manifest", "align-input.json"], ["align", "--manifest", "align-input.json"]),
        ("generate_attribution_protocol", GENERATE, ["generate-protocol", *GENERATE]),
    ],
)
def test_a_program_prints_what_its_command_prints(tool: str, words: list[str], command: list[str]) -> None:
    outputs = {
        run(str(ROOT / "tools" / f"{tool}.py"), *words).stdout,
        run("-m", f"tools.{tool}", *words).stdout,
        run("-m", "voxint", "attribution", *command).stdout,
    }
    assert len(outputs) == 1
    assert outputs.pop().endswith(b"}\n")


def test_a_fault_is_one_line_and_exit_code_2() -> None:
    done = run(str(ROOT / "tools/eval_attribution.py"), "align", "--manifest", "nowhere.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"nowhere.json: cannot be read: No such file or directory\n"


def test_every_verb_has_its_command() -> None:
    assert set(eval_attribution.VERBS.values()) <= SPECS.keys()
    assert generate_attribution_protocol.WORDS in SPECS


@pytest.mark.parametrize(("argv", "code"), [([], 2), (["aling"], 2), (["--help"], 0), (["-h"], 0)])
def test_without_a_verb_the_verbs_are_named(argv: list[str], code: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert eval_attribution.main(argv) == code
    printed = capfd.readouterr()
    assert "protocol|align" in (printed.err if code else printed.out)


def test_the_help_of_a_program_is_that_of_its_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert generate_attribution_protocol.main(["--help"]) == 0
    assert "usage: voxint attribution generate-protocol" in capfd.readouterr().out
