"""An outcome is its head with the lists filled in."""

from __future__ import annotations

from voxint_contracts.name_accuracy import v1 as contract

from voxint.harness.outcome import Outcome, Part


def test_whole_fills_each_list_with_models_and_can_be_asked_again() -> None:
    head = contract.AliasTable(schema_version=1, aliases={})
    rows = [{"item_id": "a", "verdicts": {"s": contract.SlotVerdict.TP}}]
    outcome = Outcome(head, {"aliases": Part(contract.ItemVerdicts, lambda: iter(rows))})
    expected = [contract.ItemVerdicts(item_id="a", verdicts={"s": contract.SlotVerdict.TP})]
    assert outcome.whole().aliases == expected
    assert outcome.whole() == outcome.whole()
    assert head.aliases == {}
