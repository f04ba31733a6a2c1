"""Rules that a schema can name but not express: each `x-rules` id of contracts/schema, implemented once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from voxint import semantics_agreement as agreement
from voxint import semantics_attribution as attribution
from voxint import semantics_calibration as calibration
from voxint import semantics_export as export
from voxint import semantics_goldset as goldset
from voxint import semantics_judge as judge
from voxint import semantics_script as script
from voxint import semantics_store as store
from voxint.errors import Violation
from voxint.text import identity_form, truth_fault

if TYPE_CHECKING:
    from voxint_contracts.agreement.v1 import Enrollment, SlotsRecord, VerdictRecord
    from voxint_contracts.ensemble import v1 as ensemble
    from voxint_contracts.gate_metrics import v1 as gate_metrics
    from voxint_contracts.name_accuracy import v1 as name_accuracy


Rule = Callable[[Any], Iterator[Violation]]

_truth_fault = lru_cache(maxsize=1 << 16)(truth_fault)


def truth_is_name_or_sentinel(item: name_accuracy.NameAccuracyItem) -> Iterator[Violation]:
    """A truth is a person's name or one of the two sentinels, exactly spelt; never blank, never a placeholder."""
    for label, slot in item.slots.items():
        if slot.truth is not None and (fault := _truth_fault(slot.truth)):
            yield Violation(("slots", label, "truth"), fault)


def report_counts_add_up(report: name_accuracy.NameAccuracyReport) -> Iterator[Violation]:
    """The counts of a report agree with one another: scored slots, the confusion matrix, the items listed."""
    counts, confusion = report.aggregate, report.aggregate.confusion
    scored = counts.tp + counts.fp_wrong + counts.fp_overname + counts.fn + counts.tn
    if scored != report.n_slots_scored:
        yield Violation(("n_slots_scored",), f"must be {scored}, the sum of the counts in aggregate")
    if len(report.per_item) != report.n_items:
        yield Violation(("n_items",), f"must be {len(report.per_item)}, the number of items listed in per_item")
    named, unnamed = confusion.true_name, confusion.true_abstain
    pairs = {
        ("true_name", "named_correct"): (named.named_correct, counts.tp),
        ("true_name", "named_wrong"): (named.named_wrong, counts.fp_wrong),
        ("true_name", "abstained"): (named.abstained, counts.fn),
        ("true_abstain", "named"): (unnamed.named, counts.fp_overname),
        ("true_abstain", "abstained"): (unnamed.abstained, counts.tn),
    }
    for path, (found, expected) in pairs.items():
        if found != expected:
            yield Violation(("aggregate", "confusion", *path), f"must be {expected}, the count in aggregate")


def interval_holds_its_point(report: name_accuracy.NameAccuracyReport) -> Iterator[Violation]:
    """An interval is ordered; the Wilson interval holds the accuracy it belongs to unless nothing was scored."""
    lo, hi = report.accuracy_ci95
    if not lo <= hi or (report.n_slots_scored and not lo <= report.accuracy <= hi):
        yield Violation(("accuracy_ci95",), "must be [lo, hi] around accuracy")
    if report.paired is not None and report.paired.bootstrap.lo > report.paired.bootstrap.hi:
        yield Violation(("paired", "bootstrap"), "must have lo at most hi")


def embedding_space_is_not_blank(
    document: SlotsRecord | Enrollment | VerdictRecord | ensemble.Vote,
) -> Iterator[Violation]:
    """An embedding space is a tag: a blank one would make vectors of any model comparable."""
    if document.embedding_space.isspace():
        yield Violation(("embedding_space",), "must not be blank: it names the model that made the vectors")


def verdict_fits_its_kind(record: VerdictRecord | ensemble.Vote) -> Iterator[Violation]:
    """A host is found present on curated items only, and absent on negative controls only."""
    owner = {"CONFIDENT_HOST_PRESENT": "curated", "NO_CURATED_HOST_DETECTED": "negative_control"}
    kind = owner.get(record.verdict, record.kind)
    if kind != record.kind:
        yield Violation(("verdict",), f"{record.verdict} is a verdict on a {kind} item, not on a {record.kind} one")


def present_carries_its_slot(record: VerdictRecord | ensemble.Vote) -> Iterator[Violation]:
    """A host found present speaks in a slot that is named."""
    if record.verdict == "CONFIDENT_HOST_PRESENT" and not (record.host_slot or "").strip():
        yield Violation(("host_slot",), "CONFIDENT_HOST_PRESENT must name the slot in which the host speaks")


def reason_fits_its_verdict(record: VerdictRecord | ensemble.Vote) -> Iterator[Violation]:
    """An abstention has its reason, and nothing else has one."""
    if record.verdict == "ABSTAIN" and record.reason is None:
        yield Violation(("reason",), "ABSTAIN must carry its reason")
    if record.verdict != "ABSTAIN" and record.reason is not None:
        yield Violation(("reason",), f"{record.verdict} carries no reason: only ABSTAIN does")


