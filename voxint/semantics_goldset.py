"""The rules of gold sets: strata, channel facts, labels and the queue. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voxint.errors import Violation, quoted, respelt
from voxint.text import ABSTAIN, NEITHER, identity_form, truth_fault

if TYPE_CHECKING:
    from voxint_contracts.goldset import v1 as goldset


def strata_have_names_of_their_own(plan: goldset.StrataPlan) -> Iterator[Violation]:
    """Every stratum has a label, and no two of a plan have one, however it is spelt."""
    seen: dict[str, tuple[str, int]] = {}
    for place, stratum in enumerate(plan.strata):
        form = identity_form(stratum.label)
        known, first = seen.setdefault(form, (stratum.label, place))
        if not form:
            yield Violation(("strata", place, "label"), "must not be blank")
        elif first != place:
            message = f"{quoted(known)} stands in $.strata[{first}] too"
            if known != stratum.label:
                message = respelt(stratum.label, known, "label")
            yield Violation(("strata", place, "label"), message)


def channel_host_is_a_person(facts: goldset.ChannelFacts) -> Iterator[Violation]:
    """A host becomes a truth, so it is a person's name; an id belongs to a host, and nothing that names is blank."""
    for channel, fact in facts.channels.items():
        if not channel.strip():
            yield Violation(("channels", channel), "must have a name that is not blank")
        if fact.host_id is not None and not fact.host_id.strip():
            yield Violation(("channels", channel, "host_id"), "must not be blank: null says that there is none")
        if fact.host is not None and not _is_person(fact.host):
            yield Violation(("channels", channel, "host"), "must be a person's name, or null where there is no host")
        if fact.host is None and fact.host_id is not None:
            yield Violation(("channels", channel, "host_id"), "must be null where host is null")


def _is_person(name: str) -> bool:
    return name not in (ABSTAIN, NEITHER) and truth_fault(name) is None


def label_fits_its_reason(label: goldset.GoldLabel) -> Iterator[Violation]:
    """A truth is a person's name where a groundable host gives it, and `__ABSTAIN__` for every other reason."""
    by_host = label.reason == "channel_fact_groundable"
    if not (_is_person(label.truth) if by_host else label.truth == ABSTAIN):
        expected = "a person's name" if by_host else ABSTAIN
        yield Violation(("truth",), f"must be {expected} where reason is {label.reason}")


def queued_host_fits_its_reason(entry: goldset.QueueEntry) -> Iterator[Violation]:
    """A host is named exactly where the channel is a curated one."""
    if (entry.host is None) != (entry.reason == "uncurated_channel"):
        yield Violation(("host",), "must be null exactly where reason is uncurated_channel")
