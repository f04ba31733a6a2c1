"""Every vector in every implementation: JSON Schema, generated model, proto, and the reader with its wording."""

from __future__ import annotations

import json

import pytest
from contract_support import (
    BY_NAME,
    VECTORS,
    canonical,
    model_errors,
    model_of,
    records,
    through_proto,
    validator,
    vector_id,
)
from syrupy.assertion import SnapshotAssertion

from tools._contracts.vectors import Vector
from voxint.errors import InputError
from voxint.io import read
from voxint.semantics import RULES, rules_of

ACCEPTED = [each for each in VECTORS if not each.layer]
REFUSED = [each for each in VECTORS if each.layer]


def _those(*layers: str) -> list[Vector]:
    return [each for each in VECTORS if each.layer in layers]


def _read(vector: Vector) -> int:
    """Documents that the reader makes of a vector, found by its bare name."""
    document = BY_NAME[vector.document]
    model, rules = model_of(document), rules_of(document.rules)
    if vector.stream:
        return sum(1 for _ in read.rows(vector.path.name, model, rules=rules))
    read.document(vector.path.name, model, rules=rules)
    return 1


@pytest.mark.parametrize("vector", _those("", "model", "rule"), ids=vector_id)
def test_schema_accepts(vector: Vector) -> None:
    faults = [list(validator(vector.document).iter_errors(json.loads(text))) for text in records(vector)]
    assert not any(faults), faults


@pytest.mark.parametrize("vector", _those("schema"), ids=vector_id)
def test_schema_refuses(vector: Vector) -> None:
    accepted = [validator(vector.document).is_valid(json.loads(text)) for text in records(vector)]
    assert accepted == [False]


@pytest.mark.parametrize("vector", _those("", "rule"), ids=vector_id)
def test_model_accepts(vector: Vector) -> None:
    errors = [model_errors(BY_NAME[vector.document], text) for text in records(vector)]
    assert not any(errors), errors


@pytest.mark.parametrize("vector", _those("schema", "model"), ids=vector_id)
def test_model_refuses(vector: Vector) -> None:
    errors = [model_errors(BY_NAME[vector.document], text) for text in records(vector)]
    assert [bool(each) for each in errors] == [True]


@pytest.mark.parametrize("vector", ACCEPTED, ids=vector_id)
def test_proto_keeps_everything(vector: Vector) -> None:
    document = BY_NAME[vector.document]
    for text in records(vector):
        assert canonical(document, through_proto(document, text)) == canonical(document, text)


@pytest.mark.parametrize("vector", _those("rule"), ids=vector_id)
def test_only_its_rule_refuses(vector: Vector) -> None:
    document = BY_NAME[vector.document]
    models = [model_of(document).model_validate_json(text) for text in records(vector)]
    broken = {rule for rule in document.rules for model in models if list(RULES[rule](model))}
    assert broken == {vector.rule}


@pytest.mark.parametrize("vector", ACCEPTED, ids=vector_id)
def test_reader_accepts(vector: Vector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(vector.path.parent)
    assert _read(vector) == len(records(vector))


@pytest.mark.parametrize("vector", REFUSED, ids=vector_id)
def test_reader_refuses_in_these_words(
    vector: Vector, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(vector.path.parent)
    with pytest.raises(InputError) as caught:
        _read(vector)
    assert str(caught.value) == snapshot
