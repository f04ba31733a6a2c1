"""Counts by kind: the most frequent first, contradictions named up to twenty."""

from __future__ import annotations

from voxint_contracts.agreement.v1 import ItemKind

from voxint.cli.summaries import Grid
from voxint.cli.summaries.by_kind import KindCounts


def test_kinds_have_their_own_tables_and_an_absent_kind_has_none() -> None:
    counts = KindCounts("x/v1/y")
    for verdict in ("B", "A", "A"):
        counts.count(ItemKind.CURATED, verdict, "-", None)
    summary = counts.summary()
    assert summary.title == "Verdicts: 3 items"
    assert summary.blocks == (
        Grid("Curated items", ("verdict", "reason", "items"), (("A", "-", "2"), ("B", "-", "1")), n_text=2),
    )


def test_contradictions_are_listed_and_the_rest_counted() -> None:
    counts = KindCounts("x/v1/y")
    for number in range(21):
        counts.count(ItemKind.NEGATIVE_CONTROL, "ABSTAIN", "low_cosine_band", f"n{number}")
    text = counts.summary().blocks[-1]
    assert isinstance(text, str)
    assert text.endswith('"n19" and 1 more')
