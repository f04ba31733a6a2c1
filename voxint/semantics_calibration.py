"""Rules on attribution metrics and on the documents of calibration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voxint.errors import Path, Violation

if TYPE_CHECKING:
    from voxint_contracts.attribution.v1 import AttributionMetrics
    from voxint_contracts.calibration import v1 as calibration

    Tallied = (
        calibration.CalibrationSweep
        | calibration.CalibrationComparison
        | calibration.CalibrationSelection
        | calibration.CalibrationCertification
    )

_LAST_DIGITS = 1e-9


def metrics_counts_fit(metrics: AttributionMetrics) -> Iterator[Violation]:
    """Trials add up by kind, by band and by class, and every rate is over the counts that it is named for."""
    m, attrition = metrics, metrics.alignment_attrition
    sums: dict[Path, tuple[int, int]] = {
        ("n_scoreable",): (m.n_scoreable, m.n_genuine_trials + m.n_impostor_trials),
        ("n_trials",): (m.n_trials, m.n_scoreable + m.n_unscoreable),
        ("n_impostor_trials",): (m.n_impostor_trials, m.n_impostor_closed_trials + m.n_impostor_open_trials),
        ("n_abstain",): (m.n_abstain, m.n_scoreable - m.n_auto_correct - m.n_auto_wrong - m.n_review),
        ("alignment_attrition",): (sum(count for _, count in attrition), m.n_trials),
        ("far_by_trial", "errors"): (m.far_by_trial.errors, m.n_auto_wrong),
        ("far_by_trial", "cases"): (m.far_by_trial.cases, m.n_impostor_trials),
        ("far_by_cluster", "cases"): (m.far_by_cluster.cases, m.n_impostor_clusters),
        ("frr_by_trial", "errors"): (m.frr_by_trial.errors, m.n_genuine_trials - m.n_auto_correct),
        ("frr_by_trial", "cases"): (m.frr_by_trial.cases, m.n_genuine_trials),
        ("frr_by_cluster", "cases"): (m.frr_by_cluster.cases, m.n_genuine_clusters),
    }
    yield from _unequal(sums)
    for name in ("far_by_cluster", "frr_by_cluster"):
        rate = getattr(m, name)
        if rate.errors > rate.cases:
            yield Violation((name, "errors"), f"must be at most cases, {rate.cases}")


def rates_follow_their_counts(metrics: AttributionMetrics) -> Iterator[Violation]:
    """Rates and bounds are those of the errors and the cases beside them, to the digits that any machine has."""
    from voxint.stats.clopper_pearson import clopper_pearson_ci, clopper_pearson_upper
    from voxint.stats.exact import ratio
    from voxint.stats.wilson import wilson_ci, wilson_upper_one_sided

    if any(metrics_counts_fit(metrics)):  # by which counts could not be said
        return
    m = metrics
    expected: dict[Path, tuple[float, float]] = {
        ("coverage",): (m.coverage, ratio(m.n_auto_correct + m.n_auto_wrong, m.n_scoreable)),
        ("far",): (m.far, m.far_by_trial.rate),
        ("far_ci_upper",): (m.far_ci_upper, m.far_by_trial.ci95[1]),
        ("far_upper_one_sided",): (m.far_upper_one_sided, m.far_by_cluster.upper_one_sided),
        ("frr",): (m.frr, m.frr_by_trial.rate),
        ("frr_ci_upper",): (m.frr_ci_upper, m.frr_by_trial.ci95[1]),
    }
    for name in ("far_by_trial", "far_by_cluster", "frr_by_trial", "frr_by_cluster"):
        bounds = getattr(m, name)
        counts = (bounds.errors, bounds.cases)
        expected[(name, "rate")] = (bounds.rate, ratio(*counts))
        for place in (0, 1):
            expected[(name, "ci95", place)] = (bounds.ci95[place], wilson_ci(*counts)[place])
            expected[(name, "exact_ci95", place)] = (bounds.exact_ci95[place], clopper_pearson_ci(*counts)[place])
        expected[(name, "upper_one_sided")] = (bounds.upper_one_sided, wilson_upper_one_sided(*counts))
        expected[(name, "exact_upper_one_sided")] = (bounds.exact_upper_one_sided, clopper_pearson_upper(*counts))
    for path, (found, due) in expected.items():
        if abs(found - due) > _LAST_DIGITS:
            yield Violation(path, f"must be {due:.6g}, as the counts say")


def tallies_add_up(document: Tallied) -> Iterator[Violation]:
    """In every tally the trials add up by kind and by band, and no part is larger than its whole."""
    for path, tally in _tallies(document):
        shown = tally.auto_correct + tally.auto_wrong
        sums: dict[Path, tuple[int, int]] = {
            (*path, "n_scoreable"): (tally.n_scoreable, tally.n_genuine_trials + tally.n_impostor_trials),
            (*path, "abstain"): (tally.abstain, tally.n_scoreable - shown - tally.review),
        }
        yield from _unequal(sums)
        wholes = {
            "auto_correct": tally.n_genuine_trials,
            "auto_wrong": tally.n_impostor_trials,
            "impostor_clusters_wrong": min(tally.n_impostor_clusters, tally.auto_wrong),
            "genuine_clusters_covered": min(tally.n_genuine_clusters, tally.auto_correct),
        }
        for name, whole in wholes.items():
            if getattr(tally, name) > whole:
                yield Violation((*path, name), f"must be at most {whole}")


def _tallies(document: Tallied) -> Iterator[tuple[Path, calibration.Tally]]:
    """Every tally of a document and its place."""
    for name in ("before", "after", "pre", "post"):
        if hasattr(document, name):
            yield (name,), getattr(document, name)
    for place, point in enumerate(getattr(document, "points", ())):
        yield ("points", place, "tally"), point.tally
    for part, stratum in enumerate(getattr(document, "strata", ())):
        for place, point in enumerate(stratum.points):
            yield ("strata", part, "points", place, "tally"), point.tally


def _unequal(sums: dict[Path, tuple[int, int]]) -> Iterator[Violation]:
    for path, (found, expected) in sums.items():
        if found != expected:
            yield Violation(path, f"must be {expected}, as the other counts say")


def changes_change(
    document: calibration.CalibrationComparison | calibration.CalibrationCertification,
) -> Iterator[Violation]:
    """A change of band leads from one band to another."""
    for place, change in enumerate(document.changes):
        if change.before == change.after:
            yield Violation(("changes", place, "after"), f"must not be {change.before}, as before")


def selection_follows_its_rule(selection: calibration.CalibrationSelection) -> Iterator[Violation]:
    """A point is feasible by the rule alone, and one of the feasible points is chosen where there are any."""
    for place, point in enumerate(selection.points):
        limit = selection.rule.max_far_upper_one_sided
        if point.feasible != (not point.tally.auto_wrong and point.tally.far_upper_one_sided <= limit):
            message = f"must be true exactly where no impostor is shown and the bound is at most {limit}"
            yield Violation(("points", place, "feasible"), message)
    feasible = {(point.cosine, point.margin) for point in selection.points if point.feasible}
    yield from _outcome_fits(selection.outcome, selection.passed, len(selection.reasons), "SELECTED", bool(feasible))
    chosen = selection.chosen_gates
    if (chosen is not None) != bool(feasible):
        yield Violation(("chosen_gates",), "must be null exactly where no point is feasible")
    elif chosen is not None and (chosen.grounded_min_cosine, chosen.grounded_min_margin) not in feasible:
        yield Violation(("chosen_gates",), "must have the cosine and the margin of a feasible point")


def gates_are_chosen_by_a_selection(candidate: calibration.CalibrationCandidate) -> Iterator[Violation]:
    """Gates stand in a selection exactly where it is SELECTED."""
    if (candidate.chosen_gates is not None) != (candidate.outcome == "SELECTED"):
        yield Violation(("chosen_gates",), "must be null exactly where outcome is NO_DECISION")


def certification_follows_its_rule(document: calibration.CalibrationCertification) -> Iterator[Violation]:
    """Every requirement of the rule that the counts fail is a reason, and without a reason the gates are certified."""
    rule, post = document.rule, document.post
    failed = {
        "insufficient_impostor_clusters": post.n_impostor_clusters < rule.min_impostor_clusters,
        "auto_wrong_observed": post.auto_wrong > 0,
        "far_bound_exceeded": post.far_upper_one_sided > rule.max_far_upper_one_sided,
    }
    expected = [reason for reason, holds in failed.items() if holds]
    if [reason.value for reason in document.reasons] != expected:
        yield Violation(("reasons",), f"must be [{', '.join(expected)}], as the counts and the rule say")
    yield from _outcome_fits(document.outcome, document.passed, len(expected), "CERTIFIED", not expected)


def _outcome_fits(outcome: str, passed: bool, n_reasons: int, good: str, expected: bool) -> Iterator[Violation]:  # noqa: FBT001
    word = good if expected else "NO_DECISION"
    if outcome != word:
        yield Violation(("outcome",), f"must be {word}")
    if passed != expected:
        yield Violation(("passed",), f"must be true exactly where outcome is {good}")
    if bool(n_reasons) == expected:
        yield Violation(("reasons",), f"must be empty exactly where outcome is {good}")


def plan_follows_its_counts(plan: calibration.CalibrationPlan) -> Iterator[Violation]:
    """A half can reach the bound exactly where no impostor cluster is missing, and a plan passes where both can."""
    for place, half in enumerate(plan.halves):
        missing = max(half.needed_impostor_clusters - half.n_open_speakers, 0)
        if half.missing_impostor_clusters != missing:
            yield Violation(("halves", place, "missing_impostor_clusters"), f"must be {missing}")
        if half.can_reach == bool(missing):
            yield Violation(("halves", place, "can_reach"), "must be true exactly where no cluster is missing")
    if plan.passed != all(half.can_reach for half in plan.halves):
        yield Violation(("passed",), "must be true exactly where both halves can reach the bound")
