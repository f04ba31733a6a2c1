"""Sweeps and comparisons of gates: exploratory, over the whole file, and nothing is decided by them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voxint_contracts.attribution.v1 import MatchingGates, Trial, TrialsDocument
from voxint_contracts.calibration import v1 as contract

from voxint.harness.calibration_rule import MIN_INDEPENDENT_CLUSTERS, SWEEP_COSINES, SWEEP_MARGINS, pairs
from voxint.harness.trial_columns import (
    ABSTAIN,
    AUTO,
    GENUINE,
    IMPOSTOR,
    REVIEW,
    TrialColumns,
    bands,
    check_distinct_trials,
    columns_of,
    detail_of,
)
from voxint.harness.trial_tallies import GridCounts, grid_counts, tally_of
from voxint.speakers.policy import BASE_GATES

_BANDS = {AUTO: contract.Band.AUTO_ATTRIBUTE, REVIEW: contract.Band.REVIEW, ABSTAIN: contract.Band.ABSTAIN}


def sweep(*, trials: TrialsDocument, gates: MatchingGates | None = None) -> contract.CalibrationSweep:
    """Counts what each of 99 pairs of grounded cosine and grounded margin does to the trials.

    For all trials, for rosters of one and for larger ones. Exploratory: the file is read whole, both halves alike, and
    a point that looks good here was chosen after its scores were seen. No trials give counts of 0 and bounds of 1.

    Args:
        trials: Trials of an alignment, of any split.
        gates: The gates that the points differ from by cosine and margin; without them, those in use by default.

    Example:
        voxint calibrate sweep --trials trials.json --out sweep.json

    Raises:
        RecordError: A label of a run stands twice.
    """
    check_distinct_trials(trials.trials)
    columns = columns_of(trials.trials)
    grid = grid_counts(columns, gates or BASE_GATES, SWEEP_COSINES, SWEEP_MARGINS)
    return contract.CalibrationSweep(
        schema_version=1,
        kind="calibration_sweep",
        base_gates=gates or BASE_GATES,
        independence=_independence(columns),
        strata=[contract.SweepStratum(name=name, points=_points(counts)) for name, counts in grid.items()],
    )


def _points(counts: GridCounts) -> list[contract.SweepPoint]:
    return [
        contract.SweepPoint(cosine=SWEEP_COSINES[i], margin=SWEEP_MARGINS[j], tally=counts.tally(i, j))
        for i, j in pairs(SWEEP_COSINES, SWEEP_MARGINS)
    ]


def compare(
    *, trials: TrialsDocument, after: MatchingGates, before: MatchingGates | None = None
) -> contract.CalibrationComparison:
    """Counts what two sets of gates do to the same trials, and lists every trial that changes its band.

    Exploratory: the file is read whole, both halves alike. Unscoreable trials are in no count, but their changes are
    listed as well: they would change a screen too.

    Args:
        trials: Trials of an alignment, of any split.
        after: The gates on the one side.
        before: The gates on the other side; without them, those in use by default.

    Example:
        voxint calibrate compare --trials trials.json --after stricter.json

    Raises:
        RecordError: A label of a run stands twice.
    """
    check_distinct_trials(trials.trials)
    columns, old = columns_of(trials.trials), before or BASE_GATES
    return contract.CalibrationComparison(
        schema_version=1,
        kind="calibration_comparison",
        before_gates=old,
        after_gates=after,
        before=tally_of(columns, old),
        after=tally_of(columns, after),
        changes=band_changes(trials.trials, columns, old, after),
    )


def band_changes(
    trials: Sequence[Trial], columns: TrialColumns, before: MatchingGates, after: MatchingGates
) -> list[contract.BandChange]:
    """The trials that the two sets of gates put in different bands, sorted by meeting, run and label."""
    old, new = bands(columns, before), bands(columns, after)
    changed = sorted(
        (place for place, differs in enumerate((old != new).tolist()) if differs),
        key=lambda place: (trials[place].meeting_id, trials[place].run_id or "", trials[place].label),
    )
    return [
        contract.BandChange(
            meeting_id=trials[place].meeting_id,
            run_id=trials[place].run_id,
            label=trials[place].label,
            cluster_id=trials[place].cluster_id,
            detail=detail_of(trials[place]),
            before=_BANDS[int(old[place])],
            after=_BANDS[int(new[place])],
        )
        for place in changed
    ]


def check_independence(trials: Iterable[Trial]) -> contract.Independence:
    """How many gold speakers the scoreable trials come from, and whether the impostors' reach the floor of 50.

    The promise is about false accepts, so the floor is on impostor clusters; genuine ones are reported beside them.
    """
    return _independence(columns_of(trials))


def _independence(columns: TrialColumns) -> contract.Independence:
    import numpy as np

    genuine, impostor = (int(np.unique(columns.clusters[columns.kinds == kind]).size) for kind in (GENUINE, IMPOSTOR))
    return contract.Independence(
        n_impostor_clusters=impostor,
        n_genuine_clusters=genuine,
        min_impostor_clusters=MIN_INDEPENDENT_CLUSTERS,
        sufficient=impostor >= MIN_INDEPENDENT_CLUSTERS,
    )
