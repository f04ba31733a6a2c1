"""A gold set: which items to take, which truths the facts give, and what a person has to listen to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from voxint_contracts.goldset import v1 as contract

from voxint.errors import Path, RecordError, RecordFault, listed, quoted, respelt
from voxint.harness.joins import FaultLog, Spellings, raise_any
from voxint.stats.spread import spread_order
from voxint.text import ABSTAIN, identity_form

__all__ = ["GoldSet", "GroundTruth", "ground_truth_for", "score", "select_strata"]


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """A truth and the fact that gives it, or no truth and the reason why a person has to listen."""

    truth: str | None
    reason: contract.LabelReason | contract.QueueReason


@dataclass(frozen=True, slots=True)
class GoldSet:
    """The selected items: those with a truth, and those for a person. Both sorted by id in code point order.

    Args:
        labels: Items whose truth the facts give.
        queue: Items that a person has to listen to, one a line.
    """

    labels: Iterable[contract.GoldLabel]
    queue: Iterable[contract.QueueEntry]


def score(
    *,
    rows: Iterable[contract.GoldRow],
    plan: contract.StrataPlan,
    channel_hosts: contract.ChannelFacts | None = None,
) -> GoldSet:
    """Selects a gold set by strata and labels what the channel facts can label.

    The first stratum chooses first, each in an order that follows the SHA-256 of the ids alone: neither the order of
    the rows nor that of a stratum matters. A host becomes a truth only where the channel has one, enrolled, and the
    voiceprint can be grounded on that very item; what no fact settles goes to a person.

    Args:
        rows: Candidates and their sources, one a line; id is unique.
        plan: Strata in order of priority, with their targets and candidates.
        channel_hosts: Who hosts each curated channel; without it no channel is curated.

    Example:
        voxint score goldset --rows rows.jsonl --plan plan.json --channel-hosts facts.json --out gold.jsonl

    Raises:
        RecordError: An id of the plan has no row, an id stands twice among the rows, or two spellings of one id or one
            channel are in the input.
    """
    _one_spelling("plan", "id", _plan_ids(plan))
    facts = {} if channel_hosts is None else _facts(channel_hosts)
    chosen, _ = select_strata([(s.label, s.item_ids, s.target) for s in plan.strata], plan.total_target)
    found = _rows(rows, plan, chosen)
    labels, queue = [], []
    for item_id in sorted(chosen):
        row, stratum = found[item_id], chosen[item_id]
        truth = ground_truth_for(row, facts)
        if isinstance(truth.reason, contract.LabelReason):
            labels.append(_label(row, stratum, truth.truth or ABSTAIN, truth.reason))
        else:
            queue.append(_entry(row, stratum, _fact(row, facts), truth.reason))
    return GoldSet(labels, queue)


def select_strata(
    plan: Sequence[tuple[str, Iterable[str], int]], total_target: int
) -> tuple[dict[str, str], dict[str, int]]:
    """The label of each chosen id, and the number chosen under each label, both in order of the choice.

    `plan` lists (label, candidate ids, target), the first to choose first. Each takes its ids in ascending order of
    their SHA-256, without those already taken, up to its target and to what is left of `total_target`. Nothing to
    choose from gives counts of 0.

    Raises:
        ValueError: a label stands twice, or a target is negative.
    """
    chosen: dict[str, str] = {}
    counts: dict[str, int] = {}
    for label, candidates, target in plan:
        if label in counts:
            raise ValueError(f"label: {quoted(label)} stands twice in the plan")
        if target < 0 or total_target < 0:
            raise ValueError(f"target: expected an integer >= 0, got {min(target, total_target)}")
        free = [item_id for item_id in spread_order(candidates) if item_id not in chosen]
        taken = free[: min(target, total_target - len(chosen))]
        chosen |= dict.fromkeys(taken, label)
        counts[label] = len(taken)
    return chosen, counts


def ground_truth_for(row: contract.GoldRow, channel_host: Mapping[str, contract.ChannelFact]) -> GroundTruth:
    """The truth of an item that its channel's fact gives, or the reason why a person has to listen.

    Channels are compared without white space at their ends and in Unicode NFC. A curated channel without a host, and
    an uncurated one with an item collected as a control, give `__ABSTAIN__`. The host's name is a truth only with an
    id and where the voiceprint is groundable on the item.
    """
    fact = _fact(row, channel_host)
    if fact is None:
        if row.is_no_host_control:
            return GroundTruth(ABSTAIN, contract.LabelReason.NO_HOST_CONTROL)
        return GroundTruth(None, contract.QueueReason.UNCURATED_CHANNEL)
    if fact.host is None:
        return GroundTruth(ABSTAIN, contract.LabelReason.CURATED_NO_HOST_CHANNEL)
    if fact.host_id is None:
        return GroundTruth(None, contract.QueueReason.HOST_UNANCHORED)
    if not row.host_groundable:
        return GroundTruth(None, contract.QueueReason.HOST_NOT_GROUNDABLE)
    return GroundTruth(fact.host, contract.LabelReason.CHANNEL_FACT_GROUNDABLE)


def _fact(row: contract.GoldRow, facts: Mapping[str, contract.ChannelFact]) -> contract.ChannelFact | None:
    """The fact about a row's channel; the facts' own spelling need not be the normal one."""
    if row.channel is None:
        return None
    if row.channel in facts:
        return facts[row.channel]
    form = identity_form(row.channel)
    if form in facts:
        return facts[form]
    return next((fact for name, fact in facts.items() if identity_form(name) == form), None)


def _facts(document: contract.ChannelFacts) -> dict[str, contract.ChannelFact]:
    """The facts by the normal form of their channel."""
    _one_spelling("channel_hosts", "channel", [(name, ("channels", name)) for name in document.channels])
    return {identity_form(name): fact for name, fact in document.channels.items()}


def _plan_ids(plan: contract.StrataPlan) -> Iterable[tuple[str, Path]]:
    return (
        (item_id, ("strata", place, "item_ids", number))
        for place, stratum in enumerate(plan.strata)
        for number, item_id in enumerate(stratum.item_ids)
    )


def _one_spelling(parameter: str, what: str, ids: Iterable[tuple[str, Path]]) -> None:
    """RecordError where two different texts of a document have one normal form."""
    spelt: dict[str, str] = {}
    log = FaultLog(parameter)
    for text, path in ids:
        first = spelt.setdefault(identity_form(text), text)
        if first != text:
            log.add(RecordFault(parameter, None, respelt(text, first, what), path))
    raise_any(log)


def _rows(
    rows: Iterable[contract.GoldRow], plan: contract.StrataPlan, chosen: Mapping[str, str]
) -> dict[str, contract.GoldRow]:
    """The rows of the chosen ids; RecordError for repeated rows and for ids of the plan that have none."""
    found: dict[str, contract.GoldRow] = {}
    known, spellings = set(), Spellings("id")
    log = FaultLog("rows")
    for index, row in enumerate(rows):
        known.add(row.id)
        if fault := spellings.add(row.id, index):
            log.add(RecordFault("rows", index, fault[0], ("id",), ("rows", fault[1])))
        elif row.id in chosen:
            found[row.id] = row
    raise_any(log)
    lost = sorted({item_id for stratum in plan.strata for item_id in stratum.item_ids} - known)
    if lost:
        what = "id" if len(lost) == 1 else "ids"
        raise RecordError([RecordFault("rows", None, f"lacks {len(lost)} {what} of the plan: {listed(lost)}")])
    return found


def _label(row: contract.GoldRow, stratum: str, truth: str, reason: contract.LabelReason) -> contract.GoldLabel:
    return contract.GoldLabel(schema_version=1, id=row.id, stratum=stratum, truth=truth, reason=reason)


def _entry(
    row: contract.GoldRow, stratum: str, fact: contract.ChannelFact | None, reason: contract.QueueReason
) -> contract.QueueEntry:
    host = None if fact is None else fact.host
    return contract.QueueEntry(
        schema_version=1, id=row.id, stratum=stratum, channel=row.channel, host=host, reason=reason
    )
