"""Who speaks? One decision for each diarization label of a run, from its turns and the enrolled voices. Pure.

A label's centroid is the mean direction of its eligible turns, weighted by their usable seconds; a speaker's voiceprint
is the mean direction of the enrollment vectors. Cosines are those of `voxint.stats.cosines`: the same bits on any
machine, in any batch. A matrix product only leaves out pairs that cannot matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.speaker_match.v1 import MatchCandidate, MatchDecision, MatchReason

from voxint.speakers.policy import BASE_GATES, accept_failure, grounded_failure
from voxint.speakers.voiceprints import Roster, nearest, top_two, weighted_direction
from voxint.stats.cosines import unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LabelSpeech", "Matches", "RunTurns", "Turn", "decide", "label_speech", "speech_obstacle"]

_REJECTIONS = {
    "cosine": MatchReason.BELOW_COSINE,
    "margin": MatchReason.BELOW_MARGIN,
    "vote_agreement": MatchReason.BELOW_VOTE_AGREEMENT,
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a run: seconds from its start, seconds that another voice overlaps, and its embedding if it has one.

    `embedding` is a vector of float64, any scale; `embedding_space` is the tag of the model that made it.
    """

    turn_index: int
    start: float
    end: float
    label: str
    overlap_seconds: float = 0.0
    embedding_space: str | None = None
    embedding: NDArray[np.float64] | None = None

    @property
    def duration(self) -> float:
        """Seconds."""
        return self.end - self.start

    @property
    def usable(self) -> float:
        """Seconds without overlap, at least 0."""
        return max(self.duration - self.overlap_seconds, 0.0)


@dataclass(frozen=True, slots=True)
class RunTurns:
    """The turns of one pipeline run, in any order; their `turn_index` tells them apart."""

    run_id: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class LabelSpeech:
    """What a label's eligible turns say: unit vectors down, their weights in seconds, and the direction they share.

    `centroid` has length 1; None where there is no eligible turn, or where the turns cancel out.
    """

    embedding_space: str | None
    units: NDArray[np.float64]
    weights: NDArray[np.float64]
    eligible_seconds: float
    centroid: NDArray[np.float64] | None

    @property
    def eligible_turns(self) -> int:
        """Turns that count."""
        return len(self.units)


@dataclass(frozen=True, slots=True)
class Matches:
    """A decision for each label in code point order, and the labels left out since their turns span two spaces."""

    candidates: tuple[MatchCandidate, ...]
    mixed_labels: tuple[str, ...]


def decide(run: RunTurns, rosters: Mapping[str, Roster], gates: MatchingGates = BASE_GATES) -> Matches:
    """One decision for each label of a run, against the roster of the label's embedding space.

    Looked at in this order: eligible turns (`no_eligible_turns`, `too_few_turns`, `too_little_speech`), the roster
    (`no_roster`), the centroid (`degenerate_centroid`), then the accept gates (`below_cosine`, `below_margin`,
    `below_vote_agreement`). Of equal cosines the smallest speaker id is nearest. With one speaker there is no margin,
    and it passes. A match is grounded if it is accepted and passes the grounded gates too.
    """
    by_label: dict[str, list[Turn]] = {}
    for turn in sorted(run.turns, key=lambda each: each.turn_index):
        by_label.setdefault(turn.label, []).append(turn)
    candidates, mixed = [], []
    for label in sorted(by_label):
        turns = by_label[label]
        if len({turn.embedding_space for turn in turns if turn.embedding is not None}) > 1:
            mixed.append(label)
            continue
        speech = label_speech(turns, gates)
        roster = rosters.get(speech.embedding_space or "")
        candidates.append(_decision(run.run_id, label, speech, roster, gates))
    return Matches(tuple(candidates), tuple(mixed))


def label_speech(turns: Sequence[Turn], gates: MatchingGates) -> LabelSpeech:
    """The eligible turns of one label, all of one embedding space.

    Eligible is a turn with an embedding that is not zero, of which others overlap at most `max_overlap_ratio`; it
    weighs its usable seconds, at most `turn_weight_cap_seconds`.

    Raises:
        ValueError: an embedding is not finite, or two differ in length.
    """
    space = next((turn.embedding_space for turn in turns if turn.embedding is not None), None)
    eligible = [turn for turn in turns if _is_eligible(turn, gates.max_overlap_ratio)]
    if not eligible:
        return LabelSpeech(space, np.empty((0, 0)), np.empty(0), 0.0, None)
    units = unit_rows(np.stack([np.asarray(turn.embedding, np.float64) for turn in eligible]))
    weights = np.array([min(turn.usable, gates.turn_weight_cap_seconds) for turn in eligible])
    seconds = math.fsum(turn.usable for turn in eligible)
    return LabelSpeech(space, units, weights, seconds, weighted_direction(units, weights))


def _is_eligible(turn: Turn, max_overlap_ratio: float) -> bool:
    if turn.embedding is None or not turn.duration > 0.0:
        return False
    return turn.overlap_seconds / turn.duration <= max_overlap_ratio and bool(np.any(turn.embedding))


def _decision(
    run_id: str, label: str, speech: LabelSpeech, roster: Roster | None, gates: MatchingGates
) -> MatchCandidate:
    blank = MatchCandidate(
        schema_version=1,
        run_id=run_id,
        label=label,
        decision=MatchDecision.INELIGIBLE,
        reason=_obstacle(speech, roster, gates),
        embedding_space=speech.embedding_space,
        top_speaker_id=None,
        similarity=None,
        margin=None,
        vote_agreement=None,
        grounded=False,
        eligible_turns=speech.eligible_turns,
        eligible_seconds=speech.eligible_seconds,
        roster_size=0 if roster is None else len(roster),
    )
    if blank.reason is not None or roster is None or speech.centroid is None:
        return blank
    found = blank.model_copy(update=_compared(speech, speech.centroid, roster))
    failed = accept_failure(found, gates)
    if failed is not None:
        return found.model_copy(update={"decision": MatchDecision.REJECTED, "reason": _REJECTIONS[failed]})
    grounded = grounded_failure(found, gates) is None
    return found.model_copy(update={"decision": MatchDecision.ACCEPTED, "grounded": grounded})


def speech_obstacle(speech: LabelSpeech, gates: MatchingGates) -> MatchReason | None:
    """What there is too little of in a label to say whose voice it is; None where there is enough."""
    if not speech.eligible_turns:
        return MatchReason.NO_ELIGIBLE_TURNS
    if speech.eligible_turns < gates.min_turns:
        return MatchReason.TOO_FEW_TURNS
    return MatchReason.TOO_LITTLE_SPEECH if speech.eligible_seconds < gates.min_seconds else None


def _obstacle(speech: LabelSpeech, roster: Roster | None, gates: MatchingGates) -> MatchReason | None:
    """The first thing that keeps a label from being compared at all."""
    if (too_little := speech_obstacle(speech, gates)) is not None:
        return too_little
    if roster is None or not len(roster):
        return MatchReason.NO_ROSTER
    return MatchReason.DEGENERATE_CENTROID if speech.centroid is None else None


def _compared(speech: LabelSpeech, centroid: NDArray[np.float64], roster: Roster) -> dict[str, object]:
    """Top speaker, similarity, margin and vote agreement of a label that can be compared."""
    place, top, second = top_two(centroid, roster)
    votes = nearest(speech.units, roster) == place
    total = math.fsum(speech.weights)
    return {
        "top_speaker_id": roster.speaker_ids[place],
        "similarity": top,
        "margin": None if second is None else top - second,
        "vote_agreement": math.fsum(speech.weights[votes]) / total if total else 0.0,
    }
