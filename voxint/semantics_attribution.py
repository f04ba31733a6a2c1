"""The rules of attribution: recurrence, protocols, align inputs and trials. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from voxint.errors import Path, Violation, quoted

if TYPE_CHECKING:
    from voxint_contracts.attribution import v1 as attribution
    from voxint_contracts.attribution_protocol import v2 as protocol
    from voxint_contracts.recurrence import v1 as recurrence

BASELINE_SPEAKERS, BASELINE_PAIRS, CALIBRATION_SPEAKERS = 8, 50, 50
"""Cross-session speakers and genuine pairs that a baseline needs; cross-session speakers that calibration needs."""

UNSCOREABLE = "__unscoreable__:"
"""What the cluster of an unscoreable trial begins with; its slot follows."""

DETAILS = {
    "genuine": {"genuine"},
    "impostor": {"impostor_closed", "impostor_open"},
    "unscoreable": {"unscoreable"},
}
"""The details that belong to each kind of trial."""

_SCOREABLE_CLASSES = ("genuine", "impostor")


def recurrence_counts_fit(document: recurrence.RecurrenceReport | protocol.ProtocolManifest) -> Iterator[Violation]:
    """The counts of a recurrence report can be those of one corpus, and its two answers follow from them."""
    nested: Any = getattr(document, "recurrence_report", None)
    report: Any = nested or document
    at: Path = ("recurrence_report",) if nested else ()
    cross = report.n_cross_session_speakers
    for name, most, of in (
        ("n_base_sessions", report.n_meetings, "n_meetings"),
        ("n_cross_session_speakers", report.n_participants, "n_participants"),
    ):
        if getattr(report, name) > most:
            yield Violation((*at, name), f"must be at most {of}, {most}")
    if report.n_genuine_pairs < cross:
        message = f"must be at least {cross}: each cross-session speaker has a pair of sessions"
        yield Violation((*at, "n_genuine_pairs"), message)
    baseline = cross >= BASELINE_SPEAKERS and report.n_genuine_pairs >= BASELINE_PAIRS
    for name, viable in (("baseline_viable", baseline), ("calibration_viable", cross >= CALIBRATION_SPEAKERS)):
        if getattr(report, name) != viable:
            yield Violation((*at, name), f"must be {str(viable).lower()} by the counts")


def role_fits_its_split(manifest: protocol.ProtocolManifest) -> Iterator[Violation]:
    """Enrollment meetings are in no half, and all others are in one."""
    for place, row in enumerate(manifest.rows):
        if (row.role == "enrollment") != (row.split == "enrollment"):
            yield Violation(("rows", place, "split"), f"{row.split} is no split of a meeting with the role {row.role}")


def meeting_has_one_use(manifest: protocol.ProtocolManifest) -> Iterator[Violation]:
    """All rows of a meeting have its role, split and session; no agent and no person stands in it twice."""
    uses: dict[str, tuple[str, str, str]] = {}
    seen: set[tuple[str, str, str]] = set()
    for place, row in enumerate(manifest.rows):
        use = (row.role, row.split, row.base_session_id)
        first = uses.setdefault(row.meeting_id, use)
        for name, ours, theirs in zip(("role", "split", "base_session_id"), use, first, strict=True):
            if ours != theirs:
                message = f"{quoted(row.meeting_id)} has the {name} {quoted(theirs)} in an earlier row"
                yield Violation(("rows", place, name), message)
        for name in ("nxt_agent", "host_global_name"):
            key = (row.meeting_id, name, getattr(row, name))
            if key in seen:
                message = f"{quoted(key[2])} stands twice in meeting {quoted(row.meeting_id)}"
                yield Violation(("rows", place, name), message)
            seen.add(key)


def open_set_counts_fit(manifest: protocol.ProtocolManifest) -> Iterator[Violation]:
    """As many open-set meetings were taken as were asked for, or as there were; and the rows hold that many."""
    chosen = manifest.open_set_selection
    if chosen.selected != min(chosen.requested, chosen.candidates):
        message = f"must be {min(chosen.requested, chosen.candidates)}, the lesser of requested and candidates"
        yield Violation(("open_set_selection", "selected"), message)
    held = len({row.meeting_id for row in manifest.rows if row.role == "test_open"})
    if held != chosen.selected:
        yield Violation(("open_set_selection", "selected"), f"must be {held}, the test_open meetings of the rows")


def aligned_role_fits_its_split(document: attribution.AlignInput) -> Iterator[Violation]:
    """A meeting that is aligned is scored: it has a test role and one of the two halves."""
    for meeting_id, meeting in document.meetings.items():
        if meeting.role == "enrollment":
            message = "an enrollment meeting is never scored: leave it out"
            yield Violation(("meetings", meeting_id, "role"), message)
        elif meeting.split == "enrollment":
            message = f"enrollment is no split of a meeting with the role {meeting.role}"
            yield Violation(("meetings", meeting_id, "split"), message)


def trial_detail_fits_its_kind(document: attribution.TrialsDocument) -> Iterator[Violation]:
    """A detail, where a trial has one, is one of its kind."""
    for place, trial in enumerate(document.trials):
        if trial.detail is not None and trial.detail not in DETAILS[trial.kind]:
            message = f"{trial.detail} is no detail of the kind {trial.kind}"
            yield Violation(("trials", place, "detail"), message)


def trial_class_fits_its_kind(document: attribution.TrialsDocument) -> Iterator[Violation]:
    """A trial that is scored has a scoreable class, a gold speaker and a top speaker."""
    for place, trial in enumerate(document.trials):
        if trial.kind == "unscoreable":
            continue
        if trial.slot_classification not in _SCOREABLE_CLASSES:
            message = f"{trial.slot_classification} cannot be scored, so that the kind is unscoreable"
            yield Violation(("trials", place, "slot_classification"), message)
        for name in ("top_speaker_id", "dominant_gold_speaker"):
            if getattr(trial, name) is None:
                yield Violation(("trials", place, name), f"must not be null where the kind is {trial.kind}")


def cluster_is_the_gold_speaker(document: attribution.TrialsDocument) -> Iterator[Violation]:
    """Trials of one gold speaker move together: the cluster of a scored trial is that speaker and nothing finer."""
    for place, trial in enumerate(document.trials):
        gold = trial.dominant_gold_speaker
        if trial.kind != "unscoreable" and gold is not None and trial.cluster_id != gold:
            message = f"must be the gold speaker, {quoted(gold)}"
            yield Violation(("trials", place, "cluster_id"), message)
