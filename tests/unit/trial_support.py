"""Attribution trials for tests, and their metrics counted one trial at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from voxint_contracts.attribution import v1 as contract

from voxint.speakers.policy import BASE_GATES, Band, MatchingGates, band_for

GENUINE, IMPOSTOR, UNSCOREABLE = contract.TrialKind.GENUINE, contract.TrialKind.IMPOSTOR, contract.TrialKind.UNSCOREABLE
STRONG = {"similarity": 0.9, "margin": 0.3, "vote_agreement": 1.0, "eligible_turns": 9, "eligible_seconds": 60.0}
WEAK = {**STRONG, "similarity": 0.1}
MIDDLE = {**STRONG, "similarity": 0.65}
_ROLES = {"dev": "test_genuine", "confirm": "test_genuine", "enrollment": "enrollment"}
_DETAILS = {"genuine": "genuine", "impostor": "impostor_open", "unscoreable": "unscoreable"}


def trial(kind: contract.TrialKind, cluster: str, number: int = 0, **fields: Any) -> contract.Trial:
    """A trial of its own meeting; strong evidence, dev half and a roster of four unless said otherwise."""
    split = fields.pop("split", "dev")
    made: dict[str, Any] = {
        "run_id": "run",
        "label": f"SPK_{number:02}",
        "top_speaker_id": "someone",
        "roster_size": 4,
        **STRONG,
        "kind": kind,
        "detail": contract.TrialDetail(_DETAILS[kind.value]),
        "truth_anchoring": "corpus_gold",
        "cluster_id": cluster,
        "meeting_id": f"{split or 'none'}-{cluster}",
        "meeting_role": None if split is None else _ROLES[split],
        "meeting_split": split,
        "slot_label": f"SPK_{number:02}",
        "slot_classification": "genuine",
        "slot_purity": 1.0,
        "slot_coverage": 0.5,
        "slot_margin": 1.0,
        "slot_duration": 60.0,
        "dominant_gold_speaker": cluster,
        **fields,
    }
    return contract.Trial.model_validate(made, strict=False)


def many(kind: contract.TrialKind, prefix: str, n_clusters: int, n_trials: int, **fields: Any) -> list[contract.Trial]:
    """`n_trials` trials spread as evenly as they go over `n_clusters` clusters."""
    return [trial(kind, f"{prefix}{each % n_clusters}", each // n_clusters, **fields) for each in range(n_trials)]


def document(trials: Iterable[contract.Trial]) -> contract.TrialsDocument:
    summary = contract.ProtocolSummary(corpus="made", truth_source="corpus_gold", n_meetings=1, n_rows=1)
    return contract.TrialsDocument(
        schema_version=1, kind="attribution_trials", protocol_summary=summary, alignment={}, trials=list(trials)
    )


def gates(**changes: float) -> MatchingGates:
    return BASE_GATES.model_copy(update=changes)


def naive_tally(trials: Sequence[contract.Trial], chosen: MatchingGates) -> dict[str, int]:
    """The counts of a tally, one trial and one band at a time."""
    shown = [each for each in trials if band_for(each, chosen).band == Band.AUTO_ATTRIBUTE]
    scoreable = [each for each in trials if each.kind != UNSCOREABLE]
    right = [each for each in shown if each.kind == GENUINE]
    wrong = [each for each in shown if each.kind == IMPOSTOR]
    review = [each for each in scoreable if band_for(each, chosen).band == Band.REVIEW]
    return {
        "n_scoreable": len(scoreable),
        "n_genuine_trials": sum(each.kind == GENUINE for each in trials),
        "n_impostor_trials": sum(each.kind == IMPOSTOR for each in trials),
        "n_genuine_clusters": len({each.cluster_id for each in trials if each.kind == GENUINE}),
        "n_impostor_clusters": len({each.cluster_id for each in trials if each.kind == IMPOSTOR}),
        "auto_correct": len(right),
        "auto_wrong": len(wrong),
        "review": len(review),
        "abstain": len(scoreable) - len(right) - len(wrong) - len(review),
        "impostor_clusters_wrong": len({each.cluster_id for each in wrong}),
        "genuine_clusters_covered": len({each.cluster_id for each in right}),
    }
