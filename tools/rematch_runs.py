"""Matches the test meetings of a protocol against the speakers of today, all or none of them.

    python tools/rematch_runs.py --protocol protocol.json --runs runs.json

Prints a line for each run. With --dry-run it decides, prints, and keeps nothing. The store is the one that
VOXINT_DATABASE_URL names. `python -m tools.rematch_runs` is the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voxint_contracts.speaker_match.v1 import MatchCandidate

    from voxint.speakers.voiceprints import Roster

ROLES = ("test_genuine", "test_open")


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 2 bad input or usage."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(place) for place in (root, root / "generated") if str(place) not in sys.path]
    from tools._stores import parser_of, run

    parser = parser_of(__doc__ or "", protocol="the protocol of the corpus", runs="the run of each meeting")
    parser.add_argument("--roles", nargs="+", choices=ROLES, default=list(ROLES), help="which meetings to take")
    parser.add_argument("--gates", help="what a match must reach; the built-in gates without it")
    parser.add_argument("--dry-run", action="store_true", help="keep nothing")
    return run(_rematch, parser, argv)


def _rematch(options: argparse.Namespace) -> int:
    from voxint_contracts.attribution_protocol.v2 import MeetingRole, ProtocolManifest
    from voxint_contracts.roster.v1 import MeetingRuns

    from tools._stores import document, gates_of
    from voxint.store.extra import need_extra

    need_extra()
    from voxint.harness_export.corpora import meetings
    from voxint.store.matches import evaluate_run, refresh_run_matches
    from voxint.store.sessions import open_store

    protocol, runs = document(options.protocol, ProtocolManifest), document(options.runs, MeetingRuns)
    gates = gates_of(options.gates)
    chosen = meetings(protocol, runs, map(MeetingRole, options.roles))
    lines = []
    with open_store() as store, store.reading() if options.dry_run else store.writing() as session:
        known: dict[str, Roster] = {}
        for meeting in chosen:
            if options.dry_run:
                found: Sequence[MatchCandidate] = evaluate_run(session, meeting.run_id, gates, known=known).candidates
            else:
                found = refresh_run_matches(session, meeting.run_id, gates, known=known)
            lines.append(tally(meeting.meeting_id, meeting.run_id, found))
    sys.stdout.write("".join(lines))
    return 0


def tally(meeting_id: str, run_id: str, found: Sequence[MatchCandidate]) -> str:
    """What the matcher said of a run, as one line."""
    counts = Counter(each.decision.value for each in found)
    grounded = sum(each.grounded for each in found)
    words = f"{counts['accepted']} accepted ({grounded} grounded), {counts['rejected']} rejected"
    return f"{meeting_id} {run_id}: {len(found)} labels, {words}, {counts['ineligible']} ineligible\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
