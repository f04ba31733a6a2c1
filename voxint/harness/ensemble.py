"""What two voters in two embedding spaces say together: verdicts in, one decision per item out.

Sees verdicts, never vectors: no numpy, no parameter that could hold one. Import rules and a test hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from voxint_contracts.agreement.v1 import AgreementVerdict, ItemKind
from voxint_contracts.ensemble import v1 as contract

from voxint.errors import RecordFault, quoted, respelt
from voxint.harness.joins import FaultLog, Offenders, distinct, first_five, outer_join, raise_any
from voxint.harness.packed import Entry, RunBuilder, Runs, Strings, StringsBuilder, unpack_labels
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
_FIRST_CONTROL = 6 * _KINDS.index(ItemKind.NEGATIVE_CONTROL)
_PAYLOADS = [bytes((code,)) for code in range(12)]
_labels = lru_cache(maxsize=1 << 16)(unpack_labels)
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
    return _decisions(_joined(ours, theirs), ours, theirs)


class _Ballots:
    """One voter's verdicts as packed bytes: a code, and the slot and host that fusion compares."""

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter
        self.space: str | None = None
        self.log = FaultLog(parameter)
        self.runs = Runs()

    def read(self, votes: Iterable[contract.Vote]) -> None:
        """Packs every vote and logs the ones that break a rule or leave the space of the first."""
        builder, sound = RunBuilder(), set[int]()
        for index, vote in enumerate(votes):
            verdict = vote.verdict
            slot = (vote.host_slot or "") if verdict is _PRESENT else ""
            code = _code(vote)
            shape = 2 * code + (vote.reason is None)
            is_known = shape in sound and vote.embedding_space == self.space
            if (not is_known or (verdict is _PRESENT and not slot.strip())) and self._is_sound(index, vote):
                sound.add(shape)
            form = identity_form(vote.item_id)
            labels = (slot,) if vote.host_id is None else (slot, identity_form(vote.host_id))
            payload = _PAYLOADS[code]
            builder.add(form, index, labels, payload if form == vote.item_id else payload + vote.item_id.encode())
        self.runs = builder.build()

    def _is_sound(self, index: int, vote: contract.Vote) -> bool:
        """Whether a vote keeps the rules of its contract; what it breaks is logged, and so is another space."""
        if self.space is None:
            self.space = vote.embedding_space
        if vote.embedding_space != self.space:
            message = self._other_space(vote.embedding_space)
            self.log.add(RecordFault(self.parameter, index, message, ("embedding_space",), (self.parameter, 0)))
        faults = [each for rule in _RULES for each in rule(vote)]
        for violation in faults:
            self.log.add(RecordFault(self.parameter, index, violation.message, violation.path))
        return not faults

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


def _code(vote: contract.Vote) -> int:
    """Kind, verdict and contradiction of a vote in one number, without a hash."""
    verdict = 0 if vote.verdict is _VERDICTS[0] else 2 if vote.verdict is _VERDICTS[1] else 4
    return (0 if vote.kind is _KINDS[0] else 6) + verdict + vote.contradiction


def _one_space(ours: _Ballots, theirs: _Ballots) -> FaultLog:
    """A fault where both voters are one: a model that votes twice is no second opinion."""
    log = FaultLog(theirs.parameter)
    if ours.space is not None and theirs.space is not None and identity_form(ours.space) == identity_form(theirs.space):
        message = f"{quoted(theirs.space)} is the space of {ours.parameter} too: fusion needs two independent voters"
        log.add(RecordFault(theirs.parameter, 0, message, ("embedding_space",), (ours.parameter, 0)))
    return log


@dataclass(frozen=True, slots=True)
class _Joined:
    """The items of both voters in order: the ids as voter_a spells them, and a code of all that a decision needs."""

    item_ids: Strings
    codes: bytes


def _joined(ours: _Ballots, theirs: _Ballots) -> _Joined:
    """RecordError with up to five offenders of each sort: items of one side, other kinds, other hosts."""
    surplus, missing = Offenders("voter_a", "voter_b"), Offenders("voter_b", "voter_a")
    kinds, hosts = FaultLog("voter_b"), FaultLog("voter_b")
    item_ids, codes = StringsBuilder(), bytearray()
    for one, other in outer_join(ours.entries(), theirs.entries()):
        if one is None or other is None:
            (surplus if other is None else missing).add(one or other)
            continue
        code, its = one[3][0], other[3][0]
        if code // 6 != its // 6:
            message = f"is {_KINDS[its // 6]} here and {_KINDS[code // 6]} for the other voter"
            kinds.add(RecordFault("voter_b", other[1], message, ("kind",), ("voter_a", one[1])))
        elif code < _FIRST_CONTROL and one[2] != other[2] and _other_host(one, other):
            message = "is another host than the other voter's: both must judge one channel fact"
            hosts.add(RecordFault("voter_b", other[1], message, ("host_id",), ("voter_a", one[1])))
        same_slot = one[2] == other[2] or _labels(one[2])[0] == _labels(other[2])[0]
        item_ids.add(one[3][1:] or one[0])
        codes.append(_pair(code, its, same_slot=same_slot))
    raise_any(ours.log, theirs.log, surplus.log(), missing.log(), first_five(kinds), first_five(hosts))
    return _Joined(item_ids.build(), bytes(codes))


def _pair(code: int, its: int, *, same_slot: bool) -> int:
    """Both votes in one byte: kind, both verdicts, whether either contradicts, whether the slot is one."""
    verdicts = 3 * (code % 6 // 2) + its % 6 // 2
    return ((code // 6 * 9 + verdicts) * 2 + ((code | its) & 1)) * 2 + same_slot


def _other_host(one: Entry, other: Entry) -> bool:
    here, there = _labels(one[2])[1:], _labels(other[2])[1:]
    return bool(here and there) and here != there


def _decisions(joined: _Joined, ours: _Ballots, theirs: _Ballots) -> Iterator[contract.Decision]:
    known: dict[int, partial[contract.Decision]] = {}
    for item_id, code in zip(joined.item_ids, joined.codes, strict=True):
        decision = known.get(code)
        if decision is None:
            decision = known[code] = _decision(code, ours, theirs)
        yield decision(item_id=item_id.decode())


def _decision(code: int, ours: _Ballots, theirs: _Ballots) -> partial[contract.Decision]:
    """All of a decision but its item, from the code of a pair."""
    rest, same_slot = divmod(code, 2)
    rest, contradiction = divmod(rest, 2)
    kind, verdicts = divmod(rest, 9)
    verdict_a, verdict_b = _VERDICTS[verdicts // 3], _VERDICTS[verdicts % 3]
    agreement = fuse(_KINDS[kind], verdict_a, verdict_b, same_slot=bool(same_slot), contradiction=bool(contradiction))
    _, verdict, reason = FUSED[agreement]
    if reason == ONE_VOTER:
        reason += (ours.space if verdict_a is _PRESENT else theirs.space) or ""
    return partial(
        contract.Decision,
        schema_version=1,
        kind=_KINDS[kind],
        verdict=contract.EnsembleVerdict(verdict),
        reason=reason,
        agreement=agreement,
        voter_a=ours.voter(verdict_a),
        voter_b=theirs.voter(verdict_b),
    )


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
