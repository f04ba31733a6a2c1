"""Two sorted streams of records joined by item_id, and what is said where they do not fit. Imports no numpy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from voxint.errors import LISTED, SHOWN_FAULTS, RecordError, RecordFault, quoted, respelt
from voxint.harness.packed import Entry, Runs
from voxint.text import identity_form


@dataclass
class FaultLog:
    """Faults in the order of the file: the first 20 are kept, all are counted."""

    parameter: str
    n_faults: int = 0
    _kept: list[RecordFault] = field(default_factory=list)

    def add(self, fault: RecordFault) -> None:
        """Counts a fault and keeps it if it may be among the first."""
        self.n_faults += 1
        self._kept.append(fault)
        if len(self._kept) > 50 * SHOWN_FAULTS:
            self._kept = self.first()

    def first(self) -> list[RecordFault]:
        """The first faults by record number."""
        return sorted(self._kept, key=lambda fault: -1 if fault.index is None else fault.index)[:SHOWN_FAULTS]


def raise_any(*logs: FaultLog) -> None:
    """Raises one RecordError with the faults of all logs, if there are any."""
    total = sum(log.n_faults for log in logs)
    if total:
        raise RecordError([fault for log in logs for fault in log.first()], total)


class Spellings:
    """Ids as they were first spelt, by their normal form: each stands once, and one id has one spelling."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._first: dict[str, tuple[str, int]] = {}

    def add(self, text: str, place: int) -> tuple[str, int] | None:
        """Takes an id; None for a new one, else what is wrong and the place of the first."""
        raw, first = self._first.setdefault(identity_form(text), (text, place))
        return None if first == place else (repeated(text, raw, self._what), first)


def repeated(text: str, first: str, what: str = "item_id") -> str:
    """What is wrong with an id that stands twice, or stands under two spellings of one normal form."""
    return f"duplicate {what} {quoted(text)}" if text == first else f"{what} {respelt(text, first)}"


def distinct(runs: Runs, log: FaultLog, *, spelling_at: int | None = None) -> Iterator[Entry]:
    """The merged entries, the later ones of a repeated item_id left out and logged.

    `spelling_at` is where in the payload the id stands as it was written, if the key is its normal form.
    """
    last: Entry | None = None
    for entry in runs.merged():
        if last is not None and entry[0] == last[0]:
            message = repeated(spelling(entry, spelling_at), spelling(last, spelling_at))
            log.add(RecordFault(log.parameter, entry[1], message, ("item_id",), (log.parameter, last[1])))
            continue
        last = entry
        yield entry


def spelling(entry: Entry, at: int | None) -> str:
    """The item_id of an entry as it was written: what its payload holds from `at` on, else its key."""
    return ((b"" if at is None else entry[3][at:]) or entry[0]).decode()


def check_distinct(runs: Runs, parameter: str) -> None:
    """Raises RecordError when an item_id stands twice."""
    log = FaultLog(parameter)
    for _ in distinct(runs, log):
        pass
    raise_any(log)


def outer_join(left: Iterator[Entry], right: Iterator[Entry]) -> Iterator[tuple[Entry | None, Entry | None]]:
    """Entries of two sorted streams side by side, None where one has no partner."""
    ours, theirs = next(left, None), next(right, None)
    while ours is not None or theirs is not None:
        if theirs is None or (ours is not None and ours[0] < theirs[0]):
            yield ours, None
            ours = next(left, None)
        elif ours is None or theirs[0] < ours[0]:
            yield None, theirs
            theirs = next(right, None)
        else:
            yield ours, theirs
            ours, theirs = next(left, None), next(right, None)


@dataclass
class Offenders:
    """Items that one side has and the other lacks: the first five by name, all counted."""

    present: str
    absent: str
    n_items: int = 0
    first: list[Entry] = field(default_factory=list)

    def add(self, entry: Entry | None) -> None:
        """Counts one item."""
        self.n_items += 1
        if entry is not None and len(self.first) < LISTED:
            self.first.append(entry)

    def log(self) -> FaultLog:
        """One fault that says how many items the absent side lacks, and names five."""
        log = FaultLog(self.absent)
        if self.n_items:
            named = ", ".join(quoted(entry[0].decode()) for entry in self.first)
            more = f" and {self.n_items - len(self.first)} more" if self.n_items > len(self.first) else ""
            what = "item_id" if self.n_items == 1 else "item_ids"
            log.add(RecordFault(self.absent, None, f"lacks {self.n_items} {what} of {self.present}: {named}{more}"))
        return log


def first_five(log: FaultLog) -> FaultLog:
    """The log with its first five faults alone; all stay counted."""
    short = FaultLog(log.parameter)
    for fault in log.first()[:LISTED]:
        short.add(fault)
    short.n_faults = log.n_faults
    return short
