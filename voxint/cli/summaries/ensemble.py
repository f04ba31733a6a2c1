"""Fused decisions in words: how many of each sort, and which items a person should listen to."""

from __future__ import annotations

from collections import Counter

from voxint_contracts.agreement.v1 import ItemKind
from voxint_contracts.ensemble import v1 as contract

from voxint.cli.summaries import Grid, Summary
from voxint.errors import quoted

LISTED = 20
_Agreement = contract.VoterAgreement
_CONTRADICTIONS = (_Agreement.CONTRADICTION, _Agreement.FALSE_ACCEPT_SUSPECT)
_KINDS = {ItemKind.CURATED: "curated items", ItemKind.NEGATIVE_CONTROL: "negative controls"}


class DecisionCounts:
    """Counts decisions by kind, verdict and reason; keeps the first contradictions by name."""

    def __init__(self, contract: str) -> None:
        self._contract = contract
        self._counts: Counter[tuple[ItemKind, str, str]] = Counter()
        self._contradictions: list[str] = []
        self._n_contradictions = 0

    def add(self, model: contract.Decision) -> None:
        """Counts one decision."""
        self._counts[model.kind, model.verdict.value, model.reason] += 1
        if model.agreement in _CONTRADICTIONS:
            self._n_contradictions += 1
            if len(self._contradictions) < LISTED:
                self._contradictions.append(quoted(model.item_id))

    def summary(self) -> Summary:
        """A table for each kind, the most frequent decision first, then the contradictions."""
        total = self._counts.total()
        blocks: list[Grid | str] = [grid for kind in ItemKind if (grid := self._grid(kind)).rows]
        if self._n_contradictions:
            hidden = self._n_contradictions - len(self._contradictions)
            more = f" and {hidden} more" if hidden else ""
            blocks.append(
                "Contradictions, where the channel fact itself may be wrong: " + ", ".join(self._contradictions) + more
            )
        return Summary(f"Fused verdicts: {total} item{'' if total == 1 else 's'}", tuple(blocks))

    def _grid(self, kind: ItemKind) -> Grid:
        counts = {(verdict, reason): n for (each, verdict, reason), n in self._counts.items() if each is kind}
        ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        rows = tuple((verdict, reason, str(n)) for (verdict, reason), n in ordered)
        return Grid(_KINDS[kind].capitalize(), ("verdict", "reason", "items"), rows, n_text=2)
