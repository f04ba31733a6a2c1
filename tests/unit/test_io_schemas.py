"""A schema as one document says what the files say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from judge_support import audio_axes, text_axes
from voxint_contracts.catalog import DOCUMENTS

from voxint.io.schemas import self_contained


def refs(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(refs, node))
    if isinstance(node, dict):
        return {node["$ref"]} if isinstance(node.get("$ref"), str) else set().union(*map(refs, node.values()))
    return set()


@pytest.mark.parametrize("name", [each.name for each in DOCUMENTS if "judge" in each.name])
def test_every_contract_stands_alone(name: str) -> None:
    schema = self_contained(name)
    Draft202012Validator.check_schema(schema)
    assert refs(schema) == {f"#/$defs/{key}" for key in schema.get("$defs", {})}
    assert '"x-' not in json.dumps(schema)


@pytest.mark.parametrize(
    ("name", "axes"), [("autorater/v1/judge_answer", text_axes()), ("audio_eval/v1/audio_judge_answer", audio_axes())]
)
def test_it_takes_an_answer_and_refuses_one_without_an_axis(name: str, axes: dict[str, Any]) -> None:
    validator = Draft202012Validator(self_contained(name))
    assert validator.is_valid({"axes": axes, "comment": None})
    first = next(iter(axes))
    assert not validator.is_valid({"axes": {key: value for key, value in axes.items() if key != first}})
    assert not validator.is_valid({"axes": {**axes, first: {**axes[first], "score": 11}}})


def test_the_keys_keep_the_order_in_which_a_model_writes() -> None:
    axis = self_contained("autorater/v1/judge_answer")["$defs"]["AxisScore"]
    assert list(axis["properties"]) == ["cited_moments", "rationale", "score"]


def test_an_unknown_name() -> None:
    with pytest.raises(LookupError):
        self_contained("autorater/v1/nothing")
