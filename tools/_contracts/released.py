"""Released bytes: a hash for each frozen file, and a baseline to compare a change with.

contracts/RELEASED.sha256 lists the released schemas, the vectors that must stay accepted, and the baseline itself.
Reject vectors are not frozen: a looser bound may accept one later. Protos and locks are not frozen: a new optional
field changes them, and `buf breaking` guards the rest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from pathlib import Path

from tools._contracts import buf
from tools._contracts.additive import additive_faults
from tools._contracts.faults import ContractFaultsError
from tools._contracts.schemas import SUFFIX, load
from tools._contracts.shapes import Contracts, Ref

RELEASED = "contracts/RELEASED.sha256"
IMAGE = "contracts/baseline/v1.binpb"
SCHEMAS = "contracts/baseline/v1.schemas.json"


def frozen(root: Path) -> dict[str, str]:
    """The hash of each frozen file, by path."""
    if not (root / RELEASED).is_file():
        return {}
    lines = (root / RELEASED).read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, _, path in (line.partition("  ") for line in lines)}


def frozen_faults(root: Path) -> Iterator[str]:
    """A line for each frozen file that changed or is missing."""
    for path, digest in frozen(root).items():
        if not (root / path).is_file():
            yield f"{path}: is frozen and missing"
        elif _digest(root / path) != digest:
            hint = "; `--freeze` releases it if it only adds" if path.endswith(SUFFIX) else ""
            yield f"{path}: is frozen and has changed{hint}"


def baseline(root: Path) -> Contracts:
    """The contracts as they were released."""
    if not (root / SCHEMAS).is_file():
        return Contracts(())
    schemas = json.loads((root / SCHEMAS).read_text(encoding="utf-8"))
    return load({path: json.dumps(schema) for path, schema in schemas.items()})


def freeze(root: Path, contracts: Contracts, versions: Collection[str]) -> list[str]:
    """Release versions: those named, what they refer to, and those released before. Says what is frozen anew."""
    before = frozen(root)
    old = set(baseline(root).versions())
    chosen = sorted(_with_references(contracts, set(versions)) | old)
    unknown = [each for each in chosen if each not in contracts.versions()]
    faults = [f"{each}: there is no such version" for each in unknown] or _release_faults(root, contracts, old)
    if faults:
        raise ContractFaultsError(faults)
    _write_baseline(root, chosen)
    files = [IMAGE, SCHEMAS, *(path for each in chosen for path in _files(root, each))]
    digests = {path: _digest(root / path) for path in sorted(files)}
    text = "".join(f"{digest}  {path}\n" for path, digest in digests.items())
    (root / RELEASED).write_text(text, encoding="utf-8")
    return [path for path, digest in digests.items() if before.get(path) != digest]


def _release_faults(root: Path, contracts: Contracts, old: Collection[str]) -> list[str]:
    """Why the released versions cannot be released again as they stand."""
    vectors = [fault for fault in frozen_faults(root) if "/vectors/" in fault or "/baseline/" in fault]
    faults = [*vectors, *additive_faults(baseline(root), contracts)]
    return [*faults, *(buf.breaking(root, root / IMAGE) if old else [])]


def _with_references(contracts: Contracts, versions: set[str]) -> set[str]:
    documents = [each for each in contracts.documents if each.version in versions]
    refs: set[Ref] = {ref for each in documents for ref in contracts.reachable(each)}
    return versions | {ref.version for ref in refs}


def _files(root: Path, version: str) -> Iterator[str]:
    folders = (f"contracts/schema/{version}", f"contracts/vectors/{version}/accept")
    for path in (each for folder in folders for each in (root / folder).glob("*") if each.is_file()):
        yield path.relative_to(root).as_posix()


def _write_baseline(root: Path, versions: list[str]) -> None:
    (root / IMAGE).parent.mkdir(parents=True, exist_ok=True)
    buf.build(root, root / IMAGE, versions)
    schemas = {}
    for path in (path for each in versions for path in sorted((root / "contracts/schema" / each).glob("*"))):
        name = path.relative_to(root / "contracts/schema").as_posix()
        schemas[name] = json.loads(path.read_text(encoding="utf-8"))
    (root / SCHEMAS).write_text(json.dumps(schemas, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
