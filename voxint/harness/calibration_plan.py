"""Whether a protocol's halves can reach the bound at all: from its rows, before a score is seen."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt, Le
from voxint_contracts.attribution_protocol.v2 import AttributionProtocolRow, MeetingRole, MeetingSplit, ProtocolManifest
from voxint_contracts.calibration import v1 as contract

from voxint.harness.calibration_rule import (
    MIN_INDEPENDENT_CLUSTERS,
    required_clusters,
    required_clusters_exact,
)
from voxint.stats.clopper_pearson import clopper_pearson_upper
from voxint.stats.wilson import wilson_upper_one_sided

MaxFar = Annotated[float, Ge(0.0001), Le(1)]
Confidence = Annotated[float, Gt(0), Le(0.9999)]
Errors = Annotated[int, Ge(0), Le(1000)]


def plan(
    *, protocol: ProtocolManifest, max_far: MaxFar = 0.05, confidence: Confidence = 0.95, errors: Errors = 0
) -> contract.CalibrationPlan:
    """Says whether each half of a protocol has enough speakers for the bound, before any score is seen.

    A speaker who is not enrolled is one impostor cluster at best, whatever the number of meetings; an enrolled one is
    a genuine cluster. dev needs enough impostor clusters for the bound, confirm the floor of 50 as well. The exit code
    is 1 when a half has too few: no run of that protocol could then be certified.

    Args:
        protocol: The protocol of the corpus.
        max_far: Largest one-sided upper bound of the cluster-level FAR; the rule asks for 0.05.
        confidence: Confidence of that bound; the rule asks for 0.95.
        errors: Impostor clusters in error to allow for; the rule allows none.

    Example:
        voxint calibrate plan --protocol protocol.json
    """
    required = required_clusters(max_far, confidence, errors)
    enrolled = {row.host_global_name for row in protocol.rows if row.role == MeetingRole.ENROLLMENT}
    halves = [
        _half(
            split,
            [row for row in protocol.rows if row.split == split],
            enrolled,
            max(required, floor),
            errors,
            confidence,
        )
        for split, floor in ((MeetingSplit.DEV, 0), (MeetingSplit.CONFIRM, MIN_INDEPENDENT_CLUSTERS))
    ]
    return contract.CalibrationPlan(
        schema_version=1,
        kind="calibration_plan",
        passed=all(half.can_reach for half in halves),
        max_far_upper_one_sided=max_far,
        confidence=confidence,
        allowed_errors=errors,
        min_impostor_clusters=MIN_INDEPENDENT_CLUSTERS,
        required_impostor_clusters=required,
        required_impostor_clusters_exact=required_clusters_exact(max_far, confidence, errors),
        halves=halves,
    )


def _half(
    split: MeetingSplit,
    rows: list[AttributionProtocolRow],
    enrolled: set[str],
    needed: int,
    errors: int,
    confidence: float,
) -> contract.HalfPlan:
    speakers = {row.host_global_name for row in rows}
    n_open = len(speakers - enrolled)
    enough = n_open >= max(errors, 1)
    return contract.HalfPlan(
        split=split,
        n_meetings=len({row.meeting_id for row in rows}),
        n_open_speakers=n_open,
        n_enrolled_speakers=len(speakers & enrolled),
        needed_impostor_clusters=needed,
        missing_impostor_clusters=max(needed - n_open, 0),
        best_far_upper_one_sided=wilson_upper_one_sided(errors, n_open, confidence) if enough else 1.0,
        best_far_exact_upper_one_sided=clopper_pearson_upper(errors, n_open, confidence) if enough else 1.0,
        can_reach=n_open >= needed,
    )
