"""Hostile inputs to every reader: taken, or refused in lines that name the file; never a crash, a crawl or a flood."""

from __future__ import annotations

from pathlib import Path

import pytest
from targets import BrokenError, Target, offer, run, targets

TARGETS = {target.name: target for target in targets()}
N_INPUTS = 150


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_no_input_breaks_a_reader(name: str, tmp_path: Path) -> None:
    taken = [run(TARGETS[name], seed, tmp_path) for seed in range(N_INPUTS)]
    assert 0 < sum(taken) < N_INPUTS


@pytest.mark.parametrize(
    ("read", "said"),
    [(lambda _: 1 / 0, "ZeroDivisionError"), (lambda _: Path("/").joinpath("\0").stat(), "ValueError")],
)
def test_a_reader_that_crashes_is_told(read: object, said: str, tmp_path: Path) -> None:
    crashing = Target("crashing", lambda _: b"", read, "")  # type: ignore[arg-type]
    with pytest.raises(BrokenError, match=said):
        offer(crashing, b"x", tmp_path / "input", "crashing")
