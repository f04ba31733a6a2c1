"""What two voters in two embedding spaces say together: verdicts in, one decision per item out.

Sees verdicts, never vectors: no numpy, no parameter that could hold one. Import rules and a test hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from voxint_contracts.agreement.v1 import AgreementVerdict, ItemKind
from voxint_contracts.ensemble import v1 as contract

from voxint.errors import RecordFault, quoted, respelt
from voxint.harness.joins import FaultLog, Offenders, distinct, first_five, outer_join, raise_any, spelling
from voxint.harness.packed import Entry, RunBuilder, Runs, unpack_labels
from voxint.semantics import (
    FUSED,
    ONE_VOTER,
    embedding_space_is_not_blank,
    present_carries_its_slot,
    reason_fits_its_verdict,
    verdict_fits_its_kind,
)
from voxint.text import identity_form

__all__ = ["fuse", "score"]

_KINDS = tuple(ItemKind)
_VERDICTS = tuple(AgreementVerdict)
_RULES = (embedding_space_is_not_blank, verdict_fits_its_kind, present_carries_its_slot, reason_fits_its_verdict)
_PRESENT, _ABSENT = AgreementVerdict.CONFIDENT_HOST_PRESENT, AgreementVerdict.NO_CURATED_HOST_DETECTED
_Agreement = contract.VoterAgreement


def score(voter_a: Iterable[contract.Vote], voter_b: Iterable[contract.Vote]) -> Iterable[contract.Decision]:
    """Fuses the verdicts of two embedding spaces into one decision per item.

    Both voters present in one slot give SILVER_HOST_PRESENT, both absent on a negative control SILVER_NO_HOST. A
    contradiction, two slots or a single confident voter give FLAG_REVIEW, everything else ABSTAIN. Decisions are
    sorted by item_id in its normal form; no items give no decisions.

    Args:
        voter_a: Agreement verdicts in one embedding space, one a line; item_id is unique.
        voter_b: Agreement verdicts on the same items in another embedding space.

    Example:
        voxint score ensemble verdicts-ge2e.jsonl verdicts-campplus.jsonl --out fused.jsonl

    Raises:
        RecordError: The two do not hold the same items, kinds and hosts, a file mixes embedding spaces, both are in
            one space, an item_id stands twice or in two spellings, or a verdict breaks a rule of its contract.
    """
    ours, theirs = _Ballots("voter_a"), _Ballots("voter_b")
    for ballots, votes in ((ours, voter_a), (theirs, voter_b)):
        ballots.read(votes)
    raise_any(ours.log, theirs.log, _one_space(ours, theirs))
    _check_join(ours, theirs)
    return _decisions(ours, theirs)


class _Ballots:
    """One voter's verdicts as packed bytes: a code, and the slot and host that fusion compares."""

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter
        self.space: str | None = None
        self.log = FaultLog(parameter)
        self.runs = Runs()
        self._first = 0

    def read(self, votes: Iterable[contract.Vote]) -> None:
        """Packs every vote and logs the ones that break a rule or leave the space of the first."""
        builder = RunBuilder()
        for index, vote in enumerate(votes):
            self._check(index, vote)
            slot = vote.host_slot if vote.verdict is _PRESENT else None
            host = None if vote.host_id is None else identity_form(vote.host_id)
            form = identity_form(vote.item_id)
            raw = b"" if form == vote.item_id else vote.item_id.encode()
            code = 6 * _KINDS.index(vote.kind) + 2 * _VERDICTS.index(vote.verdict) + vote.contradiction
            builder.add(form, index, (slot or "", *(() if host is None else (host,))), bytes((code,)) + raw)
        self.runs = builder.build()

    def _check(self, index: int, vote: contract.Vote) -> None:
        if self.space is None:
            self.space = vote.embedding_space
        if vote.embedding_space != self.space:
            message = self._other_space(vote.embedding_space)
            self.log.add(RecordFault(self.parameter, index, message, ("embedding_space",), (self.parameter, 0)))
        for rule in _RULES:
            for violation in rule(vote):
                self.log.add(RecordFault(self.parameter, index, violation.message, violation.path))

    def _other_space(self, space: str) -> str:
        assert self.space is not None
        if identity_form(space) == identity_form(self.space):
            return respelt(space, self.space, "space")
        return f"{quoted(space)} is another space than {quoted(self.space)}: one file has one space"

    def entries(self) -> Iterator[Entry]:
        """The votes by item_id; repeated ones are logged and left out."""
        return distinct(self.runs, self.log, spelling_at=1)

    def voter(self, verdict: AgreementVerdict) -> contract.Voter:
        """This voter's part in a decision."""
        return contract.Voter(embedding_space=self.space or "", verdict=verdict)


