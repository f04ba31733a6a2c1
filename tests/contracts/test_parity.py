"""Parity of schema and proto is seen in compiled descriptors, and every difference has its line."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from contract_support import CONTRACTS, ROOT, run_buf

from tools._contracts import buf
from tools._contracts.parity import parity_faults

PACKAGE = "voxint.name_accuracy.v1"
TEXT = "`optional string` by its schema"
VERDICTS = f"`map<string, {PACKAGE}.SlotVerdict.Value>` by its schema"
Image = dict[str, Any]


@pytest.fixture(scope="module")
def image() -> Image:
    return buf.image_json(ROOT)


def _message(image: Image, name: str) -> Any:
    file = next(each for each in image["file"] if each.get("package") == PACKAGE)
    return next(each for each in file["messageType"] if each["name"] == name)


def _field(image: Image, message: str, name: str) -> Any:
    return next(each for each in _message(image, message)["field"] if each["name"] == name)


def _drop_message(image: Image) -> None:
    file = next(each for each in image["file"] if each.get("package") == PACKAGE)
    file["messageType"] = [each for each in file["messageType"] if each["name"] != "TrueName"]


def _drop_optional(image: Image) -> None:
    del _field(image, "NameSlot", "truth")["proto3Optional"]


CHANGES: list[tuple[Callable[[Image], Any], str]] = [
    (_drop_message, f"{PACKAGE}.TrueName is missing in the protos"),
    (_drop_optional, f"{PACKAGE}.NameSlot.truth is `string` in the protos, `optional string` by its schema"),
    (
        lambda image: _message(image, "NameSlot")["field"].pop(0),
        f"{PACKAGE}.NameSlot.assigned_name is missing in the protos",
    ),
    (
        lambda image: _field(image, "NameSlot", "truth").update(name="who", jsonName="who"),
        f"{PACKAGE}.NameSlot.who is in the protos and in no schema",
    ),
    (
        lambda image: _field(image, "NameSlot", "truth_id").update(jsonName="truthId"),
        f"{PACKAGE}.NameSlot.truth_id is `optional string with the JSON name truthId` in the protos, {TEXT}",
    ),
    (
        lambda image: _field(image, "NameSlot", "duration").update(type="TYPE_FLOAT"),
        f"{PACKAGE}.NameSlot.duration is `optional float` in the protos, `optional double` by its schema",
    ),
    (
        lambda image: _field(image, "ClusteredBootstrap", "seed").update(type="TYPE_INT64"),
        f"{PACKAGE}.ClusteredBootstrap.seed is `optional int64` in the protos, `optional uint32` by its schema",
    ),
    (
        lambda image: _message(image, "ItemVerdicts")["nestedType"][0]["field"][1].update(
            typeName=f".{PACKAGE}.TrueName"
        ),
        f"{PACKAGE}.ItemVerdicts.verdicts is `map<string, {PACKAGE}.TrueName>` in the protos, {VERDICTS}",
    ),
    (
        lambda image: _message(image, "SlotVerdict")["enumType"][0]["value"].pop(1),
        f"{PACKAGE}.SlotVerdict.Value.TP is missing in the protos",
    ),
    (
        lambda image: _field(image, "NameAccuracyReport", "accuracy_ci95").update(label="LABEL_OPTIONAL"),
        f"{PACKAGE}.NameAccuracyReport.accuracy_ci95 is `double` in the protos, `repeated double` by its schema",
    ),
]


def test_schemas_and_protos_are_equal(image: Image) -> None:
    assert list(parity_faults(CONTRACTS, image)) == []


@pytest.mark.parametrize(("change", "fault"), CHANGES, ids=[fault.split("`")[0] for _, fault in CHANGES])
def test_a_difference_is_named(image: Image, change: Callable[[Image], Any], fault: str) -> None:
    changed = copy.deepcopy(image)
    change(changed)
    assert fault in list(parity_faults(CONTRACTS, changed))


@pytest.mark.parametrize(
    "words", ["lint", "format -d --exit-code", "build", "breaking --against contracts/baseline/v1.binpb"]
)
def test_buf_has_nothing_to_say(words: str) -> None:
    done = run_buf(ROOT, *words.split())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
