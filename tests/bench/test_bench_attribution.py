"""Aligning slots with gold: against all pairs of turns, and how its time grows with the length of a recording."""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SCALE
from pytest_benchmark.fixture import BenchmarkFixture

from voxint.corpus import Recordings, Span, Timeline
from voxint.harness.attribution_aligner import align_slots
from voxint.harness.intervals import shrunk, united
from voxint.io.rttm import folder

AMI = Path(__file__).resolve().parents[3] / "shared" / "data" / "ami"
HOURS = 100


def recordings() -> tuple[str, list[tuple[Timeline, Timeline]]]:
    """The 34 real recordings of the VBx set, or as many made up of their size: 500 gold turns, 400 slots' turns."""
    if AMI.is_dir():
        gold: Recordings = folder(str(AMI / "gold"))
        heard = folder(str(AMI / "hyp-vbx"))
        return "VBx on AMI", [(gold[name], heard[name]) for name in heard]
    return "made up", [(made_up(500, seed, hours=0.6), made_up(400, 100 + seed, hours=0.6)) for seed in range(34)]


def made_up(n_turns: int, seed: int, *, hours: float) -> Timeline:
    """Turns of four people that fill the time evenly, a third of them overlapping the next."""
    draw = random.Random(f"turns {seed}")
    step = hours * 3_600_000 / n_turns
    spans: dict[str, list[Span]] = {f"S{place}": [] for place in range(4)}
    for number in range(n_turns):
        start = round(step * number)
        spans[f"S{draw.randrange(4)}"].append((start, start + max(1, round(step * draw.uniform(0.4, 1.3)))))
    return Timeline(1000, spans)


def all_pairs(gold: Timeline, heard: Timeline) -> dict[str, dict[str, int]]:
    """The same matrix from each pair of turns."""
    unit = 100 * max(gold.unit, heard.unit)
    speakers = {name: shrunk(own, unit // 4) for name, own in united(gold, unit).items()}
    slots = united(heard, unit)
    return {
        name: {
            label: sum(max(0, min(end, until) - max(start, since)) for start, end in own for since, until in spans)
            for label, spans in slots.items()
        }
        for name, own in speakers.items()
    }


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """CPU seconds of the fastest round."""
    taken = []
    for _ in range(rounds):
        gc.collect()
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def test_34_recordings_against_all_pairs(benchmark: BenchmarkFixture) -> None:
    name, pairs = recordings()
    for gold, heard in pairs:
        found, plain = align_slots(gold, heard), all_pairs(gold, heard)
        unit = 100 * max(gold.unit, heard.unit)
        assert {g: {s: n * unit for s, n in row.items()} for g, row in found.matrix.items()} == {
            g: {s: n * found.unit for s, n in row.items()} for g, row in plain.items()
        }
    slow = best_of(1, lambda: [all_pairs(*pair) for pair in pairs])
    fast = best_of(5, lambda: [align_slots(*pair) for pair in pairs])
    benchmark.pedantic(lambda: [align_slots(*pair) for pair in pairs], rounds=3)
    ratio = slow / fast
    benchmark.extra_info |= {
        "set": name,
        "all_pairs_s": round(slow, 3),
        "sweep_s": round(fast, 4),
        "ratio": round(ratio),
    }
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    assert ratio >= 20


@pytest.mark.skipif(SCALE < 1, reason="the ratio is about 10^6 turns")
def test_time_per_turn_of_100_hours(benchmark: BenchmarkFixture) -> None:
    per_turn = {}
    for n_turns in (10**4, 10**5, 10**6):
        gold, heard = made_up(n_turns // 2, 1, hours=HOURS), made_up(n_turns // 2, 2, hours=HOURS)
        rounds = max(1, 10**5 // n_turns)
        per_turn[n_turns] = best_of(rounds + 1, lambda pair=(gold, heard): align_slots(*pair)) / n_turns  # type: ignore[misc]
    benchmark.pedantic(lambda: align_slots(gold, heard), rounds=1)
    microseconds = {str(n): round(each * 1e6, 2) for n, each in per_turn.items()}
    benchmark.extra_info |= {"us_per_turn": microseconds, "ratio": round(per_turn[10**6] / per_turn[10**4], 2)}
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    assert per_turn[10**6] <= 2 * per_turn[10**4]
