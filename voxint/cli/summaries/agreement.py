"""One voter's verdicts in words: how many of each sort, and which items contradict their channel fact."""

from __future__ import annotations

from voxint_contracts.agreement import v1 as contract

from voxint.cli.summaries.by_kind import KindCounts


class VerdictCounts(KindCounts):
    """Counts verdicts by kind, verdict and reason; keeps the first contradictions by name."""

    title = "Acoustic verdicts"

    def add(self, model: contract.VerdictRecord) -> None:
        """Counts one verdict."""
        reason = "-" if model.reason is None else model.reason.value
        self.count(model.kind, model.verdict.value, reason, model.item_id if model.contradiction else None)
