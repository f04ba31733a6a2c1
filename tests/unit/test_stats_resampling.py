"""The clustered bootstrap: pinned answers, exact arithmetic, and plain resampling as the oracle."""

import math
import random
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.stats import resampling
from voxint.stats.resampling import BootstrapInterval, clustered_bootstrap, quantile

TYPES = {(-2, 4): 30, (-1, 4): 120, (0, 4): 700, (1, 4): 100, (2, 3): 25, (0, 2): 25}


@pytest.mark.parametrize(
    ("seed", "lo", "hi"),
    [
        (0, -0.018603821694053897, 0.0028208231213945147),
        (1, -0.017856781523930106, 0.0028112322622986497),
        (42, -0.01806788823569555, 0.00257254128982031),
        (2**32 - 1, -0.017627058210575645, 0.0017969262505438152),
    ],
)
def test_known_answers(seed: int, lo: float, hi: float) -> None:
    # point: (-60 - 120 + 100 + 50) / (4 x 950 + 3 x 25 + 2 x 25) = -30 / 3925
    assert clustered_bootstrap(TYPES, seed=seed) == BootstrapInterval(-30 / 3925, lo, hi)


def test_known_answer_with_few_replicates() -> None:
    interval = clustered_bootstrap({(-1, 3): 2, (1, 2): 1}, seed=7, n_boot=5, confidence=0.5)
    assert interval == BootstrapInterval(-1 / 8, -0.125, 0.14285714285714285)


def test_two_opposite_items_span_everything() -> None:
    # A quarter of the replicates draws one of the two items twice: -1 or +1, far beyond 2.5 %.
    assert clustered_bootstrap({(1, 1): 1, (-1, 1): 1}) == BootstrapInterval(0.0, -1.0, 1.0)


def test_no_item_and_equal_items() -> None:
    assert clustered_bootstrap({}) == BootstrapInterval(0.0, 0.0, 0.0)
    assert clustered_bootstrap({(1, 2): 0}) == BootstrapInterval(0.0, 0.0, 0.0)
    assert clustered_bootstrap({(0, 1): 6}) == BootstrapInterval(0.0, 0.0, 0.0)
    third = 1 / 3
    for n_items in (1, 2, 10**9, 2**53 - 1):
        assert clustered_bootstrap({(1, 3): n_items}, n_boot=10) == BootstrapInterval(third, third, third)


def test_neither_order_nor_empty_types_matter() -> None:
    expected = clustered_bootstrap(TYPES, seed=3)
    assert clustered_bootstrap(dict(reversed(TYPES.items())), seed=3) == expected
    assert clustered_bootstrap({(-4, 4): 0, **TYPES, (4, 4): 0}, seed=3) == expected


def test_blocks_continue_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = clustered_bootstrap(TYPES, seed=5, n_boot=101)
    for cells in (1, 60, 61):
        monkeypatch.setattr(resampling, "_CELLS", cells)
        assert clustered_bootstrap(TYPES, seed=5, n_boot=101) == expected


def test_replicates_are_one_multinomial_draw() -> None:
    rows = [(delta, n_slots, count) for (delta, n_slots), count in sorted(TYPES.items())]
    counts = [count for _, _, count in rows]
    stream = np.random.RandomState(9)
    draws = stream.multinomial(1000, [count / 1000 for count in counts], size=50)
    expected = [
        sum(k * row[0] for k, row in zip(draw, rows, strict=True))
        / sum(k * row[1] for k, row in zip(draw, rows, strict=True))
        for draw in draws.tolist()
    ]
    assert sum(counts) == 1000
    assert resampling._replicates(rows, 9, 50) == expected


def test_sums_beyond_64_bits_stay_exact() -> None:
    huge = 10**15
    small = {(-1, 4): 5 * 10**8, (2, 3): 5 * 10**8}
    scaled = {(-huge, 4 * huge): 5 * 10**8, (2 * huge, 3 * huge): 5 * 10**8}
    assert clustered_bootstrap(scaled, n_boot=50) == clustered_bootstrap(small, n_boot=50)


