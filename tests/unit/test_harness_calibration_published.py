"""The numbers of two real calibrations: a public AMI run, from trials with its counts, and GE2E on LibriSpeech."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trial_support import GENUINE, IMPOSTOR, WEAK, document, many
from voxint_contracts.attribution.v1 import TrialsDocument
from voxint_contracts.calibration import v1 as contract

from voxint.harness.calibration import certify, select
from voxint.harness.trial_columns import columns_of
from voxint.harness.trial_tallies import tally_of
from voxint.io import read
from voxint.speakers.policy import BASE_GATES

SHARED = Path(__file__).resolve().parents[3] / "shared/data"
GE2E = SHARED / "real/calibration"
REASONS = contract.CertificationReason

DEV = many(GENUINE, "dg", 4, 4) + many(IMPOSTOR, "di", 55, 164, **WEAK)
CONFIRM = many(GENUINE, "cg", 9, 13, split="confirm") + many(IMPOSTOR, "ci", 49, 130, split="confirm", **WEAK)
AMI = document(DEV + CONFIRM)

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data folder is not beside the repository")


def close(tally: contract.Tally, published: dict[str, Any]) -> bool:
    return all(getattr(tally, name) == pytest.approx(value, abs=1e-5) for name, value in published.items())


def locked(selection: contract.CalibrationSelection) -> contract.CalibrationCandidate:
    return contract.CalibrationCandidate(outcome=selection.outcome, chosen_gates=selection.chosen_gates)


def test_dev_of_the_public_run() -> None:
    """55 impostor and 4 genuine speakers, 168 trials: all 32 points feasible, bound 4.69 %, 0.80 / 0.12 chosen."""
    selection = select(trials=AMI)
    assert (selection.n_impostor_clusters, selection.n_genuine_clusters) == (55, 4)
    assert len(selection.points) == sum(point.feasible for point in selection.points) == 32
    published = {
        "n_scoreable": 168,
        "auto_correct": 4,
        "auto_wrong": 0,
        "review": 0,
        "abstain": 164,
        "far": 0.0,
        "far_upper_one_sided": 0.046885,
        "genuine_cluster_coverage": 1.0,
    }
    assert all(close(point.tally, published) for point in selection.points)
    assert all(point.tally.far_ci[1] == pytest.approx(0.022888, abs=1e-5) for point in selection.points)
    assert selection.chosen_gates is not None
    assert (selection.chosen_gates.grounded_min_cosine, selection.chosen_gates.grounded_min_margin) == (0.80, 0.12)


def test_confirm_of_the_public_run() -> None:
    """49 impostor and 9 genuine speakers, 130 and 13 trials, no error: 5.23 %, so no decision, for two reasons."""
    found = certify(trials=AMI, candidate=locked(select(trials=AMI)))
    published = {
        "n_genuine_clusters": 9,
        "n_impostor_clusters": 49,
        "n_genuine_trials": 13,
        "n_impostor_trials": 130,
        "n_scoreable": 143,
        "auto_correct": 13,
        "auto_wrong": 0,
        "review": 0,
        "abstain": 130,
        "coverage": 0.09090909090909091,
        "far": 0.0,
        "far_ci": [0.0, 0.02870258574314712],
        "far_upper_one_sided": 0.052325984282467,
        "frr": 0.0,
        "frr_ci": [0.0, 0.22810184305529166],
        "genuine_cluster_coverage": 1.0,
    }
    assert close(found.pre, published)
    assert close(found.post, published)
    assert found.changes == []
    assert found.outcome == contract.CertificationOutcome.NO_DECISION
    assert found.reasons == [REASONS.INSUFFICIENT_IMPOSTOR_CLUSTERS, REASONS.FAR_BOUND_EXCEEDED]
    assert found.post.far_exact_upper_one_sided == pytest.approx(1 - 0.05 ** (1 / 49), rel=1e-12)


def test_both_halves_of_the_public_run_pooled() -> None:
    pooled = tally_of(columns_of(AMI.trials), BASE_GATES)
    assert (pooled.n_scoreable, pooled.n_impostor_clusters) == (311, 104)
    assert pooled.far_upper_one_sided == pytest.approx(0.025355228664941217, abs=1e-5)


@pytest.mark.shared
@needs_shared
def test_the_published_documents_themselves() -> None:
    selection = json.loads((SHARED / "published/selection.json").read_text(encoding="utf-8"))
    found = select(trials=AMI)
    assert found.chosen_gates is not None
    assert found.chosen_gates.model_dump(exclude_none=True) == selection["chosen_gates"]
    candidate = read.document(str(SHARED / "published/selection.json"), contract.CalibrationCandidate)
    certified = certify(trials=AMI, candidate=candidate)
    published = json.loads((SHARED / "published/certification.json").read_text(encoding="utf-8"))
    assert close(certified.post, published["post"])
    assert [reason.value for reason in certified.reasons] == published["reasons"]
    rule = published["rule"]
    assert {name: getattr(certified.rule, name) for name in rule} == rule


@pytest.mark.shared
@needs_shared
def test_real_ge2e_trials_give_no_decision() -> None:
    """Default gates do not transfer to this space: every candidate shows an impostor on dev."""
    trials = read.document(str(GE2E / "ge2e-trials.json"), TrialsDocument)
    found = select(trials=trials)
    assert (found.outcome, found.reasons) == (
        contract.SelectionOutcome.NO_DECISION,
        [contract.SelectionReason.NO_FEASIBLE_CANDIDATE],
    )
    ancestor = json.loads((GE2E / "ge2e-ancestor-selection.json").read_text(encoding="utf-8"))
    renamed = {"abstain_count": "abstain", "review_count": "review"}
    for ours, theirs in zip(found.points, ancestor["points"], strict=True):
        assert (ours.cosine, ours.margin, ours.feasible) == tuple(theirs[n] for n in ("cosine", "margin", "feasible"))
        known = {renamed.get(name, name): value for name, value in theirs.items()}
        assert close(ours.tally, {name: known[name] for name in known if hasattr(ours.tally, name)})
        assert ours.tally.far_ci[1] == pytest.approx(theirs["far_ci_upper"], abs=1e-5)


@pytest.mark.shared
@needs_shared
def test_real_ge2e_trials_certify_nothing() -> None:
    trials = read.document(str(GE2E / "ge2e-trials.json"), TrialsDocument)
    candidate = contract.CalibrationCandidate(outcome=contract.SelectionOutcome.SELECTED, chosen_gates=BASE_GATES)
    found = certify(trials=trials, candidate=candidate)
    ancestor = json.loads((GE2E / "ge2e-ancestor-certification.json").read_text(encoding="utf-8"))
    assert close(found.pre, ancestor["pre"])
    assert close(found.post, ancestor["post"])
    assert [reason.value for reason in found.reasons] == ancestor["reasons"]
