"""The examples: each verdict of the toy set as its README explains it, the real set as the reference has it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from voxint_contracts.agreement import v1 as contract
from voxint_contracts.ensemble import v1 as ensemble_contract

from voxint.harness import ensemble
from voxint.harness.agreement import score
from voxint.io import canonical, read
from voxint.semantics import rules_of

ROOT = Path(__file__).resolve().parents[2]
TOY, REAL = ROOT / "examples" / "agreement-verdicts", ROOT / "examples" / "agreement"
REFERENCE = ROOT.parent / "shared" / "data" / "real" / "agreement"
SPACES = ["ge2e", "campplus"]
RULES = rules_of(("verdict_fits_its_kind", "present_carries_its_slot", "reason_fits_its_verdict"))


def verdicts(folder: Path, suffix: str = "") -> list[contract.VerdictRecord]:
    made = score(
        slots=read.rows(str(folder / f"slots{suffix}.jsonl"), contract.SlotsRecord),
        enrollment=read.document(str(folder / f"enrollment{suffix}.json"), contract.Enrollment),
        thresholds=read.document(str(folder / f"thresholds{suffix}.json"), contract.Thresholds),
    )
    return list(made)


def test_the_toy_set_has_every_verdict_and_every_reason() -> None:
    made = verdicts(TOY)
    assert {each.verdict for each in made} == set(contract.AgreementVerdict)
    assert {each.reason for each in made} == {None, *contract.AgreementReason}
    assert {(each.kind, each.contradiction) for each in made} == {
        (k, c) for k in contract.ItemKind for c in (True, False)
    }


def test_the_toy_set_is_as_its_readme_explains_it() -> None:
    text = (TOY / "README.md").read_text(encoding="utf-8")
    rows = {cells[0]: cells for line in text.splitlines() if len(cells := _cells(line)) >= 4}
    for each in verdicts(TOY):
        cells = rows[each.item_id]
        verdict = next(cell for cell in cells if re.match("[A-Z_]{5}", cell) and "SPEAKER" not in cell)
        assert verdict == (each.verdict if each.reason is None else f"{each.verdict}, {each.reason}")
        assert ("**contradiction**" in cells[-1]) == each.contradiction
        number = re.search(r"-?\d\.\d+$", cells[1])
        assert (None if each.top_cosine is None else round(each.top_cosine, 4)) == (number and float(number[0]))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


@pytest.mark.parametrize(("folder", "suffix"), [(TOY, ""), (REAL, "-ge2e"), (REAL, "-campplus")])
def test_every_verdict_keeps_its_contract(folder: Path, suffix: str) -> None:
    for each in verdicts(folder, suffix):
        assert contract.VerdictRecord.model_validate_json(canonical.encode(each)) == each
        assert [violation for rule in RULES for violation in rule(each)] == []


def without_last_bits(value: Any) -> Any:
    return pytest.approx(value, abs=1e-15) if isinstance(value, float) else value


@pytest.mark.shared
@pytest.mark.parametrize("space", SPACES)
def test_the_real_set_is_judged_as_the_reference_judged_it(space: str) -> None:
    stored = REFERENCE / f"ancestor-{space}.jsonl"
    if not stored.is_file():
        pytest.skip("needs the shared data folder beside the repository")
    expected = [json.loads(line) for line in stored.read_text(encoding="utf-8").splitlines()]
    found = [json.loads(canonical.encode(each)) for each in verdicts(REAL, f"-{space}")]
    hosts = [each.pop("host_id") for each in found]
    assert [host is None for host in hosts] == [each["kind"] == "negative_control" for each in expected]
    assert found == [{key: without_last_bits(value) for key, value in each.items()} for each in expected]


@pytest.mark.shared
def test_the_real_set_is_fused_as_the_reference_fused_it() -> None:
    stored = REFERENCE / "ancestor-ensemble.jsonl"
    if not stored.is_file():
        pytest.skip("needs the shared data folder beside the repository")
    votes = [
        [ensemble_contract.Vote.model_validate_json(canonical.encode(each)) for each in verdicts(REAL, f"-{space}")]
        for space in SPACES
    ]
    found = [json.loads(canonical.encode(each)) for each in ensemble.score(*votes)]
    assert len(found) == 17
    assert found == [json.loads(line) for line in stored.read_text(encoding="utf-8").splitlines()]
