"""What is released is listed: nothing leaves the list, and nothing joins a released version, unseen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract_checkout import copied_checkout, zoo, zoo_checkout
from contract_support import CONTRACTS, ROOT

from tools import check_contracts
from tools._contracts import models, outputs, released
from tools._contracts.faults import ContractFaultsError

WIDE, NARROW = (
    "contracts/vectors/zoo/v1/accept/house.wide.json",
    "contracts/vectors/zoo/v1/reject/house.schema-wide.json",
)
HOUSE, LOCK = "contracts/schema/zoo/v1/house.schema.json", "contracts/proto/voxint/zoo/v1/fields.lock"


@pytest.fixture(scope="module", autouse=True)
def no_models() -> Iterator[None]:
    """Models have no part in a release, and take most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "package_files", lambda root, contracts: {})
        yield


@pytest.fixture(scope="module")
def released_zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = zoo_checkout(tmp_path_factory.mktemp("zoo"), zoo())
    for path, text in ((WIDE, '{"width": 9}'), (NARROW, '{"width": 101}')):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(text)
    outputs.write(root, outputs.desired(root))
    list(check_contracts.freeze(root, []))
    return root


@pytest.fixture
def zoo_root(released_zoo: Path, tmp_path: Path) -> Path:
    return shutil.copytree(released_zoo, tmp_path / "zoo")


def _drop_line(root: Path, path: str, listing: str = released.RELEASED) -> None:
    lines = (root / listing).read_text().splitlines(keepends=True)
    kept = [line for line in lines if not line.rstrip("\n").endswith(path)]
    assert len(kept) == len(lines) - 1
    (root / listing).write_text("".join(kept))


def _refused(root: Path, what: str) -> None:
    """The check names it, and no release takes it."""
    assert [fault for fault in released.frozen_faults(root) if fault.startswith(what)], what
    before = (root / released.RELEASED).read_bytes() if (root / released.RELEASED).exists() else b""
    with pytest.raises(ContractFaultsError, match=what.replace(".", r"\.")):
        list(check_contracts.freeze(root, []))
    assert not before or (root / released.RELEASED).read_bytes() == before


def test_every_schema_vector_and_lock_of_a_released_version_is_listed_here() -> None:
    versions = released.baseline(ROOT).versions()
    folders = [f"contracts/{kind}/{each}" for kind in ("schema", "vectors", "proto/voxint") for each in versions]
    there = {path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix != ".proto"}
    names = {path.relative_to(ROOT).as_posix() for path in there if path.is_file()}
    assert names == {path for path in released.frozen(ROOT) if "/baseline/" not in path}
    assert any("/reject/" in name for name in names)


@pytest.mark.parametrize("text", [None, ""])
def test_a_list_that_is_gone_or_empty_is_named(tmp_path: Path, text: str | None) -> None:
    root = copied_checkout(tmp_path)
    (root / released.RELEASED).unlink()
    if text is not None:
        (root / released.RELEASED).write_text(text)
    assert list(released.frozen_faults(root)) == [
        "contracts/RELEASED.sha256: is missing or empty, so nothing holds what was released"
    ]
    assert check_contracts.main(["--root", str(root)]) == 1


def test_a_list_that_is_gone_cannot_be_made_anew(zoo_root: Path) -> None:
    (zoo_root / released.RELEASED).unlink()
    _refused(zoo_root, "contracts/RELEASED.sha256: is missing or empty")


@pytest.mark.parametrize("path", [HOUSE, LOCK, WIDE, NARROW, released.IMAGE, released.SCHEMAS, released.FILES])
def test_a_line_that_is_gone_is_named(zoo_root: Path, path: str) -> None:
    _drop_line(zoo_root, path)
    _refused(zoo_root, f"{path}: is released, and contracts/RELEASED.sha256 has lost its line")


@pytest.mark.parametrize("path", [WIDE, NARROW, LOCK])
def test_a_file_that_is_gone_with_its_line_is_named(zoo_root: Path, path: str) -> None:
    _drop_line(zoo_root, path)
    (zoo_root / path).unlink()
    (fault,) = list(released.frozen_faults(zoo_root))
    assert fault.startswith(f"{path}: is released, and")


