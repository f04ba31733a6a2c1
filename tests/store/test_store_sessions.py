"""Transactions: whole or not at all, one writer after the other, and no crash leaves half of anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from evidence import NOW, act, filled
from runs import GATES, run_document, run_file, run_model
from sqlalchemy import func, select

from voxint.errors import ConflictError, InputError
from voxint.store import operators
from voxint.store.ingest import ingest_runs
from voxint.store.matches import refresh_run_matches
from voxint.store.sessions import Store, open_store
from voxint.store.tables import Base, MatchCandidate, Speaker, SpeakerAssignment

ROOT = Path(__file__).resolve().parents[2]


def surroundings(url: str) -> dict[str, str]:
    paths = f"{ROOT}{os.pathsep}{ROOT / 'generated'}"
    return {**os.environ, "PYTHONPATH": paths, "VOXINT_DATABASE_URL": url}


def rows(store: Store) -> dict[str, int]:
    with store.reading() as session:
        return {
            name: session.scalar(select(func.count()).select_from(table)) or 0
            for name, table in Base.metadata.tables.items()
        }


def test_an_error_takes_all_back(store: Store) -> None:
    def fail() -> None:
        with store.writing() as session:
            session.add(Speaker(id="s", display_name="Dana"))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert sum(rows(store).values()) == 0


def test_a_trial_keeps_nothing(store: Store) -> None:
    with store.writing(keep=False) as session:
        session.add(Speaker(id="s", display_name="Dana"))
        session.flush()
        assert session.scalar(select(func.count()).select_from(Speaker)) == 1
    assert sum(rows(store).values()) == 0


def at_once(url: str, *acts: Callable[[Store], object]) -> list[str]:
    """What became of each act, in threads of their own: `done`, or the error's class."""

    def one(run: Callable[[Store], object]) -> str:
        with open_store(url) as store:
            try:
                run(store)
            except (ConflictError, InputError) as error:
                return type(error).__name__
            return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def enrolling(key: str, label: str) -> Callable[[Store], object]:
    arguments = {"run_id": "run-1", "label": label, "display_name": "Dana Fox", "gates": GATES}
    return lambda store: act(store, "enroll_new_speaker", key, **arguments)


def test_of_many_who_enroll_one_name_one_wins(store: Store, url: str) -> None:
    voices = {f"S{place}": 10.0 * place for place in range(6)}
    list(ingest_runs(store, [run_model("run-1", voices)]))
    found = at_once(url, *(enrolling(f"k{place}", f"S{place}") for place in range(6)))
    assert Counter(found) == {"done": 1, "ConflictError": 5}
    assert (rows(store)["speakers"], rows(store)["speaker_embeddings"], rows(store)["operator_actions"]) == (1, 1, 1)
    with pytest.raises(ConflictError, match='"Dana Fox"'):
        enrolling("later", "S5" if found[5] != "done" else "S4")(store)


def test_of_many_replays_of_one_action_one_writes(store: Store, url: str) -> None:
    list(ingest_runs(store, [run_model("run-1")]))
    assert at_once(url, *[enrolling("k", "SPEAKER_00")] * 6) == ["done"] * 6
    assert (rows(store)["speakers"], rows(store)["operator_actions"]) == (1, 1)


def test_of_many_ingests_of_one_run_one_stores_it(store: Store, url: str) -> None:
    same = [lambda store: list(ingest_runs(store, [run_model("run-1")]))] * 4
    other = [lambda store: list(ingest_runs(store, [run_model("run-1", {"X": 5.0})]))] * 2
    found = at_once(url, *same, *other)
    assert Counter(found) in ({"done": 4, "RecordError": 2}, {"done": 2, "RecordError": 4})
    assert rows(store)["pipeline_runs"] == 1


def rematch(store: Store) -> None:
    with store.writing() as session:
        for run_id in ("run-1", "run-2", "run-3"):
            refresh_run_matches(session, run_id, GATES)


def archive(store: Store) -> None:
    act(store, "archive_speaker", "gone", speaker="Omar Reed")


