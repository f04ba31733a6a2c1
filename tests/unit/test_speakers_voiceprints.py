from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.speakers.voiceprints import nearest, roster_of, top_two, weighted_direction
from voxint.stats.cosines import row_cosines, unit_rows


def test_a_voiceprint_is_the_mean_direction_whatever_the_scale() -> None:
    roster, lost = roster_of("s", {"b": [[5.0, 0.0], [0.0, 0.1]], "a": [[0.0, 2.0]], "c": [[1.0, 0.0], [-3.0, 0.0]]})
    assert (roster.speaker_ids, lost, len(roster)) == (("a", "b"), ("c",), 2)
    assert roster.units == pytest.approx(np.array([[0.0, 1.0], [2**-0.5, 2**-0.5]]))


@pytest.mark.parametrize(
    ("enrolled", "said"),
    [
        ({"a": [[1.0, 0.0]], "b": [[1.0]]}, 'speaker "b": vectors of one space must have one length'),
        ({"a": [[1.0, 0.0], [1.0]]}, 'speaker "a": vectors of one space'),
        ({"a": [[0.0, 0.0]]}, 'speaker "a": row 0: expected a finite vector that is not zero'),
        ({"a": [[float("inf"), 0.0]]}, 'speaker "a": row 0: expected a finite vector'),
    ],
)
def test_what_is_no_voiceprint_is_said_of_its_speaker(enrolled: dict[str, list[list[float]]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        roster_of("s", enrolled)


def test_nobody_is_enrolled() -> None:
    roster, lost = roster_of("s", {"a": []})
    assert (len(roster), lost) == (0, ("a",))
    assert weighted_direction(np.empty((0, 2)), np.empty(0)) is None
    assert weighted_direction(np.eye(2), np.zeros(2)) is None


small = st.lists(st.integers(-3, 3), min_size=3, max_size=3).filter(any)


@settings(deadline=None)
@given(st.lists(small, min_size=1, max_size=9), st.lists(small, min_size=1, max_size=9))
def test_nearest_and_top_two_are_those_of_all_exact_cosines(speakers: list[list[int]], rows: list[list[int]]) -> None:
    roster, _ = roster_of("s", {f"s{place:02}": [vector] for place, vector in enumerate(speakers)})
    units = unit_rows(np.array(rows, np.float64))
    found = nearest(units, roster)
    for place, row in enumerate(units):
        exact = row_cosines(roster.units, row[None, :]).tolist()
        assert found[place] == exact.index(max(exact))
        ranked = sorted(exact, reverse=True)
        assert top_two(row, roster) == (exact.index(ranked[0]), ranked[0], ranked[1] if len(ranked) > 1 else None)
