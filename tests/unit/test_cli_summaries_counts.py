"""Streams without words of their own are summed up by their enum fields."""

from __future__ import annotations

from voxint_contracts.common import v1 as contract

from voxint.cli.summaries import Grid, counter_of
from voxint.cli.summaries.counts import EnumCounts


def entry(form: str) -> contract.ContractEntry:
    return contract.ContractEntry(contract="c", form=contract.DocumentForm(form), meaning="m")


def test_values_are_counted_the_most_frequent_first() -> None:
    counts = EnumCounts("family/v1/stream")
    for form in ("jsonl", "json", "json"):
        counts.add(entry(form))
    summary = counts.summary()
    assert summary.title == "family/v1/stream: 3 records"
    assert summary.blocks == (Grid("", ("form", "records"), (("json", "2"), ("jsonl", "1"))),)


def test_an_unknown_contract_gets_them_and_one_record_is_singular() -> None:
    counter = counter_of("no/v1/such")
    counter.add(entry("json"))
    assert counter.summary().title == "no/v1/such: 1 record"
