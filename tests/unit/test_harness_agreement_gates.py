"""The decision table: every gate from both sides of its bound, every tie, and what evidence goes with it."""

from __future__ import annotations

from typing import Any

import pytest
from naive_agreement import enrollment, item, records, slot, thresholds, voiceprint

from voxint.harness.agreement_gallery import Gallery
from voxint.harness.agreement_gates import Reason, Verdict, curated, failed_gate, negative_control, rank
from voxint.semantics import rules_of

P, A, N = Verdict.CONFIDENT_HOST_PRESENT, Verdict.ABSTAIN, Verdict.NO_CURATED_HOST_DETECTED
LOW, SHORT, TIE = Reason.LOW_COSINE_BAND, Reason.SHORT_DURATION, Reason.NEAR_TIE
VERDICT_RULES = ("verdict_fits_its_kind", "present_carries_its_slot", "reason_fits_its_verdict")
BELOW_TAU, BELOW_BAND = 0.5999999999999999, 0.29999999999999993


def gallery(**changed: float) -> Gallery:
    voiceprints = {"a": voiceprint(1, 0), "b": voiceprint(0, 1), "c": voiceprint(1, 1)}
    return Gallery.of(enrollment(**voiceprints), thresholds(**changed))


def judged(cosines: list[float], total: float | None = 600.0, **first: Any) -> Any:
    slots = {f"S{n}": slot(1, 0) for n in range(len(cosines))}
    slots["S0"] |= first
    (record,) = records(item("i", "a", total, **slots))
    verdict = curated(record, gallery(), cosines)
    assert [violation for rule in rules_of(VERDICT_RULES) for violation in rule(verdict)] == []
    return verdict


@pytest.mark.parametrize(
    ("cosines", "changes", "verdict", "reason", "contradiction"),
    [
        # tau, inclusive; and the low band, which is open: a cosine of low_band is not below it.
        ([0.6], {}, P, None, False),
        ([BELOW_TAU], {}, A, LOW, False),
        ([0.3], {}, A, LOW, False),
        ([BELOW_BAND], {}, A, LOW, True),
        ([-1.0], {}, A, LOW, True),
        # What is adequate speech: the floor is inclusive, and absence is never adequate.
        ([BELOW_BAND], {"total": 300.0}, A, LOW, True),
        ([BELOW_BAND], {"total": 299.9}, A, LOW, False),
        ([BELOW_BAND], {"total": None}, A, LOW, False),
        # Duration and segments of the top slot, inclusive.
        ([0.9], {"duration": 45.0, "segments": 6}, P, None, False),
        ([0.9], {"duration": 44.9}, A, SHORT, False),
        ([0.9], {"segments": 5}, A, SHORT, False),
        # The cosine comes before the speech, the speech before the tie.
        ([BELOW_TAU, 0.5], {"duration": 0.0}, A, LOW, False),
        ([0.9, 0.9], {"duration": 0.0}, A, SHORT, False),
        ([0.9, 0.85], {}, A, TIE, False),
        ([0.9, 0.9], {}, A, TIE, False),
        # 0.75 - 0.625 is exact: the margin is inclusive. One slot has no runner-up, whatever the margin.
        ([0.75, 0.625], {}, P, None, False),
        ([0.625, -1.0, 0.0, 0.5], {}, P, None, False),
    ],
)
def test_a_curated_item(
    cosines: list[float], changes: dict[str, Any], verdict: Verdict, reason: Reason | None, contradiction: bool
) -> None:
    found = judged(cosines, **changes)
    assert (found.verdict, found.reason, found.contradiction) == (verdict, reason, contradiction)
    assert found.host_slot == "S0"
    assert found.top_cosine == cosines[0]
    assert found.runner_up_cosine == (None if len(cosines) == 1 else max(cosines[1:]))
    assert found.margin == (None if len(cosines) == 1 else cosines[0] - max(cosines[1:]))
    assert (found.host_slot_duration, found.host_slot_segments) == (
        changes.get("duration", 60.0),
        changes.get("segments", 8),
    )
    assert (found.host_id, found.diagnostics.model_dump(exclude_defaults=True)) == ("a", {})


