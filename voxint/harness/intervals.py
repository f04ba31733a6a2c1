"""Intervals on exact times: united, shrunk by a collar, and how long those of two sides overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from voxint.corpus import Span, Timeline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_INT64 = 2**63 - 1


def exact(seconds: float) -> Fraction:
    """The number that a float was written as: 0.1 is one tenth, not the nearest binary fraction.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(float(seconds)))


def common_unit(*units: int) -> int:
    """The coarsest unit in which whole numbers of all these units to the second stay whole.

    >>> common_unit(100, 1_000_000, 4)
    1000000
    """
    return lcm(*units)


def united(timeline: Timeline, unit: int) -> dict[str, list[Span]]:
    """The spans of each label in ascending order, those that overlap or touch made one; `unit` to the second.

    `unit` is a multiple of the timeline's own. Labels keep their order.
    """
    factor = unit // timeline.unit
    return {label: _merged(spans, factor) for label, spans in timeline.spans.items()}


def _merged(spans: Iterable[Span], factor: int) -> list[Span]:
    ordered = sorted(spans)
    if not ordered:
        return []
    merged: list[Span] = []
    start, end = ordered[0]
    for next_start, next_end in ordered:
        if next_start <= end:
            end = max(end, next_end)
        else:
            merged.append((start * factor, end * factor))
            start, end = next_start, next_end
    merged.append((start * factor, end * factor))
    return merged


def shrunk(spans: Iterable[Span], collar: int) -> list[Span]:
    """The spans with both ends moved inward by `collar`; those not longer than two collars vanish.

    >>> shrunk([(0, 10), (12, 14), (20, 25)], 1)
    [(1, 9), (21, 24)]
    """
    return [(start + collar, end - collar) for start, end in spans if end - start > 2 * collar]


def length(spans: Iterable[Span]) -> int:
    """Sum of the lengths of spans that do not overlap. None gives 0."""
    return sum(end - start for start, end in spans)


def overlaps(rows: Mapping[str, Sequence[Span]], columns: Mapping[str, Sequence[Span]]) -> dict[str, dict[str, int]]:
    """Row, then column, to the length in which both hold: the whole matrix, zeros included.

    The spans of one label do not overlap one another. Of two spans that overlap, one starts inside of the other, so
    that a sweep over the sorted starts of each side finds each pair once: n rows' and m columns' spans with h overlaps
    take O((n + m) log(n + m) + h). Exact: numbers that 64 bits cannot hold are added as Python's own.

    >>> overlaps({"A": [(0, 10)], "B": [(8, 12)]}, {"x": [(5, 9)]})
    {'A': {'x': 4}, 'B': {'x': 1}}
    """
    import numpy as np

    most = max((end for side in (rows, columns) for spans in side.values() for _, end in spans), default=0)
    kind = np.dtype(np.int64 if most <= _INT64 else object)
    ours, theirs = _sorted(rows, kind), _sorted(columns, kind)
    cells = np.zeros((len(rows), len(columns)), kind)
    inner, outer = _inside(theirs, ours, "left")
    np.add.at(cells, (ours.places[outer], theirs.places[inner]), _common(theirs, inner, ours, outer))
    inner, outer = _inside(ours, theirs, "right")
    np.add.at(cells, (ours.places[inner], theirs.places[outer]), _common(ours, inner, theirs, outer))
    return {row: dict(zip(columns, own, strict=True)) for row, own in zip(rows, cells.tolist(), strict=True)}


class _Sorted(NamedTuple):
    """Spans by ascending start, and the place of each one's label among its side's; 1-d arrays of one length."""

    starts: NDArray[Any]
    ends: NDArray[Any]
    places: NDArray[np.intp]


def _sorted(side: Mapping[str, Sequence[Span]], kind: np.dtype[Any]) -> _Sorted:
    import numpy as np

    starts = np.array([start for spans in side.values() for start, _ in spans], kind)
    ends = np.array([end for spans in side.values() for _, end in spans], kind)
    places = np.repeat(np.arange(len(side)), [len(spans) for spans in side.values()])
    order = np.argsort(starts, kind="stable")
    return _Sorted(starts[order], ends[order], places[order])


def _inside(inner: _Sorted, outer: _Sorted, tie: Literal["left", "right"]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Numbers of the pairs in which an inner span starts within an outer one; `left` takes in equal starts."""
    import numpy as np

    first = np.searchsorted(inner.starts, outer.starts, tie)
    counts = np.searchsorted(inner.starts, outer.ends, "left") - first
    before = np.cumsum(counts) - counts
    return np.arange(counts.sum()) + np.repeat(first - before, counts), np.repeat(np.arange(counts.size), counts)


def _common(inner: _Sorted, of_inner: NDArray[np.intp], outer: _Sorted, of_outer: NDArray[np.intp]) -> NDArray[Any]:
    """How long each inner span lasts within its outer one."""
    import numpy as np

    common: NDArray[Any] = np.minimum(inner.ends[of_inner], outer.ends[of_outer]) - inner.starts[of_inner]
    return common
