"""Calibration in words: what was chosen or certified, and what failed by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voxint_contracts.calibration import v1 as contract

from voxint.cli.summaries import Grid, Summary

_REASON = contract.CertificationReason
LISTED = 20


def sweep(report: contract.CalibrationSweep) -> Summary:
    """One table a stratum; then whether there are enough speakers for more than a look."""
    counts = report.independence
    words = "reach" if counts.sufficient else "do not reach"
    note = (
        f"{_n(counts.n_impostor_clusters, 'impostor speaker')} {words} the floor of {counts.min_impostor_clusters}; "
        f"{_n(counts.n_genuine_clusters, 'genuine speaker')}. Exploratory: no point may be chosen from this table."
    )
    grids = tuple(_points(f"Stratum {stratum.name.value}", stratum.points) for stratum in report.strata)
    return Summary(f"Sweep of {len(report.strata[0].points)} pairs of gates", (*grids, note))


def _points(title: str, points: Sequence[contract.SweepPoint | contract.CandidatePoint]) -> Grid:
    columns = ("cosine", "margin", "right", "wrong", "review", "speakers wrong", "bound", "exact bound", "covered")
    rows = tuple(
        (
            f"{point.cosine:g}",
            f"{point.margin:g}",
            str(tally.auto_correct),
            str(tally.auto_wrong),
            str(tally.review),
            f"{tally.impostor_clusters_wrong} of {tally.n_impostor_clusters}",
            f"{tally.far_upper_one_sided:.4f}",
            f"{tally.far_exact_upper_one_sided:.4f}",
            f"{tally.genuine_clusters_covered} of {tally.n_genuine_clusters}",
        )
        for point in points
        for tally in [point.tally]
    )
    return Grid(title, columns, rows, n_text=0)


def compare(report: contract.CalibrationComparison) -> Summary:
    """Both tallies side by side, then the trials that change their band."""
    n = len(report.changes)
    tallies = _tallies(("before", report.before), ("after", report.after))
    return Summary(f"Two sets of gates: {_n(n, 'trial changes', 'trials change')} band", (tallies, *_changes(report)))


_COUNTS = (
    "auto_correct",
    "auto_wrong",
    "review",
    "abstain",
    "n_genuine_trials",
    "n_impostor_trials",
    "n_genuine_clusters",
    "n_impostor_clusters",
    "impostor_clusters_wrong",
    "genuine_clusters_covered",
)
_SHARES = (
    "coverage",
    "genuine_cluster_coverage",
    "far",
    "far_upper_one_sided",
    "far_exact_upper_one_sided",
    "frr",
)
_INTERVALS = ("far_ci", "far_exact_ci", "frr_ci", "frr_exact_ci")


def _tallies(*named: tuple[str, contract.Tally]) -> Grid:
    tallies = [tally for _, tally in named]
    rows = [(name, *(str(getattr(tally, name)) for tally in tallies)) for name in _COUNTS]
    rows += [(name, *(f"{getattr(tally, name):.4f}" for tally in tallies)) for name in _SHARES]
    rows += [(name, *("{:.4f} to {:.4f}".format(*getattr(tally, name)) for tally in tallies)) for name in _INTERVALS]
    return Grid("", ("", *(name for name, _ in named)), tuple(rows))


def _changes(report: contract.CalibrationComparison | contract.CalibrationCertification) -> Iterator[Grid | str]:
    rows = tuple(
        (change.meeting_id, change.label, change.detail.value, change.before.value, change.after.value)
        for change in report.changes[:LISTED]
    )
    if rows:
        yield Grid("Changes of band", ("meeting", "label", "detail", "before", "after"), rows, n_text=5)
    if len(report.changes) > LISTED:
        yield f"{len(report.changes) - LISTED} more changes are in the JSON."


def select(report: contract.CalibrationSelection) -> Summary:
    """The gates chosen, or how near the nearest candidate came; then every candidate."""
    grid = _points("Candidates on the dev trials", report.points)
    if report.chosen_gates is not None:
        chosen = report.chosen_gates
        n = sum(point.feasible for point in report.points)
        title = f"Selection: cosine {chosen.grounded_min_cosine:g}, margin {chosen.grounded_min_margin:g}"
        return Summary(title, (f"{n} of {len(report.points)} candidates are feasible on the dev trials.", grid))
    return Summary("Selection: NO_DECISION, no candidate is feasible", (*_nearest(report), grid))


def _nearest(report: contract.CalibrationSelection) -> Iterator[str]:
    best = min(report.points, key=lambda p: (p.tally.auto_wrong, p.tally.far_upper_one_sided, p.cosine, p.margin))
    tally, rule = best.tally, report.rule
    yield (
        f"The nearest candidate, cosine {best.cosine:g} and margin {best.margin:g}, shows "
        f"{_n(tally.auto_wrong, 'impostor trial')} of {_n(tally.impostor_clusters_wrong, 'speaker')} "
        f"(allowed: none), and its bound is {_percent(tally.far_upper_one_sided)} "
        f"(allowed: {_percent(rule.max_far_upper_one_sided)}; exact bound {_percent(tally.far_exact_upper_one_sided)})."
    )
    if report.n_impostor_clusters < rule.required_impostor_clusters:
        yield _too_few(report.n_impostor_clusters, rule)


def certify(report: contract.CalibrationCertification) -> Summary:
    """Certified or not, each failed requirement with how far it failed, and both tallies."""
    gates = report.candidate_gates
    pair = f"cosine {gates.grounded_min_cosine:g}, margin {gates.grounded_min_margin:g}"
    verdict = "CERTIFIED" if report.passed else "NO_DECISION, " + _n(len(report.reasons), "requirement") + " failed"
    tallies = _tallies(("base gates", report.pre), ("candidate", report.post))
    return Summary(f"Certification of {pair}: {verdict}", (*_failed(report), tallies, *_changes(report)))


def _failed(report: contract.CalibrationCertification) -> Iterator[str]:
    post, rule = report.post, report.rule
    if _REASON.INSUFFICIENT_IMPOSTOR_CLUSTERS in report.reasons:
        short = rule.min_impostor_clusters - post.n_impostor_clusters
        yield (
            f"insufficient_impostor_clusters: {_n(post.n_impostor_clusters, 'impostor speaker')}, "
            f"{rule.min_impostor_clusters} are the floor, {short} too few."
        )
    if _REASON.AUTO_WRONG_OBSERVED in report.reasons:
        yield (
            f"auto_wrong_observed: {_n(post.auto_wrong, 'impostor trial')} of "
            f"{_n(post.impostor_clusters_wrong, 'speaker')} would be shown; none is allowed."
        )
    if _REASON.FAR_BOUND_EXCEEDED in report.reasons:
        over = post.far_upper_one_sided - rule.max_far_upper_one_sided
        yield (
            f"far_bound_exceeded: the bound is {_percent(post.far_upper_one_sided)}, "
            f"{_percent(rule.max_far_upper_one_sided)} is allowed, {100 * over:.2f} percentage points too much "
            f"(exact bound {_percent(post.far_exact_upper_one_sided)})."
        )
    if report.reasons and post.n_impostor_clusters < rule.required_impostor_clusters:
        yield _too_few(post.n_impostor_clusters, rule)


def _too_few(n: int, rule: contract.CalibrationRule) -> str:
    return (
        f"With {_n(n, 'impostor speaker')} no gates could pass: the bound needs {rule.required_impostor_clusters} "
        f"without an error ({rule.required_impostor_clusters_exact} by the exact bound). "
        "`voxint calibrate plan` says before any scoring whether a protocol has them."
    )


def plan(report: contract.CalibrationPlan) -> Summary:
    """Each half with what it needs and has, and the answer as the title."""
    columns = ("half", "meetings", "speakers not enrolled", "needed", "to spare", "best bound", "best exact bound")
    rows = tuple(
        (
            half.split.value,
            str(half.n_meetings),
            str(half.n_open_speakers),
            str(half.needed_impostor_clusters),
            f"{half.n_open_speakers - half.needed_impostor_clusters:+d}",
            f"{half.best_far_upper_one_sided:.4f}",
            f"{half.best_far_exact_upper_one_sided:.4f}",
        )
        for half in report.halves
    )
    short = [half.split.value for half in report.halves if not half.can_reach]
    answer = f"{' and '.join(short)} cannot reach the bound" if short else "both halves can reach the bound"
    note = (
        f"A bound of {_percent(report.max_far_upper_one_sided)} at {100 * report.confidence:g} % with "
        f"{_n(report.allowed_errors, 'speaker')} in error needs {report.required_impostor_clusters} impostor speakers "
        f"({report.required_impostor_clusters_exact} by the exact bound); certification has a floor of "
        f"{report.min_impostor_clusters}. Speakers count at best: one whose slots cannot be scored is lost."
    )
    return Summary(f"Calibration plan: {answer}", (Grid("", columns, rows), note))


def _n(count: int, what: str, many: str = "") -> str:
    return f"{count} {what}" if count == 1 else f"{count} {many or what + 's'}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"
