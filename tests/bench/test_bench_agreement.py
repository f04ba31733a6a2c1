"""Agreement against reading and validating alone, in one run: ratios hold, seconds do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SCALE, Cost, measure
from generate import write
from generate_vectors import THRESHOLDS, encode, enrollment, slots_records
from pytest_benchmark.fixture import BenchmarkFixture

RECORDS = 100_000
FLOOR = """
import sys
from voxint_contracts.agreement.v1 import SlotsRecord
from voxint.io import read
from voxint.semantics import rules_of
rules = rules_of(("curated_item_names_its_host", "slot_labels_are_not_blank", "slot_vectors_are_comparable"))
for _ in read.rows("slots.jsonl", SlotsRecord, rules=rules):
    pass
"""
WORDS = ["-m", "voxint", "score", "agreement", "--slots", "slots.jsonl", "--enrollment", "enrollment.json"]
WORDS += ["--thresholds", "thresholds.json", "--out", "verdicts.jsonl"]


def folder_of(base: Path, n_records: int, n_voiceprints: int) -> Path:
    folder = base / f"{n_records}-{n_voiceprints}"
    folder.mkdir(exist_ok=True)
    (folder / "enrollment.json").write_bytes(enrollment(n_voiceprints))
    (folder / "thresholds.json").write_bytes(encode(THRESHOLDS).encode())
    write(folder / "slots.jsonl", slots_records(n_records, n_voiceprints))
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("agreement")


@pytest.mark.parametrize(("n_voiceprints", "limit"), [(50, 2), (1000, 3)])
def test_a_hundred_thousand_records(benchmark: BenchmarkFixture, base: Path, n_voiceprints: int, limit: float) -> None:
    folder = folder_of(base, round(RECORDS * SCALE), n_voiceprints)
    floor = measure(["-c", FLOOR], folder)
    cost: Cost = benchmark.pedantic(measure, args=(WORDS, folder), rounds=1)
    ratio = cost.cpu / floor.cpu
    benchmark.extra_info |= {
        "floor_cpu_s": round(floor.cpu, 2),
        "cpu_s": round(cost.cpu, 2),
        "ratio": round(ratio, 2),
        "peak_mib": round(cost.mebibytes),
    }
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    assert ratio <= limit
    assert cost.mebibytes <= 200


def test_a_record_costs_the_same_in_a_longer_file(benchmark: BenchmarkFixture, base: Path) -> None:
    few, many = round(10_000 * SCALE), round(40_000 * SCALE)
    empty = measure(WORDS, folder_of(base, 0, 50)).cpu
    short = measure(WORDS, folder_of(base, few, 50)).cpu - empty
    long = benchmark.pedantic(measure, args=(WORDS, folder_of(base, many, 50)), rounds=1).cpu - empty
    growth = (long / many) / (short / few)
    benchmark.extra_info |= {"cost_of_a_record_grows_by": round(growth, 2)}
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    assert growth <= 1.3
