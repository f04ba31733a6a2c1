"""Help says every argument, its type and default, and an example that is itself accepted."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from voxint import __version__
from voxint.cli import main
from voxint.cli.catalog import SPECS
from voxint.cli.commands import COMMANDS, GROUPS
from voxint.cli.help import command_help
from voxint.cli.plan import plan

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("words", SPECS)
def test_help_shows_each_parameter_and_an_example_that_works(words: tuple[str, ...]) -> None:
    spec = SPECS[words]
    text = command_help(spec)
    for parameter in spec.all_parameters():
        assert parameter.shown in text
        assert parameter.help
        assert parameter.default is None or f"default {parameter.default}" in text
    assert spec.example in text
    example = shlex.split(spec.example)
    assert example[:1] == ["voxint"]
    assert plan(example[1:]).spec is spec
    assert max(map(len, text.splitlines())) <= 120


def test_the_catalog_is_what_the_signatures_say() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.render_catalog", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'generated'}"},
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert set(SPECS) == {(group, command) for group, commands in COMMANDS.items() for command in commands}
    assert set(GROUPS) == set(COMMANDS)


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_is_given_anywhere_and_runs_nothing(flag: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "name-accuracy", "nowhere.jsonl", flag]) == 0
    assert capfd.readouterr().out.startswith("usage: voxint score name-accuracy ITEMS")
    assert main(["score", flag]) == 0
    assert "name-accuracy" in capfd.readouterr().out
    assert main([flag]) == 0
    assert main([]) == 0
    printed = capfd.readouterr().out
    assert all(group in printed for group in GROUPS)


@pytest.mark.parametrize("words", [["bogus"], ["score", "bogus"], ["bogus", "name-accuracy"]])
def test_help_of_nothing_is_refused(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--help"]) == 2
    assert "no such" in capfd.readouterr().err


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capfd.readouterr().out == f"voxint {__version__}\n"
