"""A sweep of 99 points in three strata over a million trials: one pass, against one per point and against loading."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SCALE
from pytest_benchmark.fixture import BenchmarkFixture
from voxint_contracts.attribution.v1 import TrialsDocument
from voxint_contracts.calibration.v1 import StratumName

from voxint.harness.calibration_rule import SWEEP_COSINES, SWEEP_MARGINS, pairs
from voxint.harness.trial_columns import TrialColumns, columns_of
from voxint.harness.trial_tallies import grid_counts
from voxint.io import read
from voxint.speakers.policy import BASE_GATES

N_TRIALS = max(1000, round(1_000_000 * SCALE))
N_LOADED = max(1000, N_TRIALS // 20)
SAMPLE = 11


def columns(n: int) -> TrialColumns:
    """Scores as a real system has them: genuine ones high, impostors low, a tenth of the margins missing."""
    draw = np.random.default_rng(5)
    kinds = draw.choice([0, 1, 2], n, p=[0.3, 0.6, 0.1]).astype(np.int8)
    margins = draw.gamma(2, 0.05, n)
    margins[draw.random(n) < 0.1] = -np.inf
    return TrialColumns(
        kinds=kinds,
        rosters=draw.choice([1, 2], n).astype(np.int8),
        clusters=draw.integers(0, n // 10, n),
        n_clusters=n // 10,
        turns=draw.integers(1, 30, n).astype(np.float64),
        seconds=draw.gamma(2, 20, n),
        cosines=np.clip(draw.normal(np.where(kinds == 0, 0.8, 0.5), 0.12), -1, 1),
        margins=margins,
        votes=draw.random(n),
    )


def trial(number: int) -> dict[str, Any]:
    kind = "genuine" if number % 3 == 0 else "impostor"
    return {
        "run_id": f"run-{number}",
        "label": "SPEAKER_00",
        "top_speaker_id": f"speaker-{number % 50}",
        "similarity": 0.3 + number % 700 / 1000,
        "margin": number % 40 / 100,
        "vote_agreement": 0.9,
        "eligible_turns": 5,
        "eligible_seconds": 25.5,
        "roster_size": 50,
        "kind": kind,
        "detail": "genuine" if kind == "genuine" else "impostor_open",
        "truth_anchoring": "corpus_gold",
        "cluster_id": f"gold-{number % 5000}",
        "meeting_id": f"meeting-{number}",
        "meeting_role": "test_open",
        "meeting_split": "dev",
        "slot_label": "SPEAKER_00",
        "slot_classification": "genuine",
        "slot_purity": 0.95,
        "slot_coverage": 0.5,
        "slot_margin": 0.9,
        "slot_duration": 30.25,
        "dominant_gold_speaker": f"gold-{number % 5000}",
    }


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trials") / "trials.json"
    summary = {"corpus": "made", "truth_source": "corpus_gold", "n_meetings": 1, "n_rows": 1}
    head = {"schema_version": 1, "kind": "attribution_trials", "protocol_summary": summary, "alignment": {}}
    path.write_text(json.dumps({**head, "trials": [trial(number) for number in range(N_LOADED)]}), encoding="utf-8")
    return path


def test_a_sweep_is_one_pass(benchmark: BenchmarkFixture, pack: Path) -> None:
    made = columns(N_TRIALS)
    one_pass = seconds(
        lambda: benchmark.pedantic(grid_counts, (made, BASE_GATES, SWEEP_COSINES, SWEEP_MARGINS), rounds=1)
    )
    grid = grid_counts(made, BASE_GATES, SWEEP_COSINES, SWEEP_MARGINS)
    sample = list(pairs(SWEEP_COSINES, SWEEP_MARGINS))[:: 99 // SAMPLE]

    def per_point() -> None:
        for i, j in sample:
            single = grid_counts(made, BASE_GATES, [SWEEP_COSINES[i]], [SWEEP_MARGINS[j]])
            for name in StratumName:
                assert single[name].tally(0, 0) == grid[name].tally(i, j)

    points = seconds(per_point) * 99 / len(sample)
    tallies = seconds(
        lambda: [each.tally(i, j) for each in grid.values() for i, j in pairs(SWEEP_COSINES, SWEEP_MARGINS)]
    )
    loading = seconds(lambda: read.document(str(pack), TrialsDocument)) * N_TRIALS / N_LOADED
    document = read.document(str(pack), TrialsDocument)
    building = seconds(lambda: columns_of(document.trials)) * N_TRIALS / N_LOADED
    benchmark.extra_info |= {
        "trials": N_TRIALS,
        "one_pass_s": round(one_pass, 2),
        "per_point_s": round(points, 2),
        "ratio_to_per_point": round(one_pass / points, 4),
        "rates_and_bounds_s": round(tallies, 2),
        "building_columns_s": round(building, 2),
        "loading_s": round(loading, 2),
        "ratio_to_loading": round(one_pass / loading, 4),
    }
    print("\n" + json.dumps({"benchmark": benchmark.name} | benchmark.extra_info))
    assert one_pass <= points / 10
    assert one_pass <= loading / 4
