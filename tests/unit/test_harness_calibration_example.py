"""What the README of examples/calibration says of its trials, against the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from voxint_contracts.attribution.v1 import AttributionMetrics, MatchingGates, TrialsDocument
from voxint_contracts.calibration.v1 import CalibrationCandidate

from voxint.harness.attribution_metrics import score
from voxint.harness.calibration import certify, compare, select
from voxint.io import read

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/calibration"
README = " ".join((EXAMPLE / "README.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def trials() -> TrialsDocument:
    return read.document(str(EXAMPLE / "trials.json"), TrialsDocument)


@pytest.fixture(scope="module")
def stricter() -> MatchingGates:
    return read.document(str(EXAMPLE / "stricter.json"), MatchingGates)


def test_selection(trials: TrialsDocument) -> None:
    found = select(trials=trials)
    nearest = min(found.points, key=lambda point: (point.tally.auto_wrong, point.cosine, point.margin))
    assert not found.passed
    assert f"{nearest.cosine:.2f} / {nearest.margin:.2f}" in README
    assert f"shows {nearest.tally.auto_wrong} of {found.n_impostor_clusters}" in README
    assert f"would be {100 * nearest.tally.far_upper_one_sided:.2f} %" in README
    assert all(point.tally.auto_wrong for point in found.points)


def test_certification_of_the_defaults(trials: TrialsDocument) -> None:
    candidate = read.document(str(EXAMPLE / "defaults.json"), CalibrationCandidate)
    found = certify(trials=trials, candidate=candidate)
    assert found.candidate_gates == found.base_gates.model_copy(update={"schema_version": 1})
    assert f"{found.post.impostor_clusters_wrong} of {found.post.n_impostor_clusters} strangers" in README
    wilson, exact = (100 * each for each in (found.post.far_upper_one_sided, found.post.far_exact_upper_one_sided))
    assert f"{wilson:.2f} % ({exact:.2f} % exact)" in README
    assert len(found.reasons) == 2


def test_comparison_and_metrics(trials: TrialsDocument, stricter: MatchingGates) -> None:
    after = compare(trials=trials, after=stricter).after
    assert (after.auto_wrong, after.genuine_clusters_covered, after.n_genuine_clusters) == (0, 10, 10)
    metrics = score(trials=trials)
    assert f"{metrics.n_auto_wrong} of {metrics.n_impostor_clusters} strangers are shown" in README
    assert f"{100 * metrics.far:.2f} %" in README
    assert f"{metrics.frr_by_cluster.errors} of the {metrics.frr_by_cluster.cases} readers" in README


def test_the_metrics_beside_it_are_those_of_its_trials(trials: TrialsDocument, stricter: MatchingGates) -> None:
    for name, gates in (("metrics", None), ("metrics-stricter", stricter)):
        assert read.document(str(EXAMPLE / f"{name}.json"), AttributionMetrics) == score(trials=trials, gates=gates)
