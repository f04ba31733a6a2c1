"""Frozen bytes cannot change unseen, and what is released can only grow."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from contract_checkout import Schema, copied_checkout, texts, zoo, zoo_checkout
from contract_support import ROOT, run_buf

from tools import check_contracts
from tools._contracts import models, outputs, released
from tools._contracts.additive import additive_faults
from tools._contracts.faults import ContractFaultsError
from tools._contracts.schemas import load

PET, HOUSE, COMMON = "zoo/v1/pet.schema.json", "zoo/v1/house.schema.json", "common/v1/common.schema.json"
OPTIONAL = {"description": "d", "anyOf": [{"type": "string"}, {"type": "null"}]}


def _edit(root: Path, file: str, change: Callable[[Schema], Any]) -> None:
    path = root / "contracts/schema" / file
    schema = json.loads(path.read_text())
    change(schema)
    path.write_text(json.dumps(schema))
    outputs.write(root, outputs.desired(root))


@pytest.fixture(scope="module", autouse=True)
def no_models() -> Iterator[None]:
    """Models have no part in a release, and take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "package_files", lambda root, contracts: {})
        yield


@pytest.fixture(scope="module")
def released_zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = zoo_checkout(tmp_path_factory.mktemp("zoo"), zoo())
    vector = root / "contracts/vectors/zoo/v1/accept/house.wide.json"
    vector.parent.mkdir(parents=True)
    vector.write_text('{"width": 9}')
    outputs.write(root, outputs.desired(root))
    assert check_contracts.main(["--freeze", "--root", str(root)]) == 0
    return root


@pytest.fixture
def zoo_root(released_zoo: Path, tmp_path: Path) -> Path:
    """A zoo that was released once."""
    return shutil.copytree(released_zoo, tmp_path / "zoo")


def test_what_is_frozen_here_is_unchanged() -> None:
    assert released.frozen(ROOT)
    assert list(released.frozen_faults(ROOT)) == []


def test_lines_are_sorted_and_checked_by_sha256sum(zoo_root: Path) -> None:
    lines = (zoo_root / released.RELEASED).read_text().splitlines()
    assert [line[64:] for line in lines] == [
        "  contracts/baseline/v1.binpb",
        "  contracts/baseline/v1.files.txt",
        "  contracts/baseline/v1.schemas.json",
        "  contracts/proto/voxint/common/v1/fields.lock",
        "  contracts/proto/voxint/zoo/v1/fields.lock",
        "  contracts/schema/common/v1/common.schema.json",
        "  contracts/schema/zoo/v1/house.schema.json",
        "  contracts/schema/zoo/v1/pet.schema.json",
        "  contracts/vectors/zoo/v1/accept/house.wide.json",
    ]


def test_a_changed_byte_in_a_frozen_file_is_named(tmp_path: Path) -> None:
    root = copied_checkout(tmp_path)
    for path in released.frozen(root):
        before = (root / path).read_bytes()
        (root / path).write_bytes(before[:-1] + bytes([before[-1] ^ 1]) if before else b"x")
        assert [fault.partition(": ")[0] for fault in released.frozen_faults(root)] == [path]
        (root / path).unlink()
        assert list(released.frozen_faults(root)) == [f"{path}: is frozen and missing"]
        (root / path).write_bytes(before)


def test_the_check_fails_on_a_frozen_file_that_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = copied_checkout(tmp_path)
    path = "contracts/schema/name_accuracy/v1/items.schema.json"
    (root / path).write_text((root / path).read_text() + "\n")
    assert check_contracts.main(["--root", str(root)]) == 1
    hint = "; `--freeze` releases it if it only adds"
    assert capsys.readouterr().out == f"{path}: is frozen and has changed{hint}\n"


def test_freezing_twice_freezes_nothing_new(zoo_root: Path) -> None:
    before = (zoo_root / released.RELEASED).read_bytes()
    assert list(check_contracts.freeze(zoo_root, [])) == []
    assert (zoo_root / released.RELEASED).read_bytes() == before


