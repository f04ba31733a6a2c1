"""Fused decisions as a person reads them."""

from __future__ import annotations

from test_harness_ensemble import ABSENT, ABSTAIN, CONTROL, models, vote

from voxint.cli.summaries import Grid, Summary
from voxint.cli.summaries.ensemble import DecisionCounts
from voxint.harness.ensemble import score


def summed(*pairs: tuple[dict[str, object], dict[str, object]]) -> Summary:
    counts = DecisionCounts("ensemble/v1/decisions")
    for decision in score(models([a for a, _ in pairs], "a"), models([b for _, b in pairs], "b")):
        counts.add(decision)
    return counts.summary()


def test_decisions_are_counted_by_kind_the_most_frequent_first() -> None:
    quiet = [(vote(f"q{k}", ABSTAIN), vote(f"q{k}", ABSTAIN)) for k in range(2)]
    summary = summed((vote("x"), vote("x")), *quiet, (vote("n", ABSENT), vote("n", ABSENT)))
    assert summary.title == "Fused verdicts: 4 items"
    curated, control = summary.blocks
    assert isinstance(curated, Grid)
    assert isinstance(control, Grid)
    assert curated.rows == (
        ("ABSTAIN", "no_confident_signal", "2"),
        ("SILVER_HOST_PRESENT", "both_confident_same_slot", "1"),
    )
    assert (control.title, control.rows) == ("Negative controls", (("SILVER_NO_HOST", "both_no_host", "1"),))


def test_contradictions_are_named_up_to_twenty() -> None:
    flagged = vote("c", ABSTAIN, kind=CONTROL, contradiction=True)
    assert summed((flagged, flagged)).blocks[-1] == ('Contradictions, where the channel fact itself may be wrong: "c"')
    many = [vote(f"c{k:02}", ABSTAIN, contradiction=True) for k in range(22)]
    text = summed(*[(each, each) for each in many]).blocks[-1]
    assert isinstance(text, str)
    assert text.endswith('"c19" and 2 more')


def test_nothing_is_said_of_nothing() -> None:
    assert summed() == Summary("Fused verdicts: 0 items", ())
