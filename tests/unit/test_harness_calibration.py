"""Selection and certification: each clause of the rule, by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from trial_strategies import trial_lists
from trial_support import GENUINE, IMPOSTOR, STRONG, WEAK, document, gates, many, naive_tally, trial
from voxint_contracts.attribution.v1 import MatchingGates, Trial
from voxint_contracts.calibration import v1 as contract

from voxint.errors import RecordError
from voxint.harness import calibration
from voxint.harness.calibration import certify, required_clusters, select
from voxint.semantics import RULES
from voxint.speakers.policy import BASE_GATES
from voxint.stats.wilson import wilson_upper_one_sided

SELECTED, NO_DECISION = contract.SelectionOutcome.SELECTED, contract.SelectionOutcome.NO_DECISION
REASONS = contract.CertificationReason


def chosen(gates_: MatchingGates | None) -> contract.CalibrationCandidate:
    return contract.CalibrationCandidate(outcome=SELECTED if gates_ else NO_DECISION, chosen_gates=gates_)


def candidate(cosine: float = 0.8, margin: float = 0.12) -> contract.CalibrationCandidate:
    return chosen(gates(grounded_min_cosine=cosine, grounded_min_margin=margin))


def confirm(*trials: Sequence[Trial]) -> contract.CalibrationCertification:
    moved = [
        each.model_copy(update={"meeting_split": "confirm", "meeting_id": f"c-{each.meeting_id}"})
        for group in trials
        for each in group
    ]
    found = certify(trials=document(moved), candidate=candidate())
    assert list(RULES["certification_follows_its_rule"](found)) == []
    return found


def silent(n: int) -> list[Trial]:
    """Impostors of n speakers, of whom nothing would be shown."""
    return many(IMPOSTOR, "i", n, n, **WEAK)


def pair(found: contract.CalibrationSelection) -> tuple[float, float]:
    assert found.chosen_gates is not None
    return found.chosen_gates.grounded_min_cosine, found.chosen_gates.grounded_min_margin


def test_everything_alike_the_strictest_gates_win() -> None:
    found = select(trials=document(silent(52) + many(GENUINE, "g", 3, 5)))
    assert (found.outcome, found.passed, found.reasons, pair(found)) == (SELECTED, True, [], (0.8, 0.12))
    assert all(point.feasible for point in found.points)
    assert (found.n_impostor_clusters, found.n_genuine_clusters) == (52, 3)


def test_most_speakers_covered_come_first() -> None:
    """One speaker is only ever found between 0.72 and 0.74; the rest is reached by the strictest gates too."""
    rare = trial(GENUINE, "rare", similarity=0.73, margin=0.09)
    found = select(trials=document([*silent(52), rare, *many(GENUINE, "g", 3, 9)]))
    assert pair(found) == (0.72, 0.08)


def test_then_the_least_review() -> None:
    """A second trial of a speaker who is covered anyway: showing it leaves one trial less to review."""
    second = trial(GENUINE, "g0", 7, similarity=0.765, margin=0.3)
    found = select(trials=document([*silent(52), second, *many(GENUINE, "g", 3, 3)]))
    assert pair(found) == (0.76, 0.12)


def test_then_the_stricter_cosine_before_the_stricter_margin() -> None:
    """Each of two trials is shown by all gates but the strictest in one direction: three pairs are left, all alike."""
    by_cosine = trial(GENUINE, "g0", 7, similarity=0.79, margin=0.3)
    by_margin = trial(GENUINE, "g0", 8, similarity=0.9, margin=0.11)
    found = select(trials=document([*silent(52), by_cosine, by_margin, *many(GENUINE, "g", 3, 3)]))
    assert pair(found) == (0.78, 0.1)


def test_an_impostor_shown_makes_a_candidate_infeasible() -> None:
    liar = trial(IMPOSTOR, "liar", **{**STRONG, "similarity": 0.75, "margin": 0.11})
    found = select(trials=document([*silent(99), liar, *many(GENUINE, "g", 1, 1)]))
    infeasible = {(point.cosine, point.margin) for point in found.points if not point.feasible}
    assert infeasible == {(c, m) for c in (0.66, 0.68, 0.70, 0.72, 0.74) for m in (0.05, 0.08, 0.10)}


@pytest.mark.parametrize(("n", "outcome"), [(51, NO_DECISION), (52, SELECTED)])
def test_selection_needs_enough_speakers_too(n: int, outcome: contract.SelectionOutcome) -> None:
    found = select(trials=document(silent(n)))
    assert found.outcome == outcome
    assert found.passed == (outcome == SELECTED)
    assert found.reasons == ([] if found.passed else [contract.SelectionReason.NO_FEASIBLE_CANDIDATE])
    assert (found.chosen_gates is None) == (not found.passed)


@settings(max_examples=25, deadline=None)
@given(trial_lists())
def test_points_are_those_of_one_trial_at_a_time(trials: list[Trial]) -> None:
    found = select(trials=document(trials + silent(52)))
    for rule in ("selection_follows_its_rule", "tallies_add_up"):
        assert list(RULES[rule](found)) == []
    for point in found.points[::5]:
        grounded = gates(grounded_min_cosine=point.cosine, grounded_min_margin=point.margin)
        naive = naive_tally(trials + silent(52), grounded)
        assert {name: value for name, value in point.tally if isinstance(value, int)} == naive
        bound = wilson_upper_one_sided(naive["impostor_clusters_wrong"], naive["n_impostor_clusters"])
        assert point.feasible == (naive["auto_wrong"] == 0 and bound <= 0.05)


def test_confirm_trials_are_not_seen_by_selection_nor_dev_trials_by_certification() -> None:
    bad = [trial(IMPOSTOR, f"bad{each}", split="confirm") for each in range(3)]
    assert select(trials=document(silent(52) + bad)).passed
    dev = [trial(IMPOSTOR, f"bad{each}", split="dev") for each in range(3)]
    held = many(IMPOSTOR, "c", 52, 52, split="confirm", **WEAK)
    assert certify(trials=document(dev + held), candidate=candidate()).passed


@pytest.mark.parametrize(
    ("n", "reasons"),
    [
        (0, [REASONS.INSUFFICIENT_IMPOSTOR_CLUSTERS, REASONS.FAR_BOUND_EXCEEDED]),
        (49, [REASONS.INSUFFICIENT_IMPOSTOR_CLUSTERS, REASONS.FAR_BOUND_EXCEEDED]),
        (50, [REASONS.FAR_BOUND_EXCEEDED]),
        (51, [REASONS.FAR_BOUND_EXCEEDED]),
        (52, []),
    ],
)
def test_the_floor_and_the_bound_are_two_requirements(n: int, reasons: list[REASONS]) -> None:
    found = confirm(silent(n))
    assert (found.reasons, found.passed) == (reasons, not reasons)
    assert found.outcome == contract.CertificationOutcome("NO_DECISION" if reasons else "CERTIFIED")


def test_three_speakers_are_three_however_many_trials() -> None:
    """210 silent trials of 3 speakers: the bound is 0.4742, not the 0.0127 of 210 independent ones."""
    found = confirm(many(IMPOSTOR, "i", 3, 210, **WEAK))
    assert found.post.n_impostor_clusters == 3
    assert round(found.post.far_upper_one_sided, 4) == 0.4742
    assert round(wilson_upper_one_sided(0, 210), 4) == 0.0127
    assert found.reasons == [REASONS.INSUFFICIENT_IMPOSTOR_CLUSTERS, REASONS.FAR_BOUND_EXCEEDED]


def test_one_bad_trial_fails_its_speaker_once() -> None:
    """52 speakers of 70 trials, one false accept: 1 / 52 and a bound of 0.0817, not 1 / 3640."""
    trials = many(IMPOSTOR, "i", 52, 52 * 70, **WEAK)
    trials[0] = trials[0].model_copy(update=STRONG)
    found = confirm(trials)
    assert (found.post.impostor_clusters_wrong, round(found.post.far_upper_one_sided, 4)) == (1, 0.0817)
    assert found.reasons == [REASONS.AUTO_WRONG_OBSERVED, REASONS.FAR_BOUND_EXCEEDED]


def test_one_error_among_many_speakers_is_still_an_error() -> None:
    trials = silent(200)
    trials[0] = trials[0].model_copy(update=STRONG)
    assert confirm(trials).reasons == [REASONS.AUTO_WRONG_OBSERVED]


def test_base_and_candidate_are_counted_on_the_same_trials() -> None:
    between = many(GENUINE, "g", 2, 2, **{**STRONG, "similarity": 0.75})
    found = confirm(silent(52), between)
    assert (found.pre.auto_correct, found.post.auto_correct, found.post.review) == (2, 0, 2)
    assert [(each.before, each.after) for each in found.changes] == [
        (contract.Band.AUTO_ATTRIBUTE, contract.Band.REVIEW)
    ] * 2
    assert (found.base_gates, found.candidate_gates) == (BASE_GATES, candidate().chosen_gates)


def refusal(made: contract.CalibrationCandidate, base: MatchingGates | None = None) -> tuple[str, object]:
    with pytest.raises(RecordError) as caught:
        certify(trials=document([]), candidate=made, gates=base)
    (fault,) = caught.value.records
    assert fault.parameter == "candidate"
    return fault.message, fault.path


def test_a_selection_without_a_decision_cannot_be_certified() -> None:
    message, path = refusal(chosen(None))
    assert message == "the selection is NO_DECISION: it chose no gates, so there is nothing to certify"
    assert path == ("outcome",)


def test_gates_of_another_base_cannot_be_certified() -> None:
    message, path = refusal(candidate(), gates(min_turns=1, grounded_min_cosine=0.5))
    assert message == "differs from the base gates in min_turns: certify with the --gates that it was selected with"
    assert path == ("chosen_gates",)


def test_gates_that_are_no_candidate_cannot_be_certified() -> None:
    assert refusal(candidate(0.81))[0] == "cosine and margin 0.81 / 0.12 are no candidate of the pre-registered rule"
    assert refusal(candidate(0.8, 0.06))[0].startswith("cosine and margin 0.8 / 0.06 are no candidate")


def test_a_base_of_ones_own_is_kept_in_every_candidate() -> None:
    own = gates(min_turns=1, grounded_min_turns=1)
    found = select(trials=document(silent(52)), gates=own)
    assert found.base_gates == own
    assert found.chosen_gates == gates(
        min_turns=1, grounded_min_turns=1, grounded_min_cosine=0.8, grounded_min_margin=0.12
    )
    held = many(IMPOSTOR, "c", 52, 52, split="confirm", **WEAK)
    assert certify(trials=document(held), candidate=chosen(found.chosen_gates), gates=own).passed


def test_the_rule_stands_in_the_docstring() -> None:
    text = " ".join((calibration.__doc__ or "").split())
    for number in (*map("{:.2f}".format, calibration.CANDIDATE_COSINES + calibration.CANDIDATE_MARGINS), "0.05", "50"):
        assert number in text
    for reason in (*REASONS, *contract.SelectionReason):
        assert f"`{reason.value}`" in text
    assert f"{required_clusters(0.05)} clusters" in text
    assert calibration.Trial is Trial
    assert calibration.MIN_INDEPENDENT_CLUSTERS == 50
