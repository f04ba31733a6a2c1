"""How often attribution is wrong under one set of gates: by trial, and by speaker, whose trials move together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from voxint_contracts.attribution import v1 as contract
from voxint_contracts.calibration.v1 import Tally

from voxint.harness.trial_columns import (
    AUTO,
    GENUINE,
    UNSCOREABLE,
    TrialColumns,
    bands,
    check_distinct_trials,
    columns_of,
    detail_of,
)
from voxint.harness.trial_tallies import CONFIDENCE, tally_of
from voxint.speakers.policy import BASE_GATES
from voxint.stats.clopper_pearson import clopper_pearson_ci, clopper_pearson_upper
from voxint.stats.exact import ratio
from voxint.stats.wilson import wilson_ci, wilson_upper_one_sided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["aggregate_trials", "rate_bounds", "score"]


def score(
    *, trials: contract.TrialsDocument, gates: contract.MatchingGates | None = None
) -> contract.AttributionMetrics:
    """Counts what attribution shows rightly and wrongly under a set of gates.

    A trial counts in the band that its recorded evidence and the gates give. FAR is the share of impostor trials
    shown without review, FRR the share of genuine trials that are not; each also by gold speaker, who is in error as
    soon as one trial is. Every rate has Wilson's bounds and the exact ones beside them. No trials give rates of 0 and
    intervals [0, 1].

    Args:
        trials: Trials of an alignment; one without detail is taken as a closed impostor.
        gates: The gates; without them, those in use by default.

    Example:
        voxint attribution score --trials trials.json --out metrics.json

    Raises:
        RecordError: A label of a run stands twice.
    """
    check_distinct_trials(trials.trials)
    metrics = aggregate_trials(trials.trials, gates or BASE_GATES)
    about = {"protocol_summary": trials.protocol_summary, "environment": trials.environment}
    return metrics.model_copy(update=about)


def aggregate_trials(
    trials: Iterable[contract.Trial], gates: contract.MatchingGates = BASE_GATES
) -> contract.AttributionMetrics:
    """The metrics of trials under the gates: counts, coverage in [0, 1], FAR and FRR with their bounds in [0, 1].

    A cluster is a gold speaker; one with genuine and impostor trials counts in both. Bounds are at 95 %: Wilson (1927),
    doi:10.1080/01621459.1927.10502953, and Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.
    """
    kept = list(trials)
    columns = columns_of(kept)
    tally = tally_of(columns, gates)
    details = Counter(detail_of(trial) for trial in kept)
    attrition = Counter(trial.slot_classification for trial in kept)
    return contract.AttributionMetrics(
        schema_version=1,
        kind="attribution_metrics",
        gates=gates,
        n_trials=len(kept),
        n_scoreable=tally.n_scoreable,
        n_unscoreable=len(kept) - tally.n_scoreable,
        n_genuine_trials=tally.n_genuine_trials,
        n_impostor_trials=tally.n_impostor_trials,
        n_impostor_closed_trials=details[contract.TrialDetail.IMPOSTOR_CLOSED],
        n_impostor_open_trials=details[contract.TrialDetail.IMPOSTOR_OPEN],
        n_genuine_clusters=tally.n_genuine_clusters,
        n_impostor_clusters=tally.n_impostor_clusters,
        n_speaker_clusters=_n_clusters(columns, columns.kinds != UNSCOREABLE),
        n_auto_correct=tally.auto_correct,
        n_auto_wrong=tally.auto_wrong,
        n_review=tally.review,
        n_abstain=tally.abstain,
        coverage=tally.coverage,
        genuine_cluster_coverage=tally.genuine_cluster_coverage,
        **_rates(columns, tally, gates),
        alignment_attrition=contract.AlignmentAttrition(**{each.value: attrition[each] for each in contract.SlotClass}),
    )


def _rates(columns: TrialColumns, tally: Tally, gates: contract.MatchingGates) -> dict[str, Any]:
    """FAR and FRR with all their bounds, by trial and by cluster, and the flat numbers among them."""
    far_by_trial = rate_bounds(tally.auto_wrong, tally.n_impostor_trials)
    far_by_cluster = rate_bounds(tally.impostor_clusters_wrong, tally.n_impostor_clusters)
    frr_by_trial = rate_bounds(tally.n_genuine_trials - tally.auto_correct, tally.n_genuine_trials)
    rejected = (columns.kinds == GENUINE) & (bands(columns, gates) != AUTO)
    return {
        "far": far_by_trial.rate,
        "far_ci_upper": far_by_trial.ci95[1],
        "far_upper_one_sided": far_by_cluster.upper_one_sided,
        "frr": frr_by_trial.rate,
        "frr_ci_upper": frr_by_trial.ci95[1],
        "far_by_trial": far_by_trial,
        "far_by_cluster": far_by_cluster,
        "frr_by_trial": frr_by_trial,
        "frr_by_cluster": rate_bounds(_n_clusters(columns, rejected), tally.n_genuine_clusters),
    }


def rate_bounds(errors: int, cases: int) -> contract.RateBounds:
    """A rate with its bounds at 95 %, by Wilson and exact; without a case the rate is 0 and every bound says nothing.

    Raises:
        ValueError: counts that are not 0 <= errors <= cases as ints.
    """
    return contract.RateBounds(
        errors=errors,
        cases=cases,
        rate=ratio(errors, cases),
        ci95=list(wilson_ci(errors, cases, CONFIDENCE)),
        exact_ci95=list(clopper_pearson_ci(errors, cases, CONFIDENCE)),
        upper_one_sided=wilson_upper_one_sided(errors, cases, CONFIDENCE),
        exact_upper_one_sided=clopper_pearson_upper(errors, cases, CONFIDENCE),
    )


def _n_clusters(columns: TrialColumns, which: NDArray[np.bool_]) -> int:
    """Distinct gold speakers of the trials that are marked."""
    import numpy as np

    return int(np.unique(columns.clusters[which]).size)