def test_a_billion_items_and_many_types() -> None:
    big = clustered_bootstrap({(-1, 4): 10**8, (0, 4): 8 * 10**8, (1, 4): 10**8})
    # One item's delta has variance 0.2, so the mean over 4e9 slots has error sqrt(0.2e9) / 4e9 = 3.5e-6.
    assert big.point == 0.0
    assert big.hi - big.lo == pytest.approx(2 * 1.96 * 3.5355e-6, rel=0.1)
    many = clustered_bootstrap({(i % 5 - 2, i): 1 + i % 3 for i in range(1, 20_001)}, n_boot=20)
    assert many.lo <= many.point <= many.hi


def test_agrees_with_plain_cluster_resampling() -> None:
    rng = random.Random(11)
    slots = np.array([rng.randint(1, 6) for _ in range(60)])
    deltas = np.array([rng.randint(-n, n) for n in slots.tolist()])
    types: dict[tuple[int, int], int] = {}
    for key in zip(deltas.tolist(), slots.tolist(), strict=True):
        types[key] = types.get(key, 0) + 1
    ours, plain = [], []
    for seed in range(60):
        interval = clustered_bootstrap(types, seed=seed, n_boot=400, confidence=0.9)
        ours.append((interval.lo, interval.hi))
        drawn = np.array(random.Random(seed).choices(range(60), k=400 * 60)).reshape(400, 60)
        means = deltas[drawn].sum(axis=1) / slots[drawn].sum(axis=1)
        plain.append(tuple(np.percentile(means, [5, 95]).tolist()))
    for end in (0, 1):
        a, b = [pair[end] for pair in ours], [pair[end] for pair in plain]
        error = math.hypot(stdev(a), stdev(b)) / math.sqrt(60)
        assert abs(fmean(a) - fmean(b)) < 4 * error < 0.02


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50).map(sorted),
    st.floats(0.0, 1.0) | st.sampled_from([0.0, 0.025, 0.05, 0.25, 0.5, 0.95, 0.975, 1.0]),
)
def test_quantile_is_numpy_to_the_last_bit(ordered: list[float], q: float) -> None:
    assert quantile(ordered, q) == float(np.quantile(ordered, q))


def test_interval_ends_are_numpy_percentiles() -> None:
    rows = [(delta, n_slots, count) for (delta, n_slots), count in sorted(TYPES.items())]
    for confidence, percents in [(0.95, (2.5, 97.5)), (0.9, (5, 95)), (0.99, (0.5, 99.5)), (0.5, (25, 75))]:
        interval = clustered_bootstrap(TYPES, seed=8, confidence=confidence)
        ends = np.percentile(resampling._replicates(rows, 8, 1000), percents).tolist()
        assert [interval.lo, interval.hi] == ends


def test_quantile_refuses() -> None:
    for ordered, q in [([], 0.5), ([1.0], -0.1), ([1.0], 1.1), ([1.0], math.nan)]:
        with pytest.raises(ValueError, match="quantile"):
            quantile(ordered, q)


@pytest.mark.parametrize(
    "arguments",
    [{"seed": bad} for bad in (-1, 2**32, True, 1.0)]
    + [{"n_boot": bad} for bad in (0, -1, True, 10.0)]
    + [{"confidence": bad} for bad in (0.0, 1.0, -1.0, math.nan)],
)
def test_refuses_arguments(arguments: dict[str, int]) -> None:
    for types in ({}, {(1, 1): 1}):
        with pytest.raises(ValueError, match="expected"):
            clustered_bootstrap(types, **arguments)


@pytest.mark.parametrize("types", [{(0, 0): 1}, {(0, -1): 1}, {(1, 1): -1}, {(0.5, 1): 1}, {(1, 1): 2**53}])
def test_refuses_types(types: dict[tuple[int, int], int]) -> None:
    with pytest.raises(ValueError, match="expected"):
        clustered_bootstrap(types)
