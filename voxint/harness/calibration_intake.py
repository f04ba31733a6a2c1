"""The trials of one half of the corpus, once nothing leaks from one half into the other."""

from __future__ import annotations

from collections.abc import Sequence

from voxint_contracts.attribution.v1 import Trial, TrialDetail, TrialKind, TrialsDocument
from voxint_contracts.attribution_protocol.v2 import MeetingRole, MeetingSplit

from voxint.errors import RecordFault, quoted
from voxint.harness.joins import FaultLog, first_five, raise_any
from voxint.harness.trial_columns import check_distinct_trials

_PARAMETER = "trials"


def half(document: TrialsDocument, split: MeetingSplit) -> list[Trial]:
    """The trials whose meetings are scored in `split`, in their order.

    Raises:
        RecordError: a trial lacks its role or its split (a pack older than the two halves), comes from an enrollment
            meeting, or stands twice; a meeting has two splits or roles; an enrolled speaker is scored in an open-set
            meeting; a gold speaker is scored in both halves.
    """
    trials = document.trials
    raise_any(_without_a_half(trials))
    check_distinct_trials(trials)
    raise_any(_of_enrollment(trials), _meetings_use(trials), _enrolled_in_open(trials), _clusters_in_both(trials))
    return [trial for trial in trials if trial.meeting_split == split]


def _without_a_half(trials: Sequence[Trial]) -> FaultLog:
    """One fault for the whole pack: it was made before meetings had halves."""
    log = FaultLog(_PARAMETER)
    for name in ("meeting_split", "meeting_role"):
        bare = [place for place, trial in enumerate(trials) if getattr(trial, name) is None]
        if bare:
            message = (
                f"{len(bare)} of {len(trials)} trials have no {name}: select and certify need the halves of a protocol"
                " of schema 2; align the meetings again with one"
            )
            log.add(RecordFault(_PARAMETER, None, message, ("trials", bare[0])))
            break
    return log


def _of_enrollment(trials: Sequence[Trial]) -> FaultLog:
    log = FaultLog(_PARAMETER)
    for place, trial in enumerate(trials):
        if trial.meeting_split == MeetingSplit.ENROLLMENT or trial.meeting_role == MeetingRole.ENROLLMENT:
            message = f"leak: {quoted(trial.meeting_id)} enrols speakers, so none of its trials may be scored"
            log.add(RecordFault(_PARAMETER, None, message, ("trials", place)))
    return first_five(log)


def _meetings_use(trials: Sequence[Trial]) -> FaultLog:
    """Meetings with two splits or two roles."""
    log = FaultLog(_PARAMETER)
    for name in ("meeting_split", "meeting_role"):
        first: dict[str, MeetingSplit | MeetingRole | None] = {}
        named = set()
        for place, trial in enumerate(trials):
            use = getattr(trial, name)
            known = first.setdefault(trial.meeting_id, use)
            if known != use and trial.meeting_id not in named:
                named.add(trial.meeting_id)
                message = f"leak: meeting {quoted(trial.meeting_id)} is in {known} above and in {use} here"
                log.add(RecordFault(_PARAMETER, None, message, ("trials", place, name)))
    return first_five(log)


def _enrolled_in_open(trials: Sequence[Trial]) -> FaultLog:
    """Trials of enrolled speakers in meetings that were chosen for having none."""
    log = FaultLog(_PARAMETER)
    for place, trial in enumerate(trials):
        is_enrolled = trial.kind == TrialKind.GENUINE or trial.detail == TrialDetail.IMPOSTOR_CLOSED
        if is_enrolled and trial.meeting_role == MeetingRole.TEST_OPEN:
            who = quoted(trial.cluster_id)
            message = f"leak: {who} is enrolled, and {quoted(trial.meeting_id)} is an open-set meeting"
            log.add(RecordFault(_PARAMETER, None, message, ("trials", place, "meeting_role")))
    return first_five(log)


def _clusters_in_both(trials: Sequence[Trial]) -> FaultLog:
    """Gold speakers who are scored in both halves: what was tuned on a voice would be certified on it."""
    first: dict[str, Trial] = {}
    log, named = FaultLog(_PARAMETER), set()
    for place, trial in enumerate(trials):
        if trial.kind == TrialKind.UNSCOREABLE:
            continue
        known = first.setdefault(trial.cluster_id, trial)
        if known.meeting_split != trial.meeting_split and trial.cluster_id not in named:
            named.add(trial.cluster_id)
            message = (
                f"leak: speaker {quoted(trial.cluster_id)} is scored in both halves: {known.meeting_split} in"
                f" {quoted(known.meeting_id)}, {trial.meeting_split} in {quoted(trial.meeting_id)}"
            )
            log.add(RecordFault(_PARAMETER, None, message, ("trials", place, "cluster_id")))
    return first_five(log)
