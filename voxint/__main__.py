"""`python -m voxint`: works from an install and from a bare checkout alike."""

from __future__ import annotations

import signal
import sys
from importlib.util import find_spec
from pathlib import Path


def _unwind_when_told_to_stop() -> None:
    """A terminated or abandoned process takes its temporary files with it, as an interrupted one does."""

    def stop(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_DFL:
            signal.signal(getattr(signal, name), stop)


def run() -> None:
    """Runs the command line and exits with its code."""
    if find_spec("voxint_contracts") is None:
        sys.path.append(str(Path(__file__).resolve().parent.parent / "generated"))
    from voxint.cli import main

    _unwind_when_told_to_stop()
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
