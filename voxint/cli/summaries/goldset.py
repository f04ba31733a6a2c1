"""A gold set in words: how many items of each stratum have a truth, and by which fact."""

from __future__ import annotations

from collections import Counter

from voxint_contracts.goldset import v1 as contract

from voxint.cli.summaries import Grid, Summary

Entry = contract.GoldLabel | contract.QueueEntry


class GoldCounts:
    """Counts labels, or entries of the queue, by stratum and reason."""

    def __init__(self, contract: str) -> None:
        self._what = "labelled by facts" if contract.endswith("/labels") else "waiting for a person"
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, model: Entry) -> None:
        """Counts one record."""
        self._counts[model.stratum, model.reason.value] += 1

    def summary(self) -> Summary:
        """One row per stratum and reason, in order of their names."""
        total = self._counts.total()
        rows = tuple((stratum, reason, str(n)) for (stratum, reason), n in sorted(self._counts.items()))
        grid = Grid("", ("stratum", "reason", "items"), rows, n_text=2)
        return Summary(f"Gold set: {total} item{'' if total == 1 else 's'} {self._what}", (grid,) if rows else ())