ONE_VOTER = "single_voter_confident:"
"""What the reason begins with when one voter alone is confident; its embedding space follows."""

FUSED = {
    "contradiction": ("curated", "FLAG_REVIEW", "contradiction"),
    "agree_present": ("curated", "SILVER_HOST_PRESENT", "both_confident_same_slot"),
    "slot_disagree": ("curated", "FLAG_REVIEW", "both_confident_slot_mismatch"),
    "one_confident": ("curated", "FLAG_REVIEW", ONE_VOTER),
    "agree_abstain": ("curated", "ABSTAIN", "no_confident_signal"),
    "false_accept_suspect": ("negative_control", "FLAG_REVIEW", "candidate_host_present_on_neg_control"),
    "agree_absent": ("negative_control", "SILVER_NO_HOST", "both_no_host"),
    "one_or_both_abstain": ("negative_control", "ABSTAIN", "no_confident_absence"),
}
"""The kind, the verdict and the reason that belong to each agreement of two voters."""

_CONFIDENT_VOTERS = {
    "agree_present": {2},
    "slot_disagree": {2},
    "one_confident": {1},
    "agree_abstain": {0},
    "agree_absent": {2},
    "one_or_both_abstain": {0, 1},
}


def decision_follows_its_agreement(decision: ensemble.Decision) -> Iterator[Violation]:
    """Kind, verdict and reason of a decision are those that belong to the agreement of its voters."""
    kind, verdict, reason = FUSED[decision.agreement]
    if reason == ONE_VOTER:
        spaces = [v.embedding_space for v in (decision.voter_a, decision.voter_b) if v.verdict != "ABSTAIN"]
        reason += spaces[0] if spaces else ""
    for name, expected in (("kind", kind), ("verdict", verdict), ("reason", reason)):
        if getattr(decision, name) != expected:
            yield Violation((name,), f"must be {expected} where agreement is {decision.agreement}")


def voters_fit_their_agreement(decision: ensemble.Decision) -> Iterator[Violation]:
    """The voters' verdicts fit the kind, and as many are confident as their agreement says."""
    verdicts = [decision.voter_a.verdict, decision.voter_b.verdict]
    other = "NO_CURATED_HOST_DETECTED" if decision.kind == "curated" else "CONFIDENT_HOST_PRESENT"
    confident = sum(verdict != "ABSTAIN" for verdict in verdicts)
    if other in verdicts or confident not in _CONFIDENT_VOTERS.get(decision.agreement, {confident}):
        yield Violation(("agreement",), f"{decision.agreement} does not fit the verdicts of the voters")


def voters_differ_in_space(decision: ensemble.Decision) -> Iterator[Violation]:
    """Two voters are independent only in two embedding spaces, however these are spelt."""
    if identity_form(decision.voter_a.embedding_space) == identity_form(decision.voter_b.embedding_space):
        yield Violation(("voter_b", "embedding_space"), "must be another space than that of voter_a")


HARMS = (
    "audit_regression_count",
    "candidate_fp_overname",
    "contamination_count",
    "correct_to_wrong_swaps",
    "host_regression_count",
    "item_regression_rate_upper",
    "new_fp_overname_additions",
    "overnaming_strict_count",
)
"""The metrics of a release that a policy may cap: each is the better the smaller it is."""


def regressed_are_among_the_items(tally: gate_metrics.PairedTally) -> Iterator[Violation]:
    """No more items became worse than were compared."""
    if tally.item_regressed > tally.n_items:
        yield Violation(("item_regressed",), f"must be at most n_items, {tally.n_items}")


def ceilings_are_on_harms(policy: gate_metrics.GatePolicy) -> Iterator[Violation]:
    """Each ceiling is on a metric that is the better the smaller, and could fail: a misspelt one would cap nothing."""
    for name, ceiling in policy.ceilings.items():
        if name not in HARMS:
            yield Violation(("ceilings", name), f"is no metric with a ceiling; those are {', '.join(HARMS)}")
        elif name == "item_regression_rate_upper" and ceiling >= 1:
            yield Violation(("ceilings", name), "must be below 1: a rate is never above it")


def gate_counts_fit(metrics: gate_metrics.GateMetrics) -> Iterator[Violation]:
    """What is a part of the candidate's over-naming is no more than the whole of it."""
    for name in ("new_fp_overname_additions", "overnaming_strict_count"):
        if getattr(metrics, name) > metrics.candidate_fp_overname:
            yield Violation((name,), f"must be at most candidate_fp_overname, {metrics.candidate_fp_overname}")
    if not metrics.paired_n and metrics.item_regression_rate_upper != 1:
        yield Violation(("item_regression_rate_upper",), "must be 1 where paired_n is 0: nothing is known")


