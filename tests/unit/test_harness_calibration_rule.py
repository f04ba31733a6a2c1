"""How many clusters a bound needs, by search, by the closed forms, and by the published fixed points."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.harness.calibration_rule import (
    CANDIDATE_COSINES,
    CANDIDATE_MARGINS,
    SWEEP_COSINES,
    SWEEP_MARGINS,
    pairs,
    required_clusters,
    required_clusters_exact,
    rule,
    with_scores,
)
from voxint.speakers.policy import BASE_GATES
from voxint.stats.clopper_pearson import clopper_pearson_upper
from voxint.stats.wilson import wilson_upper_one_sided

Z95 = 1.6448536269514722


def test_the_registered_numbers() -> None:
    assert required_clusters(0.05, 0.95) == 52
    assert required_clusters_exact(0.05, 0.95) == 59


@pytest.mark.parametrize(
    ("n", "bound"), [(0, 1.0), (49, 0.0523), (50, 0.0513), (51, 0.0504), (52, 0.0495), (104, 0.0254)]
)
def test_the_bound_without_an_error(n: int, bound: float) -> None:
    assert round(wilson_upper_one_sided(0, n), 4) == bound


@pytest.mark.parametrize("max_far", [0.3, 0.1, 0.05, 0.02, 0.01, 0.001])
def test_without_an_error_there_are_closed_forms(max_far: float) -> None:
    """z^2 / (n + z^2) <= f and 1 - 0.05^(1/n) <= f, solved for n."""
    assert required_clusters(max_far) == math.ceil(Z95**2 * (1 - max_far) / max_far)
    assert required_clusters_exact(max_far) == math.ceil(math.log(0.05) / math.log1p(-max_far))


@settings(deadline=None)
@given(st.floats(0.01, 0.9), st.sampled_from([0.6, 0.9, 0.95, 0.99]), st.integers(0, 6))
def test_it_is_the_smallest_that_reaches_the_bound(max_far: float, confidence: float, errors: int) -> None:
    for required, bound in (
        (required_clusters, wilson_upper_one_sided),
        (required_clusters_exact, clopper_pearson_upper),
    ):
        n = required(max_far, confidence, errors)
        assert bound(errors, n, confidence) <= max_far
        assert n <= errors or bound(errors, n - 1, confidence) > max_far


def test_a_bound_of_one_is_reached_by_the_errors_alone() -> None:
    assert [required_clusters(1.0, 0.95, errors) for errors in (0, 1, 4)] == [0, 1, 4]


@pytest.mark.parametrize(
    ("max_far", "confidence", "errors"), [(0.0, 0.95, 0), (1.1, 0.95, 0), (0.05, 1.0, 0), (0.05, 0.95, -1)]
)
def test_what_is_out_of_range_is_refused(max_far: float, confidence: float, errors: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        required_clusters(max_far, confidence, errors)


def test_the_grids_are_those_that_were_registered() -> None:
    assert len(CANDIDATE_COSINES) * len(CANDIDATE_MARGINS) == 32
    assert len(SWEEP_COSINES) * len(SWEEP_MARGINS) == 99
    for grid in (CANDIDATE_COSINES, CANDIDATE_MARGINS, SWEEP_COSINES, SWEEP_MARGINS):
        assert list(grid) == sorted(set(grid))
    made = rule()
    assert (made.min_impostor_clusters, made.max_far_upper_one_sided, made.confidence) == (50, 0.05, 0.95)
    assert (made.required_impostor_clusters, made.required_impostor_clusters_exact) == (52, 59)


def test_pairs_go_by_cosine_then_margin() -> None:
    assert list(pairs([0.1, 0.2], [1, 2, 3])) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_other_scores_leave_all_other_gates() -> None:
    changed = with_scores(BASE_GATES, 0.8, 0.12)
    differs = {name for name, value in BASE_GATES if getattr(changed, name) != value}
    assert differs == {"grounded_min_cosine", "grounded_min_margin"}
