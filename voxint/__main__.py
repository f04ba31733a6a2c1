"""`python -m voxint`: works from an install and from a bare checkout alike."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def run() -> None:
    """Runs the command line and exits with its code."""
    if find_spec("voxint_contracts") is None:
        sys.path.append(str(Path(__file__).resolve().parent.parent / "generated"))
    from voxint.cli import main

    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
