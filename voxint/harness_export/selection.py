"""Which runs are exported: all there, completed, each once, of one embedding space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.pipeline_run.v1 import RunStatus

from voxint.errors import InputError, listed, quoted
from voxint.store.tables import DiarizationTurn, PipelineRun
from voxint.text import identity_form

AT_ONCE = 500
"""Ids in one query: SQLite takes some thousand parameters at most."""


def selected(session: Session, run_ids: Iterable[str]) -> list[str]:
    """The ids of the runs as the store spells them, in code point order.

    Raises:
        InputError: none is named, one is named twice, one is not in the store, or is not completed.
    """
    forms = [identity_form(run_id) for run_id in run_ids]
    if not forms:
        raise InputError("no run is selected: there is nothing to export")
    twice = sorted({form for form in forms if forms.count(form) > 1}) if len(set(forms)) < len(forms) else []
    if twice:
        raise InputError(f"selected twice: {listed(twice)}")
    states = {
        run_id: status
        for part in parts(sorted(forms))
        for run_id, status in session.execute(
            select(PipelineRun.id, PipelineRun.status).where(PipelineRun.id.in_(part))
        )
    }
    if lost := sorted(set(forms) - states.keys()):
        raise InputError(f"not in the store: {listed(lost)}; voxint store ingest adds runs")
    if unfinished := sorted(run_id for run_id, status in states.items() if status != RunStatus.COMPLETED.value):
        raise InputError(f"not completed: {listed(unfinished)}; only a completed run says who spoke")
    return sorted(forms)


def spaces(session: Session, run_ids: Sequence[str]) -> dict[str, str]:
    """The embedding space of each run that has embeddings, by run id.

    Raises:
        InputError: a run spans two spaces.
    """
    found: dict[str, set[str]] = {}
    for part in parts(run_ids):
        rows = session.execute(
            select(DiarizationTurn.run_id, DiarizationTurn.embedding_space)
            .where(DiarizationTurn.run_id.in_(part), DiarizationTurn.embedding_space.is_not(None))
            .distinct()
        )
        for run_id, space in rows:
            found.setdefault(run_id, set()).add(str(space))
    for run_id in sorted(found):
        if len(found[run_id]) > 1:
            names = listed(sorted(found[run_id]))
            raise InputError(f"run {quoted(run_id)} spans two embedding spaces, which cannot be compared: {names}")
    return {run_id: next(iter(names)) for run_id, names in found.items()}


def one_space(session: Session, run_ids: Sequence[str]) -> str:
    """The one embedding space of the runs; one without embeddings takes that of the others.

    Raises:
        InputError: the runs are of two spaces, or none of them has an embedding.
    """
    found = spaces(session, run_ids)
    names = sorted(set(found.values()))
    if not names:
        raise InputError("none of the runs has an embedding: there is nothing to compare")
    if len(names) > 1:
        raise InputError(f"the runs are of {len(names)} embedding spaces, an export is of one: {listed(names)}")
    return names[0]


def parts(run_ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """The ids, at most 500 at a time."""
    for first in range(0, len(run_ids), AT_ONCE):
        yield run_ids[first : first + AT_ONCE]
