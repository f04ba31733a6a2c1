"""Risk-coverage curves against a slow rational reference, and combined confidences."""

import math
import pickle
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voxint.stats import selective
from voxint.stats.selective import (
    ConfidenceGroups,
    RiskCoverage,
    combine_confidences,
    group_confidences,
    risk_coverage,
)

Slot = tuple[float | None, bool]
confidence = st.none() | st.sampled_from([0.1, 0.5, 0.9, -0.0, 0.0, -3.0, 1e300]) | st.floats(-1, 1, width=16)
scalars = st.floats(allow_nan=False) | st.integers() | st.none() | st.booleans()
slot_lists = st.lists(st.tuples(confidence, st.booleans()), max_size=40)


def grouped(slots: list[Slot]) -> tuple[ConfidenceGroups, tuple[int, int]]:
    ranked = [(value, right) for value, right in slots if value is not None]
    rest = [right for value, right in slots if value is None]
    values = np.array([value for value, _ in ranked], dtype=np.float64)
    correct = np.array([right for _, right in ranked], dtype=bool)
    return group_confidences(values, correct), (len(rest), sum(rest))


def reference(slots: list[Slot], target: float) -> RiskCoverage:
    """Spec 01 read literally: one pass per point, fractions throughout."""
    n: Counter[float | None] = Counter(value for value, _ in slots)
    right: Counter[float | None] = Counter(value for value, correct in slots if correct)
    order: list[float | None] = [*sorted((value for value in n if value is not None), reverse=True)]
    order += [None] if None in n else []
    covered, hits, curve, terms, chow = 0, 0, [], [], None
    for index, value in enumerate(order):
        covered, hits = covered + n[value], hits + right[value]
        accuracy = float(Fraction(hits, covered))
        threshold = None if value is None else value + 0.0
        curve.append((Fraction(covered, len(slots)), accuracy, threshold))
        terms.append(float(n[value] * (1 - Fraction(hits, covered))))
        chow = index if accuracy >= target else chow
    kept = set(range(len(curve)))
    if len({c for c, _ in slots if c is not None}) > 1000:
        firsts, at = [], 0
        for j in range(1, 1001):
            while curve[at][0] < Fraction(j, 1000):
                at += 1
            firsts.append(at)
        kept = {0, len(curve) - 1, *firsts} | ({chow} if chow is not None else set())
    points = [(float(curve[i][0]), *curve[i][1:]) for i in sorted(kept)]
    area = math.fsum(terms) / len(slots) if slots else 0.0
    return RiskCoverage(points, None if chow is None else float(curve[chow][0]), area)


def check(slots: list[Slot], target: float) -> RiskCoverage:
    groups, unranked = grouped(slots)
    curve = risk_coverage(groups, unranked=unranked, target=target)
    assert repr(curve) == repr(reference(slots, target))
    return curve


def test_ties_form_one_point() -> None:
    for right in ((True, False), (False, True)):
        curve = check([(0.9, right[0]), (0.9, right[1]), (0.4, True)], 0.95)
        # area: 2/3 x 1/2 + 1/3 x 1/3 = 4/9
        assert curve == RiskCoverage([(2 / 3, 0.5, 0.9), (1.0, 2 / 3, 0.4)], None, 4 / 9)


def test_slots_without_confidence_come_last() -> None:
    curve = check([(None, True), (0.2, True), (None, False), (0.7, False)], 0.5)
    # area: 1/4 x 1 + 1/4 x 1/2 + 2/4 x 1/2 = 5/8
    assert curve == RiskCoverage([(0.25, 0.0, 0.7), (0.5, 0.5, 0.2), (1.0, 0.5, None)], 1.0, 0.625)


def test_nothing_and_only_unranked() -> None:
    assert check([], 0.95) == RiskCoverage([], None, 0.0)
    assert check([(None, True), (None, True)], 0.95) == RiskCoverage([(1.0, 1.0, None)], 1.0, 0.0)


@given(slot_lists, st.sampled_from([0.0, 0.5, 2 / 3, 0.9, 0.95, 1.0]) | st.floats(0, 1))
@example([(-0.0, True), (0.0, False)], 0.5)
@example([(0.9, True)] * 9 + [(0.9, False)], 0.9)  # 9/10 reaches 0.9 although the double 0.9 lies above it
def test_equals_the_reference(slots: list[Slot], target: float) -> None:
    check(slots, target)


@given(slot_lists)
def test_area_is_within_three_roundings_of_the_rational(slots: list[Slot]) -> None:
    groups, unranked = grouped(slots)
    exact, covered, hits = Fraction(0), 0, 0
    sizes, rights = [*groups.n.tolist(), unranked[0]], [*groups.n_correct.tolist(), unranked[1]]
    for n, right in zip(sizes, rights, strict=True):
        covered, hits = covered + n, hits + right
        exact += Fraction(n * (covered - hits), covered * len(slots)) if covered else 0
    area = risk_coverage(groups, unranked=unranked).aurc
    assert abs(Fraction(area) - exact) <= exact * Fraction(301, 100 * 2**53)


