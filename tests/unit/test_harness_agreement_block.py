"""A block decides what the naive implementation decides, however it is cut, and however its matrix product rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_agreement import Json, enrollment, item, records, slot, thresholds, verdict, voiceprint
from voxint_contracts.agreement import v1 as contract

from voxint.harness import agreement_block, vectors
from voxint.harness.agreement_block import verdicts
from voxint.harness.agreement_gallery import Gallery
from voxint.io import canonical
from voxint.stats import cosines

# Few directions, so that cosines tie, and meet the thresholds exactly: 0.6, 0.8, 0.0 and 1.0 are among them.
DIRECTIONS = [(1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (0.8, 0.6), (-1.0, 0.0), (3e-200, 4e-200), (1e200, 0.0), (0.1, 0.3)]
ITEMS = ["ep-1", "ep-2", "ep-3", "ep-4", "ep-5"]
directions = st.sampled_from(DIRECTIONS)
slots = st.builds(
    lambda v, duration, segments: slot(*v, duration=duration, segments=segments),
    directions,
    st.sampled_from([0.0, 45.0, 60.0]),
    st.sampled_from([0, 6, 9]),
)
voices = st.dictionaries(st.sampled_from(["S0", "S1", "S2", "\uffff", "\U0001f600"]), slots, max_size=4)
voiceprints = st.builds(
    lambda v, items, held_out, sources: voiceprint(*v, items=items, held_out=held_out, sources=tuple(sources)),
    directions,
    st.sampled_from([1, 3, 5]),
    st.sampled_from([True, True, True, False]),
    st.lists(st.sampled_from(ITEMS), max_size=1),
)
hosts = st.dictionaries(st.sampled_from(["a", "b", "c", "d", "e"]), voiceprints, min_size=1, max_size=5)
totals = st.sampled_from([None, 0.0, 300.0, 900.0])
gates = st.builds(
    lambda tau, low, margin, floor: thresholds(tau=max(tau, low), low_band=min(tau, low), margin=margin, **floor),
    st.sampled_from([0.6, 0.8, 1.0, -1.0]),
    st.sampled_from([0.0, 0.6, 0.3, -1.0]),
    st.sampled_from([0.0, 0.2, 0.1]),
    st.sampled_from([{}, {"min_duration": 0.0, "min_segments": 0}]),
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Json], contract.Enrollment, contract.Thresholds]:
    enrolled = draw(hosts)
    host = st.none() | st.sampled_from(sorted(enrolled))
    items = [item(name, draw(host), draw(totals), **draw(voices)) for name in draw(st.permutations(ITEMS))]
    return items, enrollment(**enrolled), draw(gates)


def plain(found: list[contract.VerdictRecord]) -> list[Json]:
    made = [each.model_dump(mode="json") for each in found]
    for each in made:
        each["diagnostics"] = {key: value for key, value in each["diagnostics"].items() if value}
    return made


@settings(max_examples=300, deadline=None)
@given(cases())
def test_the_verdicts_are_the_naive_ones(case: tuple[list[Json], contract.Enrollment, contract.Thresholds]) -> None:
    items, enrolled, chosen = case
    found = verdicts(records(*items), Gallery.of(enrolled, chosen))
    assert plain(found) == [verdict(each, enrolled, chosen) for each in items]


def many(n_records: int = 60, n_hosts: int = 40, dims: int = 33) -> tuple[list[contract.SlotsRecord], Gallery]:
    """Voices near their hosts, and voiceprints that are all but copies of one another."""
    rng = np.random.default_rng(17)
    centres = rng.standard_normal((n_hosts, dims))
    centres[1::4] = centres[::4] * (1 + 1e-15 * rng.standard_normal((len(centres[::4]), 1)))
    made = []
    for n in range(n_records):
        near = [centres[(n * k) % n_hosts] + 0.4 * k * rng.standard_normal(dims) for k in range(n % 5)]
        voices = {f"S{k}": slot(*each.tolist()) for k, each in enumerate(near)}
        made.append(item(f"i{n}", f"h{n % n_hosts:02}" if n % 2 else None, **voices))
    prints = {f"h{k:02}": voiceprint(*each.tolist(), sources=(f"i{k}",)) for k, each in enumerate(centres)}
    return records(*made), Gallery.of(enrollment(dims, **prints), thresholds(tau=0.5, low_band=0.2))


RECORDS, GALLERY = many()
EXPECTED = [canonical.encode(each) for each in verdicts(RECORDS, GALLERY)]


def encoded(size: int) -> list[bytes]:
    blocks = [RECORDS[start : start + size] for start in range(0, len(RECORDS), size)]
    return [canonical.encode(each) for block in blocks for each in verdicts(block, GALLERY)]


@pytest.mark.parametrize("values", [1, 40, 1 << 18])
@pytest.mark.parametrize("size", [1, 2, 7, 60])
def test_no_cut_changes_a_byte(size: int, values: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement_block, "VALUES_AT_ONCE", values)
    assert encoded(size) == EXPECTED


@pytest.mark.parametrize("seed", range(8))
def test_no_rounding_of_the_screen_changes_a_byte(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A product as wrong as its bound allows; all else as it is."""
    monkeypatch.setattr(vectors.fixed, "screen", rounded_by(seed, GALLERY.dims))
    assert encoded(60) == EXPECTED


