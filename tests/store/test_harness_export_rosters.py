"""Fingerprints of rosters; who is enrolled is tested with the programs of the corpora."""

from __future__ import annotations

import hashlib

import pytest
from evidence import NOW
from runs import GATES
from voxint_contracts.roster.v1 import RosterEntry

from voxint.errors import InputError
from voxint.harness_export.rosters import enroll_all, fingerprint
from voxint.semantics import RULES
from voxint.store.sessions import Store


def entry(name: str, speaker_id: str) -> RosterEntry:
    return RosterEntry(
        global_name=name, speaker_id=speaker_id, source_run_id="r", source_label="A", purity=0.98, duration=12.5
    )


def test_the_digest_is_over_the_sorted_entries_alone() -> None:
    told = fingerprint({"B": entry("B", "2"), "A": entry("A", "1")}, git_sha="abc", exported_at="2026-03-01T09:30:00Z")
    one = '{"duration":12.5,"global_name":"A","purity":0.98,"source_label":"A","source_run_id":"r","speaker_id":"1"}'
    two = one.replace('"global_name":"A"', '"global_name":"B"').replace('"speaker_id":"1"', '"speaker_id":"2"')
    assert told.sha256 == hashlib.sha256(f"[{one},{two}]".encode()).hexdigest()
    assert list(RULES["fingerprint_counts_its_entries"](told)) == []


def test_somebody_must_be_enrolled(store: Store) -> None:
    with store.writing() as session, pytest.raises(InputError, match="nobody can be enrolled"):
        enroll_all(session, {}, operator="ann", gates=GATES, now=NOW, allow_existing=False)
