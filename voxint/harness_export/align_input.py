"""The input of the aligner from the store: hypotheses, evidence and the roster's names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.orm import Session
from voxint_contracts.attribution.v1 import AlignInput, AlignMeeting

from voxint.errors import Fault, InputError, listed
from voxint.harness_export.corpora import Meeting, match_evidence, rttm_lines
from voxint.io.source import Source
from voxint.store.evidence import run_turns

Hypotheses = dict[str, list[bytes]]
"""File name to the lines of an RTTM."""

_MAP = TypeAdapter(dict[str, str])


def align_input(
    session: Session,
    chosen: Sequence[Meeting],
    *,
    protocol_path: str,
    gold: Mapping[str, str],
    enrolled: Mapping[str, str],
) -> tuple[AlignInput, Hypotheses]:
    """The align input of the meetings, and the hypothesis RTTM of each by its relative name.

    `gold` gives each meeting's gold RTTM, relative to where the input will be, as `protocol_path` is.

    Raises:
        InputError: a meeting has no gold, a run is missing, not completed or not matched yet, or a name that an RTTM
            cannot hold.
    """
    if lost := sorted(each.meeting_id for each in chosen if each.meeting_id not in gold):
        raise InputError(f"meetings without a gold RTTM: {listed(lost)}")
    evidence = {each.meeting_id: match_evidence(session, each.run_id) for each in chosen}
    if unmatched := sorted(meeting_id for meeting_id, found in evidence.items() if not found):
        raise InputError(f"meetings whose runs are not matched yet: {listed(unmatched)}; rematch_runs.py does it")
    hypotheses = {
        f"hyp/{each.meeting_id}.rttm": list(rttm_lines(each.meeting_id, run_turns(session, each.run_id)))
        for each in chosen
    }
    made = AlignInput(
        schema_version=1,
        kind="attribution_align_input",
        protocol_path=protocol_path,
        meetings={
            each.meeting_id: AlignMeeting(
                gold_rttm=gold[each.meeting_id],
                hypothesis_rttm=f"hyp/{each.meeting_id}.rttm",
                role=each.row.role,
                split=each.row.split,
            )
            for each in chosen
        },
        match_evidence=evidence,
        enrolled_speaker_map=dict(sorted(enrolled.items())),
    )
    return made, hypotheses


def read_speaker_map(path: str) -> dict[str, str]:
    """Gold name to speaker id from a JSON file.

    Raises:
        InputError: the file cannot be read, or is no map from texts to texts that are not empty.
    """
    data = Source(path).read()
    try:
        found = _MAP.validate_json(data, strict=True)
    except ValidationError as error:
        raise InputError(Fault("must be one JSON object of gold names and speaker ids", path)) from error
    if blank := _blank(found.items()):
        raise InputError(Fault(f"has names or ids that are empty: {listed(blank)}", path))
    return found


def _blank(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [name for name, speaker_id in pairs if not name.strip() or not speaker_id.strip()]
