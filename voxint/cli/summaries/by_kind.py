"""Verdicts in words: how many of each sort for curated items and negative controls, and the contradictions by name."""

from __future__ import annotations

from collections import Counter

from voxint_contracts.agreement.v1 import ItemKind

from voxint.cli.summaries import Grid, Summary
from voxint.errors import quoted

LISTED = 20
_KINDS = {ItemKind.CURATED: "Curated items", ItemKind.NEGATIVE_CONTROL: "Negative controls"}


class KindCounts:
    """Counts by kind, verdict and reason; keeps the first contradictions by name."""

    title = "Verdicts"

    def __init__(self, contract: str) -> None:
        self._contract = contract
        self._counts: Counter[tuple[ItemKind, str, str]] = Counter()
        self._contradictions: list[str] = []
        self._n_contradictions = 0

    def count(self, kind: ItemKind, verdict: str, reason: str, contradicting: str | None) -> None:
        """Counts one item; `contradicting` is its id where it contradicts what it was filed as."""
        self._counts[kind, verdict, reason] += 1
        if contradicting is not None:
            self._n_contradictions += 1
            if len(self._contradictions) < LISTED:
                self._contradictions.append(quoted(contradicting))

    def summary(self) -> Summary:
        """A table for each kind, the most frequent verdict first, then the contradictions."""
        total = self._counts.total()
        blocks: list[Grid | str] = [grid for kind in ItemKind if (grid := self._grid(kind)).rows]
        if self._n_contradictions:
            hidden = self._n_contradictions - len(self._contradictions)
            more = f" and {hidden} more" if hidden else ""
            blocks.append(
                "Contradictions, where the channel fact itself may be wrong: " + ", ".join(self._contradictions) + more
            )
        return Summary(f"{self.title}: {total} item{'' if total == 1 else 's'}", tuple(blocks))

    def _grid(self, kind: ItemKind) -> Grid:
        counts = {(verdict, reason): n for (each, verdict, reason), n in self._counts.items() if each is kind}
        ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        rows = tuple((verdict, reason, str(n)) for (verdict, reason), n in ordered)
        return Grid(_KINDS[kind], ("verdict", "reason", "items"), rows, n_text=2)
