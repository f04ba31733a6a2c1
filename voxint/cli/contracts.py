"""The contract verbs: which documents exist, their schemas, and whether a file fits one."""

from __future__ import annotations

import difflib
from importlib import import_module
from pathlib import Path
from typing import Any

import jiter
from voxint_contracts.catalog import DOCUMENTS, Document, schema_text
from voxint_contracts.common import v1 as contract

from voxint.errors import UsageError, quoted, visible_name
from voxint.io import read
from voxint.io.source import Source
from voxint.semantics import rules_of


def list_contracts() -> contract.ContractList:
    """Lists every contract document.

    Example:
        voxint contract list
    """
    return contract.ContractList(
        schema_version=1,
        kind="contract_list",
        contracts=[
            contract.ContractEntry(
                contract=document.name,
                form=contract.DocumentForm.JSONL if document.stream else contract.DocumentForm.JSON,
                meaning=document.description,
            )
            for document in DOCUMENTS
        ],
    )


def show(name: str) -> str:
    """Prints the JSON Schema of one document.

    Args:
        name: Family, version and document, as `voxint contract list` names them.

    Example:
        voxint contract show name_accuracy/v1/items

    Raises:
        UsageError: There is no such document.
    """
    return schema_text(_document(name).name)


def check(file: str, *, contract_name: str | None = None) -> contract.CheckReport:
    """Says whether a file fits its contract; every fault is named by line and column.

    Without --contract-name the contract is told from the kind of the file's first record, or from its fields.

    Args:
        file: JSON or JSON lines, plain, .gz or .zst; - is stdin.
        contract_name: The contract to hold it against.

    Example:
        voxint contract check items.jsonl --contract-name name_accuracy/v1/items

    Raises:
        ContractError: The file does not fit.
        UsageError: No contract has that name, or none could be told from the file.
    """
    document = _document(contract_name) if contract_name is not None else _told_from(file)
    return contract.CheckReport(
        schema_version=1,
        kind="check_report",
        file=visible_name(file.encode(errors="backslashreplace").decode()),
        contract=document.name,
        n_documents=_count(file, document),
    )


def _document(name: str) -> Document:
    for document in DOCUMENTS:
        if document.name == name:
            return document
    names = [document.name for document in DOCUMENTS]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f", did you mean {near[0]}?" if near else " (see voxint contract list)"
    raise UsageError(f"no such contract: {quoted(name)}{hint}")


def _count(file: str, document: Document) -> int:
    model: Any = getattr(import_module(document.module), document.model)
    rules = rules_of(document.rules)
    if not document.stream:
        read.document(file, model, rules=rules)
        return 1
    return sum(1 for _ in read.rows(file, model, rules=rules))


def _told_from(file: str) -> Document:
    """The contract of the file's first record: by its `kind`, or as the one whose required fields it has best."""
    if file == "-" or (Path(file).exists() and not Path(file).is_file()):
        raise UsageError("--contract-name is required to check a stream, which can be read once only")
    first = _first_record(file)
    if first is None:
        # Whatever the contract, this is no object: the reader says where and why.
        _count(file, next(d for d in DOCUMENTS if d.stream is not file.endswith((".json", ".json.gz", ".json.zst"))))
    elif first:
        closest = _closest(first)
        if len(closest) == 1:
            return closest[0]
    raise UsageError(f"{file}: its contract cannot be told: name it with --contract-name (see voxint contract list)")


def _closest(record: dict[str, Any]) -> list[Document]:
    """The documents of the record's kind; else those of which it lacks least, and among these has most."""
    by_kind = [document for document in DOCUMENTS if document.kind and record.get("kind") == document.kind]
    if by_kind:
        return by_kind
    scores = {d: _fit(_required(d), record) for d in DOCUMENTS if not d.kind and _required(d) & record.keys()}
    return [document for document, score in scores.items() if score == max(scores.values())]


def _fit(required: set[str], record: dict[str, Any]) -> tuple[int, int]:
    return -len(required - record.keys()), len(required & record.keys())


def _first_record(file: str) -> dict[str, Any] | None:
    """The first line as an object, or the whole file as one; None for what is no object, empty for no text at all."""
    source = Source(file)
    first = next((line for batch in source.batches() for line in batch if line.strip()), b"{}")
    try:
        record = jiter.from_json(first)
    except ValueError:
        try:
            record = jiter.from_json(source.read())
        except ValueError:
            return None
    return record if isinstance(record, dict) else None


def _required(document: Document) -> set[str]:
    model: Any = getattr(import_module(document.module), document.model)
    return {name for name, field in model.model_fields.items() if field.is_required()}
