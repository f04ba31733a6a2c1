"""The halves of a pack: what leaks, and what is too old to have any."""

from __future__ import annotations

import pytest
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, document, trial
from voxint_contracts.attribution.v1 import Trial
from voxint_contracts.attribution_protocol.v2 import MeetingSplit

from voxint.errors import RecordError, RecordFault
from voxint.harness.calibration_intake import half

DEV, CONFIRM = MeetingSplit.DEV, MeetingSplit.CONFIRM
CLEAN = [trial(GENUINE, "ann"), trial(IMPOSTOR, "bob"), trial(IMPOSTOR, "cid", split="confirm")]


def faults(*trials: Trial) -> tuple[RecordFault, ...]:
    with pytest.raises(RecordError) as caught:
        half(document(trials), DEV)
    return caught.value.records


def test_each_half_gets_its_own_trials_in_order() -> None:
    assert half(document(CLEAN), DEV) == CLEAN[:2]
    assert half(document(CLEAN), CONFIRM) == CLEAN[2:]
    assert half(document([]), DEV) == []


@pytest.mark.parametrize("name", ["meeting_split", "meeting_role"])
def test_a_pack_without_halves_is_refused_in_one_line(name: str) -> None:
    bare = [each.model_copy(update={name: None}) for each in CLEAN]
    (fault,) = faults(CLEAN[0].model_copy(update={"label": "first"}), *bare)
    assert fault.path == ("trials", 1)
    assert fault.message.startswith(f"3 of 4 trials have no {name}: select and certify need the halves")


def test_a_speaker_in_both_halves_is_named() -> None:
    both = trial(IMPOSTOR, "ann", split="confirm")
    (fault,) = faults(*CLEAN, both)
    assert fault.path == ("trials", 3, "cluster_id")
    assert fault.message == ('leak: speaker "ann" is scored in both halves: dev in "dev-ann", confirm in "confirm-ann"')


def test_a_slot_without_a_speaker_is_in_no_half() -> None:
    """Unscoreable trials share cluster ids such as __unscoreable__:SPK_00 over all meetings."""
    slots = [trial(UNSCOREABLE, "slot", split=split) for split in ("dev", "confirm")]
    assert half(document([*CLEAN, *slots]), DEV) == [*CLEAN[:2], slots[0]]


def test_an_enrollment_meeting_is_named() -> None:
    (fault,) = faults(*CLEAN, trial(UNSCOREABLE, "slot", split="enrollment"))
    assert fault.path == ("trials", 3)
    assert fault.message == 'leak: "enrollment-slot" enrols speakers, so none of its trials may be scored'
    by_role = trial(GENUINE, "dot", meeting_role="enrollment")
    assert [each.path for each in faults(*CLEAN, by_role)] == [("trials", 3)]


def test_a_meeting_in_two_halves_is_named() -> None:
    other = trial(IMPOSTOR, "dot", 1, split="confirm", meeting_id="dev-ann")
    (fault,) = faults(*CLEAN, other)
    assert fault.message == 'leak: meeting "dev-ann" is in dev above and in confirm here'


def test_a_trial_that_stands_twice_is_named() -> None:
    (fault,) = faults(*CLEAN, CLEAN[0])
    assert "stands twice" in fault.message


def test_of_many_leaks_five_are_named_and_all_counted() -> None:
    trials = [trial(IMPOSTOR, f"s{each}", split=split) for each in range(9) for split in ("dev", "confirm")]
    with pytest.raises(RecordError) as caught:
        half(document(trials), DEV)
    assert (len(caught.value.records), caught.value.n_faults) == (5, 9)
