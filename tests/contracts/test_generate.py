"""What is generated is what is committed; a changed byte is named; the same bytes whatever the hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contract_checkout import copied_checkout, zoo, zoo_checkout
from contract_support import ROOT, run_buf

from tools import check_contracts, generate
from tools._contracts import buf, outputs
from tools._contracts.faults import ContractFaultsError
from tools._contracts.parity import parity_faults

PET = "zoo/v1/pet.schema.json"
PROTO = "contracts/proto/voxint/zoo/v1/zoo.proto"


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    root = copied_checkout(tmp_path_factory.mktemp("copied"))
    return root, outputs.desired(root)


@pytest.fixture(scope="module")
def zoo_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = zoo_checkout(tmp_path_factory.mktemp("zoo"), zoo())
    assert outputs.write(root, outputs.desired(root)) == len(outputs.desired(root))
    return root


def _python(root: Path, code: str) -> Any:
    environment = {"PYTHONPATH": str(root / "generated"), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_this_checkout_is_as_generated(capsys: pytest.CaptureFixture[str]) -> None:
    assert (generate.main(["--check"]), capsys.readouterr().out) == (0, "")


@pytest.mark.parametrize(
    "path",
    [
        "generated/voxint_contracts/base.py",
        "generated/voxint_contracts/catalog.py",
        "generated/voxint_contracts/name_accuracy/v1/report_schema.py",
        "generated/voxint_contracts/name_accuracy/v1/__init__.py",
        "contracts/proto/voxint/name_accuracy/v1/name_accuracy.proto",
        "contracts/proto/voxint/name_accuracy/v1/fields.lock",
        "contracts/README.md",
        "docs/glossary.md",
    ],
)
def test_a_changed_byte_is_named(copied: tuple[Path, dict[str, str]], path: str) -> None:
    root, files = copied
    before = (root / path).read_bytes()
    at = before.rfind(b"\n", 0, len(before) - 9)
    (root / path).write_bytes(before[:at] + b" " + before[at:])
    found = list(outputs.drift(root, files))
    (root / path).write_bytes(before)
    assert found == [f"{path}: differs from what the contracts make"]


def test_missing_and_stale_files_are_named_and_mended(copied: tuple[Path, dict[str, str]]) -> None:
    root, files = copied
    stale, lost = "generated/voxint_contracts/old/v1/old_schema.py", "generated/voxint_contracts/py.typed"
    (root / stale).parent.mkdir(parents=True)
    (root / stale).write_text("")
    (root / lost).unlink()
    assert list(outputs.drift(root, files)) == [f"{lost}: is missing", f"{stale}: is stale, nothing makes it"]
    assert outputs.write(root, files) == 2
    assert list(outputs.drift(root, files)) == []


def test_check_says_what_to_do_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = zoo_checkout(tmp_path, zoo())
    assert generate.main(["--check", "--root", str(root)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert f"{PROTO}: is missing" in out
    assert out[-1] == "run `make generate` and commit what it changes"
    assert not (root / "generated").exists()


def test_contracts_outside_the_profile_make_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schemas = zoo()
    schemas[PET]["properties"]["legs"]["type"] = "number"
    schemas[PET]["properties"]["name"]["pattern"] = "x"
    root = zoo_checkout(tmp_path, schemas)
    assert generate.main(["--root", str(root)]) == 1
    assert "keyword 'pattern' is outside the profile" in capsys.readouterr().err
    assert not (root / "generated").exists()


def test_the_hash_seed_moves_no_byte() -> None:
    code = "import hashlib, pathlib, sys; from tools._contracts import outputs\n"
    code += "print(hashlib.sha256(repr(outputs.desired(pathlib.Path(sys.argv[1]))).encode()).hexdigest())"
    path = os.pathsep.join([str(ROOT), str(ROOT / "generated")])
    digests = {
        subprocess.run(
            [sys.executable, "-c", code, str(ROOT)],
            env={"PYTHONPATH": path, "PYTHONHASHSEED": seed, "PATH": "", "TZ": zone, "LC_ALL": "C"},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(digests) == 1


def test_all_that_the_profile_allows_builds(zoo_root: Path) -> None:
    for words in (["lint"], ["format", "-d", "--exit-code"], ["build"]):
        done = run_buf(zoo_root, *words)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list(parity_faults(outputs.read_contracts(zoo_root), buf.image_json(zoo_root))) == []
    assert list(outputs.drift(zoo_root, outputs.desired(zoo_root))) == []


def test_proto_types_follow_the_schema(zoo_root: Path) -> None:
    lines = [line.strip() for line in (zoo_root / PROTO).read_text().splitlines()]
    for expected in (
        "optional string name = 1",
        "optional int32 legs = 2",
        "optional voxint.common.v1.Mood.Value mood = 3",
        "optional string mark = 4",
        "House house = 5",
        "optional uint32 chip = 6",
        "optional string kind = 7",
        "optional voxint.common.v1.Mood.Value before = 8",
        "Tag tag = 9",
        "optional bool tame = 10",
        "optional bool alive = 11",
        "repeated Tag tags = 12",
        "repeated voxint.common.v1.Mood.Value moods = 13",
        "map<string, double> sizes = 14",
        "google.protobuf.Struct history = 15",
        "google.protobuf.ListValue grid = 16",
    ):
        name = expected.split()[-3]
        assert f'{expected} [json_name = "{name}"];' in lines


def test_models_of_all_that_the_profile_allows(zoo_root: Path) -> None:
    good = {
        "name": "Rex",
        "legs": 4,
        "mood": "calm",
        "mark": None,
        "house": {"width": 2},
        "chip": 4294967295,
        "kind": "pet",
        "alive": True,
    }
    whole = good | {
        "before": "ANGRY",
        "tag": {"text": "x"},
        "tame": True,
        "tags": [{"text": "y"}],
        "moods": ["none"],
        "sizes": {"tail": 0.5},
        "history": {"2024": {"a": {"text": "z"}}},
        "grid": [[1, 2], []],
    }
    bad = [
        good | change
        for change in (
            {"tame": 1},
            {"alive": 1},
            {"alive": False},
            {"sizes": {"a": 0}},
            {"chip": -1},
            {"grid": [[1.0]]},
        )
    ]
    code = f"""
