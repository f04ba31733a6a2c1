"""Fused decisions in words: how many of each sort, and which items a person should listen to."""

from __future__ import annotations

from voxint_contracts.ensemble import v1 as contract

from voxint.cli.summaries.by_kind import KindCounts

_Agreement = contract.VoterAgreement
_CONTRADICTIONS = (_Agreement.CONTRADICTION, _Agreement.FALSE_ACCEPT_SUSPECT)


class DecisionCounts(KindCounts):
    """Counts decisions by kind, verdict and reason; keeps the first contradictions by name."""

    title = "Fused verdicts"

    def add(self, model: contract.Decision) -> None:
        """Counts one decision."""
        is_contradiction = model.agreement in _CONTRADICTIONS
        self.count(model.kind, model.verdict.value, model.reason, model.item_id if is_contradiction else None)
