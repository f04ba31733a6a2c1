"""What a person reads of replies."""

from __future__ import annotations

from judge_support import FAILED, audio_axes, audio_response, ok, provenance, text_axes, text_response

from voxint.cli.summaries import Grid, summary_of


def test_an_axis_a_line_and_a_reply_a_column() -> None:
    axes = text_axes(8) | {"tonal_duality": {"cited_moments": [], "rationale": "", "score": None}}
    facts = provenance(requested_repeats=3, cache_hits=1, model_reported="m-2")
    found = summary_of(text_response(ok(axes), FAILED, ok(text_axes(6.25)), provenance=facts))
    assert found.title == "Judged script s-1: 2 of 3 replies can be scored"
    grid, failures, asked = found.blocks
    assert isinstance(grid, Grid)
    assert grid.columns == ("axis", "reply 0", "reply 2")
    assert len(grid.rows) == 11
    assert ("form_as_finite_generator", "8.0", "6.2") in grid.rows
    assert ("tonal_duality", "-", "6.2") in grid.rows
    assert isinstance(failures, Grid)
    assert failures.rows == (("1", "timeout", "no answer"),)
    assert asked == "Asked: none (m-2), 3 times, 1 of them from the cache. No score is a total yet."


def test_a_recording_without_a_reply_that_can_be_scored() -> None:
    found = summary_of(audio_response(FAILED, script_id=None, provenance=provenance(requested_repeats=1)))
    assert found.title == "Judged recording of a script, 12.5 s: 0 of 1 replies can be scored"
    assert len(found.blocks) == 2


def test_a_recording() -> None:
    grid = summary_of(audio_response(ok(audio_axes(9)))).blocks[0]
    assert isinstance(grid, Grid)
    assert grid.rows[2] == ("pacing", "9.0")
