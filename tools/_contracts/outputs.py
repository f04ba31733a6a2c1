"""Everything that is made from the contracts, by path: to be written, or compared with what is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools._contracts import models, pages, proto
from tools._contracts.faults import ContractFaultsError
from tools._contracts.numbers import Lock, advance, parse_lock
from tools._contracts.schemas import load, schema_texts
from tools._contracts.shapes import Contracts
from tools._contracts.vocabulary import parse_vocabulary

OWNED = (f"generated/{models.PACKAGE}", "contracts/proto")
"""Folders in which every file is made here; anything else in them is stale."""


def read_contracts(root: Path) -> Contracts:
    """The contracts of a checkout."""
    return load(schema_texts(root / "contracts" / "schema"))


def desired(root: Path) -> dict[str, str]:
    """The text of every generated file, by path below the root of a checkout."""
    contracts = read_contracts(root)
    files = {f"generated/{path}": text for path, text in models.package_files(root, contracts).items()}
    files.update(_protos(root, contracts))
    vocabulary = parse_vocabulary((root / "contracts/vocabulary.toml").read_text(encoding="utf-8"))
    page = (root / "contracts/README.md").read_text(encoding="utf-8")
    files["contracts/README.md"] = pages.readme(page, contracts)
    files["docs/glossary.md"] = pages.glossary(vocabulary, contracts)
    return dict(sorted(files.items()))


def drift(root: Path, files: dict[str, str]) -> Iterator[str]:
    """One line for each file that is missing, differs or is stale."""
    for path, text in files.items():
        place = root / path
        if not place.is_file():
            yield f"{path}: is missing"
        elif place.read_bytes() != text.encode():
            yield f"{path}: differs from what the contracts make"
    yield from (f"{path}: is stale, nothing makes it" for path in _stale(root, files))


def write(root: Path, files: dict[str, str]) -> int:
    """Remove what is stale and write what differs; says how many files changed."""
    stale = list(_stale(root, files))
    for path in stale:
        (root / path).unlink()
    changed = [path for path, text in files.items() if _bytes(root / path) != text.encode()]
    for path in changed:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(files[path].encode())
    return len(stale) + len(changed)


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _stale(root: Path, files: dict[str, str]) -> Iterator[str]:
    for folder in OWNED:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and name not in files and "__pycache__" not in path.parts:
                yield name


def _protos(root: Path, contracts: Contracts) -> dict[str, str]:
    files: dict[str, str] = {}
    faults: list[str] = []
    for version, documents in contracts.versions().items():
        path = f"contracts/proto/voxint/{version}/fields.lock"
        old = parse_lock((root / path).read_text(encoding="utf-8")) if (root / path).is_file() else Lock()
        lock = advance(old, (type_ for each in documents for type_ in each.types), faults)
        files[path] = lock.to_text()
        rendered = proto.render(version, documents, contracts, lock)
        files[f"contracts/proto/{proto.proto_path(version)}"] = rendered
    if faults:
        raise ContractFaultsError(faults)
    return files
