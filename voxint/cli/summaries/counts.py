"""A stream of records in numbers: how many, and how often each value of their enum fields."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import Any

from voxint.cli.summaries import Grid, Summary


class EnumCounts:
    """Counts the values of every enum field, in the order of first sight of the fields."""

    def __init__(self, contract: str) -> None:
        self._contract = contract
        self._total = 0
        self._fields: dict[str, Counter[str]] = {}

    def add(self, model: Any) -> None:
        """Counts one record."""
        self._total += 1
        for name, value in model:
            if isinstance(value, Enum):
                self._fields.setdefault(name, Counter())[str(value.value)] += 1

    def summary(self) -> Summary:
        """The number of records, then a table per enum field, the most frequent value first."""
        grids = tuple(
            Grid("", (name, "records"), tuple((value, str(n)) for value, n in sorted(counts.items(), key=_by_count)))
            for name, counts in self._fields.items()
        )
        return Summary(f"{self._contract}: {self._total} record{'' if self._total == 1 else 's'}", grids)


def _by_count(entry: tuple[str, int]) -> tuple[int, str]:
    return -entry[1], entry[0]
