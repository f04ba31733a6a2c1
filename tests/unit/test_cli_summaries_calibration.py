"""Calibration as a person reads it: which requirement failed, and by how much."""

from __future__ import annotations

from test_harness_calibration_plan import corpus
from test_harness_calibration_published import AMI
from test_semantics_calibration import CONFIRM, LOCKED
from trial_support import GENUINE, IMPOSTOR, STRONG, WEAK, document, gates, many, trial

from voxint.cli.summaries import Grid, Summary
from voxint.cli.summaries import calibration as words
from voxint.harness.calibration import certify, compare, plan, select, sweep


def sentences(summary: Summary) -> list[str]:
    return [block for block in summary.blocks if isinstance(block, str)]


def grid(summary: Summary, title: str = "") -> Grid:
    (found,) = [block for block in summary.blocks if isinstance(block, Grid) and block.title == title]
    return found


def too_few(n: int) -> str:
    return (
        f"With {n} impostor speakers no gates could pass: the bound needs 52 without an error (59 by the exact "
        "bound). `voxint calibrate plan` says before any scoring whether a protocol has them."
    )


def test_the_public_certification_says_what_it_lacked() -> None:
    found = words.certify(certify(trials=AMI, candidate=LOCKED))
    assert found.title == "Certification of cosine 0.8, margin 0.12: NO_DECISION, 2 requirements failed"
    assert sentences(found) == [
        "insufficient_impostor_clusters: 49 impostor speakers, 50 are the floor, 1 too few.",
        (
            "far_bound_exceeded: the bound is 5.23 %, 5.00 % is allowed, 0.23 percentage points too much "
            "(exact bound 5.93 %)."
        ),
        too_few(49),
    ]
    tallies = {row[0]: row[1:] for row in grid(found).rows}
    assert tallies["far_upper_one_sided"] == ("0.0523", "0.0523")
    assert tallies["frr_ci"] == ("0.0000 to 0.2281", "0.0000 to 0.2281")


def test_an_error_is_counted_in_trials_and_speakers() -> None:
    found = words.certify(certify(trials=CONFIRM, candidate=LOCKED))
    assert found.title.endswith("NO_DECISION, 2 requirements failed")
    assert sentences(found)[0] == "auto_wrong_observed: 1 impostor trial of 1 speaker would be shown; none is allowed."
    assert not any("no gates could pass" in each for each in sentences(found))


def test_certified_gates_have_nothing_to_explain() -> None:
    held = document(many(IMPOSTOR, "c", 52, 52, split="confirm", **WEAK))
    found = words.certify(certify(trials=held, candidate=LOCKED))
    assert found.title == "Certification of cosine 0.8, margin 0.12: CERTIFIED"
    assert sentences(found) == []


def test_a_selection_names_its_gates() -> None:
    found = words.select(select(trials=AMI))
    assert found.title == "Selection: cosine 0.8, margin 0.12"
    assert sentences(found) == ["32 of 32 candidates are feasible on the dev trials."]
    rows = grid(found, "Candidates on the dev trials").rows
    assert len(rows) == 32
    assert rows[0] == ("0.66", "0.05", "4", "0", "0", "0 of 55", "0.0469", "0.0530", "4 of 4")


def test_no_selection_says_how_near_it_came() -> None:
    few = document([*many(IMPOSTOR, "i", 20, 20, **WEAK), trial(IMPOSTOR, "liar", **{**STRONG, "margin": 0.11})])
    found = words.select(select(trials=few))
    assert found.title == "Selection: NO_DECISION, no candidate is feasible"
    assert sentences(found) == [
        (
            "The nearest candidate, cosine 0.66 and margin 0.12, shows 0 impostor trials of 0 speakers "
            "(allowed: none), and its bound is 11.41 % (allowed: 5.00 %; exact bound 13.29 %)."
        ),
        too_few(21),
    ]


def test_a_plan_says_what_each_half_lacks() -> None:
    found = words.plan(plan(protocol=corpus(55, 49)))
    assert found.title == "Calibration plan: confirm cannot reach the bound"
    assert grid(found).rows == (
        ("dev", "29", "55", "52", "+3", "0.0469", "0.0530"),
        ("confirm", "25", "49", "52", "-3", "0.0523", "0.0593"),
    )
    assert "needs 52 impostor speakers (59 by the exact bound)" in sentences(found)[0]
    assert words.plan(plan(protocol=corpus(52, 52))).title == "Calibration plan: both halves can reach the bound"
    assert words.plan(plan(protocol=corpus(1, 1))).title == "Calibration plan: dev and confirm cannot reach the bound"


def test_a_sweep_warns_against_choosing() -> None:
    found = words.sweep(sweep(trials=AMI))
    assert found.title == "Sweep of 99 pairs of gates"
    assert [block.title for block in found.blocks if isinstance(block, Grid)] == [
        "Stratum all",
        "Stratum roster_1",
        "Stratum roster_2_plus",
    ]
    assert sentences(found) == [
        (
            "104 impostor speakers reach the floor of 50; 13 genuine speakers. "
            "Exploratory: no point may be chosen from this table."
        )
    ]
    few = words.sweep(sweep(trials=document([trial(GENUINE, "ann")])))
    assert sentences(few)[0].startswith("0 impostor speakers do not reach the floor of 50; 1 genuine speaker.")


def test_changes_are_listed_up_to_twenty() -> None:
    trials = document(many(GENUINE, "g", 3, 23, **{**STRONG, "similarity": 0.75}))
    found = words.compare(compare(trials=trials, after=gates(grounded_min_cosine=0.8)))
    assert found.title == "Two sets of gates: 23 trials change band"
    assert len(grid(found, "Changes of band").rows) == 20
    assert grid(found, "Changes of band").rows[0][2:] == ("genuine", "auto_attribute", "review")
    assert sentences(found) == ["3 more changes are in the JSON."]
    same = words.compare(compare(trials=trials, after=gates()))
    assert (same.title, len(same.blocks)) == ("Two sets of gates: 0 trials change band", 1)
