"""The catalog finds a document by its model and a schema by its name, and the base class is as strict as it says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from contract_support import BY_NAME, CONTRACTS, ROOT, model_of, schemas
from pydantic import ValidationError
from voxint_contracts import catalog
from voxint_contracts.base import Contract
from voxint_contracts.name_accuracy import v1 as contract


def test_every_document_is_listed_as_its_schema_says() -> None:
    found = [
        (each.name, each.model, each.stream, each.rules, each.kind, each.description) for each in catalog.DOCUMENTS
    ]
    expected = [
        (each.name, each.root.name, each.stream, each.rules, each.kind, each.description)
        for each in CONTRACTS.documents
        if each.root
    ]
    assert found == expected


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_a_document_is_found_by_its_model_and_its_name(name: str) -> None:
    document = BY_NAME[name]
    assert catalog.document_of(model_of(document)) is document
    assert json.loads(catalog.schema_text(name)) == schemas()[f"{name}.schema.json"]


@pytest.mark.parametrize("model", [contract.NameSlot, Contract, int])
def test_another_class_is_no_document(model: type) -> None:
    with pytest.raises(LookupError, match="is no contract document"):
        catalog.document_of(model)


@pytest.mark.parametrize("name", ["name_accuracy/v1/slots", "common/v1/common", "../../pyproject", ""])
def test_another_name_is_no_document(name: str) -> None:
    with pytest.raises(LookupError, match="no contract document is named"):
        catalog.schema_text(name)


def test_an_installed_copy_finds_its_own_schemas(tmp_path: Path) -> None:
    package = tmp_path / "voxint_contracts"
    shutil.copytree(ROOT / "generated/voxint_contracts", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "contracts/schema", package / "schema")
    code = "from voxint_contracts import catalog as c; print(c.__file__, len(c.schema_text('name_accuracy/v1/items')))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, check=True
    )
    length = len((ROOT / "contracts/schema/name_accuracy/v1/items.schema.json").read_text(encoding="utf-8"))
    assert done.stdout.decode().split() == [str(package / "catalog.py"), str(length)]


def test_every_class_derives_from_contract() -> None:
    assert [
        name
        for name in contract.__all__
        if name not in ("SlotVerdict", "TruthAnchoring") and not issubclass(getattr(contract, name), Contract)
    ] == []


def test_models_are_frozen() -> None:
    slot = contract.NameSlot(assigned_name=None)
    with pytest.raises(ValidationError, match="frozen"):
        slot.assigned_name = "x"  # type: ignore[misc]


@pytest.mark.parametrize("number", ["1", "1.0", "0", "0.0", '"true"', "null"])
def test_a_constant_boolean_takes_no_number(number: str) -> None:
    rest = '"points": [], "chow_coverage": null, "aurc": 0'
    assert contract.RiskCoverage.model_validate_json(f'{{{rest}, "descriptive": true, "calibrated": false}}')
    for fields in (f'"descriptive": {number}, "calibrated": false', f'"descriptive": true, "calibrated": {number}'):
        with pytest.raises(ValidationError):
            contract.RiskCoverage.model_validate_json(f"{{{rest}, {fields}}}")
