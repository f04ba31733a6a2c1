"""Rules on orders of exports, and on rosters. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from voxint.errors import Violation, quoted
from voxint.text import identity_form

if TYPE_CHECKING:
    from voxint_contracts.evidence_export.v1 import ExportManifest
    from voxint_contracts.roster.v1 import MeetingRuns, RosterFingerprint


def export_names_runs_once(manifest: ExportManifest) -> Iterator[Violation]:
    """No run stands twice: it would count twice."""
    seen: dict[str, int] = {}
    for place, run in enumerate(manifest.runs):
        first = seen.setdefault(identity_form(run.run_id), place)
        if first != place:
            yield Violation(("runs", place, "run_id"), f"{quoted(run.run_id)} is runs[{first}] already")


def exported_curated_run_has_host(manifest: ExportManifest) -> Iterator[Violation]:
    """A curated run names the speaker to look for."""
    for place, run in enumerate(manifest.runs):
        if run.kind == "curated" and not identity_form(run.host_id or ""):
            yield Violation(("runs", place, "host_id"), "is required of a curated run")


def exported_hosts_need_a_space(manifest: ExportManifest) -> Iterator[Violation]:
    """With an embedding space every run has a kind; without one there are no voiceprints to name."""
    if manifest.embedding_space is None:
        if manifest.roster_speaker_ids:
            yield Violation(("roster_speaker_ids",), "means nothing without an embedding_space")
        return
    for place, run in enumerate(manifest.runs):
        if run.kind is None:
            yield Violation(("runs", place, "kind"), "is required where voiceprints are exported")


def a_run_is_of_one_meeting(document: MeetingRuns) -> Iterator[Violation]:
    """No run stands for two meetings."""
    seen: dict[str, str] = {}
    for meeting_id, run_id in document.runs.items():
        first = seen.setdefault(identity_form(run_id), meeting_id)
        if first != meeting_id:
            yield Violation(("runs", meeting_id), f"{quoted(run_id)} is the run of {quoted(first)} too")


def fingerprint_counts_its_entries(fingerprint: RosterFingerprint) -> Iterator[Violation]:
    """The count is that of the entries, which are in order of their names, each name once."""
    if fingerprint.count != len(fingerprint.entries):
        yield Violation(("count",), f"must be {len(fingerprint.entries)}, the number of entries")
    names = [entry.global_name for entry in fingerprint.entries]
    for place, (before, after) in enumerate(pairwise(names), 1):
        if before >= after:
            yield Violation(("entries", place, "global_name"), f"must come after {quoted(before)}")
