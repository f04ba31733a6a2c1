"""score ensemble on a million items a voter, against reading and validating both files alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import SCALE, measure
from generate import write
from pytest_benchmark.fixture import BenchmarkFixture

FLOOR = """
import sys
from voxint_contracts.catalog import DOCUMENTS
from voxint_contracts.ensemble.v1 import Vote
from voxint.io import read
from voxint.semantics import rules_of
(rules,) = [rules_of(each.rules) for each in DOCUMENTS if each.name == "ensemble/v1/votes"]
for file in sys.argv[1:]:
    for _ in read.rows(file, Vote, rules=rules):
        pass
"""


def verdicts(n_items: int, space: str, *, seed: int) -> Iterator[bytes]:
    """Lines of agreement/v1/verdicts in an order of their own; kinds and hosts depend on the item alone."""
    draw = random.Random(f"verdicts {seed}")
    encode = json.JSONEncoder(separators=(",", ":")).encode
    numbers = list(range(n_items))
    draw.shuffle(numbers)
    for number in numbers:
        yield encode(_verdict(number, space, draw)).encode() + b"\n"


def _verdict(number: int, space: str, draw: random.Random) -> dict[str, object]:
    curated = number % 5 != 0
    confident = draw.random() < 0.6
    word = "CONFIDENT_HOST_PRESENT" if curated else "NO_CURATED_HOST_DETECTED"
    return {
        "schema_version": 1,
        "item_id": f"item-{number:08}",
        "kind": "curated" if curated else "negative_control",
        "embedding_space": space,
        "verdict": word if confident else "ABSTAIN",
        "reason": None if confident else draw.choice(["near_tie", "low_cosine_band", "short_duration"]),
        "host_slot": f"SPEAKER_{draw.randrange(4):02}",
        "top_cosine": round(draw.random(), 6),
        "runner_up_cosine": None,
        "margin": None,
        "host_slot_duration": round(draw.random() * 900, 2),
        "host_slot_segments": draw.randrange(100),
        "contradiction": not confident and draw.random() < 0.05,
        "diagnostics": {},
        "host_id": f"host-{number % 997}" if curated else None,
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ensemble")
    for seed, space in enumerate(("ge2e-v1", "campplus-v1")):
        write(made / f"{space}.jsonl", verdicts(max(1, round(1_000_000 * SCALE)), space, seed=seed))
    return made


def test_a_million_items(benchmark: BenchmarkFixture, folder: Path) -> None:
    names = ["ge2e-v1.jsonl", "campplus-v1.jsonl"]
    floor = measure(["-c", FLOOR, *names], folder)
    words = ["-m", "voxint", "score", "ensemble", *names, "--out", "fused.jsonl"]
    cost = benchmark.pedantic(measure, args=(words, folder), rounds=1)
    benchmark.extra_info |= {
        "floor_cpu_s": round(floor.cpu, 2),
        "cpu_s": round(cost.cpu, 2),
        "ratio": round(cost.cpu / floor.cpu, 2),
        "peak_mib": round(cost.mebibytes),
    }
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    assert cost.mebibytes <= 200
    assert cost.cpu <= 4 * floor.cpu
