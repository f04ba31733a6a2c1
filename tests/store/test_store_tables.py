"""Constraints: what the code never writes, the database refuses as well."""

from __future__ import annotations

import pytest
from evidence import filled
from sqlalchemy import text

from voxint.errors import EdgeError
from voxint.store.sessions import Store

REFUSED = [
    "UPDATE match_candidates SET similarity = 1.5 WHERE run_id = 'run-2'",
    "UPDATE match_candidates SET decision = 'ineligible', reason = 'no_roster' WHERE run_id = 'run-2'",
    "UPDATE match_candidates SET grounded = (1 = 1), decision = 'rejected', reason = 'below_cosine'",
    "UPDATE match_candidates SET margin = NULL",
    "UPDATE diarization_turns SET embedding_space = NULL",
    'UPDATE diarization_turns SET "end" = start',
    "UPDATE diarization_turns SET skip_reason = 'noise'",
    "UPDATE diarization_turns SET overlap_seconds = 9",
    "UPDATE speakers SET merged_into_id = id, merged_at = '2026-03-01 00:00:00'",
    "UPDATE speakers SET display_name = ' '",
    "UPDATE speakers SET display_name = 'Omar Reed'",
    "UPDATE pipeline_runs SET status = 'lost'",
    "DELETE FROM pipeline_runs WHERE id = 'run-1'",
    "UPDATE adjudication_decisions SET decision = 'exclude'",
    "DELETE FROM adjudication_decisions",
    "DELETE FROM operator_actions",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_what_may_never_be_is_refused_by_the_database(store: Store, statement: str) -> None:
    filled(store)
    with pytest.raises(EdgeError), store.writing() as session:
        session.execute(text(statement))