def _one_space(ours: _Ballots, theirs: _Ballots) -> FaultLog:
    """A fault where both voters are one: a model that votes twice is no second opinion."""
    log = FaultLog(theirs.parameter)
    if ours.space is not None and theirs.space is not None and identity_form(ours.space) == identity_form(theirs.space):
        message = f"{quoted(theirs.space)} is the space of {ours.parameter} too: fusion needs two independent voters"
        log.add(RecordFault(theirs.parameter, 0, message, ("embedding_space",), (ours.parameter, 0)))
    return log


def _check_join(ours: _Ballots, theirs: _Ballots) -> None:
    """RecordError with up to five offenders of each sort: items of one side, other kinds, other hosts."""
    surplus, missing = Offenders("voter_a", "voter_b"), Offenders("voter_b", "voter_a")
    kinds, hosts = FaultLog("voter_b"), FaultLog("voter_b")
    for one, other in outer_join(ours.entries(), theirs.entries()):
        if one is None or other is None:
            (surplus if other is None else missing).add(one or other)
        elif _kind(one) is not _kind(other):
            message = f"is {_kind(other)} here and {_kind(one)} for the other voter"
            kinds.add(RecordFault("voter_b", other[1], message, ("kind",), ("voter_a", one[1])))
        elif _kind(one) is ItemKind.CURATED and one[2] != other[2] and _other_host(one, other):
            message = "is another host than the other voter's: both must judge one channel fact"
            hosts.add(RecordFault("voter_b", other[1], message, ("host_id",), ("voter_a", one[1])))
    raise_any(ours.log, theirs.log, surplus.log(), missing.log(), first_five(kinds), first_five(hosts))


def _other_host(one: Entry, other: Entry) -> bool:
    here, there = unpack_labels(one[2])[1:], unpack_labels(other[2])[1:]
    return bool(here and there) and here != there


def _kind(entry: Entry) -> ItemKind:
    return _KINDS[entry[3][0] // 6]


def _decisions(ours: _Ballots, theirs: _Ballots) -> Iterator[contract.Decision]:
    if ours.space is None or theirs.space is None:
        return
    voters_a = {verdict: ours.voter(verdict) for verdict in _VERDICTS}
    voters_b = {verdict: theirs.voter(verdict) for verdict in _VERDICTS}
    for one, other in zip(ours.entries(), theirs.entries(), strict=True):
        verdict_a, verdict_b = _verdict(one), _verdict(other)
        agreement = fuse(
            _kind(one),
            verdict_a,
            verdict_b,
            same_slot=one[2] == other[2] or unpack_labels(one[2])[0] == unpack_labels(other[2])[0],
            contradiction=bool((one[3][0] | other[3][0]) & 1),
        )
        _, verdict, reason = FUSED[agreement]
        if reason == ONE_VOTER:
            reason += ours.space if verdict_a is _PRESENT else theirs.space
        yield contract.Decision(
            schema_version=1,
            item_id=spelling(one, 1),
            kind=_kind(one),
            verdict=contract.EnsembleVerdict(verdict),
            reason=reason,
            agreement=agreement,
            voter_a=voters_a[verdict_a],
            voter_b=voters_b[verdict_b],
        )


def _verdict(entry: Entry) -> AgreementVerdict:
    return _VERDICTS[entry[3][0] % 6 // 2]


def fuse(
    kind: ItemKind,
    verdict_a: AgreementVerdict,
    verdict_b: AgreementVerdict,
    *,
    same_slot: bool,
    contradiction: bool,
) -> contract.VoterAgreement:
    """How two verdicts on one item relate; kind, verdict and reason of the decision follow from it.

    `same_slot` matters where both are present, `contradiction` is whether either voter raised one. Symmetric.
    """
    both = {verdict_a, verdict_b}
    if kind is ItemKind.NEGATIVE_CONTROL:
        if contradiction:
            return _Agreement.FALSE_ACCEPT_SUSPECT
        return _Agreement.AGREE_ABSENT if both == {_ABSENT} else _Agreement.ONE_OR_BOTH_ABSTAIN
    if contradiction:
        return _Agreement.CONTRADICTION
    if both == {_PRESENT}:
        return _Agreement.AGREE_PRESENT if same_slot else _Agreement.SLOT_DISAGREE
    return _Agreement.ONE_CONFIDENT if _PRESENT in both else _Agreement.AGREE_ABSTAIN