@pytest.mark.parametrize("n_unranked", [0, 1, 700])
@pytest.mark.parametrize(("n_ranked", "distinct"), [(1000, 1000), (1001, 1001), (5000, 2500), (7000, 10**9)])
@pytest.mark.parametrize("block", [97, 1 << 16])
def test_thinning_equals_the_reference(
    monkeypatch: pytest.MonkeyPatch, n_unranked: int, n_ranked: int, distinct: int, block: int
) -> None:
    monkeypatch.setattr(selective, "_BLOCK", block)
    rng = random.Random(n_ranked + n_unranked)
    ranks = range(n_ranked) if distinct == n_ranked else rng.choices(range(distinct), k=n_ranked)
    values = [rank / distinct for rank in ranks]
    slots: list[Slot] = [(value, rng.random() < value) for value in values]
    slots += [(None, rng.random() < 0.3) for _ in range(n_unranked)]
    rng.shuffle(slots)
    for target in (0.55, 0.7, 0.9):
        curve = check(slots, target)
        n_points = len(set(values)) + (n_unranked > 0)
        assert len(curve.points) == n_points if n_points <= 1000 else len(curve.points) <= 1003
        assert curve.chow_coverage in [None, *(point[0] for point in curve.points)]


def test_terms_beyond_the_doubles_integers_stay_correctly_rounded() -> None:
    n, right = [3**30, 2**40 + 1, 1], [3**29 + 1, 2**39 + 5, 0]
    groups = ConfidenceGroups(np.array([0.9, 0.5, 0.1]), np.array(n), np.array(right))
    terms = []
    for i in range(3):
        covered, wrong = sum(n[: i + 1]), sum(n[: i + 1]) - sum(right[: i + 1])
        terms.append(float(Fraction(n[i] * wrong, covered)))
    curve = risk_coverage(groups)
    assert curve.aurc == math.fsum(terms) / sum(n)
    assert curve.points[1][:2] == (sum(n[:2]) / sum(n), sum(right[:2]) / sum(n[:2]))
    with pytest.raises(ValueError, match="2\\^53"):
        risk_coverage(groups, unranked=(2**53, 0))


@given(slot_lists, st.integers(0, 40))
def test_groups_add_and_travel(slots: list[Slot], cut: int) -> None:
    ranked = [slot for slot in slots if slot[0] is not None]
    whole, left, right = (grouped(part)[0] for part in (ranked, ranked[:cut], ranked[cut:]))
    kept = pickle.dumps(left)
    for merged in (left + right, right + left, pickle.loads(pickle.dumps(left + right))):
        for field in ("thresholds", "n", "n_correct"):
            assert getattr(merged, field).tolist() == getattr(whole, field).tolist()
        assert not np.signbit(merged.thresholds[merged.thresholds == 0.0]).any()
    assert pickle.dumps(left) == kept


def test_counts_outgrow_their_bytes() -> None:
    part = group_confidences(np.full(200, 0.5), np.ones(200, dtype=np.uint8))
    total = part + part + part
    assert (part.n.dtype.name, total.n.dtype.name) == ("uint8", "uint16")
    assert (total.thresholds.tolist(), total.n.tolist(), total.n_correct.tolist()) == ([0.5], [600], [600])


def test_refuses() -> None:
    one = group_confidences(np.array([0.5]), np.array([True]))
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="target"):
            risk_coverage(one, target=bad)
    for unranked in ((1, 2), (-1, 0), (True, 0)):
        with pytest.raises(ValueError, match="unranked"):
            risk_coverage(one, unranked=unranked)
    for value in (math.nan, math.inf):
        with pytest.raises(ValueError, match="finite"):
            group_confidences(np.array([value]), np.array([True]))
    with pytest.raises(ValueError, match="shapes"):
        group_confidences(np.array([0.5]), np.array([True, False]))
    for rows in (([0.5, 0.5], [1, 1], [0, 0]), ([0.5], [0], [0]), ([0.5], [1], [2]), ([0.5], [1, 1], [0])):
        with pytest.raises(ValueError, match="groups"):
            ConfidenceGroups(*(np.array(column) for column in rows))


@pytest.mark.parametrize(
    ("values", "largest", "mean"),
    [
        ([0.25, 0.75], 0.75, 0.5),
        ([0.5, None, True, "0.9", math.nan, math.inf, -math.inf, 10**400, [1.0], 1j], 0.5, 0.5),
        ([1, 0.5], 1.0, 0.75),
        ([1.7e308, 1.7e308], 1.7e308, 1.7e308),  # their sum overflows
        ([1e16, 1.0, -1e16], 1e16, 1 / 3),  # a running sum loses the 1
        ([], None, None),
        ([True, math.nan, None], None, None),
    ],
)
def test_combine(values: list[object], largest: float | None, mean: float | None) -> None:
    assert combine_confidences(values) == combine_confidences(iter(values), "max") == largest
    assert combine_confidences(values, "mean") == mean


@given(st.lists(scalars).flatmap(lambda values: st.tuples(st.just(values), st.permutations(values))))
@example(([0.0, -0.0], [-0.0, 0.0]))
@example(([-5e-324, 0.0], [0.0, -5e-324]))
def test_combine_does_not_see_order(lists: tuple[list[object], list[object]]) -> None:
    for how in ("max", "mean"):
        first, second = (combine_confidences(values, how) for values in lists)
        assert repr(first) == repr(second) != "-0.0"


@pytest.mark.parametrize("how", ["min", "MAX", "", "median"])
def test_combine_refuses_another_how(how: str) -> None:
    with pytest.raises(ValueError, match="how"):
        combine_confidences([], how)
