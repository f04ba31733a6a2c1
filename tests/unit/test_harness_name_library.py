"""The plain-list forms agree with the report, and everything the library promises can be imported from one place."""

from __future__ import annotations

import pytest

from voxint.harness import name_accuracy
from voxint.harness.name_library import clustered_bootstrap_delta, risk_coverage
from voxint.stats.resampling import clustered_bootstrap


def test_items_are_counted_by_their_changes() -> None:
    items = [[1, 0], [0, 1], [-1], [], [0, 0, 0]]
    assert clustered_bootstrap_delta(items, seed=3) == clustered_bootstrap({(1, 2): 2, (-1, 1): 1, (0, 3): 1}, seed=3)
    assert clustered_bootstrap_delta(items).point == 1 / 8
    assert clustered_bootstrap_delta([]).hi == 0.0
    with pytest.raises(ValueError, match="-1, 0 or 1"):
        clustered_bootstrap_delta([[2]])


def test_the_curve_of_pairs_by_hand() -> None:
    # 2 of 3 at 0.9 (one point, 1 of 2 right), then 0.4 (2 of 3 right).
    curve = risk_coverage([(0.9, True), (0.4, True), (0.9, False)])
    assert curve.points == [(2 / 3, 0.5, 0.9), (1.0, 2 / 3, 0.4)]
    assert curve.chow_coverage is None
    assert risk_coverage([]).points == []


def test_the_whole_library_stands_in_one_module() -> None:
    promised = {
        "aggregate",
        "clustered_bootstrap_delta",
        "combine_confidences",
        "curated_hits",
        "is_overnaming",
        "mcnemar",
        "norm_channel",
        "person_name_match",
        "risk_coverage",
        "score",
        "slot_verdict",
        "wilson_ci",
        "wilson_upper_one_sided",
    }
    assert promised <= set(name_accuracy.__all__)
    assert all(callable(getattr(name_accuracy, name)) for name in name_accuracy.__all__)
