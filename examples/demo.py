"""Runs the commands of examples/name-accuracy and prints what a person reads of their reports."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from voxint.cli import main

FOLDER = Path(__file__).parent / "name-accuracy"


def demo() -> int:
    """The exit code of the first command that fails, or 0."""
    os.chdir(FOLDER)
    for line in Path("command").read_text(encoding="utf-8").splitlines():
        print(f"$ voxint {line} --format table", flush=True)
        if code := main([*shlex.split(line), "--format", "table"]):
            return code
        print(flush=True)
    print("Each command without --format table prints the whole report as JSON. Next: make test, docs/harness.md")
    return 0


if __name__ == "__main__":
    sys.exit(demo())
