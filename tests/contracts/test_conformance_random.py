"""Random documents that fit a schema: the model takes them, and proto gives them back unchanged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from contract_strategy import documents
from contract_support import BY_NAME, canonical, inlined_schema, model_errors, through_proto
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

STEADY = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
N_DOCUMENTS = max(60, 2000 // len(BY_NAME))


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_random_documents_survive_every_form(name: str) -> None:
    document, schema = BY_NAME[name], Draft202012Validator(inlined_schema(name))
    seen: set[str] = set()

    @settings(STEADY, max_examples=N_DOCUMENTS)
    @given(documents(inlined_schema(name)))
    def check(value: Any) -> None:
        text = json.dumps(value)
        assert schema.is_valid(value)
        assert model_errors(document, text) == []
        once = canonical(document, text)
        assert canonical(document, once) == once
        assert canonical(document, through_proto(document, text)) == once
        seen.add(once)

    check()
    assert len(seen) > N_DOCUMENTS // 2


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_fields_that_no_schema_names_are_ignored(name: str) -> None:
    document, schema = BY_NAME[name], Draft202012Validator(inlined_schema(name))

    @settings(STEADY, max_examples=N_DOCUMENTS // 4)
    @given(documents(inlined_schema(name), extra=True))
    def check(value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        assert schema.is_valid(value)
        assert model_errors(document, text) == []
        assert canonical(document, through_proto(document, text)) == canonical(document, text)

    check()
