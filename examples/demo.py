"""Runs the commands of examples/name-accuracy and prints what a person reads of their reports."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from voxint.cli import main
from voxint.io.write import write_stdout

FOLDER = Path(__file__).parent / "name-accuracy"


def demo() -> int:
    """The exit code of the first command that fails, or 0."""
    os.chdir(FOLDER)
    for line in Path("command").read_text(encoding="utf-8").splitlines():
        write_stdout([f"$ voxint {line} --format table\n".encode()])
        if code := main([*shlex.split(line), "--format", "table"]):
            return code
        write_stdout([b"\n"])
    write_stdout([b"The whole report as JSON: --format json, or --out FILE. Next: make test, docs/harness.md\n"])
    return 0


if __name__ == "__main__":
    sys.exit(demo())
