"""Who recurs in a corpus, and what its protocol holds, in words and small tables."""

from __future__ import annotations

from collections.abc import Sequence

from voxint_contracts.attribution_protocol import v2 as protocol
from voxint_contracts.recurrence import v1 as recurrence

from voxint.cli.summaries import Grid, Summary
from voxint.semantics_attribution import BASELINE_PAIRS, BASELINE_SPEAKERS, CALIBRATION_SPEAKERS

_COUNTS = {
    "n_meetings": "meetings",
    "n_base_sessions": "base sessions",
    "n_participants": "people",
    "n_cross_session_speakers": "people in two base sessions or more",
    "n_genuine_pairs": "genuine pairs",
    "n_impostor_pairs": "impostor pairs",
}


def recurrence_summary(report: recurrence.RecurrenceReport) -> Summary:
    """The counts, and whether they carry a baseline and a calibration."""
    grid = Grid("", ("what", "count"), tuple((words, str(getattr(report, name))) for name, words in _COUNTS.items()))
    return Summary("Recurrence of speakers over sessions", (grid, *_answers(report)))


def _answers(report: recurrence.RecurrenceReport) -> Sequence[str]:
    baseline = f"{BASELINE_SPEAKERS} people in two base sessions or more, and {BASELINE_PAIRS} genuine pairs"
    calibration = f"{CALIBRATION_SPEAKERS} people in two base sessions or more"
    return (
        f"A baseline is {_viable(viable=report.baseline_viable)}: it needs {baseline}.",
        f"A calibration on these people alone is {_viable(viable=report.calibration_viable)}: it needs {calibration}.",
    )


def _viable(*, viable: bool) -> str:
    return "viable" if viable else "not viable"


def manifest_summary(manifest: protocol.ProtocolManifest) -> Summary:
    """What a new protocol holds, and what was left out."""
    meetings = {row.meeting_id: (row.role, row.split) for row in manifest.rows}
    counts = {use: list(meetings.values()).count(use) for use in sorted(set(meetings.values()), key=_order)}
    rows = tuple((role.value, split.value, str(n)) for (role, split), n in counts.items())
    chosen = manifest.open_set_selection
    blocks: list[Grid | str] = [
        Grid("", ("role", "split", "meetings"), rows, n_text=2),
        f"Open set: {chosen.selected} of {chosen.candidates} candidates taken, {chosen.requested} asked for.",
    ]
    if manifest.exclusions:
        blocks.append("Left out: " + ", ".join(each.meeting_id for each in manifest.exclusions))
    return Summary(f"Protocol of {manifest.corpus}: {len(meetings)} meetings, no leak", tuple(blocks))


def _order(use: tuple[protocol.MeetingRole, protocol.MeetingSplit]) -> tuple[int, int]:
    return list(protocol.MeetingRole).index(use[0]), list(protocol.MeetingSplit).index(use[1])


def inspection_summary(found: protocol.ProtocolInspection) -> Summary:
    """Meetings, sessions and people of each role and split."""
    rows = tuple(
        (
            use.role.value,
            use.split.value,
            str(use.n_meetings),
            str(use.n_base_sessions),
            str(use.n_participants),
            str(use.n_rows),
        )
        for use in found.uses
    )
    grid = Grid("", ("role", "split", "meetings", "base sessions", "people", "rows"), rows, n_text=2)
    title = f"Protocol of {found.corpus}: {found.n_meetings} meetings, {found.n_participants} people, no leak"
    return Summary(title, (grid,))
