"""Writes the protocol of a corpus, as `voxint attribution generate-protocol` does.

    python tools/generate_attribution_protocol.py --meetings-xml meetings.xml --gold-rttm-dir gold --open-set 120 \
        --out protocol.json

The arguments, messages and exit codes are those of the command; `python -m tools.generate_attribution_protocol` is the
same.
"""

from __future__ import annotations

import sys
from pathlib import Path

WORDS = ("attribution", "generate-protocol")


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 2 bad input or usage."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(place) for place in (root, root / "generated") if str(place) not in sys.path]
    from voxint.cli import main as voxint

    return voxint([*WORDS, *argv])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
