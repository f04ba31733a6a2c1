"""The scorer as a stream: order, faults, scales, and the same bytes in any surroundings."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_agreement import SPACE, enrollment, item, records, slot, thresholds, voiceprint
from voxint_contracts.agreement import v1 as contract

from voxint.errors import RecordError
from voxint.harness import agreement
from voxint.harness.agreement import far_frr_at, score, verdict

ROOT = Path(__file__).resolve().parents[2]
HOST = enrollment(4, dana=voiceprint(1, 0, 0, 0, sources=("seed-1",)))
GATES = thresholds(tau=0.62, margin=0.08, low_band=0.35)


def curated(name: str, *embedding: float) -> contract.SlotsRecord:
    return records(item(name, "dana", 1810.0, SPEAKER_00=slot(*embedding, duration=400.0, segments=44)))[0]


def test_a_voice_is_found_at_its_cosine() -> None:
    found = verdict(curated("ep-1", 0.95, 0.05, 0.0, 0.0), enrollment=HOST, thresholds=GATES)
    assert found.verdict == "CONFIDENT_HOST_PRESENT"
    assert found.top_cosine == pytest.approx(0.9986178293325098, abs=1e-15)


@pytest.mark.parametrize("scale", [0.85, 1e-200, 1e200, 1.7e308, 2.0**-1022, 5e-324, 1e-310, 3.0])
def test_no_scale_of_a_voiceprint_or_a_voice_changes_a_verdict(scale: float) -> None:
    record = curated("ep-1", 0.95, 0.05, 0.0, 0.0)
    expected = verdict(record, enrollment=HOST, thresholds=GATES)
    scaled = enrollment(4, dana=voiceprint(scale, 0, 0, 0))
    assert verdict(record, enrollment=scaled, thresholds=GATES) == expected
    voice = verdict(curated("ep-1", scale, 0.0, -scale, 0.0), enrollment=HOST, thresholds=GATES)
    assert voice.verdict == "CONFIDENT_HOST_PRESENT"
    assert voice.top_cosine == pytest.approx(math.sqrt(0.5), abs=2e-16)


@given(st.lists(st.floats(-10, 10), min_size=4, max_size=4).filter(lambda v: max(map(abs, v)) > 1e-3))
def test_a_voice_is_like_itself_and_never_more(values: list[float]) -> None:
    enrolled = enrollment(4, dana=voiceprint(*values))
    found = verdict(curated("x", *values), enrollment=enrolled, thresholds=GATES)
    assert found.top_cosine is not None
    assert 1.0 - 1e-15 <= found.top_cosine <= 1.0


def test_verdicts_come_in_order_while_the_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "RECORDS_AT_ONCE", 10)
    drawn: list[int] = []

    def stream() -> Iterator[contract.SlotsRecord]:
        for number in range(95):
            drawn.append(number)
            yield curated(f"i{number:02}", 1.0, number, 0.0, 0.0)

    made = iter(score(slots=stream(), enrollment=HOST, thresholds=GATES))
    assert drawn == []
    assert next(made).item_id == "i00"
    assert len(drawn) == 10
    assert [each.item_id for each in made] == [f"i{number:02}" for number in range(1, 95)]


@pytest.mark.parametrize("at_once", [1, 3, 256])
def test_after_a_fault_no_verdict_comes_and_the_faults_come_at_the_end(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "RECORDS_AT_ONCE", at_once)
    stream = [curated("a", 1, 0, 0, 0), curated("b", 1, 0, 0, 0), curated("c", 1, 0), curated("d", 1, 0, 0, 0)]
    stream += [curated("b", 1, 0, 0, 0), curated("e", 1, 2, 3)]
    made = iter(score(slots=stream, enrollment=HOST, thresholds=GATES))
    names = []
    with pytest.raises(RecordError) as caught:
        names.extend(each.item_id for each in made)
    assert names in ([], ["a", "b"])
    assert [(fault.index, fault.path) for fault in caught.value.records] == [
        (2, ("slots", "SPEAKER_00", "embedding")),
        (4, ("item_id",)),
        (5, ("slots", "SPEAKER_00", "embedding")),
    ]


def test_a_wrong_enrollment_is_refused_before_the_first_record() -> None:
    with pytest.raises(ValueError, match="low_band"):
        score(slots=[], enrollment=HOST, thresholds=thresholds(tau=0.1))
    with pytest.raises(ValueError, match="must have 3 numbers"):
        score(slots=[], enrollment=enrollment(3, a=voiceprint(1, 2)), thresholds=GATES)


def test_no_records_have_no_verdicts() -> None:
    assert list(score(slots=[], enrollment=HOST, thresholds=GATES)) == []


def test_a_single_record_has_the_verdict_that_it_has_in_a_file() -> None:
    several = [curated(f"i{n}", 1.0, n / 7, -n / 3, 0.1) for n in range(50)]
    assert list(score(slots=several, enrollment=HOST, thresholds=GATES)) == [
        verdict(each, enrollment=HOST, thresholds=GATES) for each in several
    ]


def test_the_enrollment_names_the_space_of_a_verdict() -> None:
    (record,) = records({**item("a", "dana", x=slot(1, 0, 0, 0)), "embedding_space": f"{SPACE} "})
    assert verdict(record, enrollment=HOST, thresholds=GATES).embedding_space == SPACE


def test_a_trial_at_the_threshold_is_accepted() -> None:
    assert far_frr_at([0.7, 0.6999999999999998, 0.9], [0.7, 0.2], 0.7) == (1, 1, 3, 2)
    assert far_frr_at([], [], 0.0) == (0, 0, 0, 0)
    assert far_frr_at(iter([-1.0, 1.0]), iter([0.5]), 1.0) == (0, 1, 2, 1)


@given(st.lists(st.floats(-1, 1)), st.lists(st.floats(-1, 1)), st.floats(-1, 1), st.floats(-1, 1))
def test_a_higher_threshold_accepts_no_more(own: list[float], others: list[float], one: float, other: float) -> None:
    low, high = far_frr_at(own, others, min(one, other)), far_frr_at(own, others, max(one, other))
    assert low[0] >= high[0]
    assert low[1] <= high[1]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_trial_that_is_no_number_is_refused(number: float) -> None:
    for trials in (([number], [], 0.5), ([], [number], 0.5), ([], [], number)):
        with pytest.raises(ValueError, match="finite"):
            far_frr_at(*trials)


PROBE = """
import sys
import numpy as np
from naive_agreement import enrollment, item, records, slot, thresholds, voiceprint
from voxint.harness import agreement, agreement_block
from voxint.io import canonical
agreement.RECORDS_AT_ONCE, agreement_block.VALUES_AT_ONCE = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.Generator(np.random.PCG64(5))
hosts = rng.random((300, 192)) - 0.5
prints = {f"h{k:03}": voiceprint(*each.tolist()) for k, each in enumerate(hosts)}
items = []
for n in range(120):
    voices = [hosts[(n + k) % 300] + 0.1 * k * (rng.random(192) - 0.5) for k in range(4)]
    kind = None if n % 2 else f"h{n:03}"
    items.append(item(f"i{n}", kind, **{f"S{k}": slot(*each.tolist()) for k, each in enumerate(voices)}))
made = agreement.score(slots=records(*items), enrollment=enrollment(192, **prints), thresholds=thresholds())
sys.stdout.buffer.write(b"".join(map(canonical.encode, made)))
"""
SURROUNDINGS: list[tuple[str, str, dict[str, str]]] = [
    ("256", "262144", {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "1"}),
    ("1", "262144", {"OPENBLAS_NUM_THREADS": "2", "PYTHONHASHSEED": "2"}),
    ("7", "500", {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}),
    ("1000", "262144", {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3"}),
]


def test_no_surroundings_change_a_byte() -> None:
    paths = os.pathsep.join(str(ROOT / each) for each in (".", "generated", "tests/unit"))
    outputs = set()
    for records_at_once, values_at_once, around in SURROUNDINGS:
        env = {**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore", **around}
        words = [sys.executable, "-c", PROBE, records_at_once, values_at_once]
        done = subprocess.run(words, env=env, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop().count(b"\n") == 120