@pytest.mark.parametrize(("margin", "reason"), [(0.125, None), (0.12500000000000003, TIE), (0.0, None)])
def test_the_margin_is_inclusive(margin: float, reason: Reason | None) -> None:
    (record,) = records(item("i", "a", S0=slot(1), S1=slot(1)))
    ranking = rank(("S0", "S1"), [0.75, 0.625])
    assert failed_gate(ranking, record.slots["S0"], thresholds(margin=margin)) is reason


def test_equal_cosines_pass_a_margin_of_zero_and_the_smaller_label_wins() -> None:
    (record,) = records(item("i", "a", z=slot(1), B=slot(1), a=slot(1)))
    found = curated(record, gallery(margin=0.0), [0.9, 0.9, 0.9])
    assert (found.verdict, found.host_slot, found.margin, found.runner_up_cosine) == (P, "B", 0.0, 0.9)


@pytest.mark.parametrize(
    ("labels", "cosines", "expected"),
    [
        (("a",), [0.1], ("a", 0.1, None)),
        (("b", "a"), [0.1, 0.1], ("a", 0.1, 0.1)),
        (("b", "a", "c"), [0.3, 0.1, 0.2], ("b", 0.3, 0.2)),
        (("\U0001f600", "\uffff"), [1.0, 1.0], ("\uffff", 1.0, 1.0)),
        (("a", "b"), [-0.5, -1.0], ("a", -0.5, -1.0)),
    ],
)
def test_rank(labels: tuple[str, ...], cosines: list[float], expected: tuple[str, float, float | None]) -> None:
    ranking = rank(labels, cosines)
    assert (ranking.label, ranking.top, ranking.runner_up) == expected


@pytest.mark.parametrize(
    ("cosines", "changes", "verdict", "reason", "present"),
    [
        # No host reaches tau: the low band decides, and speech of the whole item.
        ({0: [BELOW_BAND], 1: [-0.5]}, {}, N, None, []),
        ({0: [BELOW_BAND]}, {"total": 300.0}, N, None, []),
        ({0: [BELOW_BAND]}, {"total": 299.0}, A, SHORT, []),
        ({0: [BELOW_BAND]}, {"total": None}, A, SHORT, []),
        ({0: [0.3]}, {}, A, LOW, []),
        ({0: [BELOW_TAU]}, {"total": None}, A, LOW, []),
        # A host who passes all gates is present, however little speech the item has.
        ({0: [0.6]}, {"total": None}, A, LOW, ["a"]),
        ({0: [0.6], 1: [0.9], 2: [0.1]}, {}, A, LOW, ["a", "b"]),
        # Who reaches tau but fails a later gate is not present, and too like for an absence.
        ({0: [0.9]}, {"duration": 1.0}, A, LOW, []),
        ({0: [0.9]}, {"segments": 1}, A, LOW, []),
        ({0: [0.9, 0.9]}, {}, A, LOW, []),
        ({0: [0.9, 0.9], 1: [0.7, 0.1]}, {}, A, LOW, ["b"]),
    ],
)
def test_a_negative_control(
    cosines: dict[int, list[float]],
    changes: dict[str, Any],
    verdict: Verdict,
    reason: Reason | None,
    present: list[str],
) -> None:
    n_slots = len(next(iter(cosines.values())))
    slots = {f"S{n}": slot(1, 0) for n in range(n_slots)}
    slots["S0"] |= {key: value for key, value in changes.items() if key != "total"}
    (record,) = records(item("i", None, changes.get("total", 600.0), **slots))
    found = negative_control(record, gallery(), cosines)
    best = min(cosines, key=lambda host: (-max(cosines[host]), host))
    assert (found.verdict, found.reason, found.contradiction) == (verdict, reason, bool(present))
    assert (found.diagnostics.best_candidate_host, found.diagnostics.contradiction_hosts) == ("abc"[best], present)
    assert (found.host_slot, found.top_cosine, found.host_id) == ("S0", max(cosines[best]), None)
    assert {found.runner_up_cosine, found.margin, found.host_slot_duration, found.host_slot_segments} == {None}


def test_of_two_hosts_with_one_cosine_the_first_by_id_is_named() -> None:
    (record,) = records(item("i", S0=slot(1, 0), S1=slot(1, 0)))
    found = negative_control(record, gallery(), {2: [0.1, 0.2], 1: [0.2, 0.1]})
    assert (found.diagnostics.best_candidate_host, found.host_slot) == ("b", "S0")
