"""How many turns a run was ingested with, and an index behind every reference that is searched backwards.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_INDEXES = (
    ("speakers", ("merged_into_id",)),
    ("adjudication_decisions", ("run_id", "label")),
    ("adjudication_decisions", ("speaker_id",)),
    ("speaker_embeddings", ("embedding_space", "speaker_id")),
    ("speaker_embeddings", ("source_run_id",)),
    ("match_candidates", ("top_speaker_id",)),
    ("speaker_assignments", ("speaker_id",)),
)


def upgrade() -> None:
    """Adds the column, counts the turns of the runs that are there, and makes the indexes."""
    op.add_column("pipeline_runs", sa.Column("n_turns", sa.Integer, nullable=True))
    runs = sa.table("pipeline_runs", sa.column("id", sa.Text), sa.column("n_turns", sa.Integer))
    turns = sa.table("diarization_turns", sa.column("run_id", sa.Text))
    n_turns = sa.select(sa.func.count()).select_from(turns).where(turns.c.run_id == runs.c.id).scalar_subquery()
    op.execute(sa.update(runs).values(n_turns=n_turns))
    # SQLite rebuilds the table to make the column required; PostgreSQL alters it.
    with op.batch_alter_table("pipeline_runs") as batch:
        batch.alter_column("n_turns", existing_type=sa.Integer(), nullable=False)
        batch.create_check_constraint("ck_pipeline_runs_n_turns", "n_turns >= 0")
    for table, columns in _INDEXES:
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))
