"""The contract verbs in words, and the plain form of a report that has no words of its own."""

from __future__ import annotations

from voxint_contracts.common import v1 as contract
from voxint_contracts.name_accuracy.v1 import TrueAbstain

from voxint.cli.contracts import list_contracts
from voxint.cli.summaries import Grid, summary_of


def test_the_listing_has_a_row_per_document() -> None:
    listed = list_contracts()
    (grid,) = summary_of(listed).blocks
    assert isinstance(grid, Grid)
    assert [row[0] for row in grid.rows] == [entry.contract for entry in listed.contracts]


def test_a_check_is_one_sentence() -> None:
    def said(n: int) -> str:
        report = contract.CheckReport(
            schema_version=1, kind="check_report", file="a.jsonl", contract="name_accuracy/v1/items", n_documents=n
        )
        return summary_of(report).title

    assert said(1) == "a.jsonl: 1 document fits name_accuracy/v1/items"
    assert said(2) == "a.jsonl: 2 documents fit name_accuracy/v1/items"


def test_a_report_without_words_lists_its_fields() -> None:
    (grid,) = summary_of(TrueAbstain(named=1, abstained=2)).blocks
    assert isinstance(grid, Grid)
    assert grid.rows == (("named", "1"), ("abstained", "2"))
