"""No vector leaves its space: every way to a cosine refuses another one before it touches a number."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from voxint.errors import SpaceMismatchError
from voxint.harness import vectors
from voxint.harness.vectors import TaggedMatrix, TaggedVector, cosine, cosines, near_cosines, row_cosines

MATRIX_WAYS: list[Callable[[TaggedMatrix, TaggedMatrix], Any]] = [row_cosines, cosines, near_cosines]


def vector(*values: float, space: str = "toy-v1") -> TaggedVector:
    return TaggedVector(space, values)


def matrix(*rows: list[float], space: str = "toy-v1") -> TaggedMatrix:
    return TaggedMatrix.of(space, rows, len(rows[0]))


@pytest.fixture
def no_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("arithmetic was done")

    for name in ("unit_rows", "row_cosines", "screen"):
        monkeypatch.setattr(vectors.fixed, name, forbidden)


def test_another_space_is_refused_before_any_arithmetic(no_arithmetic: None) -> None:
    with pytest.raises(SpaceMismatchError, match='"toy-v1" and "toy-v2"'):
        cosine(vector(1.0, 2.0), vector(1.0, 2.0, space="toy-v2"))


@pytest.mark.parametrize("way", MATRIX_WAYS)
def test_another_space_of_matrices_too(way: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = matrix([1.0, 2.0]), matrix([1.0, 2.0], space="toy-v2")
    monkeypatch.setattr(vectors, "fixed", None)
    with pytest.raises(SpaceMismatchError):
        way(left, right)


@pytest.mark.parametrize("way", MATRIX_WAYS)
def test_the_space_comes_before_the_length_and_then_the_length(way: Callable[..., Any]) -> None:
    with pytest.raises(SpaceMismatchError):
        way(matrix([1.0, 2.0]), matrix([1.0], space="toy-v2"))
    with pytest.raises(ValueError, match="not 2 and 1"):
        way(matrix([1.0, 2.0]), matrix([1.0]))


def test_every_public_function_of_the_module_that_takes_vectors_checks_them() -> None:
    tree = ast.parse(inspect.getsource(vectors))
    checked = {
        function.name
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        and isinstance(function.body[1], ast.Expr)
        and ast.unparse(function.body[1]).startswith("check_comparable(")
    }
    public = {function.name for function in tree.body if isinstance(function, ast.FunctionDef)}
    assert public - {"check_comparable"} == checked == {"cosine", "cosines", "row_cosines", "near_cosines"}


def test_one_space_in_two_spellings_is_one_space() -> None:
    assert cosine(vector(1.0, space="r\u00f6sch"), vector(2.0, space=" ro\u0308sch\n")) == 1.0


def test_a_length_of_its_own_is_refused() -> None:
    with pytest.raises(ValueError, match="not 2 and 3"):
        cosine(vector(1.0, 2.0), vector(1.0, 2.0, 3.0))
    with pytest.raises(ValueError, match="2 cannot meet 1"):
        row_cosines(matrix([1.0], [2.0]), matrix([1.0]))


@pytest.mark.parametrize("values", [(), (0.0, -0.0), (1.0, math.nan), (1.0, math.inf), (-math.inf,)])
def test_what_is_no_direction_is_no_vector(values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="finite"):
        TaggedVector("toy-v1", values)


@pytest.mark.parametrize("space", ["", " \t"])
def test_a_vector_has_a_space(space: str) -> None:
    with pytest.raises(ValueError, match="blank"):
        TaggedVector(space, (1.0,))
    with pytest.raises(ValueError, match="blank"):
        TaggedMatrix.of(space, [[1.0]], 1)


def test_a_matrix_refuses_rows_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="row 1: expected 2 numbers"):
        TaggedMatrix.of("toy-v1", [[1.0, 2.0], [1.0]], 2)
    with pytest.raises(ValueError, match="row 0: .*all zero"):
        TaggedMatrix.of("toy-v1", [[0.0, 0.0]], 2)
    with pytest.raises(ValueError, match="at least 1"):
        TaggedMatrix.of("toy-v1", [], 0)


def test_a_vector_is_a_value() -> None:
    assert vector(1.0, 2.0) == TaggedVector("toy-v1", [1, 2])  # type: ignore[arg-type]
    assert hash(vector(1.0)) == hash(vector(1.0))
    assert (vector(1.0, 2.0).dims, len(matrix([1.0], [2.0])), matrix([1.0, 3.0]).dims) == (2, 2, 2)


def test_every_way_gives_the_same_bits() -> None:
    rng = np.random.default_rng(11)
    a, b = rng.standard_normal((9, 192)).tolist(), rng.standard_normal((7, 192)).tolist()
    left, right = matrix(*a), matrix(*b)
    single = [[cosine(vector(*x), vector(*y)) for y in b] for x in a]
    assert cosines(left, right).tolist() == single
    assert row_cosines(left.take([8, 0]), right.part(2, 4)).tolist() == [single[8][2], single[0][3]]
    near, margin = near_cosines(left, right)
    assert np.abs(near - np.array(single)).max() <= margin


def test_no_vectors_have_no_cosines() -> None:
    nothing = TaggedMatrix.of("toy-v1", [], 3)
    assert cosines(nothing, matrix([1.0, 2.0, 3.0])).shape == (0, 1)
