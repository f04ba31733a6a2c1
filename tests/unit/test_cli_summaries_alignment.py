"""Trials in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from voxint_contracts.attribution.v1 import TrialsDocument

from voxint.cli.summaries import Grid, summary_of

VECTORS = Path(__file__).resolve().parents[2] / "contracts" / "vectors" / "attribution" / "v1" / "accept"


def document(name: str) -> TrialsDocument:
    return TrialsDocument.model_validate_json((VECTORS / f"trials.{name}.json").read_bytes())


def rows(found: TrialsDocument) -> list[tuple[tuple[str, ...], ...]]:
    return [block.rows for block in summary_of(found).blocks if isinstance(block, Grid)]


def test_classes_and_details_are_counted_in_the_order_of_the_contract() -> None:
    found = document("every-detail")
    assert summary_of(found).title == "4 trials of 1 meeting"
    assert rows(found) == [
        (("genuine", "2"), ("impostor", "1"), ("no_gold_overlap", "1")),
        (
            ("genuine", "1", "1"),
            ("impostor_closed", "1", "1"),
            ("impostor_open", "1", "1"),
            ("unscoreable", "1", ""),
        ),
    ]


def test_a_frozen_pack_without_details_counts_an_impostor_as_closed() -> None:
    assert rows(document("frozen-pack"))[1] == (("genuine", "1", "1"), ("impostor_closed", "1", "1"))


def test_nothing_is_said_of_nothing() -> None:
    found = document("none")
    assert summary_of(found).title == "0 trials of 0 meetings"
    assert rows(found) == []


@pytest.mark.parametrize(("n", "end"), [(20, "w19"), (22, "w19 and 2 more")])
def test_warnings_are_shown_up_to_twenty(n: int, end: str) -> None:
    values = json.loads((VECTORS / "trials.full.json").read_text(encoding="utf-8"))
    values["warnings"] = [f"w{place}" for place in range(n)]
    last = summary_of(TrialsDocument.model_validate_json(json.dumps(values))).blocks[-1]
    assert isinstance(last, str)
    assert last.startswith("Warnings: w0; w1; ")
    assert last.endswith(end)
