"""A report whose long lists are produced one element at a time, so that no report has to fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from voxint_contracts.base import Contract

M = TypeVar("M", bound=Contract)


@dataclass(frozen=True, slots=True)
class Part:
    """One long list of a report: the model of its elements and their plain values, produced anew at each call."""

    model: type[Contract]
    values: Callable[[], Iterator[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[M]):
    """A report with its long lists left empty, and those lists by name; `notes` are sentences beside it."""

    head: M
    parts: Mapping[str, Part] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def whole(self) -> M:
        """The report as one model, its lists filled."""
        filled = {name: [part.model(**value) for value in part.values()] for name, part in self.parts.items()}
        return self.head.model_copy(update=filled)
