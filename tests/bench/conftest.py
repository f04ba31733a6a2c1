"""Inputs and measuring for the benchmarks: CPU seconds and peak memory of a child process."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from generate import alias_table, name_items, write

ROOT = Path(__file__).resolve().parents[2]
SCALE = float(os.environ.get("VOXINT_BENCH_SCALE", "1"))


@dataclass(frozen=True)
class Cost:
    """What one child process took."""

    cpu: float
    wall: float
    mebibytes: float


def measure(argv: list[str], cwd: Path) -> Cost:
    """Runs this Python with the arguments; the output is thrown away, a failure is an error."""
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    started = time.perf_counter()
    with (cwd / "stdout").open("wb") as out:
        child = subprocess.Popen([sys.executable, *argv], cwd=cwd, env=env, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, _mebibytes(usage))


def _mebibytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / 1024 if sys.platform != "darwin" else usage.ru_maxrss / 2**20


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int, int], Path]:
    """Maker of name-item files, each made once: (name, items, seed) to path."""
    folder = tmp_path_factory.mktemp("bench")

    def make(name: str, n_items: int, seed: int) -> Path:
        return write(folder / name, name_items(max(1, round(n_items * SCALE)), seed=seed))

    return make


@pytest.fixture(scope="session")
def distinct_names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Items in which hardly a name repeats, so that no memory of names helps."""
    n_items = max(1, round(50_000 * SCALE))
    return write(tmp_path_factory.mktemp("distinct") / "a.jsonl", name_items(n_items, people=50_000_000, seed=0))


@pytest.fixture(scope="session")
def alias_tables(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Alias tables by number of entries."""
    folder = tmp_path_factory.mktemp("aliases")
    return {size: write(folder / f"{size}.json", iter([alias_table(size)])) for size in (50, 5000)}
