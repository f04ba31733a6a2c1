"""The statistics of name accuracy for plain lists: what a notebook needs without files or reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from voxint.stats.resampling import BootstrapInterval, clustered_bootstrap
from voxint.stats.selective import RiskCoverage, group_confidences
from voxint.stats.selective import risk_coverage as curve_of


def clustered_bootstrap_delta(
    items: Iterable[Sequence[int]], *, n_boot: int = 1000, seed: int = 0, confidence: float = 0.95
) -> BootstrapInterval:
    """Mean per-slot change in correctness, with a percentile interval that resamples whole items.

    Each item is the list of its slots' changes: 1 became right, -1 became wrong, 0 neither. Items without slots count
    for nothing; no items give 0.0, 0.0, 0.0. The order of items and slots never matters. Source: Efron (1979),
    doi:10.1214/aos/1176344552; clusters as in Davison and Hinkley (1997), section 3.8.

    Raises:
        ValueError: a change is not -1, 0 or 1, or a setting is out of its range.

    >>> clustered_bootstrap_delta([[1, 0], [1, 0]])
    BootstrapInterval(point=0.5, lo=0.5, hi=0.5)
    """
    types: Counter[tuple[int, int]] = Counter()
    for item in items:
        if any(delta not in (-1, 0, 1) for delta in item):
            raise ValueError(f"a slot's change is -1, 0 or 1, not {list(item)!r}")
        if item:
            types[sum(item), len(item)] += 1
    return clustered_bootstrap(types, seed=seed, n_boot=n_boot, confidence=confidence)


def risk_coverage(slots: Iterable[tuple[float | None, bool]], *, target: float = 0.95) -> RiskCoverage:
    """Risk-coverage curve of (confidence, right or wrong) pairs; see `voxint.stats.selective.risk_coverage`.

    Equal confidences are one point; None comes last. Raises ValueError for a confidence that is not finite.

    >>> risk_coverage([(0.9, True), (None, False)])
    RiskCoverage(points=[(0.5, 1.0, 0.9), (1.0, 0.5, None)], chow_coverage=0.5, aurc=0.25)
    """
    import numpy as np

    kept = list(slots)
    ranked = [(value, right) for value, right in kept if value is not None]
    unranked = [right for value, right in kept if value is None]
    values = np.array([value for value, _ in ranked], dtype=np.float64)
    groups = group_confidences(values, np.array([right for _, right in ranked], dtype=np.bool_))
    return curve_of(groups, unranked=(len(unranked), sum(map(bool, unranked))), target=target)