def test_an_addition_can_be_released(zoo_root: Path) -> None:
    _edit(zoo_root, HOUSE, lambda schema: schema["properties"].update(colour=OPTIONAL))
    grown = ["contracts/proto/voxint/zoo/v1/fields.lock", f"contracts/schema/{HOUSE}"]
    assert [fault.split(": ")[0] for fault in released.frozen_faults(zoo_root)] == grown
    assert list(check_contracts.freeze(zoo_root, [])) == [
        "frozen: contracts/baseline/v1.binpb",
        "frozen: contracts/baseline/v1.schemas.json",
        "frozen: contracts/proto/voxint/zoo/v1/fields.lock",
        f"frozen: contracts/schema/{HOUSE}",
    ]
    assert list(released.frozen_faults(zoo_root)) == []
    assert run_buf(zoo_root, "breaking", "--against", released.IMAGE).returncode == 0


def test_a_removal_cannot_be_released(zoo_root: Path) -> None:
    _edit(zoo_root, PET, lambda schema: schema["properties"].pop("tag"))
    assert list(check_contracts.additive_faults(released.baseline(zoo_root), outputs.read_contracts(zoo_root)))
    assert run_buf(zoo_root, "breaking", "--against", released.IMAGE).returncode != 0
    with pytest.raises(ContractFaultsError, match=r"zoo/v1: Pet\.tag is gone"):
        list(check_contracts.freeze(zoo_root, []))


def test_a_field_number_cannot_move(zoo_root: Path) -> None:
    (zoo_root / "contracts/proto/voxint/zoo/v1/fields.lock").unlink()
    _edit(zoo_root, PET, lambda schema: schema.update(properties=dict(reversed(schema["properties"].items()))))
    assert not list(additive_faults(released.baseline(zoo_root), outputs.read_contracts(zoo_root)))
    with pytest.raises(ContractFaultsError, match=r"buf breaking: .*Field \"1\""):
        list(check_contracts.freeze(zoo_root, []))


def test_a_frozen_vector_stays_accepted(zoo_root: Path) -> None:
    (zoo_root / "contracts/vectors/zoo/v1/accept/house.wide.json").unlink()
    with pytest.raises(ContractFaultsError, match=r"house\.wide\.json: is frozen and missing"):
        list(check_contracts.freeze(zoo_root, []))


def test_nothing_is_frozen_before_it_is_generated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = zoo_checkout(tmp_path, zoo())
    assert check_contracts.main(["--freeze", "--root", str(root)]) == 1
    assert capsys.readouterr().out.endswith("run `make generate` before a release\n")
    assert not (root / released.RELEASED).exists()


def test_one_version_brings_what_it_refers_to_and_nothing_else(tmp_path: Path) -> None:
    other = zoo()[HOUSE] | {"title": "Shed"}
    root = zoo_checkout(tmp_path, zoo() | {"yard/v1/shed.schema.json": other})
    outputs.write(root, outputs.desired(root))
    list(check_contracts.freeze(root, ["zoo/v1"]))
    assert set(released.baseline(root).versions()) == {"common/v1", "zoo/v1"}
    assert not [path for path in released.frozen(root) if "yard" in path]
    with pytest.raises(ContractFaultsError, match="zoo/v9: there is no such version"):
        list(check_contracts.freeze(root, ["zoo/v9"]))


