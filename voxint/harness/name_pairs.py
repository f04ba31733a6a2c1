"""Two runs over the same slots: joined by item, checked to share their truth, reduced to what the tests need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from voxint.errors import RecordFault, quoted
from voxint.harness.fault_log import FaultLog, raise_any
from voxint.harness.name_tally import CORRECT, DIGEST_SIZE, EXCLUDED
from voxint.harness.packed import Entry, Runs, unpack_labels

OFFENDERS_NAMED = 5
_PATTERNS_AT_ONCE = 1 << 16


def distinct(runs: Runs, log: FaultLog) -> Iterator[Entry]:
    """The merged entries, the later ones of a repeated item_id left out and logged."""
    last: Entry | None = None
    for entry in runs.merged():
        if last is not None and entry[0] == last[0]:
            message = f"duplicate item_id {quoted(entry[0].decode())}"
            log.add(RecordFault(log.parameter, entry[1], message, ("item_id",), (log.parameter, last[1])))
            continue
        last = entry
        yield entry


def check_distinct(runs: Runs, parameter: str) -> None:
    """Raises RecordError when an item_id stands twice."""
    log = FaultLog(parameter)
    for _ in distinct(runs, log):
        pass
    raise_any(log)


@dataclass
class Pairs:
    """What the paired statistics need of two runs: discordant slots and clusters by (sum of deltas, slots)."""

    lost: int = 0
    gained: int = 0
    n_slots: int = 0
    clusters: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, candidate: bytes, baseline: bytes, times: int) -> None:
        """Counts `times` items with these verdict codes; slots excluded on either side are left out."""
        both = [
            (a in CORRECT, b in CORRECT) for a, b in zip(candidate, baseline, strict=True) if EXCLUDED not in (a, b)
        ]
        if not both:
            return
        gained = both.count((True, False))
        lost = both.count((False, True))
        self.gained += gained * times
        self.lost += lost * times
        self.n_slots += len(both) * times
        self.clusters[gained - lost, len(both)] += times


def pair(candidate: Runs, baseline: Runs) -> Pairs:
    """The paired counts of two runs; RecordError names up to five offenders of each kind on each side.

    Both runs must hold the same item_ids, the same slot labels per item and the same truth per slot.
    """
    items, base = FaultLog("items"), FaultLog("baseline")
    surplus, missing = Offenders("items", "baseline"), Offenders("baseline", "items")
    mismatches = FaultLog("items")
    pairs, seen = Pairs(), Counter[tuple[bytes, bytes]]()
    for ours, theirs in _outer_join(distinct(candidate, items), distinct(baseline, base)):
        if ours is None or theirs is None:
            (surplus if theirs is None else missing).add(ours or theirs)
        elif ours[2] != theirs[2]:
            mismatches.add(_labels_differ(ours, theirs))
        elif not _same_truth(ours[3], theirs[3]):
            mismatches.add(_truths_differ(ours, theirs))
        else:
            n_slots = len(ours[3]) // (1 + DIGEST_SIZE)
            seen[ours[3][:n_slots], theirs[3][:n_slots]] += 1
            if len(seen) >= _PATTERNS_AT_ONCE:
                _drain(seen, pairs)
    raise_any(items, base, surplus.log(), missing.log(), _first_five(mismatches))
    _drain(seen, pairs)
    return pairs


def _drain(seen: Counter[tuple[bytes, bytes]], pairs: Pairs) -> None:
    for (ours, theirs), times in seen.items():
        pairs.add(ours, theirs, times)
    seen.clear()


def _outer_join(left: Iterator[Entry], right: Iterator[Entry]) -> Iterator[tuple[Entry | None, Entry | None]]:
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


def _same_truth(ours: bytes, theirs: bytes) -> bool:
    n_slots = len(ours) // (1 + DIGEST_SIZE)
    return ours[n_slots:] == theirs[n_slots:]


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
        if entry is not None and len(self.first) < OFFENDERS_NAMED:
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


def _first_five(log: FaultLog) -> FaultLog:
    short = FaultLog(log.parameter)
    for fault in log.first()[:OFFENDERS_NAMED]:
        short.add(fault)
    short.n_faults = log.n_faults
    return short


def _labels_differ(ours: Entry, theirs: Entry) -> RecordFault:
    here, there = set(unpack_labels(ours[2])), set(unpack_labels(theirs[2]))
    parts = [
        f"{word} {_listed(sorted(labels))}"
        for word, labels in (("only here", here - there), ("only there", there - here))
        if labels
    ]
    message = f"slot labels differ from the baseline's: {'; '.join(parts)}"
    return RecordFault("items", ours[1], message, ("slots",), ("baseline", theirs[1]))


def _truths_differ(ours: Entry, theirs: Entry) -> RecordFault:
    labels = unpack_labels(ours[2])
    n_slots = len(labels)
    first = next(
        label
        for number, label in enumerate(labels)
        if _digest(ours[3], n_slots, number) != _digest(theirs[3], n_slots, number)
    )
    message = "truth differs from the baseline's: paired statistics need one truth"
    return RecordFault("items", ours[1], message, ("slots", first, "truth"), ("baseline", theirs[1]))


def _digest(payload: bytes, n_slots: int, number: int) -> bytes:
    start = n_slots + number * DIGEST_SIZE
    return payload[start : start + DIGEST_SIZE]


def _listed(labels: Iterable[str]) -> str:
    kept = list(labels)
    more = f" and {len(kept) - OFFENDERS_NAMED} more" if len(kept) > OFFENDERS_NAMED else ""
    return ", ".join(map(quoted, kept[:OFFENDERS_NAMED])) + more
