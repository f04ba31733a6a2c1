"""Trials in words: how many slots of each class, and what they count toward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from voxint_contracts.attribution import v1 as contract

from voxint.cli.summaries import Grid, Summary
from voxint.harness.trial_columns import detail_of

LISTED = 20


def summary(document: contract.TrialsDocument) -> Summary:
    """Slots by class, trials by detail, and the first warnings."""
    classes = Counter(trial.slot_classification for trial in document.trials)
    details = Counter(map(detail_of, document.trials))
    clusters = {(detail_of(trial), trial.cluster_id) for trial in document.trials}
    blocks: list[Grid | str] = []
    if document.trials:
        rows = tuple((each.value, str(classes[each])) for each in contract.SlotClass if each in classes)
        blocks.append(Grid("Slots by class", ("class", "slots"), rows))
        trials = tuple(
            (each.value, str(details[each]), _clusters(each, clusters))
            for each in contract.TrialDetail
            if each in details
        )
        blocks.append(Grid("Trials", ("detail", "trials", "clusters"), trials))
    if document.warnings:
        more = len(document.warnings) - LISTED
        hidden = f" and {more} more" if more > 0 else ""
        blocks.append("Warnings: " + "; ".join(document.warnings[:LISTED]) + hidden)
    n, meetings = len(document.trials), len({trial.meeting_id for trial in document.trials})
    title = f"{n} trial{'' if n == 1 else 's'} of {meetings} meeting{'' if meetings == 1 else 's'}"
    return Summary(title, tuple(blocks))


def _clusters(detail: contract.TrialDetail, clusters: Iterable[tuple[contract.TrialDetail, str]]) -> str:
    """How many gold speakers the trials of a detail have; unscoreable ones have none."""
    return "" if detail == contract.TrialDetail.UNSCOREABLE else str(sum(each == detail for each, _ in clusters))
