"""What a release costs against the one before it: paired verdicts to counts, counts to a gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, TypeVar

from annotated_types import Ge, Le
from voxint_contracts.gate_metrics import v1 as contract
from voxint_contracts.name_accuracy import v1 as name_accuracy

from voxint.errors import RecordError, RecordFault, listed, quoted
from voxint.harness.joins import FaultLog, Spellings, first_five, raise_any
from voxint.semantics import ceilings_are_on_harms, regressed_are_among_the_items
from voxint.stats.wilson import wilson_upper_one_sided
from voxint.text import identity_form

__all__ = ["assemble_gate_metrics", "score"]

LARGEST_COUNT = 2**31 - 1
_V = name_accuracy.SlotVerdict
_RIGHT = frozenset({_V.TP, _V.TN})
_OF_A_PERSON = frozenset({_V.TP, _V.FP_WRONG, _V.FN})
_NEEDS = {
    "audit_regression_count": "audit",
    "contamination_count": "contamination",
    "overnaming_strict_count": "strict_controls",
}

Adjudicated = Annotated[int, Ge(0), Le(LARGEST_COUNT)]
C = TypeVar("C", contract.PairedVerdict, contract.AuditRecord)


def score(
    *,
    candidate: name_accuracy.NameAccuracyReport,
    baseline: name_accuracy.NameAccuracyReport,
    audit: Iterable[contract.AuditRecord] | None = None,
    tally: contract.PairedTally | None = None,
    strict_controls: Iterable[str] | None = None,
    contamination: Adjudicated | None = None,
    policy: contract.GatePolicy | None = None,
) -> contract.GateMetrics:
    """Counts what a release makes worse, slot by slot, and holds it against a policy.

    Both reports cover the same slots with the same truth; a slot is the case `item_id/slot`. Without a tally the share
    of items that became worse is unknown, so its bound is 1. With a policy the gate passes when no metric is above
    its ceiling; otherwise the exit code is 1.

    Args:
        candidate: The name-accuracy report of the new release.
        baseline: The name-accuracy report of the release before it, on the same slots.
        audit: Cases that a person has listened to, one a line; item_id is unique.
        tally: How many of the items compared became worse.
        strict_controls: Cases where no name may ever be shown, one item_id or item_id/slot a line.
        contamination: How many cases people found contaminated; 0 where nobody says.
        policy: A ceiling for each metric that gates the release.

    Example:
        voxint score gates --candidate new.json --baseline old.json --policy gate_policy.json

    Raises:
        RecordError: The reports do not hold the same slots with the same truth, a case stands twice, a strict control
            or an audited case is in no report, an audited verdict is not the report's, more items became worse than
            were compared, or a ceiling is on a metric whose evidence was not given or is empty.
        ValueError: A number is out of its range.
    """
    audited, strict = list(audit or ()), list(strict_controls or ())
    if policy is not None:
        given = {"audit": bool(audited), "strict_controls": bool(strict), "contamination": contamination is not None}
        _check_policy(policy, {name for name, is_given in given.items() if is_given})
    pairs = list(_pairs(candidate, baseline))
    _check_audit(audited, {pair.item_id: pair.candidate_verdict for pair in pairs})
    metrics = assemble_gate_metrics(
        pairs,
        audit=audited,
        paired_tally=tally,
        contamination_count=contamination or 0,
        strict_control_ids=_cases_of(strict, candidate),
    )
    return metrics if policy is None else _gated(metrics, policy)


def assemble_gate_metrics(
    pairs: Iterable[contract.PairedVerdict],
    *,
    audit: Iterable[contract.AuditRecord] | None = None,
    paired_tally: contract.PairedTally | None = None,
    contamination_count: int = 0,
    strict_control_ids: Iterable[str] | None = None,
) -> contract.GateMetrics:
    """The counts of a release from paired verdicts, audited cases and a tally; no gate is applied.

    A case excluded on a side counts nowhere. The bound is the one-sided 95 % Wilson upper bound of item_regressed /
    n_items, 1.0 when there are none (Wilson 1927, doi:10.1080/01621459.1927.10502953). No pairs give counts of 0.

    Raises:
        RecordError: an item_id stands twice, a strict control is no case, or item_regressed passes n_items.
        ValueError: a verdict is outside the vocabulary, host_ok is no boolean, or a count is outside 0 .. 2^31 - 1.
    """
    if not _is_count(contamination_count):
        raise ValueError(f"contamination: expected an integer in [0, {LARGEST_COUNT}], got {contamination_count!r}")
    verdicts = {
        identity_form(pair.item_id): (pair.baseline_verdict, pair.candidate_verdict)
        for pair in _distinct(pairs, "pairs")
    }
    _check_vocabulary(verdict for both in verdicts.values() for verdict in both)
    audited = list(_distinct(audit or (), "audit"))
    _check_vocabulary(case.candidate_verdict for case in audited)
    if any(not isinstance(case.host_ok, bool) for case in audited):
        raise ValueError("host_ok: expected true or false")
    seen = Counter(verdicts.values())
    overnamed = {case for case, (_, now) in verdicts.items() if now == _V.FP_OVERNAME}
    before = sum(n for (was, _), n in seen.items() if was == _V.FP_OVERNAME)
    regressed, n_items = _tallied(paired_tally)
    return contract.GateMetrics(
        schema_version=1,
        kind="gate_metrics",
        host_regression_count=seen[_V.TP, _V.FN],
        correct_to_wrong_swaps=seen[_V.TP, _V.FP_WRONG],
        contamination_count=contamination_count,
        overnaming_strict_count=len(overnamed & _strict(strict_control_ids, verdicts)),
        baseline_fp_overname=before,
        candidate_fp_overname=len(overnamed),
        new_fp_overname_additions=len(overnamed) - seen[_V.FP_OVERNAME, _V.FP_OVERNAME],
        audit_regression_count=sum(case.host_ok and case.candidate_verdict not in _RIGHT for case in audited),
        audit_candidate_host_ok=sum(case.candidate_verdict in _RIGHT for case in audited),
        item_regression_rate_upper=wilson_upper_one_sided(regressed, n_items),
        paired_n=n_items,
        failed_checks=[],
    )


def _is_count(value: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT


def _check_vocabulary(verdicts: Iterable[name_accuracy.SlotVerdict]) -> None:
    for verdict in verdicts:
        if not isinstance(verdict, _V):
            raise ValueError(f"verdict: expected one of {', '.join(_V)}, got {verdict!r}")  # noqa: TRY004


def _distinct(cases: Iterable[C], parameter: str) -> Iterator[C]:
    """The cases; RecordError at the end if an item_id stands twice, however it is spelt."""
    spellings = Spellings("item_id")
    log = FaultLog(parameter)
    for index, case in enumerate(cases):
        if fault := spellings.add(case.item_id, index):
            log.add(RecordFault(parameter, index, fault[0], ("item_id",), (parameter, fault[1])))
        yield case
    raise_any(log)


def _tallied(tally: contract.PairedTally | None) -> tuple[int, int]:
    """(items that became worse, items compared); nothing is known without a tally."""
    if tally is None:
        return 0, 0
    faults = [RecordFault("tally", None, fault.message, fault.path) for fault in regressed_are_among_the_items(tally)]
    if faults:
        raise RecordError(faults)
    return tally.item_regressed, tally.n_items


def _strict(ids: Iterable[str] | None, verdicts: Mapping[str, object]) -> set[str]:
    """The strict controls; RecordError for one that is no case: a misspelt control would guard nothing."""
    strict = set(map(identity_form, ids or ()))
    lost = sorted(strict - verdicts.keys())
    if lost:
        raise RecordError([RecordFault("strict_controls", None, f"no such case: {listed(lost)}")])
    return strict


def _cases_of(ids: Sequence[str], report: name_accuracy.NameAccuracyReport) -> set[str]:
    """The cases that ids name: a slot by item_id/slot, all slots of an item by its item_id.

    RecordError names the lines that name none: a misspelt control would guard nothing.
    """
    slots = {identity_form(item.item_id): {_key(item.item_id, s) for s in item.verdicts} for item in report.per_item}
    known = {case: {case} for cases in slots.values() for case in cases} | slots
    log = FaultLog("strict_controls")
    for index, each in enumerate(ids):
        if identity_form(each) not in known:
            log.add(RecordFault("strict_controls", index, f"no such case or item: {quoted(each)}"))
    raise_any(log)
    return {case for each in ids for case in known[identity_form(each)]}


def _key(item_id: str, slot: str) -> str:
    """A case as ids are compared: neither reports nor audits agree in a file's spelling alone."""
    return identity_form(f"{item_id}/{slot}")


