"""The ledger of actions: a key, a request, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from voxint_contracts.store.v1 import StoreAction

from voxint.errors import ConflictError, InputError
from voxint.store.ledger import asked, record, replayed
from voxint.store.sessions import Store

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_request_is_its_texts_whatever_their_spelling() -> None:
    one = asked(StoreAction.ARCHIVE, "ann", "k", NOW, speaker="Zo\u00eb")
    two = asked(StoreAction.ARCHIVE, " ann", "k ", NOW, speaker="Zoe\u0308 ")
    assert (one.request(), one.idempotency_key) == (two.request(), two.idempotency_key)
    assert one.request() != asked(StoreAction.ARCHIVE, "ann", "k", NOW, speaker=None).request()


@pytest.mark.parametrize("text", ["", "  ", "a\u200bb", "a\nb"])
def test_a_text_that_cannot_be_seen_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="speaker: "):
        asked(StoreAction.ARCHIVE, "ann", "k", NOW, speaker=text)


def test_a_key_is_used_once(store: Store) -> None:
    ask = asked(StoreAction.DECIDE, "ann", "k", NOW, run_id="r")
    with store.writing() as session:
        assert replayed(session, ask) is None
        record(session, ask, None)
        done = replayed(session, ask)
        assert done is not None
        assert (done.replayed, done.created_at) == (True, "2026-03-01T00:00:00Z")
        with pytest.raises(ConflictError, match='"k" was used for another action: decide by "ann"'):
            replayed(session, asked(StoreAction.DECIDE, "ann", "k", NOW, run_id="other"))
