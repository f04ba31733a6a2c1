"""Select gates on dev, certify them on confirm, by a rule that was fixed before any score was seen.

The rule, whole.

1. What is at stake. A name shown without review must not be a wrong one. The harm is a false accept: a voice that is
   not the top candidate's, whether its owner is enrolled (closed) or not (open), and that is shown all the same.
2. What counts. Trials of one gold speaker move together, so the unit is the speaker. An impostor cluster is a gold
   speaker with at least one impostor trial; it is in error as soon as one of its impostor trials is shown. The FAR of
   the rule is the share of impostor clusters in error, and its bound the one-sided 95 % upper bound of Wilson (1927).
   Without a cluster the bound is 1: nothing known is nothing promised. Genuine clusters have no floor, since a corpus
   may have few people who come back; their numbers describe.
3. Two halves. Meetings are assigned to dev or confirm from the protocol alone. No gold speaker is scored in both, no
   meeting is in both, no enrollment meeting is scored. A file that breaks this, or does not say its halves, is refused.
4. Candidates. The grounded cosine is one of 0.66, 0.68, 0.70, 0.72, 0.74, 0.76, 0.78, 0.80 and the grounded margin one
   of 0.05, 0.08, 0.10, 0.12; every other gate stays at the base. These 32 and no others.
5. Selection, on dev trials alone. A candidate is feasible if it shows no impostor trial and its bound is at most 0.05.
   Among the feasible ones the most genuine clusters covered win (a cluster is covered if one of its genuine trials is
   shown); then the fewest trials left to review; then the stricter cosine; then the stricter margin. If none is
   feasible there is no decision, for the reason `no_feasible_candidate`.
6. Certification, on confirm trials alone, of the selected candidate alone, once. It is certified if and only if there
   are at least 50 impostor clusters, no impostor trial is shown, and the bound is at most 0.05. Otherwise there is no
   decision, and every requirement that failed is named: `insufficient_impostor_clusters`, `auto_wrong_observed`,
   `far_bound_exceeded`. The base gates are counted on the same trials for comparison, and decide nothing.
7. No decision is an answer. The base gates stay in use; a second look at the confirm trials with another candidate
   would be a new experiment, and needs new trials.

The floor of 50 is weaker than the bound: without an error Wilson's bound is at most 0.05 from 52 clusters on
(`required_clusters`), the exact bound from 59 on. Both are reported; Wilson's decides, because it was registered.
"""

from __future__ import annotations

from voxint_contracts.attribution.v1 import MatchingGates, Trial, TrialsDocument
from voxint_contracts.attribution_protocol.v2 import MeetingSplit
from voxint_contracts.calibration import v1 as contract

from voxint.errors import RecordError, RecordFault
from voxint.harness.calibration_explore import band_changes, check_independence, compare, sweep
from voxint.harness.calibration_intake import half
from voxint.harness.calibration_plan import plan
from voxint.harness.calibration_rule import (
    CANDIDATE_COSINES,
    CANDIDATE_MARGINS,
    MAX_FAR_UPPER,
    MIN_INDEPENDENT_CLUSTERS,
    pairs,
    required_clusters,
    required_clusters_exact,
    rule,
    with_scores,
)
from voxint.harness.trial_columns import columns_of
from voxint.harness.trial_tallies import grid_counts, tally_of
from voxint.speakers.policy import BASE_GATES

__all__ = [
    "MIN_INDEPENDENT_CLUSTERS",
    "Trial",
    "certify",
    "check_independence",
    "compare",
    "plan",
    "required_clusters",
    "required_clusters_exact",
    "select",
    "sweep",
]

_REASON = contract.CertificationReason


def select(*, trials: TrialsDocument, gates: MatchingGates | None = None) -> contract.CalibrationSelection:
    """Picks the gates to certify from 32 candidates, on the dev trials alone.

    Feasible is a candidate that shows no impostor and whose one-sided 95 % bound of the cluster-level FAR is at most
    0.05. The one that covers most genuine speakers is chosen; then the one with least review; then the stricter one.
    Without a feasible candidate the outcome is NO_DECISION and the exit code 1. The rule stands in full in the
    docstring of voxint.harness.calibration.

    Args:
        trials: Trials of an alignment with the halves of their meetings.
        gates: The base gates, from which candidates differ by cosine and margin; without them, those in use by default.

    Example:
        voxint calibrate select --trials trials.json --out selection.json

    Raises:
        RecordError: A trial has no split, comes from an enrollment meeting or stands twice, or a speaker or a meeting
            is in both halves.
    """
    base = gates or BASE_GATES
    dev = columns_of(half(trials, MeetingSplit.DEV))
    counts = grid_counts(dev, base, CANDIDATE_COSINES, CANDIDATE_MARGINS)[contract.StratumName.ALL]
    points = [_point(i, j, counts.tally(i, j)) for i, j in pairs(CANDIDATE_COSINES, CANDIDATE_MARGINS)]
    best = max((point for point in points if point.feasible), key=_merit, default=None)
    return contract.CalibrationSelection(
        schema_version=1,
        kind="calibration_selection",
        outcome=contract.SelectionOutcome.SELECTED if best else contract.SelectionOutcome.NO_DECISION,
        passed=best is not None,
        reasons=[] if best else [contract.SelectionReason.NO_FEASIBLE_CANDIDATE],
        rule=rule(),
        base_gates=base,
        chosen_gates=with_scores(base, best.cosine, best.margin) if best else None,
        n_genuine_clusters=counts.n_genuine_clusters,
        n_impostor_clusters=counts.n_impostor_clusters,
        points=points,
    )


