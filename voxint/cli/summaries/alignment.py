"""Trials in words: how many slots of each class, and what they count toward."""

from __future__ import annotations

from collections import Counter

from voxint_contracts.attribution import v1 as contract

from voxint.cli.summaries import Grid, Summary

LISTED = 20


def summary(document: contract.TrialsDocument) -> Summary:
    """Slots by class, trials by detail, and the first warnings."""
    classes = Counter(trial.slot_classification for trial in document.trials)
    details = Counter(trial.detail or trial.kind for trial in document.trials)
    clusters = {(trial.detail or trial.kind, trial.cluster_id) for trial in document.trials}
    blocks: list[Grid | str] = []
    if document.trials:
        rows = tuple((each.value, str(classes[each])) for each in contract.SlotClass if each in classes)
        blocks.append(Grid("Slots by class", ("class", "slots"), rows))
        order = sorted(details, key=lambda detail: [each.value for each in contract.TrialDetail].index(str(detail)))
        trials = tuple((str(each), str(details[each]), _clusters(str(each), clusters)) for each in order)
        blocks.append(Grid("Trials", ("detail", "trials", "clusters"), trials))
    if document.warnings:
        more = len(document.warnings) - LISTED
        hidden = f" and {more} more" if more > 0 else ""
        blocks.append("Warnings: " + "; ".join(document.warnings[:LISTED]) + hidden)
    n, meetings = len(document.trials), len({trial.meeting_id for trial in document.trials})
    title = f"{n} trial{'' if n == 1 else 's'} of {meetings} meeting{'' if meetings == 1 else 's'}"
    return Summary(title, tuple(blocks))


def _clusters(detail: str, clusters: set[tuple[str, str]]) -> str:
    """How many gold speakers the trials of a detail have; unscoreable ones have none."""
    return "" if detail == contract.TrialDetail.UNSCOREABLE else str(sum(each == detail for each, _ in clusters))
