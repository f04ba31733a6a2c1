"""Random trials whose numbers often lie on a gate, and random grids."""

from __future__ import annotations

from hypothesis import strategies as st
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, trial
from voxint_contracts.attribution.v1 import Trial

COSINES = st.sampled_from([None, -1.0, 0.5, 0.55, 0.6, 0.66, 0.68, 0.7, 0.72, 0.8, 0.9, 1.0]) | st.floats(-1, 1)
MARGINS = st.sampled_from([None, 0.0, 0.02, 0.05, 0.08, 0.1, 0.12, 0.2, 2.0]) | st.floats(0, 2)


@st.composite
def trial_lists(draw: st.DrawFn) -> list[Trial]:
    """Up to forty trials of up to six speakers, each with a label of its own."""
    return [
        trial(
            draw(st.sampled_from([GENUINE, IMPOSTOR, UNSCOREABLE])),
            draw(st.sampled_from("abcdef")),
            number,
            similarity=draw(COSINES),
            margin=draw(MARGINS),
            vote_agreement=draw(st.sampled_from([None, 0.5, 0.6, 0.67, 1.0])),
            eligible_turns=draw(st.sampled_from([None, 1, 2, 3, 9])),
            eligible_seconds=draw(st.sampled_from([None, 5.9, 6.0, 10.0, 60.0])),
            roster_size=draw(st.sampled_from([None, 0, 1, 2, 30])),
        )
        for number in range(draw(st.integers(0, 40)))
    ]