def _pairs(
    candidate: name_accuracy.NameAccuracyReport, baseline: name_accuracy.NameAccuracyReport
) -> Iterator[contract.PairedVerdict]:
    """Slot by slot, sorted by item; RecordError names up to five offenders of each sort."""
    ours, theirs = _slots(candidate, "candidate"), _slots(baseline, "baseline")
    lacks = [_lacks("baseline", ours, "candidate", theirs), _lacks("candidate", theirs, "baseline", ours)]
    mismatches = FaultLog("candidate")
    for key in sorted(ours.keys() & theirs.keys()):
        if _truth_of(ours[key]) != _truth_of(theirs[key]):
            message = f"{quoted(key)} is {ours[key]} here and {theirs[key]} in the baseline: they judge two truths"
            mismatches.add(RecordFault("candidate", None, message))
    raise_any(*lacks, first_five(mismatches))
    for key in sorted(ours):
        yield contract.PairedVerdict(item_id=key, baseline_verdict=theirs[key], candidate_verdict=ours[key])


def _slots(report: name_accuracy.NameAccuracyReport, parameter: str) -> dict[str, name_accuracy.SlotVerdict]:
    """The verdict of each case; RecordError where one case stands twice, also as a/b + c and a + b/c."""
    verdicts: dict[str, name_accuracy.SlotVerdict] = {}
    log = FaultLog(parameter)
    for place, item in enumerate(report.per_item):
        for slot, verdict in item.verdicts.items():
            key = _key(item.item_id, slot)
            if key in verdicts:
                log.add(RecordFault(parameter, None, f"{quoted(key)} stands twice", ("per_item", place)))
            verdicts[key] = verdict
    raise_any(log)
    return verdicts


