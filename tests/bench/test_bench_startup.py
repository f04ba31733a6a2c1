"""What a person waits for before anything happens: medians of several starts, against bare Python."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest
from conftest import ROOT, measure
from pytest_benchmark.fixture import BenchmarkFixture

STARTS = 7


def median_wall(argv: list[str], cwd: Path) -> float:
    return statistics.median(measure(argv, cwd).wall for _ in range(STARTS))


@pytest.mark.parametrize(
    ("argv", "limit"),
    [
        (["-c", "import voxint"], 0.030),
        (["-m", "voxint", "--help"], 0.300),
        (["-m", "voxint", "score", "name-accuracy", "--help"], 0.300),
        (["-m", "voxint", "score", "name-accuracy", str(ROOT / "examples/name-accuracy/ge2e.jsonl")], 0.500),
    ],
    ids=["import", "help", "command-help", "tiny-example"],
)
def test_start(benchmark: BenchmarkFixture, tmp_path: Path, argv: list[str], limit: float) -> None:
    bare = median_wall(["-c", "pass"], tmp_path)
    wall = benchmark.pedantic(median_wall, args=(argv, tmp_path), rounds=1)
    over = wall - bare if argv[1] == "import voxint" else wall
    benchmark.extra_info |= {"bare_ms": round(bare * 1000), "wall_ms": round(wall * 1000)}
    print(f"\n{benchmark.name}: {benchmark.extra_info}")
    assert over <= limit
