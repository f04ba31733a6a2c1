"""Enrols the cross-session speakers of a corpus, each from the one slot that is most plainly theirs.

    python tools/build_attribution_roster.py --protocol protocol.json --runs runs.json --gold-rttm-dir gold \
        --out-dir roster --dry-run

Writes enrolled_speaker_map.json (gold name to speaker id) and roster_fingerprint.json into the folder. With --dry-run
it prints who would be enrolled from what, and keeps nothing. The store is the one that VOXINT_DATABASE_URL names.
`python -m tools.build_attribution_roster` is the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voxint_contracts.roster.v1 import RosterEntry

MAP, FINGERPRINT = "enrolled_speaker_map.json", "roster_fingerprint.json"


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 2 bad input or usage."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(place) for place in (root, root / "generated") if str(place) not in sys.path]
    from tools._stores import parser_of, run

    parser = parser_of(
        __doc__ or "",
        protocol="the protocol of the corpus",
        runs="the run of each meeting",
        gold_rttm_dir="folder of gold RTTMs",
        out_dir="folder for the map and the fingerprint",
    )
    parser.add_argument("--dry-run", action="store_true", help="print who would be enrolled, and keep nothing")
    parser.add_argument("--allow-existing", action="store_true", help="the store may hold speakers of this very roster")
    parser.add_argument("--allow-dirty", action="store_true", help="run from a checkout with changed tracked files")
    parser.add_argument("--operator", default="calibration", help="who enrols, for the ledger")
    parser.add_argument("--gates", help="what a voice must reach to be enrolled; the built-in gates without it")
    parser.add_argument("--exported-at", help="time of the enrollment, RFC 3339; the clock's without it")
    return run(_build, parser, argv)


def _build(options: argparse.Namespace) -> int:
    from voxint_contracts.attribution_protocol.v2 import ProtocolManifest
    from voxint_contracts.roster.v1 import MeetingRuns

    from tools._stores import commit, document, gates_of, moment
    from voxint.io import rttm
    from voxint.store.extra import need_extra

    need_extra()
    from voxint.harness_export.corpora import best_slots, cross_session
    from voxint.harness_export.rosters import enroll_all
    from voxint.store.moments import moment_text
    from voxint.store.sessions import open_store

    now = moment(options.exported_at)
    git_sha = commit(allow_dirty=options.allow_dirty)
    protocol, runs = document(options.protocol, ProtocolManifest), document(options.runs, MeetingRuns)
    gates, gold = gates_of(options.gates), rttm.folder(options.gold_rttm_dir)
    with ExitStack() as files, open_store() as store, store.writing(keep=not options.dry_run) as session:
        best = best_slots(session, protocol, runs, gold)
        allow = options.allow_existing
        entries = enroll_all(session, best, operator=options.operator, gates=gates, now=now, allow_existing=allow)
        if not options.dry_run:
            _stage(files, entries, options.out_dir, git_sha, moment_text(now))
    for name in sorted(cross_session(protocol) - best.keys()):
        sys.stderr.write(f"{name}: has no slot that is plainly theirs, and is not enrolled\n")
    sys.stdout.write("".join(map(line, entries.values())))
    return 0


def _stage(files: ExitStack, entries: Mapping[str, RosterEntry], out_dir: str, git_sha: str | None, now: str) -> None:
    """Both files beside their places; they go there after the commit, which may still fail."""
    from voxint.errors import InputError
    from voxint.harness_export.corpora import speaker_map
    from voxint.harness_export.rosters import fingerprint
    from voxint.io.canonical import encode, encode_map
    from voxint.io.write import staged

    folder = Path(out_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out_dir}: cannot be made: {error.strerror}") from error
    told = fingerprint(entries, git_sha=git_sha, exported_at=now)
    files.enter_context(staged(str(folder / MAP), [encode_map(speaker_map(entries))]))
    files.enter_context(staged(str(folder / FINGERPRINT), [encode(told)]))


def line(entry: RosterEntry) -> str:
    """Who is enrolled from what, as one line."""
    source = f"{entry.source_label} of run {entry.source_run_id}"
    return f"{entry.global_name} {entry.speaker_id}: {source}, purity {entry.purity:.4f}, {entry.duration:.3f} s\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
