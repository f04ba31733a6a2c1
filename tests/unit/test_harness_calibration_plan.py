"""Plans from protocols, by hand and by brute force."""

from __future__ import annotations

import pytest
from voxint_contracts.attribution_protocol import v2 as protocol
from voxint_contracts.recurrence.v1 import RecurrenceReport

from voxint.harness.calibration_plan import plan
from voxint.semantics import RULES
from voxint.stats.clopper_pearson import clopper_pearson_upper
from voxint.stats.wilson import wilson_upper_one_sided

RECURRENCE = RecurrenceReport(
    schema_version=1,
    kind="recurrence_report",
    n_meetings=1,
    n_base_sessions=1,
    n_participants=1,
    n_cross_session_speakers=0,
    n_genuine_pairs=0,
    n_impostor_pairs=0,
    baseline_viable=False,
    calibration_viable=False,
)


def row(meeting: str, name: str, role: str, split: str) -> protocol.AttributionProtocolRow:
    made = {
        "meeting_id": meeting,
        "nxt_agent": name,
        "host_global_name": name,
        "base_session_id": meeting,
        "role": role,
        "split": split,
    }
    return protocol.AttributionProtocolRow.model_validate(made, strict=False)


def manifest(*rows: protocol.AttributionProtocolRow) -> protocol.ProtocolManifest:
    n_open = len({each.meeting_id for each in rows if each.role == protocol.MeetingRole.TEST_OPEN})
    return protocol.ProtocolManifest(
        schema_version=2,
        corpus="made",
        truth_source="corpus_gold",
        selection_seed="s",
        split_seed="s",
        open_set_selection=protocol.OpenSetSelection(requested=n_open, selected=n_open, candidates=n_open),
        rows=list(rows),
        recurrence_report=RECURRENCE,
        exclusions=[],
    )


def corpus(n_dev: int, n_confirm: int) -> protocol.ProtocolManifest:
    """Ann enrols and returns in dev with somebody new; the other speakers are met in open meetings, two at a time."""
    rows = [row("e1", "ann", "enrollment", "enrollment"), row("e1", "eve", "enrollment", "enrollment")]
    rows += [row("d0", "ann", "test_genuine", "dev"), row("d0", "d-0", "test_genuine", "dev")]
    rows += [row(f"d{each // 2 + 1}", f"d-{each}", "test_open", "dev") for each in range(1, n_dev)]
    rows += [row(f"c{each // 2}", f"c-{each}", "test_open", "confirm") for each in range(n_confirm)]
    return manifest(*rows)


def test_enough_in_both_halves() -> None:
    found = plan(protocol=corpus(52, 52))
    assert found.passed
    assert (found.required_impostor_clusters, found.required_impostor_clusters_exact) == (52, 59)
    dev, confirm = found.halves
    assert (dev.n_open_speakers, dev.n_enrolled_speakers, dev.missing_impostor_clusters) == (52, 1, 0)
    assert (confirm.n_open_speakers, confirm.n_enrolled_speakers, confirm.n_meetings) == (52, 0, 26)
    assert confirm.best_far_upper_one_sided == wilson_upper_one_sided(0, 52)
    assert confirm.best_far_exact_upper_one_sided == clopper_pearson_upper(0, 52)
    assert list(RULES["plan_follows_its_counts"](found)) == []


@pytest.mark.parametrize(("n_dev", "n_confirm", "missing"), [(51, 52, [1, 0]), (52, 49, [0, 3]), (1, 0, [51, 52])])
def test_a_half_that_is_too_small(n_dev: int, n_confirm: int, missing: list[int]) -> None:
    found = plan(protocol=corpus(n_dev, n_confirm))
    assert not found.passed
    assert [half.missing_impostor_clusters for half in found.halves] == missing
    assert [half.can_reach for half in found.halves] == [not each for each in missing]
    assert list(RULES["plan_follows_its_counts"](found)) == []


def test_the_public_confirm_half_of_49_speakers_could_never_pass() -> None:
    """What the bound of 5.23 % told after the run was known before it."""
    confirm = plan(protocol=corpus(55, 49)).halves[1]
    assert (confirm.can_reach, confirm.missing_impostor_clusters) == (False, 3)
    assert confirm.best_far_upper_one_sided == pytest.approx(0.052325984282467, abs=1e-5)


def test_the_floor_binds_the_confirm_half_alone() -> None:
    found = plan(protocol=corpus(30, 30), max_far=0.1)
    assert found.required_impostor_clusters == 25
    assert [half.needed_impostor_clusters for half in found.halves] == [25, 50]
    assert [half.can_reach for half in found.halves] == [True, False]


def test_errors_that_are_allowed_for_cost_speakers() -> None:
    found = plan(protocol=corpus(90, 90), errors=1)
    assert (found.required_impostor_clusters, found.passed) == (87, True)
    assert found.halves[0].best_far_upper_one_sided == wilson_upper_one_sided(1, 90)
    few = plan(protocol=corpus(3, 3), errors=4).halves
    assert [half.best_far_upper_one_sided for half in few] == [1.0, 1.0]
