"""A gold set as a person reads it."""

from __future__ import annotations

from test_harness_goldset_strata import FACTS, facts, plan, row

from voxint.cli.summaries import Grid, Summary
from voxint.cli.summaries.goldset import GoldCounts
from voxint.harness.goldset_strata import score


def test_labels_and_queue_are_counted_by_stratum_and_reason() -> None:
    rows = [row("a"), row("b"), row("c", "hostless"), row("d", None)]
    found = score(rows=rows, plan=plan(4, ("t", ["d"], 1), ("s", ["a", "b", "c"], 3)), channel_hosts=facts(**FACTS))
    labels, queue = GoldCounts("goldset/v1/labels"), GoldCounts("goldset/v1/queue")
    for label in found.labels:
        labels.add(label)
    for entry in found.queue:
        queue.add(entry)
    assert labels.summary().title == "Gold set: 3 items labelled by facts"
    (grid,) = labels.summary().blocks
    assert isinstance(grid, Grid)
    assert grid.rows == (("s", "channel_fact_groundable", "2"), ("s", "curated_no_host_channel", "1"))
    assert queue.summary().title == "Gold set: 1 item waiting for a person"


def test_nothing_is_said_of_nothing() -> None:
    assert GoldCounts("goldset/v1/labels").summary() == Summary("Gold set: 0 items labelled by facts", ())
