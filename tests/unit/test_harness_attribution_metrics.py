"""Metrics of attribution by hand, against the published ones, and against one trial at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from trial_strategies import trial_lists
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, WEAK, document, gates, many, naive_tally, trial
from voxint_contracts.attribution import v1 as contract

from voxint.errors import RecordError
from voxint.harness import attribution_aligner
from voxint.harness.attribution_metrics import aggregate_trials, rate_bounds, score
from voxint.io import read
from voxint.semantics import RULES
from voxint.speakers.policy import BASE_GATES, Band, band_for

PUBLISHED = Path(__file__).resolve().parents[3] / "shared/data/published"


@settings(deadline=None)
@given(trial_lists())
def test_counts_are_those_of_one_trial_at_a_time(trials: list[contract.Trial]) -> None:
    metrics = aggregate_trials(trials)
    naive = naive_tally(trials, BASE_GATES)
    assert [metrics.n_auto_correct, metrics.n_auto_wrong, metrics.n_review, metrics.n_abstain] == [
        naive[name] for name in ("auto_correct", "auto_wrong", "review", "abstain")
    ]
    assert metrics.far_by_cluster == rate_bounds(naive["impostor_clusters_wrong"], naive["n_impostor_clusters"])
    rejected = {
        each.cluster_id for each in trials if each.kind == GENUINE and band_for(each).band != Band.AUTO_ATTRIBUTE
    }
    assert metrics.frr_by_cluster == rate_bounds(len(rejected), naive["n_genuine_clusters"])
    assert list(RULES["metrics_counts_fit"](metrics)) == []


def test_by_hand() -> None:
    """One speaker with a genuine and a closed impostor trial counts on both sides, and once as a speaker."""
    trials = [
        trial(GENUINE, "ann", 0),
        trial(IMPOSTOR, "ann", 1, detail="impostor_closed"),
        trial(IMPOSTOR, "bob", 0, similarity=0.2),
        trial(UNSCOREABLE, "slot", 0, slot_classification="mixed"),
    ]
    metrics = aggregate_trials(trials)
    assert (metrics.n_genuine_clusters, metrics.n_impostor_clusters, metrics.n_speaker_clusters) == (1, 2, 2)
    assert (metrics.n_impostor_closed_trials, metrics.n_impostor_open_trials, metrics.n_unscoreable) == (1, 1, 1)
    assert (metrics.far, metrics.frr, metrics.coverage) == (0.5, 0.0, 2 / 3)
    assert metrics.alignment_attrition == contract.AlignmentAttrition(
        genuine=3,
        impostor=0,
        mixed=1,
        no_gold_overlap=0,
        unscoreable_eligibility=0,
        unscoreable_margin=0,
        unscoreable_purity=0,
        unscoreable_coverage=0,
    )


def test_other_gates_are_recorded_and_used() -> None:
    chosen = gates(grounded_min_cosine=0.95)
    metrics = score(trials=document([trial(GENUINE, "ann")]), gates=chosen)
    assert metrics.gates == chosen
    assert (metrics.n_auto_correct, metrics.n_review) == (0, 1)
    assert metrics.protocol_summary is not None


def test_a_trial_that_stands_twice_is_refused() -> None:
    with pytest.raises(RecordError, match="stands twice"):
        score(trials=document([trial(GENUINE, "ann"), trial(GENUINE, "ann")]))


def test_the_pooled_counts_that_were_published() -> None:
    """17 genuine trials of 13 speakers, all shown; 294 open impostors of 104 speakers, none shown; 918 unscoreable."""
    trials = many(GENUINE, "g", 13, 17) + many(IMPOSTOR, "i", 104, 294, **WEAK) + many(UNSCOREABLE, "u", 918, 918)
    metrics = aggregate_trials(trials)
    counts = (metrics.n_scoreable, metrics.n_impostor_clusters, metrics.n_speaker_clusters, metrics.n_unscoreable)
    assert counts == (311, 104, 117, 918)
    assert (metrics.n_auto_correct, metrics.n_auto_wrong, metrics.n_review, metrics.n_abstain) == (17, 0, 0, 294)
    published = {
        "coverage": 0.05466237942122187,
        "far": 0.0,
        "far_ci_upper": 0.012898131087128192,
        "far_upper_one_sided": 0.025355228664941217,
        "frr": 0.0,
        "frr_ci_upper": 0.18432366037156456,
    }
    assert {name: getattr(metrics, name) for name in published} == pytest.approx(published, abs=1e-5)


@pytest.mark.shared
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the shared data folder is not beside the repository")
def test_the_synthetic_pack_that_was_published() -> None:
    rules = [RULES[name] for name in ("trial_detail_fits_its_kind", "trial_class_fits_its_kind")]
    trials = read.document(str(PUBLISHED / "synthetic_trials.json"), contract.TrialsDocument, rules=rules)
    expected = json.loads((PUBLISHED / "expected_metrics.json").read_text(encoding="utf-8"))
    found = score(trials=trials).model_dump(mode="json")
    assert {name: found["alignment_attrition"][name] for name in expected["alignment_attrition"]} == expected.pop(
        "alignment_attrition"
    )
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-5)


@pytest.mark.shared
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the shared data folder is not beside the repository")
def test_gates_that_were_published_without_a_version_are_read() -> None:
    assert read.document(str(PUBLISHED / "base_gates.json"), contract.MatchingGates) == BASE_GATES


def test_the_aligner_has_it_too() -> None:
    assert attribution_aligner.aggregate_trials is aggregate_trials
