"""Two runs over the same slots: joined by item, checked to share their truth, reduced to what the tests need."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from voxint.errors import RecordFault, listed
from voxint.harness.joins import FaultLog, Offenders, distinct, first_five, outer_join, raise_any
from voxint.harness.name_tally import CORRECT, DIGEST_SIZE, EXCLUDED
from voxint.harness.packed import Entry, Runs, unpack_labels

_PATTERNS_AT_ONCE = 1 << 16


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
    labels, truths = FaultLog("items"), FaultLog("items")
    pairs, seen = Pairs(), Counter[tuple[bytes, bytes]]()
    for ours, theirs in outer_join(distinct(candidate, items), distinct(baseline, base)):
        if ours is None or theirs is None:
            (surplus if theirs is None else missing).add(ours or theirs)
        elif ours[2] != theirs[2]:
            labels.add(_labels_differ(ours, theirs))
        elif not _same_truth(ours[3], theirs[3]):
            truths.add(_truths_differ(ours, theirs))
        else:
            n_slots = len(ours[3]) // (1 + DIGEST_SIZE)
            seen[ours[3][:n_slots], theirs[3][:n_slots]] += 1
            if len(seen) >= _PATTERNS_AT_ONCE:
                _drain(seen, pairs)
    raise_any(items, base, surplus.log(), missing.log(), first_five(labels), first_five(truths))
    _drain(seen, pairs)
    return pairs


def _drain(seen: Counter[tuple[bytes, bytes]], pairs: Pairs) -> None:
    for (ours, theirs), times in seen.items():
        pairs.add(ours, theirs, times)
    seen.clear()


def _same_truth(ours: bytes, theirs: bytes) -> bool:
    n_slots = len(ours) // (1 + DIGEST_SIZE)
    return ours[n_slots:] == theirs[n_slots:]


def _labels_differ(ours: Entry, theirs: Entry) -> RecordFault:
    here, there = set(unpack_labels(ours[2])), set(unpack_labels(theirs[2]))
    parts = [
        f"{word} {listed(sorted(labels))}"
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