ALLOWED: list[tuple[str, Callable[[dict[str, Schema]], Any]]] = [
    ("optional field", lambda s: s[PET]["properties"].update(owner=OPTIONAL)),
    ("lower minimum", lambda s: s[PET]["properties"]["legs"].update(minimum=-1)),
    ("no length", lambda s: s[PET]["properties"]["name"].pop("maxLength")),
    (
        "closed end",
        lambda s: s[PET]["properties"]["sizes"].update(additionalProperties={"type": "number", "minimum": 0}),
    ),
    ("text", lambda s: s[PET]["properties"]["legs"].update(description="Others words.")),
    ("one rule less", lambda s: s[PET].update({"x-rules": []})),
    ("definition", lambda s: s[PET]["$defs"].update(Toy=s[PET]["$defs"]["Tag"] | {"title": "Toy"})),
    ("document", lambda s: s.update({"zoo/v1/shed.schema.json": s[HOUSE] | {"title": "Shed"}})),
]
REFUSED: list[tuple[str, Callable[[dict[str, Schema]], Any], str]] = [
    ("document gone", lambda s: s.pop(PET), "zoo/v1/pet: is released and gone"),
    ("field gone", lambda s: s[PET]["properties"].pop("tag"), "zoo/v1: Pet.tag is gone"),
    (
        "required field",
        lambda s: s[HOUSE].update(
            s[HOUSE] | {"required": ["width", "a"], "properties": s[HOUSE]["properties"] | {"a": OPTIONAL}}
        ),
        "zoo/v1: House.a is new and required",
    ),
    ("now required", lambda s: s[PET]["required"].append("tag"), "zoo/v1: Pet.tag is required or nullable where"),
    (
        "now nullable",
        lambda s: s[PET]["properties"].update(name=OPTIONAL),
        "zoo/v1: Pet.name is required or nullable where",
    ),
    ("higher minimum", lambda s: s[PET]["properties"]["legs"].update(minimum=1), "zoo/v1: Pet.legs has tighter bounds"),
    (
        "open end",
        lambda s: s[HOUSE]["properties"]["width"].update(
            exclusiveMinimum=s[HOUSE]["properties"]["width"].pop("minimum")
        ),
        "zoo/v1: House.width has tighter bounds",
    ),
    (
        "tighter items",
        lambda s: s[PET]["properties"]["sizes"]["additionalProperties"].update(maximum=5),
        "zoo/v1: Pet.sizes has tighter bounds",
    ),
    ("fewer items", lambda s: s[PET]["properties"]["tags"].update(maxItems=5), "zoo/v1: Pet.tags has tighter bounds"),
    (
        "wider on the wire",
        lambda s: s[PET]["properties"]["legs"].update(maximum=2**32 - 1),
        "zoo/v1: Pet.legs has another type",
    ),
    ("another type", lambda s: s[PET]["properties"]["legs"].update(type="number"), "zoo/v1: Pet.legs has another type"),
    ("another const", lambda s: s[PET]["properties"]["kind"].update(const="dog"), "zoo/v1: Pet.kind has another type"),
    (
        "another nesting",
        lambda s: s[PET]["properties"]["grid"]["items"]["items"].update(maximum=8),
        "zoo/v1: Pet.grid has another type",
    ),
    ("new rule", lambda s: s[PET]["x-rules"].append("tail_wags"), "zoo/v1/pet: the rule tail_wags is new"),
    ("no stream", lambda s: s[PET].pop("x-stream"), "zoo/v1/pet: its class, x-stream or x-flow changed"),
    (
        "another flow",
        lambda s: s[PET].update({"x-flow": "output"}),
        "zoo/v1/pet: its class, x-stream or x-flow changed",
    ),
    ("value gone", lambda s: s[COMMON]["$defs"]["Mood"]["enum"].remove("calm"), "common/v1: Mood.calm is gone"),
    (
        "new value in an input",
        lambda s: s[COMMON]["$defs"]["Mood"]["enum"].append("shy"),
        "common/v1: Mood.shy is new, and a document that",
    ),
    (
        "another kind",
        lambda s: s[COMMON]["$defs"].update(Mood=s[PET]["$defs"]["Tag"] | {"title": "Mood"}),
        "common/v1: Mood is gone, or of another kind",
    ),
]


def _changed(change: Callable[[dict[str, Schema]], Any]) -> list[str]:
    schemas = zoo()
    change(schemas)
    return list(additive_faults(load(texts(zoo())), load(texts(schemas))))


@pytest.mark.parametrize("change", [each[1] for each in ALLOWED], ids=[each[0] for each in ALLOWED])
def test_what_may_change_within_a_version(change: Callable[[dict[str, Schema]], Any]) -> None:
    assert _changed(change) == []


@pytest.mark.parametrize(("change", "fault"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED])
def test_what_may_not_change_within_a_version(change: Callable[[dict[str, Schema]], Any], fault: str) -> None:
    assert any(each.startswith(fault) for each in _changed(change)), _changed(change)


def test_a_new_value_where_only_voxint_writes_it() -> None:
    before, after = zoo(), zoo()
    for schemas, values in ((before, ["in", "out"]), (after, ["in", "out", "near"])):
        place = {"title": "Place", "description": "d", "type": "string", "enum": values}
        schemas[HOUSE].update({"$defs": {"Place": place}})
        schemas[HOUSE]["properties"]["place"] = {
            "description": "d",
            "anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}],
        }
        del schemas[PET]["properties"]["house"]
        schemas[PET]["required"].remove("house")
    assert list(additive_faults(load(texts(before)), load(texts(after)))) == []
