"""The rubric is complete, and turns by one place a repeat."""

from __future__ import annotations

import pytest
from voxint_contracts.audio_eval.v1 import AudioJudgeAxis
from voxint_contracts.autorater.v1 import JudgeAxis

from voxint.audio_eval.judge_rubric import RUBRIC as AUDIO_RUBRIC
from voxint.autorater.judge_rubric import RUBRIC, axis_lines, axis_order


def test_every_axis_has_its_anchors() -> None:
    assert list(RUBRIC) == list(JudgeAxis)
    assert list(AUDIO_RUBRIC) == list(AudioJudgeAxis)
    for anchors in (*RUBRIC.values(), *AUDIO_RUBRIC.values()):
        texts = (anchors.meaning, anchors.two, anchors.five, anchors.eight)
        assert all(text.strip() and "\n" not in text for text in texts)
        assert len(set(texts)) == 4


def test_the_order_turns_by_one_place_a_repeat() -> None:
    assert axis_order(("a", "b", "c"), 0) == ("a", "b", "c")
    assert axis_order(("a", "b", "c"), 1) == ("b", "c", "a")
    assert axis_order(("a", "b", "c"), 5) == ("c", "a", "b")
    axes = tuple(JudgeAxis)
    assert {axis_order(axes, index)[0] for index in range(11)} == set(axes)


@pytest.mark.parametrize("index", range(25))
def test_an_order_has_every_axis_once(index: int) -> None:
    assert sorted(axis_order(tuple(JudgeAxis), index)) == sorted(JudgeAxis)


def test_the_rubric_is_numbered_in_the_order_shown() -> None:
    text = axis_lines(RUBRIC, (JudgeAxis.TONAL_DUALITY, JudgeAxis.VOICE_VIOLATIONS))
    first, second = text.split("\n\n")
    assert first.startswith("1. tonal_duality: Funny and sad")
    assert second.startswith("2. voice_violations: 10 where nobody breaks")
    assert [line[:5] for line in first.splitlines()[1:]] == ["   2:", "   5:", "   8:"]
