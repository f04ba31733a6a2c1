"""Ingest against the driver's bulk insert into the same table, and matching against a loop over turns.

At full size (VOXINT_BENCH_SCALE=1) 1,000 runs of 500 turns of 192 numbers are ingested; 50 by default.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from voxint_contracts.name_accuracy.v1 import TruthAnchoring
from voxint_contracts.pipeline_run.v1 import PipelineRun

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "store"))

from backends import Backend, PostgresBackend, SqliteBackend  # noqa: E402
from postgres import private_server, server_programs  # noqa: E402

from voxint.harness_export import name_accuracy_items  # noqa: E402
from voxint.speakers.matching import RunTurns, Turn, decide, label_speech  # noqa: E402
from voxint.speakers.policy import BASE_GATES  # noqa: E402
from voxint.speakers.voiceprints import Roster, roster_of  # noqa: E402
from voxint.stats.cosines import row_cosines, unit_rows  # noqa: E402
from voxint.store.bulk import COPIED_TYPES, TurnRow  # noqa: E402
from voxint.store.ingest import ingest_runs, turn_rows  # noqa: E402
from voxint.store.sessions import Store, open_store  # noqa: E402

N_RUNS = max(2, round(1000 * float(os.environ.get("VOXINT_BENCH_SCALE", "0.05"))))
N_TURNS, DIMS, N_SPEAKERS = 500, 192, 1000
SPACE = "bench-v1"


def run_text(number: int) -> bytes:
    """One run as JSON: eight voices in turn, numbers of six decimals."""
    draw = random.Random(number)
    turns = [
        {
            "turn_index": index,
            "start": 4.0 * index,
            "end": 4.0 * index + 3.5,
            "label": f"SPEAKER_{index % 8:02}",
            "overlap_seconds": 0.0,
            "embedding": [round(draw.gauss(0, 1), 6) for _ in range(DIMS)],
            "embedding_space": SPACE,
        }
        for index in range(N_TURNS)
    ]
    fields = {
        "run_id": f"run-{number:05}",
        "status": "completed",
        "recording": "r",
        "created_at": "2026-03-01T09:30:00Z",
    }
    return json.dumps(fields | {"turns": turns}).encode()


@pytest.fixture(scope="module")
def texts() -> list[bytes]:
    return [run_text(number) for number in range(min(N_RUNS, 20))]


def runs(texts: list[bytes]) -> Iterator[PipelineRun]:
    """N_RUNS models, parsed as they are asked for; the texts come round again under other ids."""
    for number in range(N_RUNS):
        text = texts[number % len(texts)]
        yield PipelineRun.model_validate_json(text.replace(b'"run-', b'"again-%d-' % number, 1))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    if request.param == "sqlite":
        yield SqliteBackend(tmp_path_factory.mktemp("bench-store"))
        return
    if server_programs() is None:
        pytest.skip("no PostgreSQL server here")
    with private_server() as port:
        yield PostgresBackend(port)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def driver_seconds(store: Store, texts: list[bytes], table: str) -> float:
    """The rows of all runs, made beforehand, by the driver's fastest insert into a table; a commit a run."""
    rows = [turn_rows(PipelineRun.model_validate_json(text)) for text in texts]
    insert = f"INSERT INTO {table} VALUES ({','.join('?' * 10)})"
    with store.engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        bare = ",".join("abcdefghij") if store.is_sqlite else "LIKE diarization_turns"
        raw.execute(f"CREATE TABLE bare ({bare})")
        raw.execute(f"INSERT INTO embedding_spaces VALUES ('{SPACE}', {DIMS})")
        for number in range(N_RUNS):
            raw.execute(f"INSERT INTO pipeline_runs VALUES ('{number}', 'completed', 'r', '2026-03-01', {N_TURNS})")
        raw.commit()
        spent = 0.0
        for number in range(N_RUNS):
            some = [row._replace(run_id=str(number)) for row in rows[number % len(rows)]]
            spent += seconds(lambda some=some: _insert(raw, insert if store.is_sqlite else "", table, some))  # type: ignore[misc]
        return spent


def _insert(raw: Any, insert: str, table: str, rows: list[TurnRow]) -> None:
    if insert:
        raw.execute("BEGIN")
        raw.executemany(insert, rows)
    else:
        with raw.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(COPIED_TYPES)
            for row in rows:
                copy.write_row(row)
    raw.commit()


