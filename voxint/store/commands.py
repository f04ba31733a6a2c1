"""The commands of `voxint store`. Light to import: SQLAlchemy is loaded when a command runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.pipeline_run.v1 import PipelineRun
from voxint_contracts.speaker_match.v1 import MatchCandidate
from voxint_contracts.store.v1 import IngestReport, SpeakerList, StoreStatus

from voxint.errors import RecordError
from voxint.io.documents import Documents
from voxint.store.extra import need_extra

if TYPE_CHECKING:
    from voxint.speakers.voiceprints import Roster


def init() -> StoreStatus:
    """Makes an evidence store in an empty database; one that is there already stays as it is.

    The database is the one that VOXINT_DATABASE_URL names: sqlite:///FILE, or postgresql://USER:PASSWORD@HOST:PORT/NAME
    for a server. Without it, it is the file voxint.db in the working directory.

    Example:
        voxint store init

    Raises:
        InputError: The database holds an older or a newer store, or tables of something else.
        EdgeError: It cannot be reached.
    """
    return _brought_up_to_date(new=True)


def upgrade() -> StoreStatus:
    """Brings an evidence store of an older voxint up to date, in one step, keeping all that is in it.

    Example:
        voxint store upgrade

    Raises:
        InputError: The database holds no store, or a newer one.
        EdgeError: It cannot be reached.
    """
    return _brought_up_to_date(new=False)


def ingest(runs: Documents[PipelineRun]) -> IngestReport:
    """Adds pipeline runs to the store: each whole or not at all, each once.

    A run that is there already, and the same, stays as it is; another run under a known id is refused. Runs without
    faults are stored even when others are refused: hand in all of them again once those are mended.

    Args:
        runs: Runs, a file each.

    Example:
        voxint store ingest run-1.json run-2.json

    Raises:
        ContractError: A file does not fit, or a run is refused.
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.store.ingest import ingest_run
    from voxint.store.sessions import open_store

    outcomes = []
    with open_store() as store:
        for run in runs:
            try:
                with store.writing(in_turn=False) as session:
                    outcome = ingest_run(session, run)
            except RecordError as error:
                runs.refuse(error)
            else:
                outcomes.append(outcome)
    return IngestReport(schema_version=1, kind="ingest_report", runs=outcomes)


def match(run_id: str | None = None, *, gates: MatchingGates | None = None) -> Iterable[MatchCandidate]:
    """Matches a run, or every completed run, against the speakers of today, and keeps the decisions.

    Each decision is kept with its evidence. All or nothing. The same store gives the same decisions again. A label
    whose embeddings are of two spaces is left out, with an error on stderr.

    Args:
        run_id: The run; without it, every completed run.
        gates: What a match must reach; without it, the built-in gates.

    Example:
        voxint store match run-1

    Raises:
        InputError: There is no such run, or it is not completed.
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.speakers.policy import BASE_GATES
    from voxint.store.matches import completed_runs, refresh_run_matches
    from voxint.store.sessions import open_store

    known: dict[str, Roster] = {}
    with open_store() as store, store.writing() as session:
        run_ids = completed_runs(session) if run_id is None else [run_id]
        return [
            decision
            for each in run_ids
            for decision in refresh_run_matches(session, each, gates or BASE_GATES, known=known)
        ]


def speakers() -> SpeakerList:
    """Lists every speaker: name, id, state, and how many enrollment vectors there are.

    Example:
        voxint store speakers

    Raises:
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.store.people import speaker_list
    from voxint.store.sessions import open_store

    with open_store() as store, store.reading() as session:
        return speaker_list(session)


def _brought_up_to_date(*, new: bool) -> StoreStatus:
    need_extra()
    from voxint.store.migrate import bring_up_to_date

    place, before, after = bring_up_to_date(new=new)
    return StoreStatus(schema_version=1, kind="store_status", database=place, revision_before=before, revision=after)
