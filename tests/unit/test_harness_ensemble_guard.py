"""Fusion cannot see a vector: read from the module's own imports and signatures, and from what loading it loads."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

from voxint_contracts.ensemble import v1 as contract

from voxint.harness import ensemble

ROOT = Path(__file__).resolve().parents[2]
TREE = ast.parse(Path(ensemble.__file__).read_text(encoding="utf-8"))
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
}


def imported() -> Iterator[str]:
    for node in ast.walk(TREE):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_it_imports_nothing_that_computes() -> None:
    tops = {name.partition(".")[0] for name in imported()}
    assert tops == {"__future__", "collections", "voxint", "voxint_contracts"}
    own = {name for name in imported() if name.startswith("voxint.")}
    assert own == {
        "voxint.errors",
        "voxint.harness.joins",
        "voxint.harness.packed",
        "voxint.semantics",
        "voxint.text",
    }


def test_no_parameter_could_hold_a_vector() -> None:
    functions = [node for node in ast.walk(TREE) if isinstance(node, ast.FunctionDef)]
    arguments = [
        (function.name, each.arg, ast.unparse(each.annotation) if each.annotation else "none")
        for function in functions
        for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        if each.arg != "self"
    ]
    assert [each for each in arguments if each[2] not in HOLDS_NO_VECTOR] == []
    assert [f.name for f in functions if f.args.vararg or f.args.kwarg] == []
    assert not any(isinstance(node, ast.Call) and ast.unparse(node.func) == "__import__" for node in ast.walk(TREE))


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
