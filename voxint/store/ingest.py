"""Pipeline runs into the store: each whole or not at all, each once."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import inspect, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from voxint_contracts.pipeline_run.v1 import PipelineRun as RunDocument
from voxint_contracts.store.v1 import IngestedRun, IngestOutcome

from voxint.errors import LISTED, Path, RecordError, RecordFault, quoted
from voxint.store.bulk import TurnRow, insert_turns
from voxint.store.moments import moment_of
from voxint.store.sessions import Store
from voxint.store.tables import Base, DiarizationTurn, EmbeddingSpace, PipelineRun
from voxint.store.types import FLOAT_BYTES, vector_bytes
from voxint.text import identity_form

Row = dict[str, Any]


def ingest_runs(store: Store, runs: Iterable[RunDocument]) -> Iterator[IngestedRun]:
    """Stores each run in a transaction of its own, as it is asked for: a run is there whole, or not at all.

    A run that is there already, and the same, stays as it is. Ids, labels and tags are kept in their
    `voxint.text.identity_form`, times in UTC.

    Raises:
        EdgeError: the database failed.
        RecordError: a run is another one than that of its id, or its vectors do not fit their space; it is not stored.
    """
    for run in runs:
        with store.writing(in_turn=False) as session:
            outcome = ingest_run(session, run)
        yield outcome


def ingest_run(session: Session, run: RunDocument, *, parameter: str = "runs", index: int | None = None) -> IngestedRun:
    """Adds one run within the session's transaction; `parameter` and `index` are what a refusal names.

    Raises:
        RecordError: as `ingest_runs` says.
    """
    head, turns = run_row(run), turn_rows(run)
    faults = _space_faults(session, turns)
    # A second writer of the same run waits here until the first has committed, and then finds the run.
    is_new = not faults and _insert_or_ignore(session, PipelineRun, [head])
    if is_new:
        insert_turns(session.connection(), turns)
    elif not faults:
        faults = _differences(session, head, turns)
    if faults:
        raise RecordError([RecordFault(parameter, index, message, path) for path, message in faults.items()])
    return IngestedRun(
        run_id=head["id"],
        outcome=IngestOutcome.STORED if is_new else IngestOutcome.UNCHANGED,
        n_turns=len(turns),
        n_embeddings=sum(turn.embedding is not None for turn in turns),
    )


def run_row(run: RunDocument) -> Row:
    """The row of `pipeline_runs` that a document asks for."""
    return {
        "id": identity_form(run.run_id),
        "status": run.status.value,
        "recording": identity_form(run.recording),
        "created_at": moment_of(run.created_at),
        "n_turns": len(run.turns),
    }


def turn_rows(run: RunDocument) -> list[TurnRow]:
    """The rows of `diarization_turns` that a document asks for, in its order."""
    run_id = identity_form(run.run_id)
    plain = {text: identity_form(text) for turn in run.turns for text in (turn.label, turn.embedding_space or "")}
    pack = {len(turn.embedding): struct.Struct(f"<{len(turn.embedding)}d").pack for turn in run.turns}
    return [
        TurnRow(
            run_id,
            turn.turn_index,
            turn.start,
            turn.end,
            plain[turn.label],
            turn.overlap_seconds,
            turn.snr_db,
            pack[len(turn.embedding)](*turn.embedding) or None,
            turn.skip_reason,
            plain[turn.embedding_space] if turn.embedding_space else None,
        )
        for turn in run.turns
    ]


def _space_faults(session: Session, turns: Sequence[TurnRow]) -> dict[Path, str]:
    """Registers the spaces of the turns; a fault for each space whose vectors are of another length in the store."""
    first: dict[str, tuple[int, int]] = {}
    for place, turn in enumerate(turns):
        if turn.embedding is not None and turn.embedding_space is not None and turn.embedding_space not in first:
            first[turn.embedding_space] = len(turn.embedding) // FLOAT_BYTES, place
    if not first:
        return {}
    known = _dims(session, first)
    fresh = [{"name": name, "dims": n} for name, (n, _) in sorted(first.items()) if name not in known]
    if fresh:
        _insert_or_ignore(session, EmbeddingSpace, fresh)
        known = _dims(session, first)
    return {
        ("turns", place, "embedding"): f"must have {known[name]} numbers, as the store has in the space "
        f"{quoted(name)}, not {n}"
        for name, (n, place) in first.items()
        if known[name] != n
    }


def _dims(session: Session, names: Iterable[str]) -> dict[str, int]:
    found = session.execute(select(EmbeddingSpace.name, EmbeddingSpace.dims).where(EmbeddingSpace.name.in_(names)))
    return {row.name: row.dims for row in found}


def _insert_or_ignore(session: Session, table: type[Base], rows: list[Row]) -> bool:
    """Whether all rows were inserted; those whose key is there are left alone."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    key = inspect(table).primary_key
    done = session.execute(dialect.insert(table).values(rows).on_conflict_do_nothing().returning(*key))
    return len(done.all()) == len(rows)


def _differences(session: Session, head: Row, turns: Sequence[TurnRow]) -> dict[Path, str]:
    """What keeps a run from being the stored one of its id: one fault for the run, naming the fields that differ."""
    stored = session.execute(select(PipelineRun).where(PipelineRun.id == head["id"])).scalar_one()
    names = [name for name in ("status", "recording", "created_at") if getattr(stored, name) != head[name]]
    differing = [] if names else _differing_turns(session, head["id"], turns)
    if not names and not differing:
        return {}
    what = ", ".join(names) if names else f"turns {', '.join(map(str, differing[:LISTED]))}"
    more = f" and {len(differing) - LISTED} more" if len(differing) > LISTED else ""
    message = f"{quoted(head['id'])} is in the store already as another run: they differ in {what}{more}"
    return {("run_id",): message}


def _differing_turns(session: Session, run_id: str, turns: Sequence[TurnRow]) -> list[int]:
    """The places of the turns that are in one of both only, or are not the same in both."""
    found = session.execute(select(*inspect(DiarizationTurn).columns).where(DiarizationTurn.run_id == run_id))
    stored = {row.turn_index: TurnRow(*row) for row in found}
    given = {turn.turn_index: turn for turn in turns}
    return sorted(place for place in stored.keys() | given.keys() if not _is_same(stored.get(place), given.get(place)))


def _is_same(stored: TurnRow | None, given: TurnRow | None) -> bool:
    if stored is None or given is None:
        return False
    vector: Any = stored.embedding
    return stored._replace(embedding=None if vector is None else vector_bytes(vector)) == given
