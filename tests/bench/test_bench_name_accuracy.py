"""score name-accuracy against reading and validating alone, in one run: ratios hold, seconds do not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from conftest import measure
from pytest_benchmark.fixture import BenchmarkFixture

from voxint.stats.resampling import clustered_bootstrap

FLOOR = """
import sys
from voxint_contracts.name_accuracy.v1 import NameAccuracyItem
from voxint.io import read
from voxint.semantics import truth_is_name_or_sentinel
for file in sys.argv[1:]:
    for _ in read.rows(file, NameAccuracyItem, rules=(truth_is_name_or_sentinel,)):
        pass
"""
Inputs = Callable[[str, int, int], Path]


def compare(benchmark: BenchmarkFixture, files: list[Path], words: list[str]) -> tuple[float, float]:
    """CPU ratio to the floor over the same files, and peak MiB; both land in the benchmark's extra_info."""
    folder = files[0].parent
    names = [file.name for file in files]
    floor = measure(["-c", FLOOR, *names], folder)
    cost = benchmark.pedantic(measure, args=(["-m", "voxint", "score", "name-accuracy", *words], folder), rounds=1)
    benchmark.extra_info |= {
        "floor_cpu_s": round(floor.cpu, 2),
        "cpu_s": round(cost.cpu, 2),
        "ratio": round(cost.cpu / floor.cpu, 2),
        "peak_mib": round(cost.mebibytes),
    }
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    return cost.cpu / floor.cpu, cost.mebibytes


def test_a_million_items_with_a_baseline(benchmark: BenchmarkFixture, inputs: Inputs) -> None:
    candidate, baseline = inputs("a.jsonl", 1_000_000, 0), inputs("b.jsonl", 1_000_000, 1)
    ratio, peak = compare(benchmark, [candidate, baseline], ["a.jsonl", "--baseline", "b.jsonl", "--out", "r.json"])
    assert ratio <= 3
    assert peak <= 400


def test_a_million_items_alone(benchmark: BenchmarkFixture, inputs: Inputs) -> None:
    ratio, peak = compare(benchmark, [inputs("a.jsonl", 1_000_000, 0)], ["a.jsonl", "--out", "r.json"])
    assert ratio <= 3
    assert peak <= 300


def test_names_that_never_repeat(benchmark: BenchmarkFixture, distinct_names: Path) -> None:
    ratio, peak = compare(benchmark, [distinct_names], ["a.jsonl", "--out", "r.json"])
    assert ratio <= 8
    assert peak <= 300


def test_aliases_cost_the_same_whatever_the_table(
    benchmark: BenchmarkFixture, inputs: Inputs, alias_tables: dict[int, Path]
) -> None:
    items = inputs("c.jsonl", 100_000, 0)
    words = ["-m", "voxint", "score", "name-accuracy", "c.jsonl", "--out", "r.json", "--aliases"]
    small = measure([*words, str(alias_tables[50])], items.parent)
    large = benchmark.pedantic(measure, args=([*words, str(alias_tables[5000])], items.parent), rounds=1)
    benchmark.extra_info |= {"ratio_5000_to_50": round(large.cpu / small.cpu, 2)}
    print(f"\n{benchmark.name}: {benchmark.extra_info}")
    assert large.cpu <= 1.5 * small.cpu + 0.5


def test_the_bootstrap_does_not_grow_with_the_items(benchmark: BenchmarkFixture) -> None:
    few = Counter({(delta, 4): 100 for delta in range(-4, 5)})
    many = Counter({key: count * 100_000 for key, count in few.items()})
    interval = benchmark.pedantic(lambda: clustered_bootstrap(many, n_boot=1000), rounds=5)
    assert interval.lo <= interval.point <= interval.hi
    assert benchmark.stats.stats.min <= 0.05
