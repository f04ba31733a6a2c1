"""The first tables, and the triggers that make ledgers of rulings and operator actions.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# A migration is frozen: it repeats what the tables were, and takes nothing from what they are.
_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
_LEDGERS = ("operator_actions", "adjudication_decisions")


def upgrade() -> None:
    """Makes the tables and the triggers."""
    metadata = sa.MetaData(naming_convention=_NAMES)
    _runs(metadata)
    _speakers(metadata)
    _ledgers(metadata)
    _matches(metadata)
    metadata.create_all(op.get_bind(), checkfirst=False)
    _forbid_changes(op.get_bind().dialect.name)


def _text(name: str, *more: Any, null: bool = False, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, *more, nullable=null, **options)


def _number(name: str, *, null: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=null)


def _whole(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null)


def _time(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)


def _check(name: str, sql: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(sql, name=name)


def _runs(metadata: sa.MetaData) -> None:
    sa.Table(
        "pipeline_runs",
        metadata,
        _text("id", primary_key=True),
        _text("status"),
        _text("recording"),
        _time("created_at"),
        _check("id_not_blank", "length(trim(id)) > 0"),
        _check("status", "status IN ('queued', 'running', 'completed', 'failed')"),
        _check("recording_not_blank", "length(trim(recording)) > 0"),
    )
    sa.Table(
        "embedding_spaces",
        metadata,
        _text("name", primary_key=True),
        _whole("dims"),
        _check("name_not_blank", "length(trim(name)) > 0"),
        _check("dims", "dims >= 1"),
    )
    sa.Table(
        "diarization_turns",
        metadata,
        _text("run_id", sa.ForeignKey("pipeline_runs.id"), primary_key=True),
        sa.Column("turn_index", sa.Integer, primary_key=True, autoincrement=False),
        _number("start"),
        _number("end"),
        _text("label"),
        _number("overlap_seconds"),
        _number("snr_db", null=True),
        sa.Column("embedding", sa.LargeBinary, nullable=True),
        _text("skip_reason", null=True),
        _text("embedding_space", sa.ForeignKey("embedding_spaces.name"), null=True),
        *_turn_checks(),
    )


def _turn_checks() -> list[sa.CheckConstraint]:
    return [
        _check("turn_index", "turn_index >= 0"),
        _check("interval", 'start >= 0 AND "end" > start AND "end" <= 1e9'),
        _check("label_not_blank", "length(trim(label)) > 0"),
        _check("overlap", 'overlap_seconds >= 0 AND overlap_seconds <= "end" - start + 0.000001'),
        _check("snr_db_is_finite", "snr_db IS NULL OR (snr_db >= -1e308 AND snr_db <= 1e308)"),
        _check("embedding_xor_skip_reason", "(embedding IS NULL) <> (skip_reason IS NULL)"),
        _check("embedding_has_its_space", "(embedding IS NULL) = (embedding_space IS NULL)"),
        _check("embedding_is_float64", "embedding IS NULL OR (length(embedding) > 0 AND length(embedding) % 8 = 0)"),
        _check("skip_reason_not_blank", "skip_reason IS NULL OR length(trim(skip_reason)) > 0"),
    ]


def _speakers(metadata: sa.MetaData) -> None:
    sa.Table(
        "speakers",
        metadata,
        _text("id", primary_key=True),
        _text("display_name", unique=True),
        _text("merged_into_id", sa.ForeignKey("speakers.id"), null=True),
        _time("merged_at", null=True),
        _time("deleted_at", null=True),
        _check("display_name_not_blank", "length(trim(display_name)) > 0"),
        _check("merged_with_its_time", "(merged_into_id IS NULL) = (merged_at IS NULL)"),
        _check("not_merged_into_itself", "merged_into_id IS NULL OR merged_into_id <> id"),
        _check("merged_or_archived", "merged_at IS NULL OR deleted_at IS NULL"),
    )
    sa.Table(
        "speaker_embeddings",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        _text("speaker_id", sa.ForeignKey("speakers.id")),
        _text("embedding_space", sa.ForeignKey("embedding_spaces.name")),
        sa.Column("embedding", sa.LargeBinary, nullable=False),
        _text("source_run_id", sa.ForeignKey("pipeline_runs.id"), null=True),
        _text("source_label", null=True),
        sa.Column("source_decision_id", sa.ForeignKey("adjudication_decisions.id"), nullable=True, unique=True),
        _check("embedding_is_float64", "length(embedding) > 0 AND length(embedding) % 8 = 0"),
        _check("source_label_with_its_run", "(source_run_id IS NULL) = (source_label IS NULL)"),
    )


def _ledgers(metadata: sa.MetaData) -> None:
    sa.Table(
        "operator_actions",
        metadata,
        _text("idempotency_key", primary_key=True),
        _text("action"),
        _text("request"),
        _text("speaker_id", sa.ForeignKey("speakers.id"), null=True),
        _text("operator"),
        _time("created_at"),
        _check("idempotency_key_not_blank", "length(trim(idempotency_key)) > 0"),
        _check("action", "action IN ('enroll', 'decide', 'merge', 'archive', 'restore')"),
        _check("operator_not_blank", "length(trim(operator)) > 0"),
    )
    sa.Table(
        "adjudication_decisions",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        _text("run_id", sa.ForeignKey("pipeline_runs.id")),
        _text("label"),
        _text("decision"),
        _text("speaker_id", sa.ForeignKey("speakers.id"), null=True),
        _text("operator"),
        _text("idempotency_key", sa.ForeignKey("operator_actions.idempotency_key"), unique=True),
        _time("created_at"),
        _check("label_not_blank", "length(trim(label)) > 0"),
        _check("decision", "decision IN ('assign', 'exclude', 'unknown')"),
        _check("speaker_iff_assign", "(decision = 'assign') = (speaker_id IS NOT NULL)"),
        _check("operator_not_blank", "length(trim(operator)) > 0"),
    )


def _matches(metadata: sa.MetaData) -> None:
    sa.Table(
        "match_candidates",
        metadata,
        _text("run_id", sa.ForeignKey("pipeline_runs.id"), primary_key=True),
        _text("label", primary_key=True),
        _text("decision"),
        _text("reason", null=True),
        _text("embedding_space", sa.ForeignKey("embedding_spaces.name"), null=True),
        _text("top_speaker_id", sa.ForeignKey("speakers.id"), null=True),
        _number("similarity", null=True),
        _number("margin", null=True),
        _number("vote_agreement", null=True),
        sa.Column("grounded", sa.Boolean, nullable=False),
        _whole("eligible_turns"),
        _number("eligible_seconds"),
        _whole("roster_size"),
        *_candidate_checks(),
    )
    sa.Table(
        "speaker_assignments",
        metadata,
        _text("run_id", primary_key=True),
        _text("label", primary_key=True),
        _text("speaker_id", sa.ForeignKey("speakers.id")),
        _number("confidence"),
        sa.Column("grounded", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["run_id", "label"], ["match_candidates.run_id", "match_candidates.label"]),
        _check("confidence", "confidence >= 0 AND confidence <= 1"),
    )


def _candidate_checks() -> list[sa.CheckConstraint]:
    numbers = ("top_speaker_id", "similarity", "vote_agreement")
    return [
        _check("label_not_blank", "length(trim(label)) > 0"),
        _check("decision", "decision IN ('accepted', 'rejected', 'ineligible')"),
        _check("reason_unless_accepted", "(decision = 'accepted') = (reason IS NULL)"),
        *(_check(f"{name}_unless_ineligible", f"(decision = 'ineligible') = ({name} IS NULL)") for name in numbers),
        _check("margin", "margin IS NULL OR (decision <> 'ineligible' AND margin >= 0 AND margin <= 2)"),
        _check("margin_unless_roster_of_one", "margin IS NOT NULL OR decision = 'ineligible' OR roster_size = 1"),
        _check("similarity", "similarity IS NULL OR (similarity >= -1 AND similarity <= 1)"),
        _check("vote_agreement", "vote_agreement IS NULL OR (vote_agreement >= 0 AND vote_agreement <= 1)"),
        _check("grounded_only_when_accepted", "NOT grounded OR decision = 'accepted'"),
        _check("eligible_turns", "eligible_turns >= 0"),
        _check("eligible_seconds", "eligible_seconds >= 0 AND eligible_seconds <= 1e308"),
        _check("roster_size", "roster_size >= 0 AND (decision = 'ineligible' OR roster_size >= 1)"),
        _check("embedding_space_unless_ineligible", "decision = 'ineligible' OR embedding_space IS NOT NULL"),
    ]


def _forbid_changes(dialect: str) -> None:
    """Triggers that refuse to change or delete a row of a ledger, whoever asks."""
    if dialect == "postgresql":
        op.execute(
            "CREATE FUNCTION voxint_ledger_is_immutable() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION '% is a ledger: its rows never change', TG_TABLE_NAME; END $$"
        )
    for table in _LEDGERS:
        if dialect == "postgresql":
            op.execute(
                f"CREATE TRIGGER {table}_are_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION voxint_ledger_is_immutable()"
            )
            continue
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is a ledger: its rows never change'); END"
            )
