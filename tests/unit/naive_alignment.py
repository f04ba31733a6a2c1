"""The aligner a second time, as plainly as the rules read: every pair of spans, in fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from voxint.corpus import Timeline

Piece = tuple[Fraction, Fraction]


def pieces(timeline: Timeline) -> dict[str, list[Piece]]:
    """Spans in seconds, those of one label that overlap or touch made one, by joining pairs until none is left."""
    found = {}
    for label, spans in timeline.spans.items():
        own = [(Fraction(start, timeline.unit), Fraction(end, timeline.unit)) for start, end in spans]
        joined = True
        while joined:
            joined = False
            for one in own:
                other = next(
                    (each for each in own if each is not one and one[0] <= each[1] and each[0] <= one[1]), None
                )
                if other is not None:
                    own = [each for each in own if each not in (one, other)]
                    own.append((min(one[0], other[0]), max(one[1], other[1])))
                    joined = True
                    break
        found[label] = own
    return found


def touching(timeline: Timeline) -> dict[str, list[Piece]]:
    """As `pieces`, for long recordings: in order of the starts."""
    found = {}
    for label, spans in timeline.spans.items():
        own: list[Piece] = []
        for start, end in sorted(spans):
            piece = (Fraction(start, timeline.unit), Fraction(end, timeline.unit))
            if own and piece[0] <= own[-1][1]:
                own[-1] = (own[-1][0], max(own[-1][1], piece[1]))
            else:
                own.append(piece)
        found[label] = own
    return found


def collared(gold: Mapping[str, list[Piece]], collar: Fraction) -> dict[str, list[Piece]]:
    moved = {name: [(start + collar, end - collar) for start, end in own] for name, own in gold.items()}
    return {name: [(start, end) for start, end in own if end > start] for name, own in moved.items()}


def matrix(gold: Mapping[str, list[Piece]], slots: Mapping[str, list[Piece]]) -> dict[str, dict[str, Fraction]]:
    """Gold speaker, then slot, to seconds of overlap."""
    return {
        name: {
            label: sum(
                (max(Fraction(0), min(e, f) - max(s, t)) for s, e in own for t, f in spans),
                Fraction(0),
            )
            for label, spans in slots.items()
        }
        for name, own in gold.items()
    }


def seconds(spans: list[Piece]) -> Fraction:
    return sum((end - start for start, end in spans), Fraction(0))


def slot_class(
    overlap: Mapping[str, Fraction], lasts: Fraction, gold_lasts: Mapping[str, Fraction], turns: int | None
) -> str:
    """The class of one slot from its column of the matrix."""
    heard = sorted(((-lap, name) for name, lap in overlap.items() if lap > 0))
    if not heard:
        return "no_gold_overlap"
    if lasts < 6 or (turns is not None and turns < 2):
        return "unscoreable_eligibility"
    top = -heard[0][0]
    if len(heard) > 1 and (top + heard[1][0]) / lasts < Fraction(15, 100):
        return "unscoreable_margin"
    if top / lasts < Fraction(85, 100):
        return "mixed" if len(heard) > 1 else "unscoreable_purity"
    return "unscoreable_coverage" if top / gold_lasts[heard[0][1]] < Fraction(20, 100) else "genuine"


def classes(
    gold: Mapping[str, list[Piece]], slots: Mapping[str, list[Piece]], turns: Mapping[str, int] | None = None
) -> dict[str, str]:
    """The class of each slot; `gold` is collared."""
    table = matrix(gold, slots)
    lasts = {name: seconds(own) for name, own in gold.items()}
    return {
        label: slot_class(
            {name: row[label] for name, row in table.items()}, seconds(own), lasts, (turns or {}).get(label)
        )
        for label, own in slots.items()
    }
