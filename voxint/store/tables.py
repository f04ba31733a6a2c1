"""The tables of the evidence store. What must always hold is a constraint here, not a habit of the code.

Times are in seconds from the start of the recording, at most 10^9; embeddings are little-endian float64. A speaker is
active when neither merged nor archived. Rulings and operator actions are ledgers: the migrations forbid to change them.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, Double, ForeignKey, ForeignKeyConstraint, Index, Integer, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from voxint.store.types import Float64Vector, UtcTime, Vector

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Names of constraints, the same on every database, so that a migration can speak of them."""

NOT_BLANK = "length(trim({0})) > 0"
CANDIDATE = ("top_speaker_id", "similarity", "vote_agreement")


class Base(DeclarativeBase):
    """Root of all tables."""

    metadata = MetaData(naming_convention=NAMING)


def _check(sql: str, name: str) -> CheckConstraint:
    return CheckConstraint(sql, name=name)


class PipelineRun(Base):
    """One diarization of one recording, by any pipeline."""

    __tablename__ = "pipeline_runs"
    __table_args__ = (
        _check(NOT_BLANK.format("id"), "id_not_blank"),
        _check("status IN ('queued', 'running', 'completed', 'failed')", "status"),
        _check(NOT_BLANK.format("recording"), "recording_not_blank"),
        _check("n_turns >= 0", "n_turns"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    status: Mapped[str] = mapped_column(Text)
    recording: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    n_turns: Mapped[int] = mapped_column(Integer)


class EmbeddingSpace(Base):
    """One embedding model: every vector of a space has the same number of coordinates."""

    __tablename__ = "embedding_spaces"
    __table_args__ = (
        _check(NOT_BLANK.format("name"), "name_not_blank"),
        _check("dims >= 1", "dims"),
    )

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    dims: Mapped[int] = mapped_column(Integer)


class DiarizationTurn(Base):
    """One stretch of one voice in a run, with its embedding or the reason why it has none."""

    __tablename__ = "diarization_turns"
    __table_args__ = (
        _check("turn_index >= 0", "turn_index"),
        _check('start >= 0 AND "end" > start AND "end" <= 1e9', "interval"),
        _check(NOT_BLANK.format("label"), "label_not_blank"),
        # A microsecond of slack: a difference of two doubles is not the decimal that the producer meant.
        _check('overlap_seconds >= 0 AND overlap_seconds <= "end" - start + 0.000001', "overlap"),
        _check("snr_db IS NULL OR (snr_db >= -1e308 AND snr_db <= 1e308)", "snr_db_is_finite"),
        _check("(embedding IS NULL) <> (skip_reason IS NULL)", "embedding_xor_skip_reason"),
        _check("(embedding IS NULL) = (embedding_space IS NULL)", "embedding_has_its_space"),
        _check("embedding IS NULL OR (length(embedding) > 0 AND length(embedding) % 8 = 0)", "embedding_is_float64"),
        _check(f"skip_reason IS NULL OR {NOT_BLANK.format('skip_reason')}", "skip_reason_not_blank"),
    )

    run_id: Mapped[str] = mapped_column(ForeignKey(PipelineRun.id), primary_key=True)
    turn_index: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    start: Mapped[float] = mapped_column(Double)
    end: Mapped[float] = mapped_column(Double)
    label: Mapped[str] = mapped_column(Text)
    overlap_seconds: Mapped[float] = mapped_column(Double)
    snr_db: Mapped[float | None] = mapped_column(Double)
    embedding: Mapped[Vector | None] = mapped_column(Float64Vector)
    skip_reason: Mapped[str | None] = mapped_column(Text)
    embedding_space: Mapped[str | None] = mapped_column(ForeignKey(EmbeddingSpace.name))


class Speaker(Base):
    """A person who can be proposed; a merged one points to who they are, an archived one is out of the roster."""

    __tablename__ = "speakers"
    __table_args__ = (
        _check(NOT_BLANK.format("display_name"), "display_name_not_blank"),
        _check("(merged_into_id IS NULL) = (merged_at IS NULL)", "merged_with_its_time"),
        _check("merged_into_id IS NULL OR merged_into_id <> id", "not_merged_into_itself"),
        _check("merged_at IS NULL OR deleted_at IS NULL", "merged_or_archived"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    display_name: Mapped[str] = mapped_column(Text, unique=True)
    merged_into_id: Mapped[str | None] = mapped_column(ForeignKey("speakers.id"), index=True)
    merged_at: Mapped[datetime | None] = mapped_column(UtcTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcTime)


class OperatorAction(Base):
    """Ledger of what operators did: one row per idempotency key, with the request it was first used for."""

    __tablename__ = "operator_actions"
    __table_args__ = (
        _check(NOT_BLANK.format("idempotency_key"), "idempotency_key_not_blank"),
        _check("action IN ('enroll', 'decide', 'merge', 'archive', 'restore')", "action"),
        _check(NOT_BLANK.format("operator"), "operator_not_blank"),
    )

    idempotency_key: Mapped[str] = mapped_column(Text, primary_key=True)
    action: Mapped[str] = mapped_column(Text)
    request: Mapped[str] = mapped_column(Text)
    """What was asked for, without the key and the time: an argument a line, in order of their names."""
    speaker_id: Mapped[str | None] = mapped_column(ForeignKey(Speaker.id))
    """The speaker that the action was about; null for a ruling without one."""
    operator: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcTime)


class AdjudicationDecision(Base):
    """Ledger of human rulings on who a label is; the last one of a label, by id, is in force."""

    __tablename__ = "adjudication_decisions"
    __table_args__ = (
        _check(NOT_BLANK.format("label"), "label_not_blank"),
        _check("decision IN ('assign', 'exclude', 'unknown')", "decision"),
        _check("(decision = 'assign') = (speaker_id IS NOT NULL)", "speaker_iff_assign"),
        _check(NOT_BLANK.format("operator"), "operator_not_blank"),
        Index("ix_adjudication_decisions_run_id_label", "run_id", "label"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey(PipelineRun.id))
    label: Mapped[str] = mapped_column(Text)
    decision: Mapped[str] = mapped_column(Text)
    speaker_id: Mapped[str | None] = mapped_column(ForeignKey(Speaker.id), index=True)
    operator: Mapped[str] = mapped_column(Text)
    idempotency_key: Mapped[str] = mapped_column(ForeignKey(OperatorAction.idempotency_key), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcTime)


class SpeakerEmbedding(Base):
    """One enrollment vector of a speaker: the centroid of a label, and the ruling that made it theirs."""

    __tablename__ = "speaker_embeddings"
    __table_args__ = (
        _check("length(embedding) > 0 AND length(embedding) % 8 = 0", "embedding_is_float64"),
        _check("(source_run_id IS NULL) = (source_label IS NULL)", "source_label_with_its_run"),
        Index("ix_speaker_embeddings_embedding_space_speaker_id", "embedding_space", "speaker_id"),
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    speaker_id: Mapped[str] = mapped_column(ForeignKey(Speaker.id))
    embedding_space: Mapped[str] = mapped_column(ForeignKey(EmbeddingSpace.name))
    embedding: Mapped[Vector] = mapped_column(Float64Vector)
    source_run_id: Mapped[str | None] = mapped_column(ForeignKey(PipelineRun.id), index=True)
    source_label: Mapped[str | None] = mapped_column(Text)
    source_decision_id: Mapped[int | None] = mapped_column(ForeignKey(AdjudicationDecision.id), unique=True)


class MatchCandidate(Base):
    """What the matcher says of one label of a run, with its evidence.

    An ineligible label has no candidate and no numbers of one: only how much of it could be used, and how many speakers
    there were.
    """

    __tablename__ = "match_candidates"
    __table_args__ = (
        _check(NOT_BLANK.format("label"), "label_not_blank"),
        _check("decision IN ('accepted', 'rejected', 'ineligible')", "decision"),
        _check("(decision = 'accepted') = (reason IS NULL)", "reason_unless_accepted"),
        *(_check(f"(decision = 'ineligible') = ({name} IS NULL)", f"{name}_unless_ineligible") for name in CANDIDATE),
        _check("margin IS NULL OR (decision <> 'ineligible' AND margin >= 0 AND margin <= 2)", "margin"),
        _check("margin IS NOT NULL OR decision = 'ineligible' OR roster_size = 1", "margin_unless_roster_of_one"),
        _check("similarity IS NULL OR (similarity >= -1 AND similarity <= 1)", "similarity"),
        _check("vote_agreement IS NULL OR (vote_agreement >= 0 AND vote_agreement <= 1)", "vote_agreement"),
        _check("NOT grounded OR decision = 'accepted'", "grounded_only_when_accepted"),
        _check("eligible_turns >= 0", "eligible_turns"),
        _check("eligible_seconds >= 0 AND eligible_seconds <= 1e308", "eligible_seconds"),
        _check("roster_size >= 0 AND (decision = 'ineligible' OR roster_size >= 1)", "roster_size"),
        _check("decision = 'ineligible' OR embedding_space IS NOT NULL", "embedding_space_unless_ineligible"),
    )

    run_id: Mapped[str] = mapped_column(ForeignKey(PipelineRun.id), primary_key=True)
    label: Mapped[str] = mapped_column(Text, primary_key=True)
    decision: Mapped[str] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(Text)
    embedding_space: Mapped[str | None] = mapped_column(ForeignKey(EmbeddingSpace.name))
    top_speaker_id: Mapped[str | None] = mapped_column(ForeignKey(Speaker.id), index=True)
    similarity: Mapped[float | None] = mapped_column(Double)
    margin: Mapped[float | None] = mapped_column(Double)
    vote_agreement: Mapped[float | None] = mapped_column(Double)
    grounded: Mapped[bool]
    eligible_turns: Mapped[int] = mapped_column(Integer)
    eligible_seconds: Mapped[float] = mapped_column(Double)
    roster_size: Mapped[int] = mapped_column(Integer)


class SpeakerAssignment(Base):
    """The machine's proposal for one label: the speaker of an accepted candidate, while that speaker is active."""

    __tablename__ = "speaker_assignments"
    __table_args__ = (
        ForeignKeyConstraint(["run_id", "label"], [MatchCandidate.run_id, MatchCandidate.label]),
        _check("confidence >= 0 AND confidence <= 1", "confidence"),
    )

    run_id: Mapped[str] = mapped_column(Text, primary_key=True)
    label: Mapped[str] = mapped_column(Text, primary_key=True)
    speaker_id: Mapped[str] = mapped_column(ForeignKey(Speaker.id), index=True)
    confidence: Mapped[float] = mapped_column(Double)
    grounded: Mapped[bool]
