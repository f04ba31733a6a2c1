"""File names of vectors say document and layer; every document and every rule has its vectors."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract_support import CONTRACTS, ROOT

from tools._contracts.vectors import FOLDER, rule_faults, vector_faults, vectors
from voxint.semantics import RULES

HERE = "contracts/vectors/name_accuracy/v1"


def _vector(root: Path, name: str) -> None:
    path = root / HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")


def test_every_document_and_rule_has_its_vectors() -> None:
    assert list(vector_faults(ROOT, CONTRACTS)) == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("accept/items.unicode.jsonl", ("name_accuracy/v1/items", "", "", True)),
        ("reject/items.reader-duplicate-key.jsonl", ("name_accuracy/v1/items", "reader", "", True)),
        ("reject/report.schema-kind.json", ("name_accuracy/v1/report", "schema", "", False)),
        ("reject/report.model-nan.json", ("name_accuracy/v1/report", "model", "", False)),
        ("reject/items.rule-a_rule.blank.jsonl", ("name_accuracy/v1/items", "rule", "a_rule", True)),
    ],
)
def test_a_name_says_document_and_layer(tmp_path: Path, name: str, parts: tuple[object, ...]) -> None:
    _vector(tmp_path, name)
    (found,) = vectors(tmp_path)
    assert (found.document, found.layer, found.rule, found.stream) == parts


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("reject/items.no-layer.jsonl", "is not named as"),
        ("accept/items.schema-null.jsonl", "is not named as"),
        ("accept/items.jsonl", "is not named as"),
        ("maybe/items.unicode.jsonl", "is not named as"),
        ("accept/items.unicode.txt", "is not named as"),
        ("accept/things.unicode.jsonl", "belongs to no document"),
        ("accept/items.unicode.json", "ends in .jsonl for a stream"),
        ("reject/items.rule-a_rule.blank.jsonl", "breaks a rule that the schema does not name"),
    ],
)
def test_a_name_that_says_nothing_is_named(tmp_path: Path, name: str, fault: str) -> None:
    _vector(tmp_path, name)
    assert any(fault in each and name.rpartition("/")[2] in each for each in vector_faults(tmp_path, CONTRACTS))


def test_documents_and_rules_without_vectors_are_named(tmp_path: Path) -> None:
    found = list(vector_faults(tmp_path, CONTRACTS))
    assert f"{FOLDER}: name_accuracy/v1/aliases needs a document to accept and one that its schema refuses" in found
    assert f"{FOLDER}: name_accuracy/v1/report needs a vector that breaks the rule report_counts_add_up" in found


def test_rules_match_both_ways() -> None:
    assert list(rule_faults(CONTRACTS, RULES)) == []
    fewer = [rule for rule in RULES if rule != "report_counts_add_up"]
    assert list(rule_faults(CONTRACTS, [*fewer, "tail_wags"])) == [
        "name_accuracy/v1/report: voxint.semantics.RULES has no rule report_counts_add_up",
        "voxint.semantics.RULES: no schema names the rule tail_wags",
    ]
