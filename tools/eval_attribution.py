"""Attribution evaluation, as the commands of `voxint attribution`: protocol · align · score · report.

    python tools/eval_attribution.py align --manifest align-input.json --out trials.json

The arguments, messages and exit codes are those of the commands; `python -m tools.eval_attribution` is the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

VERBS = {
    "protocol": ("attribution", "protocol"),
    "align": ("attribution", "align"),
    "score": ("attribution", "score"),
    "report": ("attribution", "report"),
}
"""What this program can do, and the words of the command behind it."""


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 1 a gate said no, 2 bad input or usage."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(place) for place in (root, root / "generated") if str(place) not in sys.path]
    from voxint.cli.programs import run_program

    return run_program("eval_attribution.py", VERBS, argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