def test_ingest(benchmark: BenchmarkFixture, backend: Backend, texts: list[bytes]) -> None:
    parsing = seconds(lambda: [None for _ in runs(texts)])
    with open_store(backend.ready()) as store:
        bare = driver_seconds(store, texts, "bare")
    with open_store(backend.ready()) as store:
        driver = driver_seconds(store, texts, "diarization_turns")
    with open_store(backend.ready()) as store:
        whole = benchmark.pedantic(lambda: seconds(lambda: list(ingest_runs(store, runs(texts)))), rounds=1)
    told = {
        "runs": N_RUNS,
        "driver_s": round(driver, 2),
        "driver_into_bare_table_s": round(bare, 2),
        "parse_s": round(parsing, 2),
        "ingest_s": round(whole - parsing, 2),
        "rate_to_driver": round(driver / (whole - parsing), 2),
        "rate_to_driver_with_parsing": round(driver / whole, 2),
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    benchmark.extra_info |= told
    print("\n" + json.dumps({"benchmark": benchmark.name} | told))
    assert driver / (whole - parsing) >= 1 / 3


def test_export_streams(benchmark: BenchmarkFixture, backend: Backend, texts: list[bytes]) -> None:
    with open_store(backend.ready()) as store:
        ids = [run.run_id for run in ingest_runs(store, runs(texts))]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def export() -> int:
            with store.reading() as session:
                return sum(1 for _ in name_accuracy_items(session, ids, truth_anchoring=TruthAnchoring.INDEPENDENT))

        assert benchmark.pedantic(export, rounds=1) == N_RUNS
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    benchmark.extra_info["grown_mib"] = round(grown)
    print("\n" + json.dumps({"benchmark": benchmark.name, "runs": N_RUNS, "grown_mib": round(grown)}))
    assert grown < 64


def made_up_run(number: int, draw: np.random.Generator) -> RunTurns:
    vectors = draw.standard_normal((N_TURNS, DIMS))
    turns = [
        Turn(index, 4.0 * index, 4.0 * index + 3.5, f"S{index % 8}", 0.0, SPACE, vectors[index])
        for index in range(N_TURNS)
    ]
    return RunTurns(f"run-{number}", tuple(turns))


def loop_over_turns(run: RunTurns, roster: Roster) -> dict[str, Any]:
    """The same decisions, a cosine at a time: what a matcher without passes would do."""
    found: dict[str, Any] = {}
    for label in sorted({turn.label for turn in run.turns}):
        speech = label_speech([turn for turn in run.turns if turn.label == label], BASE_GATES)
        assert speech.centroid is not None
        votes = []
        for unit in [speech.centroid, *speech.units]:
            best, place = -2.0, -1
            for speaker, voiceprint in enumerate(roster.units):
                cosine = float(row_cosines(voiceprint[None, :], unit[None, :])[0])
                if cosine > best:
                    best, place = cosine, speaker
            votes.append((place, best))
        found[label] = votes[0]
    return found


def test_matching(benchmark: BenchmarkFixture) -> None:
    draw = np.random.default_rng(7)
    voices = draw.standard_normal((N_SPEAKERS, DIMS))
    roster, _ = roster_of(SPACE, {f"spk-{place:04}": [voice.tolist()] for place, voice in enumerate(voices)})
    made = [made_up_run(number, draw) for number in range(max(2, N_RUNS // 10))]

    def match() -> float:
        return seconds(lambda: [decide(run, {SPACE: roster}, BASE_GATES) for run in made])

    passes = benchmark.pedantic(match, rounds=1) / len(made)
    short = RunTurns("short", made[0].turns[:16])
    share = len(short.turns) / N_TURNS
    found: dict[str, Any] = {}
    loop = seconds(lambda: found.update(loop_over_turns(short, roster))) / share
    decided = decide(short, {SPACE: roster}, BASE_GATES).candidates
    assert {each.label: (each.top_speaker_id, each.similarity) for each in decided if each.similarity is not None} == {
        label: (roster.speaker_ids[place], cosine) for label, (place, cosine) in found.items()
    }
    told = {"s_a_run": round(passes, 4), "loop_s_a_run": round(loop, 2), "ratio": round(loop / passes, 1)}
    benchmark.extra_info |= told
    print("\n" + json.dumps({"benchmark": benchmark.name, "runs": len(made)} | told))
    assert loop >= 20 * passes
    assert unit_rows(voices).shape == (N_SPEAKERS, DIMS)
