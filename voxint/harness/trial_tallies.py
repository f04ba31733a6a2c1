"""What gates do to trials, counted: a whole grid of gates in one pass over the columns, in exact integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voxint_contracts.calibration import v1 as contract

from voxint.harness.trial_columns import (
    GENUINE,
    IMPOSTOR,
    UNSCOREABLE,
    TrialColumns,
    accepted,
    grounded_but_for_scores,
)
from voxint.speakers.policy import MatchingGates
from voxint.stats.clopper_pearson import clopper_pearson_ci, clopper_pearson_upper
from voxint.stats.exact import ratio
from voxint.stats.wilson import wilson_ci, wilson_upper_one_sided

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grid = NDArray[np.int64]

CONFIDENCE = 0.95

ROSTERS = {
    contract.StratumName.ALL: (0, 1, 2),
    contract.StratumName.ROSTER_1: (1,),
    contract.StratumName.ROSTER_2_PLUS: (2,),
}
"""Which roster codes of the columns a stratum holds; a roster that nobody recorded is in `all` alone."""


@dataclass(frozen=True)
class GridCounts:
    """Counts of one stratum; each grid has the shape (cosines, margins)."""

    n_genuine_trials: int
    n_impostor_trials: int
    n_genuine_clusters: int
    n_impostor_clusters: int
    auto_correct: Grid
    auto_wrong: Grid
    review: Grid
    clusters_covered: Grid
    clusters_wrong: Grid

    def tally(self, cosine: int, margin: int) -> contract.Tally:
        """The tally of one point, with its rates and bounds."""
        at = cosine, margin
        return _tally(
            self,
            correct=int(self.auto_correct[at]),
            wrong=int(self.auto_wrong[at]),
            review=int(self.review[at]),
            covered=int(self.clusters_covered[at]),
            clusters_wrong=int(self.clusters_wrong[at]),
        )


def grid_counts(
    columns: TrialColumns, gates: MatchingGates, cosines: Sequence[float], margins: Sequence[float]
) -> dict[contract.StratumName, GridCounts]:
    """The counts of every stratum at every pair of a grounded cosine and a grounded margin, all other gates as given.

    Both lists ascend. A trial clears the pairs up to the last cosine and the last margin that it reaches, so its place
    in the grid is found once, and the counts of all pairs are sums over what lies beyond them. Time grows with the
    trials plus the grid, memory by one byte for each cluster at each pair.
    """
    import numpy as np

    shape = len(cosines), len(margins)
    reached = np.searchsorted(np.asarray(cosines, dtype=np.float64), columns.cosines, side="right")
    reached *= grounded_but_for_scores(columns, gates)
    leads = np.searchsorted(np.asarray(margins, dtype=np.float64), columns.margins, side="right")
    scoreable = columns.kinds != UNSCOREABLE
    code = (columns.rosters.astype(np.int64) * 2 + columns.kinds) * 2 + accepted(columns, gates)
    cell = (code * (shape[0] + 1) + reached) * (shape[1] + 1) + leads
    size = 3 * 2 * 2 * (shape[0] + 1) * (shape[1] + 1)
    counts = np.bincount(cell[scoreable], minlength=size).reshape(3, 2, 2, shape[0] + 1, shape[1] + 1)
    places = _places(columns, reached, leads, shape)
    return {
        name: _stratum(counts[list(rosters)].sum(axis=0), places, rosters, columns, shape)
        for name, rosters in ROSTERS.items()
    }


def tally_of(columns: TrialColumns, gates: MatchingGates) -> contract.Tally:
    """The tally of all trials under one set of gates."""
    grid = grid_counts(columns, gates, [gates.grounded_min_cosine], [gates.grounded_min_margin])
    return grid[contract.StratumName.ALL].tally(0, 0)


@dataclass(frozen=True)
class _Places:
    """Of the trials that clear some pair: kind, roster, cluster, and the cell of the last pair they clear."""

    kinds: NDArray[np.int8]
    rosters: NDArray[np.int8]
    clusters: NDArray[np.int64]
    cells: NDArray[np.int64]


def _places(columns: TrialColumns, reached: Grid, leads: Grid, shape: tuple[int, int]) -> _Places:
    clears = (columns.kinds != UNSCOREABLE) & (reached > 0) & (leads > 0)
    cells = (reached[clears] - 1) * shape[1] + leads[clears] - 1
    return _Places(columns.kinds[clears], columns.rosters[clears], columns.clusters[clears], cells)


def _stratum(
    counts: NDArray[np.int64], places: _Places, rosters: Sequence[int], columns: TrialColumns, shape: tuple[int, int]
) -> GridCounts:
    """The counts of one stratum; `counts` has the axes kind, accepted, cosine, margin."""
    import numpy as np

    beyond = _beyond(counts)[..., 1:, 1:]
    inside = np.isin(columns.rosters, rosters)
    totals = counts.sum(axis=(1, 2, 3))
    return GridCounts(
        n_genuine_trials=int(totals[GENUINE]),
        n_impostor_trials=int(totals[IMPOSTOR]),
        n_genuine_clusters=_n_clusters(columns, inside, GENUINE),
        n_impostor_clusters=_n_clusters(columns, inside, IMPOSTOR),
        auto_correct=beyond[GENUINE].sum(axis=0),
        auto_wrong=beyond[IMPOSTOR].sum(axis=0),
        review=counts[:, 1].sum() - beyond[:, 1].sum(axis=0),
        clusters_covered=_clusters_beyond(places, rosters, GENUINE, shape),
        clusters_wrong=_clusters_beyond(places, rosters, IMPOSTOR, shape),
    )


def _beyond(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """At each cell, the sum over all cells with at least its cosine and at least its margin."""
    flipped = counts[..., ::-1, ::-1].cumsum(axis=-1).cumsum(axis=-2)
    return flipped[..., ::-1, ::-1]


def _n_clusters(columns: TrialColumns, inside: NDArray[np.bool_], kind: int) -> int:
    import numpy as np

    seen = np.zeros(columns.n_clusters, dtype=np.bool_)
    seen[columns.clusters[inside & (columns.kinds == kind)]] = True
    return int(seen.sum())


def _clusters_beyond(places: _Places, rosters: Sequence[int], kind: int, shape: tuple[int, int]) -> Grid:
    """At each pair, how many clusters have a trial of the kind that clears it."""
    import numpy as np

    mine = (places.kinds == kind) & np.isin(places.rosters, rosters)
    names, numbers = np.unique(places.clusters[mine], return_inverse=True)
    marks = np.zeros((names.size, shape[0] * shape[1]), dtype=np.bool_)
    marks[numbers, places.cells[mine]] = True
    marks = marks.reshape(-1, *shape)[:, ::-1, ::-1]
    marks = np.logical_or.accumulate(np.logical_or.accumulate(marks, axis=1), axis=2)
    return np.asarray(marks.sum(axis=0, dtype=np.int64)[::-1, ::-1])


def _tally(
    counts: GridCounts, *, correct: int, wrong: int, review: int, covered: int, clusters_wrong: int
) -> contract.Tally:
    genuine, impostor = counts.n_genuine_trials, counts.n_impostor_trials
    total = genuine + impostor
    return contract.Tally(
        n_scoreable=total,
        n_genuine_trials=genuine,
        n_impostor_trials=impostor,
        n_genuine_clusters=counts.n_genuine_clusters,
        n_impostor_clusters=counts.n_impostor_clusters,
        auto_correct=correct,
        auto_wrong=wrong,
        review=review,
        abstain=total - correct - wrong - review,
        impostor_clusters_wrong=clusters_wrong,
        genuine_clusters_covered=covered,
        coverage=ratio(correct + wrong, total),
        genuine_cluster_coverage=ratio(covered, counts.n_genuine_clusters),
        far=ratio(wrong, impostor),
        far_ci=list(wilson_ci(wrong, impostor, CONFIDENCE)),
        far_exact_ci=list(clopper_pearson_ci(wrong, impostor, CONFIDENCE)),
        far_upper_one_sided=wilson_upper_one_sided(clusters_wrong, counts.n_impostor_clusters, CONFIDENCE),
        far_exact_upper_one_sided=clopper_pearson_upper(clusters_wrong, counts.n_impostor_clusters, CONFIDENCE),
        frr=ratio(genuine - correct, genuine),
        frr_ci=list(wilson_ci(genuine - correct, genuine, CONFIDENCE)),
        frr_exact_ci=list(clopper_pearson_ci(genuine - correct, genuine, CONFIDENCE)),
    )
