"""Products give their bytes and, after or without them, their summary."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from judge_support import FAILED, ok, text_axes, text_response
from test_edges_plots import FULL
from voxint_contracts.common import v1 as contract

from voxint.cli.products import Report, Stream
from voxint.errors import EdgeError
from voxint.io import canonical

ENTRIES = [contract.ContractEntry(contract=f"c{k}", form=contract.DocumentForm.JSON, meaning="m") for k in range(3)]


class _Gate(contract.ContractEntry):
    passed: bool


def test_a_stream_is_a_line_a_record_and_counts_what_it_wrote() -> None:
    stream = Stream(iter(ENTRIES), "x/v1/y")
    assert b"".join(stream.json()) == b"".join(map(canonical.encode, ENTRIES))
    assert stream.summary().title == "x/v1/y: 3 records"
    assert stream.passed()


def test_a_summary_reads_what_was_not_written() -> None:
    stream = Stream(iter(ENTRIES), "x/v1/y")
    next(iter(stream.json()))
    assert stream.summary().title == "x/v1/y: 3 records"


def test_a_stream_is_read_as_it_is_written() -> None:
    taken: list[int] = []

    def source() -> Iterator[contract.ContractEntry]:
        for number, entry in enumerate(ENTRIES):
            taken.append(number)
            yield entry

    pieces = Stream(source(), "x/v1/y").json()
    next(pieces)
    assert taken == [0]


def test_only_a_report_that_says_no_says_no() -> None:
    def gate(passed: bool) -> Report:
        return Report(_Gate(contract="c", form=contract.DocumentForm.JSON, meaning="m", passed=passed), {})

    assert (gate(True).passed(), gate(False).passed(), Report(ENTRIES[0], {}).passed()) == (True, False, True)


def test_a_report_with_plots_has_a_page_and_records_have_none() -> None:
    page = b"".join(Report(FULL, {}).page())
    assert page.startswith(b"<!DOCTYPE html>")
    assert page.count(b"<img ") == 4
    with pytest.raises(EdgeError, match="records have no page"):
        Stream(iter(ENTRIES), "x/v1/y").page()


def test_replies_say_no_when_none_of_them_is_ok() -> None:
    assert Report(text_response(FAILED, ok(text_axes())), {}).passed()
    assert not Report(text_response(FAILED, FAILED), {}).passed()


def test_notes_are_warnings_beside_those_of_the_report() -> None:
    assert Report(ENTRIES[0], {}, ("the disk is full",)).warnings() == ["the disk is full"]
    assert Report(ENTRIES[0], {}).warnings() == []
