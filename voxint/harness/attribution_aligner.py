"""Slots against gold: how much of each gold speaker is in each slot, what may be said of the slot, and its trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from voxint_contracts.attribution import v1 as contract
from voxint_contracts.attribution.v1 import MatchEvidence, SlotClass, Trial
from voxint_contracts.attribution_protocol.v2 import MeetingRole, MeetingSplit

from voxint.corpus import Timeline
from voxint.errors import quoted
from voxint.harness.attribution_metrics import aggregate_trials
from voxint.harness.intervals import common_unit, exact, length, overlaps, shrunk, united
from voxint.semantics_attribution import UNSCOREABLE
from voxint.stats.exact import ratio

__all__ = ["COLLAR", "Alignment", "MeetingUse", "SlotAlignment", "aggregate_trials", "align_slots", "build_trials"]

COLLAR = 0.25
"""Seconds taken off each end of a gold segment, as NIST means it; pyannote's collar is the sum of both sides."""

MIN_SECONDS, MIN_TURNS = 6.0, 2
MIN_MARGIN, MIN_PURITY, MIN_COVERAGE = 0.15, 0.85, 0.20
_SCOREABLE = (SlotClass.GENUINE, SlotClass.IMPOSTOR)


@dataclass(frozen=True, slots=True)
class SlotAlignment:
    """One slot: its dominant gold speaker, its shares, and its class. Durations in seconds; shares lie in [0, 1].

    `n_gold` is the number of gold speakers that overlap it.
    """

    label: str
    classification: SlotClass
    dominant: str | None
    n_gold: int
    purity: float
    coverage: float
    margin: float
    duration: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """One recording: its slots in order of their labels, and the overlaps of gold speakers and slots.

    `matrix[gold speaker][slot]` counts whole units, `unit` of them to the second: every pair is in it.
    """

    collar: float
    unit: int
    matrix: Mapping[str, Mapping[str, int]]
    slots: tuple[SlotAlignment, ...]

    def seconds(self, gold_speaker: str, slot: str) -> float:
        """Seconds in which the collared speech of a gold speaker and a slot overlap, correctly rounded."""
        return ratio(self.matrix[gold_speaker][slot], self.unit)

    def summary(self) -> contract.MeetingAlignment:
        """The counts that a document of trials keeps of a meeting."""
        return contract.MeetingAlignment(
            collar=self.collar,
            gold_speakers=len(self.matrix),
            slots=len(self.slots),
            classes=dict(sorted(Counter(str(slot.classification) for slot in self.slots).items())),
        )


@dataclass(frozen=True, slots=True)
class MeetingUse:
    """What the trials of a meeting say about it. `truth_anchoring` is where its truth comes from."""

    meeting_id: str
    role: MeetingRole
    split: MeetingSplit
    truth_anchoring: str


def align_slots(
    gold: Timeline, hypothesis: Timeline, *, collar: float = COLLAR, eligible_turns: Mapping[str, int] | None = None
) -> Alignment:
    """The overlaps of all gold speakers with all slots of one recording, and the class of each slot.

    Spans of one label that overlap or touch are one; then each end of a gold segment is moved inward by `collar`
    seconds, and segments not longer than two collars vanish. All times are exact. `eligible_turns` counts the turns of
    the slots for which that is known. O((n + m) log(n + m) + overlaps) for n and m spans.

    Raises:
        ValueError: the collar is negative or not finite.
    """
    if not (isfinite(collar) and collar >= 0):
        raise ValueError(f"collar: expected a finite number of seconds >= 0, got {collar!r}")
    width = exact(collar)
    unit = common_unit(gold.unit, hypothesis.unit, width.denominator)
    margin = int(width * unit)
    speakers = {name: shrunk(spans, margin) for name, spans in united(gold, unit).items()}
    slots = united(hypothesis, unit)
    matrix = overlaps(speakers, slots)
    lengths = {name: length(spans) for name, spans in speakers.items()}
    turns = eligible_turns or {}
    return Alignment(
        collar=float(collar),
        unit=unit,
        matrix=matrix,
        slots=tuple(
            _slot(label, (length(slots[label]), unit), _column(matrix, label), lengths, turns.get(label))
            for label in sorted(slots)
        ),
    )


def _column(matrix: Mapping[str, Mapping[str, int]], label: str) -> list[tuple[int, str]]:
    """The gold speakers that overlap a slot, the longest overlap first; equal ones by name."""
    found = [(row[label], name) for name, row in matrix.items() if row[label]]
    return sorted(found, key=lambda each: (-each[0], each[1]))


