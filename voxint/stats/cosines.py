"""Cosines in one fixed order of plain float64 operations: the same bits on any machine, in any batch.

A matrix product rounds differently from one BLAS kernel, thread count or batch to the next, so it never makes a
number here. Each row is scaled by a power of two (exact), divided by its norm, multiplied component by component,
and summed by a fixed tree of pairwise additions (Higham 1993, The accuracy of floating point summation,
doi:10.1137/0914050). Multiplication, addition, division and square root are correctly rounded (IEEE 754), each
is a numpy operation of its own, and no row sees another one.

`screen` is the matrix product, for leaving out pairs that cannot matter. `screen_margin` bounds how far it may be
from `row_cosines` in whatever order a BLAS adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Squares of magnitudes between these, and their sums over any row that fits into memory, stay normal.
_SMALLEST, _LARGEST = 2.0**-400, 2.0**400

# OpenBLAS gives a product of more multiplications than this to threads, which burn a core each while they wait.
_TILE, _TILE_ROWS = 1 << 18, 32


def unit_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row of a matrix divided by its Euclidean norm; 1e-200, 1e200 and subnormal numbers keep their direction.

    Every row needs a component that is not zero, and none that is not finite.

    Raises:
        ValueError: a row is all zero or not finite; the message says which.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 5e-324], [1e200, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 1.0], [1.0, 0.0]]
    """
    largest = np.maximum(rows.max(axis=1), -rows.min(axis=1))
    faulty = np.flatnonzero(~((largest > 0.0) & np.isfinite(largest)))
    if faulty.size:
        fault = "all zero" if largest[faulty[0]] == 0.0 else "not finite"
        raise ValueError(f"row {faulty[0]}: expected a finite vector that is not zero, got one that is {fault}")
    extreme = (largest < _SMALLEST) | (largest > _LARGEST)
    if extreme.any():
        rows = _scaled(rows, np.where(extreme, -np.frexp(largest)[1], 0))
    norms: NDArray[np.float64] = np.sqrt(_tree_sums(rows * rows))
    return rows / norms[:, None]


def _scaled(rows: NDArray[np.float64], exponents: NDArray[np.int32]) -> NDArray[np.float64]:
    scaled: NDArray[np.float64] = np.ldexp(rows, exponents[:, None])
    return scaled


def row_cosines(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cosine of each unit row of `left` with the same row of `right` (or its only one), in [-1, 1].

    >>> row_cosines(np.array([[0.6, 0.8], [-1.0, 0.0]]), np.array([[1.0, 0.0]])).tolist()
    [0.6, -1.0]
    """
    return np.clip(_tree_sums(left * right), -1.0, 1.0) + 0.0


def _tree_sums(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of each row: the upper half is added to the lower one until one column is left.

    The halves are those of the next power of two, so that the order depends on the number of columns alone.
    """
    half = 1 << max(0, (terms.shape[1] - 1).bit_length() - 1)
    sums = terms[:, :half].copy()
    rest = terms.shape[1] - half
    sums[:, :rest] += terms[:, half:]
    while half > 1:
        half //= 2
        sums = sums[:, :half] + sums[:, half:]
    column: NDArray[np.float64] = sums[:, 0]
    return column


def column_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of at least one row, component by component, in the order of the fixed tree.

    >>> column_sums(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).tolist()
    [9.0, 12.0]
    """
    return _tree_sums(rows.T)


def screen(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """About the cosine of each unit row of `left` with each of `right`; its last bits depend on the machine."""
    found = np.empty((len(left), len(right)))
    width = max(1, _TILE // (_TILE_ROWS * left.shape[1]))
    for row in range(0, len(left), _TILE_ROWS):
        rows = left[row : row + _TILE_ROWS]
        for column in range(0, len(right), width):
            found[row : row + _TILE_ROWS, column : column + width] = rows @ right[column : column + width].T
    return found


def screen_margin(dims: int) -> float:
    """How far `screen` and `row_cosines` of the same unit rows can lie apart, whatever the order of addition.

    A sum of d products in any order, fused or not, is off by at most d u / (1 - d u) times the sum of their
    magnitudes, u = 2^-53 (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.1), which is
    about 1 for unit rows; the fixed tree is nearer. The margin is four times their total, and more.

    >>> screen_margin(192) < 2.5e-13
    True
    """
    return (dims + 64) * 2.0**-50
