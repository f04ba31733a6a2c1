"""Intervals on exact times: united, shrunk by a collar, and how long those of two sides overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm

from voxint.corpus import Span, Timeline


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

    The spans of one label do not overlap one another. A sweep over the sorted starts meets each pair that overlaps
    once, so that n rows' and m columns' spans with h overlaps take O((n + m) log(n + m) + h).

    >>> overlaps({"A": [(0, 10)], "B": [(8, 12)]}, {"x": [(5, 9)]})
    {'A': {'x': 4}, 'B': {'x': 1}}
    """
    n_columns = len(columns)
    cells = [0] * (len(rows) * n_columns)
    # A row's spans carry where it begins in `cells`, a column's the complement of its place there.
    spans = [(start, end, place * n_columns) for place, own in enumerate(rows.values()) for start, end in own]
    spans += [(start, end, ~place) for place, own in enumerate(columns.values()) for start, end in own]
    spans.sort()
    open_rows: list[tuple[int, int]] = []
    open_columns: list[tuple[int, int]] = []
    for start, end, code in spans:
        if code >= 0:
            if open_columns:
                open_columns = [each for each in open_columns if each[0] > start]
                for other, place in open_columns:
                    cells[code + place] += (other if other < end else end) - start  # noqa: FURB136 - half the time of min()
            open_rows.append((end, code))
        else:
            if open_rows:
                open_rows = [each for each in open_rows if each[0] > start]
                for other, place in open_rows:
                    cells[place + ~code] += (other if other < end else end) - start  # noqa: FURB136
            open_columns.append((end, ~code))
    return {
        row: dict(zip(columns, cells[place * n_columns : (place + 1) * n_columns], strict=True))
        for place, row in enumerate(rows)
    }
