"""Vectors that carry their embedding space, and cosines that refuse to leave it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from voxint.errors import SpaceMismatchError, quoted
from voxint.stats import cosines as fixed
from voxint.text import identity_form

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TaggedVector:
    """One vector and the tag of the model that made it.

    Raises:
        ValueError: the space is blank, or the values are none at all, not finite, or all zero.
    """

    embedding_space: str
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not identity_form(self.embedding_space):
            raise ValueError("embedding_space: expected a tag, got blank text")
        values = tuple(float(value) for value in self.values)
        if not values or not any(values) or not all(map(math.isfinite, values)):
            raise ValueError("values: expected a finite vector of at least one number that is not zero")
        object.__setattr__(self, "values", values)

    @property
    def dims(self) -> int:
        """How many numbers the vector has."""
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class TaggedMatrix:
    """Vectors of one embedding space as the rows of a matrix, each of length 1. Made by `of`."""

    embedding_space: str
    units: NDArray[np.float64]

    @classmethod
    def of(cls, embedding_space: str, vectors: Sequence[Sequence[float]], dims: int) -> TaggedMatrix:
        """The vectors, in order, each `dims` finite numbers that are not all zero; there may be no vectors.

        Raises:
            ValueError: one of them is not, or the space is blank.
        """
        if not identity_form(embedding_space):
            raise ValueError("embedding_space: expected a tag, got blank text")
        wrong = next((number for number, vector in enumerate(vectors) if len(vector) != dims), None)
        if wrong is not None or dims < 1:
            raise ValueError(f"row {wrong}: expected {dims} numbers, at least 1, got another number of them")
        pack = Struct(f"{dims}d").pack
        packed = b"".join([pack(*vector) for vector in vectors])
        rows = np.frombuffer(packed, np.float64).reshape(len(vectors), dims)
        return cls(embedding_space, fixed.unit_rows(rows) if len(vectors) else rows)

    @property
    def dims(self) -> int:
        """How many numbers each vector has."""
        return int(self.units.shape[1])

    def take(self, rows: Sequence[int] | NDArray[np.intp]) -> TaggedMatrix:
        """The rows with these numbers, in this order."""
        return TaggedMatrix(self.embedding_space, self.units[np.asarray(rows, dtype=np.intp)])

    def part(self, start: int, stop: int) -> TaggedMatrix:
        """The rows from `start` up to `stop`, not copied."""
        return TaggedMatrix(self.embedding_space, self.units[start:stop])

    def __len__(self) -> int:
        return len(self.units)


def check_comparable(left: TaggedVector | TaggedMatrix, right: TaggedVector | TaggedMatrix) -> None:
    """Nothing, if the two are of one embedding space and one dimensionality.

    Spaces are compared in one spelling (`voxint.text.identity_form`).

    Raises:
        SpaceMismatchError: the spaces differ. This is looked at first: equal lengths prove nothing.
        ValueError: the lengths differ.
    """
    if identity_form(left.embedding_space) != identity_form(right.embedding_space):
        spaces = f"{quoted(left.embedding_space)} and {quoted(right.embedding_space)}"
        raise SpaceMismatchError(f"vectors of two embedding spaces cannot be compared: {spaces}")
    if left.dims != right.dims:
        raise ValueError(f"vectors of one space must have one length, not {left.dims} and {right.dims}")


def cosine(a: TaggedVector, b: TaggedVector) -> float:
    """The cosine of the angle between two vectors of one space, in [-1, 1]; no scale changes it.

    Raises:
        SpaceMismatchError: the vectors are of two spaces; no arithmetic was done.
        ValueError: their lengths differ.
    """
    check_comparable(a, b)
    left, right = (TaggedMatrix.of(each.embedding_space, [each.values], each.dims) for each in (a, b))
    return float(row_cosines(left, right)[0])


def row_cosines(left: TaggedMatrix, right: TaggedMatrix) -> NDArray[np.float64]:
    """The cosine of each row with the same row of the other matrix; to the last bit what `cosine` says of the two.

    Raises:
        SpaceMismatchError: the matrices are of two spaces; no arithmetic was done.
        ValueError: their vectors or the matrices themselves differ in length.
    """
    check_comparable(left, right)
    if len(left) != len(right):
        raise ValueError(f"rows are compared one to one: {len(left)} cannot meet {len(right)}")
    return fixed.row_cosines(left.units, right.units)


def cosines(left: TaggedMatrix, right: TaggedMatrix) -> NDArray[np.float64]:
    """The cosine of each row of `left` (down) with each of `right` (across); to the last bit what `cosine` says.

    Raises:
        SpaceMismatchError: the matrices are of two spaces; no arithmetic was done.
        ValueError: their vectors differ in length.
    """
    check_comparable(left, right)
    found = np.empty((len(left), len(right)))
    for column in range(len(right)):
        found[:, column] = fixed.row_cosines(left.units, right.units[column : column + 1])
    return found


def near_cosines(left: TaggedMatrix, right: TaggedMatrix) -> tuple[NDArray[np.float64], float]:
    """About what `cosines` says, much faster, and how far from it that can be on any machine.

    For leaving pairs out; a number that decides or is shown comes from the other functions.

    Raises:
        SpaceMismatchError: the matrices are of two spaces; no arithmetic was done.
        ValueError: their vectors differ in length.
    """
    check_comparable(left, right)
    return fixed.screen(left.units, right.units), fixed.screen_margin(left.dims)
