"""The rules of metrics and calibration: what the library makes keeps them, and one number changed breaks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from test_harness_calibration_plan import corpus
from trial_support import GENUINE, IMPOSTOR, WEAK, document, gates, many, trial
from voxint_contracts.base import Contract
from voxint_contracts.calibration import v1 as contract

from voxint.harness.attribution_metrics import score
from voxint.harness.calibration import certify, compare, plan, select, sweep
from voxint.semantics import RULES

TRIALS = document([*many(IMPOSTOR, "i", 52, 60, **WEAK), *many(GENUINE, "g", 3, 5), trial(IMPOSTOR, "i0", 9)])
QUIET = document(many(IMPOSTOR, "i", 52, 60, **WEAK))
CONFIRM = document([each.model_copy(update={"meeting_split": "confirm"}) for each in TRIALS.trials])
STRICT = gates(grounded_min_cosine=0.8, grounded_min_margin=0.12)
LOCKED = contract.CalibrationCandidate(outcome=contract.SelectionOutcome.SELECTED, chosen_gates=STRICT)
MADE: dict[str, list[Contract]] = {
    "metrics_counts_fit": [score(trials=TRIALS)],
    "tallies_add_up": [
        sweep(trials=TRIALS),
        compare(trials=TRIALS, after=STRICT),
        select(trials=TRIALS),
        certify(trials=CONFIRM, candidate=LOCKED),
    ],
    "changes_change": [compare(trials=TRIALS, after=gates(grounded_min_cosine=0.95))],
    "selection_follows_its_rule": [select(trials=TRIALS), select(trials=QUIET)],
    "gates_are_chosen_by_a_selection": [LOCKED],
    "certification_follows_its_rule": [certify(trials=CONFIRM, candidate=LOCKED)],
    "plan_follows_its_counts": [plan(protocol=corpus(52, 3))],
}


def broken(rule: str, model: Any) -> list[tuple[str | int, ...]]:
    return [violation.path for violation in RULES[rule](model)]


def changed(model: Any, *path: str | int, value: Any) -> Any:
    """The model with one value replaced, however deep."""
    if not path:
        return value
    head, *rest = path
    if isinstance(model, list):
        return [changed(each, *rest, value=value) if place == head else each for place, each in enumerate(model)]
    return model.model_copy(update={head: changed(getattr(model, str(head)), *rest, value=value)})


@pytest.mark.parametrize(("rule", "model"), [(rule, model) for rule, models in MADE.items() for model in models])
def test_what_the_library_makes_keeps_its_rules(rule: str, model: Contract) -> None:
    assert broken(rule, model) == []


@pytest.mark.parametrize(
    "name",
    [
        "n_scoreable",
        "n_unscoreable",
        "n_genuine_trials",
        "n_impostor_trials",
        "n_impostor_open_trials",
        "n_impostor_closed_trials",
        "n_genuine_clusters",
        "n_impostor_clusters",
        "n_auto_correct",
        "n_auto_wrong",
        "n_review",
        "n_abstain",
        "n_trials",
    ],
)
def test_no_count_of_the_metrics_stands_alone(name: str) -> None:
    (metrics,) = MADE["metrics_counts_fit"]
    assert broken("metrics_counts_fit", changed(metrics, name, value=getattr(metrics, name) + 1))


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("name", ["n_scoreable", "abstain", "auto_wrong", "impostor_clusters_wrong", "auto_correct"])
def test_no_count_of_a_tally_stands_alone(place: int, name: str) -> None:
    model: Any = MADE["tallies_add_up"][place]
    path: tuple[str | int, ...] = (("strata", 2, "points", 98, "tally"), ("after",), ("points", 31, "tally"), ("pre",))[
        place
    ]
    at: Callable[[Any], Any] = lambda found: changed(found, *path, name, value=77)  # noqa: E731
    assert (*path, name) in broken("tallies_add_up", at(model)) or (*path, "abstain") in broken(
        "tallies_add_up", at(model)
    )


def test_a_change_leads_somewhere_else() -> None:
    (found,) = MADE["changes_change"]
    assert found.changes
    before = found.changes[1].before
    assert broken("changes_change", changed(found, "changes", 1, "after", value=before)) == [("changes", 1, "after")]


def test_a_selection_is_its_points() -> None:
    undecided, selected = MADE["selection_follows_its_rule"]
    rule = "selection_follows_its_rule"
    assert (undecided.passed, selected.passed) == (False, True)
    assert ("points", 0, "feasible") in broken(rule, changed(undecided, "points", 0, "feasible", value=True))
    assert broken(rule, changed(undecided, "passed", value=True)) == [("passed",)]
    assert broken(rule, changed(undecided, "chosen_gates", value=STRICT)) == [("chosen_gates",)]
    assert broken(rule, changed(selected, "chosen_gates", value=None)) == [("chosen_gates",)]
    assert broken(rule, changed(selected, "chosen_gates", value=gates(grounded_min_cosine=0.81))) == [("chosen_gates",)]
    assert broken(rule, changed(selected, "outcome", value="NO_DECISION")) == [("outcome",)]
    assert broken(rule, changed(undecided, "reasons", value=[])) == [("reasons",)]


def test_gates_and_the_word_selected_go_together() -> None:
    rule = "gates_are_chosen_by_a_selection"
    assert broken(rule, changed(LOCKED, "chosen_gates", value=None)) == [("chosen_gates",)]
    assert broken(rule, changed(LOCKED, "outcome", value="NO_DECISION")) == [("chosen_gates",)]


def test_a_certification_is_its_counts() -> None:
    (found,) = MADE["certification_follows_its_rule"]
    rule = "certification_follows_its_rule"
    assert found.reasons == [
        contract.CertificationReason.AUTO_WRONG_OBSERVED,
        contract.CertificationReason.FAR_BOUND_EXCEEDED,
    ]
    assert broken(rule, changed(found, "reasons", value=found.reasons[:1])) == [("reasons",)]
    assert broken(rule, changed(found, "post", "auto_wrong", value=0))[0] == ("reasons",)
    assert broken(rule, changed(found, "rule", "min_impostor_clusters", value=53)) == [("reasons",)]
    assert broken(rule, changed(found, "outcome", value="CERTIFIED")) == [("outcome",)]
    assert broken(rule, changed(found, "passed", value=True)) == [("passed",)]


def test_a_plan_is_its_counts() -> None:
    (found,) = MADE["plan_follows_its_counts"]
    rule = "plan_follows_its_counts"
    assert broken(rule, changed(found, "halves", 1, "missing_impostor_clusters", value=0)) == [
        ("halves", 1, "missing_impostor_clusters")
    ]
    assert broken(rule, changed(found, "halves", 0, "can_reach", value=False)) == [("halves", 0, "can_reach")]
    assert broken(rule, changed(found, "passed", value=True)) == [("passed",)]