import json
from pydantic import ValidationError
from voxint_contracts.zoo.v1 import Pet
def fits(value):
    try: Pet.model_validate_json(json.dumps(value))
    except ValidationError: return False
    return True
values = json.loads({json.dumps([good, whole, *bad])!r})
dumped = Pet.model_validate_json(json.dumps(values[1])).model_dump(mode="json")
print(json.dumps([[fits(value) for value in values], dumped]))
"""
    verdicts, dumped = _python(zoo_root, code)
    assert verdicts == [True, True, *[False] * len(bad)]
    assert dumped == whole


def test_a_catalog_of_documents_alone(zoo_root: Path) -> None:
    code = """
import json, sys
from voxint_contracts import catalog
heavy = sorted({"pydantic", "voxint_contracts.zoo"} & set(sys.modules))
names = [document.name for document in catalog.DOCUMENTS]
text = catalog.schema_text("zoo/v1/pet")
from voxint_contracts.zoo import v1
print(json.dumps([heavy, names, catalog.document_of(v1.House).kind, text, sorted(v1.__all__)]))
"""
    heavy, names, kind, text, public = _python(zoo_root, code)
    assert (heavy, names, kind) == ([], ["zoo/v1/house", "zoo/v1/pet"], "")
    assert json.loads(text) == zoo()[PET]
    assert public == ["House", "Pet", "Tag"]


def test_a_removed_field_is_reserved_in_the_proto(tmp_path: Path) -> None:
    schemas = zoo()
    root = zoo_checkout(tmp_path, schemas)
    outputs.write(root, outputs.desired(root))
    del schemas[PET]["properties"]["tag"], schemas[PET]["properties"]["chip"]
    schemas[PET]["required"].remove("chip")
    schemas[PET]["properties"]["owner"] = {"description": "d", "anyOf": [{"type": "string"}, {"type": "null"}]}
    schemas["common/v1/common.schema.json"]["$defs"]["Mood"]["enum"] = ["calm", "none", "shy"]
    for file, schema in schemas.items():
        (root / "contracts/schema" / file).write_text(json.dumps(schema))
    outputs.write(root, outputs.desired(root))
    text = (root / PROTO).read_text()
    assert '  reserved 6, 9;\n  reserved "chip", "tag";\n' in text
    assert "optional string owner = 17 " in text
    moods = (root / "contracts/proto/voxint/common/v1/common.proto").read_text()
    assert '    reserved 2;\n    reserved "ANGRY";\n' in moods
    assert "shy = 4;" in moods
    assert run_buf(root, "build").returncode == run_buf(root, "format", "-d", "--exit-code").returncode == 0


def test_a_class_that_codegen_would_rename_is_refused(tmp_path: Path) -> None:
    schemas = zoo()
    schemas[PET]["$defs"]["Size"] = schemas[PET]["$defs"].pop("Tag") | {"title": "Literal"}
    schemas[PET]["$defs"]["Literal"] = schemas[PET]["$defs"].pop("Size")
    text = json.dumps(schemas[PET]).replace("#/$defs/Tag", "#/$defs/Literal")
    root = zoo_checkout(tmp_path, schemas | {PET: json.loads(text)})
    with pytest.raises(ContractFaultsError, match="renamed a class: .*Literal"):
        outputs.desired(root)


def test_the_checks_pass_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert (check_contracts.main([]), capsys.readouterr().out) == (0, "")
