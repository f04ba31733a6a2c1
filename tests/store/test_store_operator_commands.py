"""What the commands of operators add to the actions: the clock, the gates, and usage errors before any work."""

from __future__ import annotations

import pytest
from evidence import filled
from voxint_contracts.store.v1 import Ruling

from voxint.errors import UsageError
from voxint.store import operator_commands as commands
from voxint.store.sessions import Store

WHO = {"operator": "ann", "idempotency_key": "k"}


def test_a_given_time_is_kept_and_without_one_it_is_now(store: Store) -> None:
    filled(store)
    done = commands.archive("Dana Fox", **WHO, created_at="2026-03-04T05:06:07+02:00")
    assert done.created_at == "2026-03-04T03:06:07Z"
    assert commands.restore("Dana Fox", operator="ann", idempotency_key="k2").created_at > "2026-03"


@pytest.mark.parametrize("when", ["yesterday", "2026-03-04", "2026-02-30T00:00:00Z", "2026-03-04T05:06:07"])
def test_what_is_no_time_is_refused_before_any_work(store: Store, when: str) -> None:
    filled(store)
    with pytest.raises(UsageError, match="--created-at"):
        commands.archive("Dana Fox", **WHO, created_at=when)


def test_a_speaker_goes_with_assign_alone(store: Store) -> None:
    filled(store)
    with pytest.raises(UsageError):
        commands.decide("run-2", "A", Ruling.ASSIGN, **WHO)
    with pytest.raises(UsageError):
        commands.decide("run-2", "A", Ruling.EXCLUDE, **WHO, speaker="Dana Fox")


def test_a_merge_by_name(store: Store) -> None:
    ids = filled(store)
    assert commands.merge_speakers("Dana Fox", "Omar Reed", **WHO).merged_into_id == ids["Omar Reed"]
