"""Makes the input of `voxint attribution align` from the store: what each run heard, and what the matcher said of it.

    python tools/build_align_input.py --protocol protocol.json --runs runs.json --gold-rttm-dir gold \
        --enrolled-speaker-map roster/enrolled_speaker_map.json --out-dir aligned

Writes align-input.json and a hypothesis RTTM for each test meeting into the folder; its paths are relative to it. The
store is the one that VOXINT_DATABASE_URL names. `python -m tools.build_align_input` is the same.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path

ROLES = ("test_genuine", "test_open")


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
        enrolled_speaker_map="gold name to speaker id, as build_attribution_roster.py writes it",
        out_dir="folder for the input and its RTTMs",
    )
    parser.add_argument("--roles", nargs="+", choices=ROLES, default=list(ROLES), help="which meetings to take")
    return run(_build, parser, argv)


def _build(options: argparse.Namespace) -> int:
    from voxint_contracts.attribution_protocol.v2 import MeetingRole, ProtocolManifest
    from voxint_contracts.roster.v1 import MeetingRuns

    from tools._stores import document
    from voxint.io import rttm
    from voxint.store.extra import need_extra

    need_extra()
    from voxint.harness_export.align_input import align_input, read_speaker_map
    from voxint.harness_export.corpora import meetings
    from voxint.io.canonical import encode
    from voxint.io.write import staged
    from voxint.store.sessions import open_store

    protocol, runs = document(options.protocol, ProtocolManifest), document(options.runs, MeetingRuns)
    enrolled = read_speaker_map(options.enrolled_speaker_map)
    gold = rttm.folder_with_files(options.gold_rttm_dir)[1]
    chosen = meetings(protocol, runs, map(MeetingRole, options.roles))
    folder = _made(options.out_dir)
    here = {name: os.path.relpath(path, folder) for name, path in gold.items()}
    with open_store() as store, store.reading() as session, ExitStack() as last, ExitStack() as first:
        made, hypotheses = align_input(
            session, chosen, protocol_path=os.path.relpath(options.protocol, folder), gold=here, enrolled=enrolled
        )
        for name, lines in hypotheses.items():
            first.enter_context(staged(str(folder / name), lines))
        last.enter_context(staged(str(folder / "align-input.json"), [encode(made)]))
    sys.stdout.write(f"{folder / 'align-input.json'}\n")
    return 0


def _made(out_dir: str) -> Path:
    from voxint.errors import InputError

    folder = Path(out_dir)
    try:
        (folder / "hyp").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out_dir}: cannot be made: {error.strerror}") from error
    return folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
