"""What a command made: one report, or a stream of records; as JSON bytes and as a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from voxint.cli.summaries import Summary, counter_of, summary_of
from voxint.errors import EdgeError
from voxint.io import canonical


class Product(Protocol):
    """A result that can be written as JSON and summed up for a person, in that order."""

    def json(self) -> Iterator[bytes]:
        """The canonical bytes, piece by piece."""

    def summary(self) -> Summary:
        """What a person reads."""

    def page(self) -> Iterator[bytes]:
        """A page of HTML with everything in it; EdgeError for a product that has none."""

    def passed(self) -> bool:
        """False when a gate said no."""

    def warnings(self) -> Sequence[str]:
        """What a person should know of the result, a sentence each."""


class Report:
    """One document: a model, its long lists perhaps produced one element at a time."""

    def __init__(self, head: Any, parts: Mapping[str, Iterable[Any]], notes: Sequence[str] = ()) -> None:
        self._head = head
        self._parts = parts
        self._notes = notes

    def json(self) -> Iterator[bytes]:
        """One line."""
        return canonical.stream(self._head, self._parts)

    def summary(self) -> Summary:
        """The summary of the report's family."""
        return summary_of(self._head)

    def page(self) -> Iterator[bytes]:
        """The page of the report's family."""
        from voxint.cli.page import html
        from voxint.edges.plots import plots

        return iter([html(self.summary(), plots(self._head)).encode()])

    def passed(self) -> bool:
        """What the report's own field `passed` says; of replies, whether any is ok; true without either."""
        replies = getattr(self._head, "replies", None)
        if replies is not None:
            return any(reply.status == "ok" for reply in replies)
        return getattr(self._head, "passed", None) is not False

    def warnings(self) -> Sequence[str]:
        """The report's own field `warnings`, and what was noted beside it."""
        found: Sequence[str] = getattr(self._head, "warnings", ())
        return [*found, *self._notes]


class Stream:
    """Records as they come: each is counted for the summary when it is written, and then forgotten."""

    def __init__(self, models: Iterable[Any], contract: str) -> None:
        self._models = iter(models)
        self._counter = counter_of(contract)

    def json(self) -> Iterator[bytes]:
        """One line a record, in order."""
        for model in self._models:
            self._counter.add(model)
            yield canonical.encode(model)

    def summary(self) -> Summary:
        """Counts over the whole stream; what was not written yet is read for it."""
        for model in self._models:
            self._counter.add(model)
        return self._counter.summary()

    def page(self) -> Iterator[bytes]:
        """Nothing: no stream has a page."""
        raise EdgeError("records have no page: use --format json, table or md")

    def passed(self) -> bool:
        """Always true: no stream is a gate."""
        return True

    def warnings(self) -> Sequence[str]:
        """None: a stream has no field of its own."""
        return ()
