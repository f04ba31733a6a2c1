"""Attribution trials as columns: numpy arrays built once, on which every set of gates is a comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voxint_contracts.attribution import v1 as contract

from voxint.errors import RecordFault, quoted
from voxint.harness.joins import FaultLog, raise_any
from voxint.speakers.policy import MatchingGates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GENUINE, IMPOSTOR, UNSCOREABLE = 0, 1, 2
ABSTAIN, REVIEW, AUTO = 0, 1, 2
"""Codes of the bands, in the order of what they permit."""

_KINDS = {
    contract.TrialKind.GENUINE: GENUINE,
    contract.TrialKind.IMPOSTOR: IMPOSTOR,
    contract.TrialKind.UNSCOREABLE: UNSCOREABLE,
}
_MISSING, _PASSES = float("-inf"), float("inf")


@dataclass(frozen=True)
class TrialColumns:
    """One entry a trial in every array.

    A missing number is -inf, so it fails every gate; a null margin of a roster of one is inf, so it passes.
    kinds: GENUINE, IMPOSTOR or UNSCOREABLE. rosters: 1 for a roster of one, 2 for a larger one, 0 for none on record.
    clusters: a number below n_clusters for each gold speaker. turns, seconds, cosines, margins, votes: the evidence.
    """

    kinds: NDArray[np.int8]
    rosters: NDArray[np.int8]
    clusters: NDArray[np.int64]
    n_clusters: int
    turns: NDArray[np.float64]
    seconds: NDArray[np.float64]
    cosines: NDArray[np.float64]
    margins: NDArray[np.float64]
    votes: NDArray[np.float64]


def columns_of(trials: Iterable[contract.Trial]) -> TrialColumns:
    """The columns of the trials, in their order; no trials give empty columns."""
    import numpy as np

    numbers: dict[str, int] = {}
    kinds, rosters, clusters = bytearray(), bytearray(), []
    evidence: list[tuple[float, float, float, float, float]] = []
    for trial in trials:
        kinds.append(_KINDS[trial.kind])
        rosters.append(min(trial.roster_size or 0, 2))
        clusters.append(numbers.setdefault(trial.cluster_id, len(numbers)))
        evidence.append(_evidence(trial))
    numeric = np.array(evidence, dtype=np.float64).reshape(-1, 5)
    return TrialColumns(
        np.frombuffer(bytes(kinds), dtype=np.int8),
        np.frombuffer(bytes(rosters), dtype=np.int8),
        np.array(clusters, dtype=np.int64),
        len(numbers),
        *(np.ascontiguousarray(numeric[:, column]) for column in range(5)),
    )


def _evidence(trial: contract.Trial) -> tuple[float, float, float, float, float]:
    margin = trial.margin
    if margin is None:
        margin = _PASSES if trial.roster_size == 1 else _MISSING
    return (
        _MISSING if trial.eligible_turns is None else trial.eligible_turns,
        _MISSING if trial.eligible_seconds is None else trial.eligible_seconds,
        _MISSING if trial.similarity is None else trial.similarity,
        margin,
        _MISSING if trial.vote_agreement is None else trial.vote_agreement,
    )


def accepted(columns: TrialColumns, gates: MatchingGates) -> NDArray[np.bool_]:
    """Which trials clear the accept gates; all comparisons are >=."""
    return (
        (columns.turns >= gates.min_turns)
        & (columns.seconds >= gates.min_seconds)
        & (columns.cosines >= gates.min_cosine)
        & (columns.margins >= gates.min_margin)
        & (columns.votes >= gates.min_vote_agreement)
    )


def grounded_but_for_scores(columns: TrialColumns, gates: MatchingGates) -> NDArray[np.bool_]:
    """Which trials clear the grounded gates on turns, seconds and votes: all but the cosine and the margin."""
    return (
        (columns.turns >= gates.grounded_min_turns)
        & (columns.seconds >= gates.grounded_min_seconds)
        & (columns.votes >= gates.grounded_min_vote_agreement)
    )


def bands(columns: TrialColumns, gates: MatchingGates) -> NDArray[np.int8]:
    """AUTO, REVIEW or ABSTAIN of each trial: `voxint.speakers.policy.band_for`, for all of them at once."""
    import numpy as np

    shown = grounded_but_for_scores(columns, gates)
    shown &= (columns.cosines >= gates.grounded_min_cosine) & (columns.margins >= gates.grounded_min_margin)
    return np.where(shown, AUTO, np.where(accepted(columns, gates), REVIEW, ABSTAIN)).astype(np.int8)


def detail_of(trial: contract.Trial) -> contract.TrialDetail:
    """The detail of a trial; of a frozen one without it, an impostor is a closed one."""
    if trial.detail is not None:
        return trial.detail
    if trial.kind == contract.TrialKind.IMPOSTOR:
        return contract.TrialDetail.IMPOSTOR_CLOSED
    return contract.TrialDetail(trial.kind.value)


def check_distinct_trials(trials: Sequence[contract.Trial], parameter: str = "trials") -> None:
    """RecordError where one label of one run of one meeting stands twice: it would count twice."""
    first: dict[tuple[str, str | None, str], int] = {}
    log = FaultLog(parameter)
    for place, trial in enumerate(trials):
        earlier = first.setdefault((trial.meeting_id, trial.run_id, trial.label), place)
        if earlier != place:
            message = f"stands twice: {quoted(trial.label)} of {quoted(trial.meeting_id)} is trials[{earlier}] too"
            log.add(RecordFault(parameter, None, message, ("trials", place, "label")))
    raise_any(log)
