"""The rules of a script and of its render. Part of `voxint.semantics.RULES`.

Dangling references (a payoff without its plant, a speaker without a character) are no faults: drafts have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from voxint.errors import Path, Violation
from voxint.semantics_judge import NOT_A_DIGEST, NOT_AN_ID, is_id, is_sha256

if TYPE_CHECKING:
    from voxint_contracts.audio_eval.v1 import RenderManifest
    from voxint_contracts.autorater.v1 import Entry, Script

_NEEDED = {"dialogue": ("speaker", "text"), "cue": ("cue_type", "text"), "movement": ("character", "movement")}


def script_ids_are_plain(script: Script) -> Iterator[Violation]:
    """What other documents name by an id has one of lower-case letters, digits, dots, underscores and hyphens."""
    own: Iterator[tuple[Path, str]] = iter([(("script_id",), script.script_id)])
    for path, name in chain(own, *_ids(script).values()):
        if not is_id(name):
            yield Violation(path, NOT_AN_ID)


def script_ids_are_unique(script: Script) -> Iterator[Violation]:
    """No two characters, scenes, entries, plants, payoffs or reveals of a script have one id."""
    for what, ids in _ids(script).items():
        seen: set[str] = set()
        for path, name in ids:
            if name in seen:
                yield Violation(path, f"is the id of another {what} too")
            seen.add(name)


def _ids(script: Script) -> dict[str, list[tuple[Path, str]]]:
    return {
        "character": [(("cast", n, "character_id"), each.character_id) for n, each in enumerate(script.cast)],
        "scene": [(("scenes", n, "scene_id"), each.scene_id) for n, each in enumerate(script.scenes)],
        "entry": [((*path, "entry_id"), each.entry_id) for path, each in _entries(script)],
        "plant": [(("plants", n, "plant_id"), each.plant_id) for n, each in enumerate(script.plants)],
        "payoff": [(("payoffs", n, "payoff_id"), each.payoff_id) for n, each in enumerate(script.payoffs)],
        "reveal": [(("reveals", n, "reveal_id"), each.reveal_id) for n, each in enumerate(script.reveals)],
    }


def entries_fit_their_kind(script: Script) -> Iterator[Violation]:
    """A line has a speaker and words, a cue its type and what is heard, a movement somebody and where to."""
    for path, entry in _entries(script):
        for name in _NEEDED[entry.kind]:
            if getattr(entry, name) is None:
                yield Violation((*path, name), f"is required in an entry of the kind {entry.kind}")


def _entries(script: Script) -> Iterator[tuple[Path, Entry]]:
    for place, scene in enumerate(script.scenes):
        for number, entry in enumerate(scene.entries):
            yield ("scenes", place, "entries", number), entry


def render_is_identified(manifest: RenderManifest) -> Iterator[Violation]:
    """Ids and digests of a render have the form of one, so that they can be compared."""
    if manifest.script_id is not None and not is_id(manifest.script_id):
        yield Violation(("script_id",), NOT_AN_ID)
    for name in ("audio_sha256", "script_sha256"):
        if not is_sha256(getattr(manifest, name)):
            yield Violation((name,), NOT_A_DIGEST)


def render_ids_are_unique(manifest: RenderManifest) -> Iterator[Violation]:
    """No two stretches and no two seams of a render have one id, and a seam joins stretches that are there."""
    chunks: set[str] = set()
    for place, chunk in enumerate(manifest.chunks):
        if chunk.chunk_id in chunks:
            yield Violation(("chunks", place, "chunk_id"), "is the id of another chunk too")
        chunks.add(chunk.chunk_id)
    seams: set[str] = set()
    for place, seam in enumerate(manifest.seams):
        if seam.seam_id in seams:
            yield Violation(("seams", place, "seam_id"), "is the id of another seam too")
        seams.add(seam.seam_id)
        for name in ("left_chunk", "right_chunk"):
            if getattr(seam, name) not in chunks:
                yield Violation(("seams", place, name), "is the id of no chunk")


def chunks_have_a_length(manifest: RenderManifest) -> Iterator[Violation]:
    """A stretch ends after it begins."""
    for place, chunk in enumerate(manifest.chunks):
        if chunk.end_s <= chunk.start_s:
            yield Violation(("chunks", place, "end_s"), f"must be above start_s, {chunk.start_s}")


RULES: dict[str, Callable[[Any], Iterator[Violation]]] = {
    "script_ids_are_plain": script_ids_are_plain,
    "script_ids_are_unique": script_ids_are_unique,
    "entries_fit_their_kind": entries_fit_their_kind,
    "render_is_identified": render_is_identified,
    "render_ids_are_unique": render_ids_are_unique,
    "chunks_have_a_length": chunks_have_a_length,
}
