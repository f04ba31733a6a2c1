"""Takes evidence out of the store for the harness: name items, and with an embedding space voiceprints and slots.

    python tools/export_match_evidence.py --manifest export.json --out-dir evidence

The folder gets snapshot.json (by what the export was made, and the digests of the other files),
name_accuracy_items.jsonl, and, where the manifest names an embedding space, enrollment.json and agreement_slots.jsonl.
All of them are new, or all as they were; the export of an unchanged store changes no byte. The store is the one that
VOXINT_DATABASE_URL names. `python -m tools.export_match_evidence` is the same.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 2 bad input or usage."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(place) for place in (root, root / "generated") if str(place) not in sys.path]
    from tools._stores import parser_of, run

    parser = parser_of(__doc__ or "", manifest="what to export (evidence_export/v1/manifest)", out_dir="folder")
    parser.add_argument("--allow-dirty", action="store_true", help="export from a checkout with changed tracked files")
    parser.add_argument("--exported-at", help="time to write into the snapshot, RFC 3339; the clock's without it")
    return run(_export, parser, argv)


def _export(options: argparse.Namespace) -> int:
    from voxint_contracts.evidence_export.v1 import ExportManifest

    from tools._stores import commit, document, moment
    from voxint.store.extra import need_extra

    need_extra()
    from voxint.harness_export.files import write_export
    from voxint.store.moments import moment_text
    from voxint.store.sessions import open_store

    exported_at = moment_text(moment(options.exported_at))
    git_sha = commit(allow_dirty=options.allow_dirty)
    manifest = document(options.manifest, ExportManifest)
    with open_store() as store, store.reading() as session:
        snapshot = write_export(session, manifest, options.out_dir, exported_at=exported_at, git_sha=git_sha)
    for name in ("snapshot.json", *snapshot.files):
        sys.stdout.write(f"{Path(options.out_dir) / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