def test_a_name_that_is_gone_from_the_baseline_as_well_changes_the_baseline(zoo_root: Path) -> None:
    for listing in (released.RELEASED, released.FILES):
        _drop_line(zoo_root, WIDE, listing)
    (zoo_root / WIDE).unlink()
    _refused(zoo_root, f"{released.FILES}: is frozen and has changed")


@pytest.mark.parametrize("path", [WIDE, NARROW])
def test_a_vector_that_changed_is_refused(zoo_root: Path, path: str) -> None:
    (zoo_root / path).write_text('{"width": 102}')
    _refused(zoo_root, f"{path}: is frozen and has changed")


@pytest.mark.parametrize("verdict", ["accept/house", "reject/house.schema"])
def test_a_new_vector_is_named_and_frozen(zoo_root: Path, verdict: str) -> None:
    path = f"contracts/vectors/zoo/v1/{verdict}.new.json"
    (zoo_root / path).write_text("{}")
    assert list(released.frozen_faults(zoo_root)) == [
        f"{path}: belongs to a released version and is not frozen; `--freeze` adds it"
    ]
    assert f"frozen: {path}" in list(check_contracts.freeze(zoo_root, []))
    assert list(released.frozen_faults(zoo_root)) == []


def test_a_reject_vector_goes_only_with_looser_bounds(zoo_root: Path) -> None:
    (zoo_root / NARROW).unlink()
    _refused(zoo_root, f"{NARROW}: is frozen and missing")
    schema = json.loads((zoo_root / HOUSE).read_text())
    schema["properties"]["width"]["maximum"] = 200
    (zoo_root / HOUSE).write_text(json.dumps(schema))
    outputs.write(zoo_root, outputs.desired(zoo_root))
    list(check_contracts.freeze(zoo_root, []))
    assert NARROW not in released.frozen(zoo_root)
    assert list(released.frozen_faults(zoo_root)) == []


def test_a_lock_made_anew_is_named(zoo_root: Path) -> None:
    """The lock of a type that lost a field and was locked anew gives the number again."""
    lock = json.loads((zoo_root / LOCK).read_text())
    lock["numbers"]["House"]["width"] = 2
    (zoo_root / LOCK).write_text(json.dumps(lock, indent=2) + "\n")
    outputs.write(zoo_root, outputs.desired(zoo_root))
    (fault,) = list(released.frozen_faults(zoo_root))
    assert fault == f"{LOCK}: is frozen and has changed; `--freeze` releases it if it only adds"
    with pytest.raises(ContractFaultsError, match=r"buf breaking: .*\"width\""):
        list(check_contracts.freeze(zoo_root, []))


def test_a_baseline_that_is_gone_cannot_be_made_anew(zoo_root: Path) -> None:
    (zoo_root / released.SCHEMAS).unlink()
    _refused(zoo_root, f"{released.SCHEMAS}: is frozen and missing")
    _drop_line(zoo_root, released.SCHEMAS)
    _refused(zoo_root, f"{released.SCHEMAS}: is released, and contracts/RELEASED.sha256 has lost its line")


def test_every_version_here_is_released_or_a_draft() -> None:
    assert list(released.draft_faults(ROOT, CONTRACTS)) == []


def test_a_version_is_released_or_listed_as_a_draft(zoo_root: Path) -> None:
    shed = zoo_root / "contracts/schema/yard/v1/shed.schema.json"
    shed.parent.mkdir(parents=True)
    shed.write_text(json.dumps(zoo()["zoo/v1/house.schema.json"] | {"title": "Shed"}))
    outputs.write(zoo_root, outputs.desired(zoo_root))
    hint = "`--freeze yard/v1` releases it, or list it as a draft in contracts/README.md"
    assert _drafts(zoo_root) == [f"yard/v1: is not frozen yet; {hint}"]
    page = zoo_root / "contracts/README.md"
    text = page.read_text()
    page.write_text(f"{text}\n- `yard/v1`\n")
    assert _drafts(zoo_root) == []
    list(check_contracts.freeze(zoo_root, ["yard/v1"]))
    assert _drafts(zoo_root) == ["contracts/README.md: lists yard/v1 as a draft, and it is released"]
    page.write_text(f"{text}\n- `yard/v9`\n")
    assert _drafts(zoo_root) == ["contracts/README.md: lists yard/v9 as a draft, and it is not there"]


def _drafts(root: Path) -> list[str]:
    return list(released.draft_faults(root, outputs.read_contracts(root)))