def _lacks(absent: str, these: Mapping[str, object], present: str, those: Mapping[str, object]) -> FaultLog:
    log = FaultLog(absent)
    lost = sorted(these.keys() - those.keys())
    if lost:
        what = "slot" if len(lost) == 1 else "slots"
        log.add(RecordFault(absent, None, f"lacks {len(lost)} {what} of {present}: {listed(lost)}"))
    return log


def _truth_of(verdict: name_accuracy.SlotVerdict) -> str:
    """What a verdict tells of the truth: a person, nobody, or not scored."""
    if verdict in _OF_A_PERSON:
        return "person"
    return "not scored" if verdict == _V.EXCLUDED else "nobody"


def _check_audit(audit: Iterable[contract.AuditRecord], verdicts: Mapping[str, name_accuracy.SlotVerdict]) -> None:
    """RecordError for an audited case that the report has not, or has with another verdict: the audit is stale."""
    log = FaultLog("audit")
    for index, case in enumerate(audit):
        shown = verdicts.get(identity_form(case.item_id))
        if shown is None:
            message = f"no such case in the candidate's report: {quoted(case.item_id)}"
            log.add(RecordFault("audit", index, message, ("item_id",)))
        elif shown != case.candidate_verdict:
            message = f"is {case.candidate_verdict} here and {shown} in the candidate's report"
            log.add(RecordFault("audit", index, message, ("candidate_verdict",)))
    raise_any(log)


def _check_policy(policy: contract.GatePolicy, given: set[str]) -> None:
    """RecordError for a ceiling that could not fail: on no metric, or on one that was not measured."""
    log = FaultLog("policy")
    for violation in ceilings_are_on_harms(policy):
        log.add(RecordFault("policy", None, violation.message, violation.path))
    for name, source in _NEEDS.items():
        if name in policy.ceilings and source not in given:
            message = f"cannot be checked without --{source.replace('_', '-')}: unknown is not safe"
            log.add(RecordFault("policy", None, message, ("ceilings", name)))
    raise_any(log)


def _gated(metrics: contract.GateMetrics, policy: contract.GatePolicy) -> contract.GateMetrics:
    """The metrics with the policy's answer; a value equal to its ceiling passes."""
    failed = [
        contract.FailedCheck(metric=name, value=value, ceiling=ceiling)
        for name, ceiling in sorted(policy.ceilings.items())
        if (value := getattr(metrics, name)) > ceiling
    ]
    return metrics.model_copy(update={"passed": not failed, "failed_checks": failed})