def test_rematching_at_once_ends_in_one_state(store: Store, url: str) -> None:
    """Whichever came last, nobody who is archived is proposed once all of it is over and matched again."""
    ids = filled(store)
    assert at_once(url, *[rematch] * 4, archive) == ["done"] * 5
    rematch(store)
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(MatchCandidate)) == 6
        assert ids["Omar Reed"] not in set(session.scalars(select(SpeakerAssignment.speaker_id)))


def test_processes_take_turns_too(store: Store, url: str, tmp_path: Path) -> None:
    files = [run_file(tmp_path, f"run-{place}") for place in range(8)]
    command = [sys.executable, "-m", "voxint", "store", "ingest", *files]
    children = [
        subprocess.Popen(command, env=surroundings(url), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    assert [(child.communicate()[1], child.returncode) for child in children] == [(b"", 0)] * 3
    assert rows(store)["pipeline_runs"] == 8
    assert rows(store)["diarization_turns"] == 64


KILLED = """
import os, signal, sys
from sqlalchemy import event
from sqlalchemy.engine import Engine
from voxint.cli import main
at, seen = int(sys.argv[1]), 0
@event.listens_for(Engine, "before_cursor_execute")
def count(connection, cursor, statement, *rest):
    global seen
    if statement.lstrip().upper().startswith(("INSERT", "DELETE", "UPDATE")):
        seen += 1
        if seen > at:
            os.kill(os.getpid(), signal.SIGKILL)
@event.listens_for(Engine, "commit")
def before_commit(connection):
    if at == 99 and seen:
        os.kill(os.getpid(), signal.SIGKILL)
sys.exit(main(sys.argv[2:]))
"""

OPERATOR = ["--operator", "ann", "--idempotency-key", "k"]
WRITES = [
    ["store", "ingest", "new.json"],
    ["store", "match"],
    ["store", "enroll", "run-3", "X", "Ines", *OPERATOR],
    ["store", "decide", "run-2", "A", "assign", "--speaker", "Omar Reed", *OPERATOR],
    ["store", "merge-speakers", "Dana Fox", "Omar Reed", *OPERATOR],
    ["store", "archive", "Dana Fox", *OPERATOR],
]


@pytest.mark.parametrize("at", [0, 1, 2, 99])
@pytest.mark.parametrize("words", WRITES, ids=lambda words: words[1])
def test_killed_inside_any_write_it_leaves_the_state_before(
    store: Store, url: str, tmp_path: Path, words: list[str], at: int
) -> None:
    filled(store)
    run_file(tmp_path, "new")
    before = contents(store)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(at), *words], env=surroundings(url), cwd=tmp_path, capture_output=True
    )
    if done.returncode == 0:  # it had fewer statements than that
        assert at in (1, 2)
        return
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert contents(store) == before
    again = subprocess.run(
        [sys.executable, "-m", "voxint", *words], env=surroundings(url), cwd=tmp_path, capture_output=True
    )
    assert (again.returncode, again.stderr) == (0, b"")


def contents(store: Store) -> dict[str, list[str]]:
    with store.reading() as session:
        tables = Base.metadata.tables.items()
        return {name: sorted(map(repr, session.execute(select(table)).all())) for name, table in tables}


def test_a_reader_sees_one_state_while_others_write(store: Store, url: str) -> None:
    filled(store)
    with store.reading() as session:
        before = session.scalar(select(func.count()).select_from(Speaker))
        if not store.is_sqlite:
            act(store, "enroll_new_speaker", "late", run_id="run-3", label="X", display_name="Ines", gates=GATES)
        assert session.scalar(select(func.count()).select_from(Speaker)) == before


def test_who_is_refused_writes_nothing(store: Store) -> None:
    filled(store)
    before = contents(store)
    with store.writing() as session, pytest.raises(InputError, match="into themselves"):
        operators.merge_speakers(
            session, speaker="Dana Fox", into="Dana Fox", operator="ann", idempotency_key="k", now=NOW
        )
    document = run_document("run-1", {"A": 3.0})
    assert document["run_id"] == "run-1"
    assert contents(store) == before
