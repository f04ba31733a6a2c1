"""Which meetings enrol speakers, which test them, and in which half: made from metadata alone, checked for leaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Ge
from voxint_contracts.attribution_protocol import v2 as contract
from voxint_contracts.attribution_protocol.v2 import AttributionProtocolRow, ProtocolManifest

from voxint.corpus import Meetings, Recordings
from voxint.errors import ContractError, Fault, InputError, RecordError, UsageError, VersionError, listed
from voxint.harness.ami_recurrence import ANY_SUFFIX, base_session_id, index_of, recurrence, sessions_by_speaker
from voxint.harness.protocol_honesty import validate_session_honesty, validate_session_rule, validate_split_honesty
from voxint.semantics_attribution import (
    meeting_has_one_use,
    open_set_counts_fit,
    recurrence_counts_fit,
    role_fits_its_split,
)
from voxint.stats.spread import spread_key
from voxint.upgrades import way_out

__all__ = [
    "SELECTION_SEED",
    "SPLIT_SEED",
    "AttributionProtocolRow",
    "ProtocolManifest",
    "generate",
    "inspect_manifest",
    "parse_manifest",
    "serialize_manifest",
    "validate_session_honesty",
    "validate_split_honesty",
]

CORPUS, TRUTH_SOURCE = "ami_ihm", "corpus_gold"
SELECTION_SEED = "most-meetings-per-base-session-v1"
SPLIT_SEED = "ami-attribution-split-v1"

_Role, _Split = contract.MeetingRole, contract.MeetingSplit
_Use = tuple[contract.MeetingRole, contract.MeetingSplit]
_RULES = (role_fits_its_split, meeting_has_one_use, open_set_counts_fit, recurrence_counts_fit)

OpenSet = Annotated[int, Ge(0)]


def inspect_manifest(*, manifest: contract.ProtocolManifest) -> contract.ProtocolInspection:
    """Says what a protocol holds, once no leak is found in it.

    A leak is a speaker enrolled and tested on one day, a speaker in both halves, an enrollment meeting that is scored,
    an enrolled speaker in an open-set meeting, or a base session that is not the one of the meeting's name.

    Args:
        manifest: The protocol.

    Example:
        voxint attribution protocol --manifest protocol.json

    Raises:
        RecordError: Names each leak.
    """
    rows = manifest.rows
    if manifest.session_suffixes is not None:
        validate_session_rule(rows, manifest.session_suffixes)
    validate_session_honesty(rows)
    validate_split_honesty(rows)
    return contract.ProtocolInspection(
        schema_version=2,
        kind="attribution_protocol_inspection",
        corpus=manifest.corpus,
        truth_source=manifest.truth_source,
        n_meetings=len({row.meeting_id for row in rows}),
        n_rows=len(rows),
        n_participants=len({row.host_global_name for row in rows}),
        uses=[
            _use(role, split, own)
            for role in _Role
            for split in _Split
            if (own := [row for row in rows if (row.role, row.split) == (role, split)])
        ],
    )


def _use(
    role: contract.MeetingRole, split: contract.MeetingSplit, rows: Sequence[AttributionProtocolRow]
) -> contract.ProtocolUse:
    return contract.ProtocolUse(
        role=role,
        split=split,
        n_meetings=len({row.meeting_id for row in rows}),
        n_base_sessions=len({row.base_session_id for row in rows}),
        n_participants=len({row.host_global_name for row in rows}),
        n_rows=len(rows),
    )


def generate(
    *,
    meetings_xml: Meetings | None = None,
    gold_rttm_dir: Recordings | None = None,
    open_set: OpenSet = 0,
    split_seed: str = SPLIT_SEED,
    session_suffixes: str = ANY_SUFFIX,
    exclude_meetings: str | None = None,
) -> contract.ProtocolManifest:
    """Writes the protocol of a corpus: who enrols where, and which meetings test them in which half.

    Each cross-session speaker enrols in the base session with most of their meetings. Their other sessions are test
    sessions, in one half as far as a speaker links them. Open-set meetings have no cross-session speaker and a gold
    RTTM. Everything follows from names and hashes; a leak fails the generation.

    Args:
        meetings_xml: The corpus's meetings.xml; without it, the meetings are those of the gold RTTMs.
        gold_rttm_dir: Gold RTTMs, one meeting a file; needed for an open set.
        open_set: Open-set meetings to take at most.
        split_seed: Seed of the hashes that order sessions and meetings.
        session_suffixes: Final letters that a base session leaves out, such as abcd; any is every letter.
        exclude_meetings: Meetings to leave out, with commas between them.

    Example:
        voxint attribution generate-protocol --gold-rttm-dir gold --open-set 120 --out protocol.json

    Raises:
        UsageError: There are no meetings, nobody recurs, a meeting to leave out is not there, an open set is asked for
            without gold RTTMs, or the suffixes are no letters.
        InputError: The protocol would have a leak; each is named.
    """
    excluded = [] if exclude_meetings is None else sorted({each.strip() for each in exclude_meetings.split(",")})
    meetings = _kept(index_of(meetings_xml, gold_rttm_dir), excluded)
    if open_set and gold_rttm_dir is None:
        raise UsageError("--open-set needs --gold-rttm-dir: an open-set meeting without gold cannot be scored")
    if not split_seed:
        raise UsageError("--split-seed must not be empty")
    uses = _uses(meetings, session_suffixes, split_seed)
    candidates = [each for each in meetings if each not in uses and each in (gold_rttm_dir or {})]
    taken = sorted(candidates, key=lambda meeting_id: spread_key(f"{split_seed}:{meeting_id}"))[:open_set]
    uses |= _open_uses(taken, session_suffixes, split_seed)
    manifest = contract.ProtocolManifest(
        schema_version=2,
        corpus=CORPUS,
        truth_source=TRUTH_SOURCE,
        selection_seed=SELECTION_SEED,
        split_seed=split_seed,
        session_suffixes=session_suffixes,
        open_set_selection=contract.OpenSetSelection(
            requested=open_set, selected=len(taken), candidates=len(candidates)
        ),
        rows=list(_rows(meetings, uses, session_suffixes)),
        recurrence_report=recurrence(meetings, session_suffixes),
        exclusions=[contract.Exclusion(meeting_id=each, reason="left out on request") for each in excluded],
    )
    _check_honest(manifest)
    return manifest


def _kept(meetings: Meetings, excluded: Sequence[str]) -> Meetings:
    if not meetings:
        raise UsageError("the meetings come from --meetings-xml or from --gold-rttm-dir: give one")
    lost = [each for each in excluded if each not in meetings]
    if lost:
        raise UsageError(f"--exclude-meetings: no such meeting: {listed(lost)}")
    return {meeting_id: people for meeting_id, people in sorted(meetings.items()) if meeting_id not in excluded}


def _uses(meetings: Meetings, suffixes: str, split_seed: str) -> dict[str, _Use]:
    """Role and split of each meeting with a cross-session speaker."""
    speakers = sessions_by_speaker(meetings, suffixes)
    cross = {name: sessions for name, sessions in speakers.items() if len(sessions) > 1}
    if not cross:
        raise UsageError("nobody takes part in two base sessions, so that there is nobody to enrol and to test")
    enrolling = {min(sessions, key=lambda each: (-sessions[each], each)) for sessions in cross.values()}
    halves = _halves([set(sessions) - enrolling for sessions in cross.values()], split_seed)
    uses: dict[str, _Use] = {}
    for meeting_id, people in meetings.items():
        if any(person.global_name in cross for person in people):
            session = base_session_id(meeting_id, suffixes)
            is_test = session not in enrolling
            uses[meeting_id] = (_Role.TEST_GENUINE, halves[session]) if is_test else (_Role.ENROLLMENT, _ENROLLS)
    return uses


_ENROLLS = _Split.ENROLLMENT


def _open_uses(taken: Iterable[str], suffixes: str, split_seed: str) -> dict[str, _Use]:
    sessions = {meeting_id: base_session_id(meeting_id, suffixes) for meeting_id in taken}
    halves = _halves([{session} for session in sessions.values()], split_seed)
    return {meeting_id: (_Role.TEST_OPEN, halves[session]) for meeting_id, session in sessions.items()}


def _halves(linked: Iterable[set[str]], split_seed: str) -> dict[str, contract.MeetingSplit]:
    """The half of each session: those of one set are in one; components alternate in the order of their hashes."""
    components: list[set[str]] = []
    for sessions in linked:
        if sessions:
            met = [each for each in components if each & sessions]
            components = [each for each in components if not each & sessions] + [sessions.union(*met)]
    ordered = sorted(components, key=lambda each: spread_key(f"{split_seed}:{','.join(sorted(each))}"))
    return {
        session: (_Split.DEV, _Split.CONFIRM)[place % 2]
        for place, component in enumerate(ordered)
        for session in component
    }


def _rows(meetings: Meetings, uses: Mapping[str, _Use], suffixes: str) -> Iterator[AttributionProtocolRow]:
    for meeting_id, (role, split) in sorted(uses.items()):
        for person in sorted(meetings[meeting_id], key=lambda person: person.nxt_agent):
            yield AttributionProtocolRow(
                meeting_id=meeting_id,
                nxt_agent=person.nxt_agent,
                channel=person.channel,
                host_global_name=person.global_name,
                base_session_id=base_session_id(meeting_id, suffixes),
                role=role,
                split=split,
            )


def _check_honest(manifest: ProtocolManifest) -> None:
    """InputError that names each leak; there is no file to point into yet."""
    for validate in (validate_session_honesty, validate_split_honesty):
        try:
            validate(manifest.rows)
        except RecordError as error:
            faults = [Fault(f"the protocol would leak: {record.message}") for record in error.records]
            raise InputError(faults, error.n_faults) from None


def serialize_manifest(manifest: ProtocolManifest) -> str:
    """The manifest as JSON text that `parse_manifest` reads; the command writes the same fields in canonical form."""
    return manifest.model_dump_json(exclude_none=True)


def parse_manifest(text: str | bytes) -> ProtocolManifest:
    """The manifest that a JSON text holds.

    Raises:
        VersionError: It was written for another schema; schema 1 is told how to be regenerated.
        ContractError: It is no manifest, or breaks a rule.
    """
    try:
        manifest = ProtocolManifest.model_validate_json(text)
    except ValueError as error:
        raise _refusal(error) from None
    broken = [violation for rule in _RULES for violation in rule(manifest)]
    if broken:
        raise ContractError([Fault(each.message, path=each.path) for each in broken])
    return manifest


def _refusal(error: ValueError) -> InputError:
    found: list[dict[str, Any]] = getattr(error, "errors", list)()
    for each in found:
        if each["loc"] == ("schema_version",) and each["type"] != "missing":
            advice = way_out("ProtocolManifest", str(each["input"]))
            return VersionError(f"schema_version must be 2, not {each['input']}" + (f"; {advice}" if advice else ""))
    return ContractError([Fault(each["msg"], path=each["loc"]) for each in found] or [Fault(str(error))])
