"""Calibration of the gates, as the commands of `voxint calibrate`: plan · sweep · compare · select · certify.

    python tools/calibrate_policy.py select --trials trials.json --out selection.json

The arguments, messages and exit codes are those of the commands; `python -m tools.calibrate_policy` is the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

VERBS = {verb: ("calibrate", verb) for verb in ("plan", "sweep", "compare", "select", "certify")}
"""What this program can do, and the words of the command behind it."""


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 1 a gate said no, 2 bad input or usage."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(place) for place in (root, root / "generated") if str(place) not in sys.path]
    from voxint.cli.programs import run_program

    return run_program("calibrate_policy.py", VERBS, argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
