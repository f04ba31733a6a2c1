"""Fusion cannot see a vector: read from the module's own imports and signatures, and from what loading it loads."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from voxint_contracts.ensemble import v1 as contract

from voxint.harness import ensemble, joins

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(ensemble.__file__).read_text(encoding="utf-8")
TREE = ast.parse(SOURCE)
HOLDS_NO_VECTOR = {
    "str",
    "int",
    "bool",
    "Entry",
    "ItemKind",
    "AgreementVerdict",
    "_Ballots",
    "contract.Vote",
    "Iterable[contract.Vote]",
    "_Joined",
    "Strings",
    "bytes",
    "dict[int, partial[contract.Decision]]",
}
KNOWN = {
    "__future__",
    "collections.abc",
    "dataclasses",
    "functools",
    "voxint.errors",
    "voxint.harness.joins",
    "voxint.harness.packed",
    "voxint.semantics",
    "voxint.text",
    "voxint_contracts.agreement.v1",
    "voxint_contracts.ensemble",
}


def imported(tree: ast.AST = TREE) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def strangers(tree: ast.AST) -> set[str]:
    """What a module imports beside contracts, text, rules and the packed store."""
    return set(imported(tree)) - KNOWN


def suspects(tree: ast.AST) -> list[str]:
    """Parameters and attributes of a module whose type could be, or could hold, a vector."""
    return [each for node in ast.walk(tree) for each in _suspects(node)]


def _suspects(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield from _parameters(node.args)
    elif isinstance(node, ast.AnnAssign):
        hint = ast.unparse(node.annotation)
        if hint not in HOLDS_NO_VECTOR | {"str | None"}:
            yield ast.unparse(node)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "import_module"):
        yield ast.unparse(node)


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    for each in every:
        hint = "none" if each is None or each.annotation is None else ast.unparse(each.annotation)
        if each is not None and each.arg != "self" and hint not in HOLDS_NO_VECTOR:
            yield f"{each.arg}: {hint}"


def test_it_imports_nothing_that_computes() -> None:
    assert strangers(TREE) == set()
    assert set(imported(ast.parse(Path(joins.__file__).read_text(encoding="utf-8")))) <= KNOWN


def test_no_parameter_and_no_attribute_could_hold_a_vector() -> None:
    assert suspects(TREE) == []


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("def late(values: list[float]) -> None: ...", "values: list[float]"),
        ("async def late(values: list[float]) -> None: ...", "values: list[float]"),
        ("late = lambda values: values", "values: none"),
        ("def late(*values: float) -> None: ...", "values: float"),
        ("class Late:\n    vectors: list[list[float]]", "vectors: list[list[float]]"),
        ("late = __import__('numpy')", "__import__('numpy')"),
    ],
)
def test_the_guard_sees_a_place_for_a_vector(line: str, seen: str) -> None:
    assert suspects(ast.parse(f"{SOURCE}\n\n{line}\n")) == [seen]


@pytest.mark.parametrize("name", ["numpy", "voxint.harness.vectors", "voxint.harness.agreement", "array"])
def test_the_guard_sees_a_late_import(name: str) -> None:
    assert strangers(ast.parse(f"{SOURCE}\n\ndef late() -> None:\n    import {name}\n")) == {name}


def test_the_two_voters_are_positional_and_all_there_is() -> None:
    parameters = inspect.signature(ensemble.score).parameters
    assert list(parameters) == ["voter_a", "voter_b"]
    assert {p.kind for p in parameters.values()} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}


def test_no_field_of_a_vote_holds_a_number_or_a_list() -> None:
    hints: dict[str, Any] = get_type_hints(contract.Vote)
    assert {name for name, hint in hints.items() if "float" in str(hint) or "list" in str(hint)} == set()
    assert not {"top_cosine", "margin", "embedding", "slots"} & contract.Vote.model_fields.keys()


def test_loading_it_loads_no_numpy() -> None:
    probe = "import sys, voxint.harness.ensemble; sys.exit('numpy' in sys.modules)"
    env = {"PYTHONPATH": f"{ROOT}:{ROOT / 'generated'}", "PATH": ""}
    assert subprocess.run([sys.executable, "-c", probe], cwd=ROOT, env=env).returncode == 0
