"""What is known of a corpus outside of the contracts: who takes part in a meeting, and who speaks when.

Read by `voxint.io`, scored by `voxint.harness`; neither imports the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Span = tuple[int, int]
"""Start and end of an interval, in whole units of a timeline; the end is not in it."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Who speaks when in one recording: the spans of each label in any order, `unit` units to the second.

    Times are integers, so that sums and differences of what a file spells in decimals are exact.
    """

    unit: int
    spans: Mapping[str, Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Participant:
    """One person in one meeting: the letter there, the identity over the corpus, the channel where it is known."""

    nxt_agent: str
    global_name: str
    channel: str | None = None


Recordings = Mapping[str, Timeline]
"""Recordings by meeting id."""

Meetings = Mapping[str, tuple[Participant, ...]]
"""The participants of each meeting, by meeting id."""