def _point(i: int, j: int, tally: contract.Tally) -> contract.CandidatePoint:
    return contract.CandidatePoint(
        cosine=CANDIDATE_COSINES[i],
        margin=CANDIDATE_MARGINS[j],
        feasible=not tally.auto_wrong and tally.far_upper_one_sided <= MAX_FAR_UPPER,
        tally=tally,
    )


def _merit(point: contract.CandidatePoint) -> tuple[int, int, float, float]:
    """All candidates see the same genuine clusters, so the number covered orders them as the share does, exactly."""
    return point.tally.genuine_clusters_covered, -point.tally.review, point.cosine, point.margin


def certify(
    *, trials: TrialsDocument, candidate: contract.CalibrationCandidate, gates: MatchingGates | None = None
) -> contract.CalibrationCertification:
    """Scores the selected gates once, on the confirm trials alone, and certifies them or says what failed.

    Certified are gates with at least 50 impostor clusters, no impostor shown, and a one-sided 95 % bound of the
    cluster-level FAR of at most 0.05. Otherwise the outcome is NO_DECISION with every requirement that failed, and the
    exit code 1. The base gates are counted on the same trials, and every trial that changes its band is listed.

    Args:
        trials: Trials of an alignment with the halves of their meetings.
        candidate: What `voxint calibrate select` wrote.
        gates: The base gates that the selection started from; without them, those in use by default.

    Example:
        voxint calibrate certify --trials trials.json --candidate selection.json --out certification.json

    Raises:
        RecordError: The selection chose nothing, or gates that are no candidate of the rule; or the trials are as
            `voxint calibrate select` refuses them.
    """
    base = gates or BASE_GATES
    chosen = _chosen(candidate, base)
    confirm = half(trials, MeetingSplit.CONFIRM)
    columns = columns_of(confirm)
    post = tally_of(columns, chosen)
    reasons = _failures(post)
    return contract.CalibrationCertification(
        schema_version=1,
        kind="calibration_certification",
        outcome=contract.CertificationOutcome.NO_DECISION if reasons else contract.CertificationOutcome.CERTIFIED,
        passed=not reasons,
        reasons=reasons,
        rule=rule(),
        base_gates=base,
        candidate_gates=chosen,
        pre=tally_of(columns, base),
        post=post,
        changes=band_changes(confirm, columns, base, chosen),
    )


def _failures(post: contract.Tally) -> list[contract.CertificationReason]:
    failed = {
        _REASON.INSUFFICIENT_IMPOSTOR_CLUSTERS: post.n_impostor_clusters < MIN_INDEPENDENT_CLUSTERS,
        _REASON.AUTO_WRONG_OBSERVED: post.auto_wrong > 0,
        _REASON.FAR_BOUND_EXCEEDED: post.far_upper_one_sided > MAX_FAR_UPPER,
    }
    return [reason for reason, holds in failed.items() if holds]


def _chosen(candidate: contract.CalibrationCandidate, base: MatchingGates) -> MatchingGates:
    """The gates of the selection; RecordError where there are none, or none that the rule allows."""
    chosen = candidate.chosen_gates
    if chosen is None:
        raise _refused("the selection is NO_DECISION: it chose no gates, so there is nothing to certify", "outcome")
    moved = with_scores(chosen, base.grounded_min_cosine, base.grounded_min_margin)
    unlike = [name for name, value in base if name != "schema_version" and getattr(moved, name) != value]
    if unlike:
        listed = ", ".join(unlike)
        raise _refused(f"differs from the base gates in {listed}: certify with the --gates that it was selected with")
    if chosen.grounded_min_cosine not in CANDIDATE_COSINES or chosen.grounded_min_margin not in CANDIDATE_MARGINS:
        pair = f"{chosen.grounded_min_cosine!r} / {chosen.grounded_min_margin!r}"
        raise _refused(f"cosine and margin {pair} are no candidate of the pre-registered rule")
    return chosen


def _refused(message: str, place: str = "chosen_gates") -> RecordError:
    return RecordError([RecordFault("candidate", None, message, (place,))])
