"""The roster as an enrollment of the harness: production's centroids, and what each was built from."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session
from voxint_contracts.agreement.v1 import Enrollment, Voiceprint

from voxint.errors import InputError, listed, quoted
from voxint.speakers.voiceprints import Roster
from voxint.store.evidence import enrollment_rows, rosters
from voxint.text import identity_form


def agreement_enrollment(
    session: Session, embedding_space: str, *, roster_speaker_ids: Iterable[str] | None = None
) -> Enrollment:
    """The voiceprints of a space by speaker id: the very centroids that the matcher compares with, of length 1.

    `roster_speaker_ids` names those to export; without it, all active speakers who have one. A voiceprint is held out
    iff each vector that it was built from records its run; these runs are its sources, and it never judges them.

    Raises:
        InputError: nobody is enrolled in the space, a speaker is named twice, is not active, or has no centroid there.
    """
    space = identity_form(embedding_space)
    roster = roster_of_space(session, space)
    rows = enrollment_rows(session, space)
    places = {speaker_id: place for place, speaker_id in enumerate(roster.speaker_ids)}
    voiceprints = {}
    for speaker_id in _chosen(roster, space, roster_speaker_ids):
        sources = [row.source_run_id for row in rows[speaker_id]]
        known = sorted({source for source in sources if source is not None})
        voiceprints[speaker_id] = Voiceprint(
            embedding=roster.units[places[speaker_id]].tolist(),
            enrollment_items=len(sources),
            held_out=None not in sources,
            source_item_ids=known,
        )
    return Enrollment(schema_version=1, embedding_space=space, dims=int(roster.units.shape[1]), voiceprints=voiceprints)


def roster_of_space(session: Session, space: str) -> Roster:
    """The roster of one space.

    Raises:
        InputError: nobody is enrolled there.
    """
    roster = rosters(session, [space])[space]
    if not len(roster):
        raise InputError(f"nobody is enrolled in the embedding space {quoted(space)}")
    return roster


def _chosen(roster: Roster, space: str, wanted: Iterable[str] | None) -> list[str]:
    if wanted is None:
        return list(roster.speaker_ids)
    forms = [identity_form(each) for each in wanted]
    if len(set(forms)) < len(forms):
        raise InputError(f"speakers named twice: {listed(sorted({each for each in forms if forms.count(each) > 1}))}")
    if lost := sorted(set(forms) - set(roster.speaker_ids)):
        raise InputError(f"no active speaker with a voiceprint in {quoted(space)}: {listed(lost)}")
    return sorted(forms)