def _slot(
    label: str, lasts: tuple[int, int], found: list[tuple[int, str]], lengths: Mapping[str, int], turns: int | None
) -> SlotAlignment:
    duration, unit = lasts
    top, dominant = found[0] if found else (0, None)
    second = found[1][0] if len(found) > 1 else top
    # United spans cannot overlap more than themselves, so that no share passes 1.
    purity, margin = ratio(top, duration), ratio(top - second, duration)
    coverage = ratio(top, lengths[dominant]) if dominant is not None else 0.0
    seconds = ratio(duration, unit)
    is_eligible = seconds >= MIN_SECONDS and (turns is None or turns >= MIN_TURNS)
    return SlotAlignment(
        label=label,
        classification=_class_of(len(found), purity, coverage, margin, is_eligible=is_eligible),
        dominant=dominant,
        n_gold=len(found),
        purity=purity,
        coverage=coverage,
        margin=margin,
        duration=seconds,
    )


def _class_of(n_gold: int, purity: float, coverage: float, margin: float, *, is_eligible: bool) -> SlotClass:
    """The first class that holds. The shares are correctly rounded, so that one equal to its floor passes."""
    if not n_gold:
        return SlotClass.NO_GOLD_OVERLAP
    if not is_eligible:
        return SlotClass.UNSCOREABLE_ELIGIBILITY
    if n_gold > 1 and margin < MIN_MARGIN:
        return SlotClass.UNSCOREABLE_MARGIN
    if purity < MIN_PURITY:
        return SlotClass.MIXED if n_gold > 1 else SlotClass.UNSCOREABLE_PURITY
    return SlotClass.UNSCOREABLE_COVERAGE if coverage < MIN_COVERAGE else SlotClass.GENUINE


def build_trials(
    alignment: Alignment, evidence: Mapping[str, MatchEvidence], enrolled: Mapping[str, str], use: MeetingUse
) -> list[Trial]:
    """A trial for each slot, in order of the labels.

    `evidence` is what the matcher said by slot label, `enrolled` the roster's speaker id of each gold speaker on it.
    A slot is scoreable with a class that is, evidence, and a top speaker; then its cluster is the gold speaker, else
    `__unscoreable__:` and the label.
    """
    return [_trial(slot, evidence.get(slot.label), enrolled, use) for slot in alignment.slots]


def _trial(slot: SlotAlignment, evidence: MatchEvidence | None, enrolled: Mapping[str, str], use: MeetingUse) -> Trial:
    top = None if evidence is None else evidence.top_speaker_id
    kind, detail = _kind(slot, top, enrolled)
    is_scored = kind != contract.TrialKind.UNSCOREABLE and slot.dominant is not None
    return Trial(
        run_id=None if evidence is None else evidence.run_id,
        label=slot.label,
        top_speaker_id=top,
        similarity=None if evidence is None else evidence.similarity,
        margin=None if evidence is None else evidence.margin,
        vote_agreement=None if evidence is None else evidence.vote_agreement,
        eligible_turns=None if evidence is None else evidence.eligible_turns,
        eligible_seconds=None if evidence is None else evidence.eligible_seconds,
        roster_size=None if evidence is None else evidence.roster_size,
        kind=kind,
        detail=detail,
        truth_anchoring=use.truth_anchoring,
        cluster_id=str(slot.dominant) if is_scored else UNSCOREABLE + slot.label,
        meeting_id=use.meeting_id,
        meeting_role=use.role,
        meeting_split=use.split,
        slot_label=slot.label,
        slot_classification=slot.classification,
        slot_purity=slot.purity,
        slot_coverage=slot.coverage,
        slot_margin=slot.margin,
        slot_duration=slot.duration,
        dominant_gold_speaker=slot.dominant,
    )


def _kind(
    slot: SlotAlignment, top: str | None, enrolled: Mapping[str, str]
) -> tuple[contract.TrialKind, contract.TrialDetail]:
    """Kind and detail of a slot's trial: against whom its top speaker counts."""
    if slot.classification not in _SCOREABLE or top is None or slot.dominant is None:
        return contract.TrialKind.UNSCOREABLE, contract.TrialDetail.UNSCOREABLE
    if slot.dominant not in enrolled:
        return contract.TrialKind.IMPOSTOR, contract.TrialDetail.IMPOSTOR_OPEN
    if enrolled[slot.dominant] == top:
        return contract.TrialKind.GENUINE, contract.TrialDetail.GENUINE
    return contract.TrialKind.IMPOSTOR, contract.TrialDetail.IMPOSTOR_CLOSED


def unheard(evidence: Mapping[str, MatchEvidence], hypothesis: Timeline) -> str | None:
    """The labels of the evidence that are no voice of the hypothesis, in words; None when all are."""
    lost = sorted(evidence.keys() - hypothesis.spans.keys())
    return f"evidence for {', '.join(map(quoted, lost))}, no voice of the hypothesis" if lost else None