def gate_fails_by_its_checks(metrics: gate_metrics.GateMetrics) -> Iterator[Violation]:
    """A gate fails exactly when a check failed, a check fails above its ceiling, and without a policy none does."""
    if metrics.passed is None and metrics.failed_checks:
        yield Violation(("failed_checks",), "must be empty where passed is absent")
    if metrics.passed is not None and metrics.passed == bool(metrics.failed_checks):
        yield Violation(("passed",), "must be true exactly where failed_checks is empty")
    for place, check in enumerate(metrics.failed_checks):
        if check.metric not in HARMS or check.value != getattr(metrics, check.metric) or check.value <= check.ceiling:
            yield Violation(("failed_checks", place), "must be a metric of this document above its ceiling")


RULES: dict[str, Rule] = {
    "truth_is_name_or_sentinel": truth_is_name_or_sentinel,
    "report_counts_add_up": report_counts_add_up,
    "interval_holds_its_point": interval_holds_its_point,
    "verdict_fits_its_kind": verdict_fits_its_kind,
    "present_carries_its_slot": present_carries_its_slot,
    "reason_fits_its_verdict": reason_fits_its_verdict,
    "decision_follows_its_agreement": decision_follows_its_agreement,
    "voters_fit_their_agreement": voters_fit_their_agreement,
    "voters_differ_in_space": voters_differ_in_space,
    "regressed_are_among_the_items": regressed_are_among_the_items,
    "ceilings_are_on_harms": ceilings_are_on_harms,
    "gate_counts_fit": gate_counts_fit,
    "gate_fails_by_its_checks": gate_fails_by_its_checks,
    "strata_have_names_of_their_own": goldset.strata_have_names_of_their_own,
    "channel_host_is_a_person": goldset.channel_host_is_a_person,
    "label_fits_its_reason": goldset.label_fits_its_reason,
    "queued_host_fits_its_reason": goldset.queued_host_fits_its_reason,
    "embedding_space_is_not_blank": embedding_space_is_not_blank,
    "hosts_have_one_spelling": agreement.hosts_have_one_spelling,
    "curated_item_names_its_host": agreement.curated_item_names_its_host,
    "slot_labels_are_not_blank": agreement.slot_labels_are_not_blank,
    "slot_vectors_are_comparable": agreement.slot_vectors_are_comparable,
    "voiceprints_fit_dims": agreement.voiceprints_fit_dims,
    "source_items_have_one_spelling": agreement.source_items_have_one_spelling,
    "low_band_is_at_most_tau": agreement.low_band_is_at_most_tau,
    "metrics_counts_fit": calibration.metrics_counts_fit,
    "rates_follow_their_counts": calibration.rates_follow_their_counts,
    "tallies_add_up": calibration.tallies_add_up,
    "changes_change": calibration.changes_change,
    "selection_follows_its_rule": calibration.selection_follows_its_rule,
    "gates_are_chosen_by_a_selection": calibration.gates_are_chosen_by_a_selection,
    "certification_follows_its_rule": calibration.certification_follows_its_rule,
    "plan_follows_its_counts": calibration.plan_follows_its_counts,
    **judge.RULES,
    **script.RULES,
    "export_names_runs_once": export.export_names_runs_once,
    "exported_curated_run_has_host": export.exported_curated_run_has_host,
    "exported_hosts_need_a_space": export.exported_hosts_need_a_space,
    "a_run_is_of_one_meeting": export.a_run_is_of_one_meeting,
    "fingerprint_counts_its_entries": export.fingerprint_counts_its_entries,
    "match_fits_its_decision": store.match_fits_its_decision,
    "recurrence_counts_fit": attribution.recurrence_counts_fit,
    "role_fits_its_split": attribution.role_fits_its_split,
    "meeting_has_one_use": attribution.meeting_has_one_use,
    "open_set_counts_fit": attribution.open_set_counts_fit,
    "aligned_role_fits_its_split": attribution.aligned_role_fits_its_split,
    "trial_detail_fits_its_kind": attribution.trial_detail_fits_its_kind,
    "trial_class_fits_its_kind": attribution.trial_class_fits_its_kind,
    "cluster_is_the_gold_speaker": attribution.cluster_is_the_gold_speaker,
    "run_texts_can_be_seen": store.run_texts_can_be_seen,
    "turn_labels_have_one_spelling": store.turn_labels_have_one_spelling,
    "run_is_dated": store.run_is_dated,
    "turn_indexes_are_unique": store.turn_indexes_are_unique,
    "turns_are_intervals": store.turns_are_intervals,
    "turn_has_embedding_or_reason": store.turn_has_embedding_or_reason,
    "run_vectors_fit_their_space": store.run_vectors_fit_their_space,
}


def rules_of(ids: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules with these ids, in that order; an unknown id is a KeyError."""
    return tuple(RULES[rule_id] for rule_id in ids)