def rounded_by(seed: int, dims: int) -> Any:
    """A product as wrong as its bound allows."""
    rng, margin = np.random.default_rng(seed), cosines.screen_margin(dims)
    return lambda left, right: left @ right.T + margin * rng.choice([-0.99, 0.99], (len(left), len(right)))


@pytest.mark.parametrize("seed", range(8))
def test_no_rounding_chooses_between_voiceprints_that_all_but_tie(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, dims = np.random.default_rng(3), 33
    centres = rng.standard_normal((40, dims))
    centres[1::2] = centres[::2] + 1e-15 * rng.standard_normal((20, dims))
    voices = [(centres[n % 40] + 0.5 * rng.standard_normal(dims)).tolist() for n in range(60)]
    controls = records(*[item(f"q{n}", S0=slot(*voice)) for n, voice in enumerate(voices)])
    prints = {f"h{k:02}": voiceprint(*each.tolist()) for k, each in enumerate(centres)}
    gallery = Gallery.of(enrollment(dims, **prints), thresholds(tau=1.0, low_band=0.2, margin=0.0))
    expected = [canonical.encode(each) for each in verdicts(controls, gallery)]
    monkeypatch.setattr(vectors.fixed, "screen", rounded_by(seed, dims))
    assert [canonical.encode(each) for each in verdicts(controls, gallery)] == expected


@pytest.mark.parametrize("seed", range(8))
def test_no_rounding_loses_a_host_that_meets_tau_exactly(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gallery = Gallery.of(enrollment(2, a=voiceprint(1, 0), b=voiceprint(0, 1)), thresholds(tau=0.6, low_band=0.2))
    (control,) = records(item("q", S0=slot(0.8, 0.6)))
    monkeypatch.setattr(vectors.fixed, "screen", rounded_by(seed, 2))
    (found,) = verdicts([control], gallery)
    assert found.diagnostics.contradiction_hosts == ["a", "b"]


def test_a_screen_that_leaves_nothing_out_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors.fixed, "screen_margin", lambda dims: 3.0)
    assert encoded(60) == EXPECTED


def test_the_screen_leaves_most_pairs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    real = agreement_block.row_cosines

    def counting(left: Any, right: Any) -> Any:
        counted.append(len(left))
        return real(left, right)

    monkeypatch.setattr(agreement_block, "row_cosines", counting)
    controls = [record for record in RECORDS if record.kind == "negative_control" and record.slots]
    verdicts(controls, GALLERY)
    every = sum(len(record.slots) for record in controls) * len(GALLERY.usable)
    assert 0 < sum(counted) < every / 4


def test_no_records_have_no_verdicts() -> None:
    assert verdicts([], GALLERY) == []


def test_a_control_without_a_usable_voiceprint_says_why() -> None:
    (record,) = records(item("ep-1", S0=slot(1, 0)))
    leak = voiceprint(1, 0, sources=("ep-1",))
    weak, open_ = voiceprint(1, 0, items=0), voiceprint(1, 0, held_out=False)
    reasons = {
        "session_leakage_risk": [{"a": leak}, {"a": weak, "b": leak}, {"a": weak, "b": open_}],
        "weak_enrollment": [{"a": weak}, {}],
    }
    for reason, enrolled in [(reason, each) for reason, several in reasons.items() for each in several]:
        (found,) = verdicts([record], Gallery.of(enrollment(**enrolled), thresholds()))
        assert (found.verdict, found.reason, found.top_cosine) == ("ABSTAIN", reason, None)
