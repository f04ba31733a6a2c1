"""Released bytes: a hash for each frozen file, and a baseline to compare a change with.

contracts/RELEASED.sha256 lists every schema, every vector and the fields.lock of each released version, and the
baseline itself, which says what is released: the schemas, and the names of all frozen files. Only `freeze` moves any of
these: additions enter, a schema or a lock may grow, and a reject vector may go once bounds are looser. Protos are not
frozen: they are made from the schemas and the locks, and `buf breaking` guards them.
"""

from __future__ import annotations

import hashlib
import json
import re
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
FILES = "contracts/baseline/v1.files.txt"
LOCK = "fields.lock"
README = "contracts/README.md"

_GROWS = "; `--freeze` releases it if it only adds"
_STATES = {
    "changed": "is frozen and has changed",
    "missing": "is frozen and missing",
    "unlisted": f"is released, and {RELEASED} has lost its line",
    "new": "belongs to a released version and is not frozen; `--freeze` adds it",
}
_DRAFT = re.compile(r"^- `([a-z0-9_]+/v[0-9]+)`", re.MULTILINE)


def frozen(root: Path) -> dict[str, str]:
    """The hash of each frozen file, by path."""
    if not (root / RELEASED).is_file():
        return {}
    lines = (root / RELEASED).read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, _, path in (line.partition("  ") for line in lines)}


def frozen_faults(root: Path) -> Iterator[str]:
    """A line for each released file that changed, is missing or is not listed."""
    if not frozen(root):
        yield f"{RELEASED}: is missing or empty, so nothing holds what was released"
        return
    for path, state in _states(root):
        yield f"{path}: {_STATES[state]}" + (_GROWS if state == "changed" and _may_grow(path) else "")


def draft_faults(root: Path, contracts: Contracts) -> Iterator[str]:
    """A version is released, or a draft that contracts/README.md lists as one; a line for each that is neither."""
    old = set(baseline(root).versions())
    drafts = set(_DRAFT.findall((root / README).read_text(encoding="utf-8")))
    for version in sorted(drafts | contracts.versions().keys()):
        if version in drafts and (version in old or version not in contracts.versions()):
            yield f"{README}: lists {version} as a draft, and it is {'released' if version in old else 'not there'}"
        elif version not in drafts | old:
            yield f"{version}: is not frozen yet; `--freeze {version}` releases it, or list it as a draft in {README}"


def _states(root: Path) -> Iterator[tuple[str, str]]:
    """What is amiss with each released file."""
    listed = frozen(root)
    for path, digest in listed.items():
        if not (root / path).is_file():
            yield path, "missing"
        elif _digest(root / path) != digest:
            yield path, "changed"
    if SCHEMAS not in listed:
        yield SCHEMAS, "unlisted"
    if not (root / SCHEMAS).is_file() or listed.get(SCHEMAS) != _digest(root / SCHEMAS):
        return
    released = _released_files(root)
    there = {path for version in baseline(root).versions() for path in _files(root, version)}
    yield from (
        (path, "unlisted" if path in released else "new") for path in sorted((released | there) - listed.keys())
    )


def _released_files(root: Path) -> set[str]:
    """The names of all files that the baseline says are released."""
    names = (root / FILES).read_text(encoding="utf-8").splitlines() if (root / FILES).is_file() else []
    return {IMAGE, SCHEMAS, FILES, *names}


def _may_grow(path: str) -> bool:
    return path.endswith((SUFFIX, LOCK))


def baseline(root: Path) -> Contracts:
    """The contracts as they were released."""
    if not (root / SCHEMAS).is_file():
        return Contracts(())
    try:
        schemas = json.loads((root / SCHEMAS).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ContractFaultsError([f"{SCHEMAS}: {error}"]) from error
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
    names = sorted(path for each in chosen for path in _files(root, each))
    (root / FILES).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    digests = {path: _digest(root / path) for path in sorted([IMAGE, SCHEMAS, FILES, *names])}
    text = "".join(f"{digest}  {path}\n" for path, digest in digests.items())
    (root / RELEASED).write_text(text, encoding="utf-8")
    return [path for path, digest in digests.items() if before.get(path) != digest]


def _release_faults(root: Path, contracts: Contracts, old: Collection[str]) -> list[str]:
    """Why the released versions cannot be released again as they stand."""
    if not frozen(root):
        return list(frozen_faults(root)) if old else []
    states = list(_states(root))
    looser = any(path.endswith(SUFFIX) and state == "changed" for path, state in states)
    stuck = [f"{path}: {_STATES[state]}" for path, state in states if not _may_be_released(path, state, looser=looser)]
    return [*stuck, *additive_faults(baseline(root), contracts), *buf.breaking(root, root / IMAGE)]


def _may_be_released(path: str, state: str, *, looser: bool) -> bool:
    """Whether the next release may take a file as it is; a looser bound may have made a reject vector untrue."""
    retired = state == "missing" and "/reject/" in path and looser
    return state == "new" or retired or (state == "changed" and _may_grow(path))


def _with_references(contracts: Contracts, versions: set[str]) -> set[str]:
    documents = [each for each in contracts.documents if each.version in versions]
    refs: set[Ref] = {ref for each in documents for ref in contracts.reachable(each)}
    return versions | {ref.version for ref in refs}


def _files(root: Path, version: str) -> Iterator[str]:
    """The names of the files of a version that a release freezes."""
    vectors = f"contracts/vectors/{version}"
    places = [*(root / f"contracts/schema/{version}").glob("*"), root / f"contracts/proto/voxint/{version}/{LOCK}"]
    places += [path for verdict in ("accept", "reject") for path in (root / vectors / verdict).glob("*")]
    yield from (path.relative_to(root).as_posix() for path in places if path.is_file())


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
