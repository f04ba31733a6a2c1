"""The gates between cosines and a verdict: plain numbers in, one verdict record out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voxint_contracts.agreement import v1 as contract

from voxint.harness.agreement_gallery import Gallery

Reason = contract.AgreementReason
Verdict = contract.AgreementVerdict

NO_DIAGNOSTICS = contract.Diagnostics()


@dataclass(frozen=True, slots=True)
class Ranking:
    """The slot most like one voiceprint, its cosine, and the second largest cosine if there is a second slot."""

    label: str
    top: float
    runner_up: float | None

    @property
    def margin(self) -> float | None:
        """How far the best slot is ahead; None where it is alone."""
        return None if self.runner_up is None else self.top - self.runner_up


def rank(labels: Sequence[str], cosines: Sequence[float]) -> Ranking:
    """The ranking of one or more slots by their cosines; of equal ones the smallest label in code point order."""
    top = max(cosines)
    first = min(label for label, cosine in zip(labels, cosines, strict=True) if cosine == top)
    if len(cosines) == 1:
        return Ranking(first, top, None)
    return Ranking(first, top, sorted(cosines)[-2])


def failed_gate(
    ranking: Ranking, slot: contract.VoiceSlot, thresholds: contract.Thresholds
) -> contract.AgreementReason | None:
    """The first gate that keeps the best slot from being the host's; None if it passes all. Bounds are inclusive."""
    if ranking.top < thresholds.tau:
        return Reason.LOW_COSINE_BAND
    if slot.duration < thresholds.min_duration or slot.segments < thresholds.min_segments:
        return Reason.SHORT_DURATION
    if ranking.margin is not None and ranking.margin < thresholds.margin:
        return Reason.NEAR_TIE
    return None


def has_adequate_speech(record: contract.SlotsRecord, thresholds: contract.Thresholds) -> bool:
    """Whether there is enough speech to claim that somebody is absent; unknown speech is not enough."""
    return record.total_speech is not None and record.total_speech >= thresholds.neg_min_total_duration


def curated(record: contract.SlotsRecord, gallery: Gallery, cosines: Sequence[float]) -> contract.VerdictRecord:
    """The verdict on a curated item from the cosine of each slot, in the record's order, with its host's voiceprint."""
    thresholds = gallery.thresholds
    ranking = rank(tuple(record.slots), cosines)
    slot = record.slots[ranking.label]
    reason = failed_gate(ranking, slot, thresholds)
    contradiction = ranking.top < thresholds.low_band and has_adequate_speech(record, thresholds)
    return _record(
        record,
        gallery,
        Verdict.CONFIDENT_HOST_PRESENT if reason is None else Verdict.ABSTAIN,
        reason,
        contradiction=contradiction,
        host_slot=ranking.label,
        top_cosine=ranking.top,
        runner_up_cosine=ranking.runner_up,
        margin=ranking.margin,
        host_slot_duration=slot.duration,
        host_slot_segments=slot.segments,
    )


def negative_control(
    record: contract.SlotsRecord, gallery: Gallery, cosines: Mapping[int, Sequence[float]]
) -> contract.VerdictRecord:
    """The verdict on a negative control from the cosines of its slots, in order, with one voiceprint or more.

    `cosines` must hold the voiceprint with the largest cosine, every one that ties with it, and every one whose
    largest cosine reaches tau; others change nothing.
    """
    thresholds, labels = gallery.thresholds, tuple(record.slots)
    rankings = {host: rank(labels, cosines[host]) for host in sorted(cosines)}
    present = [
        gallery.hosts[host]
        for host, ranking in rankings.items()
        if failed_gate(ranking, record.slots[ranking.label], thresholds) is None
    ]
    host = max(rankings, key=lambda number: (rankings[number].top, -number))
    best = rankings[host]
    reason: contract.AgreementReason | None = Reason.LOW_COSINE_BAND
    if not present and best.top < thresholds.low_band:
        reason = None if has_adequate_speech(record, thresholds) else Reason.SHORT_DURATION
    diagnostics = contract.Diagnostics(best_candidate_host=gallery.hosts[host], contradiction_hosts=present)
    return _record(
        record,
        gallery,
        Verdict.NO_CURATED_HOST_DETECTED if reason is None else Verdict.ABSTAIN,
        reason,
        contradiction=bool(present),
        diagnostics=diagnostics,
        host_slot=best.label,
        top_cosine=best.top,
    )


def abstention(
    record: contract.SlotsRecord, gallery: Gallery, reason: contract.AgreementReason
) -> contract.VerdictRecord:
    """An abstention for which no vector was looked at, so without evidence."""
    return _record(record, gallery, Verdict.ABSTAIN, reason, contradiction=False)


def _record(
    record: contract.SlotsRecord,
    gallery: Gallery,
    verdict: contract.AgreementVerdict,
    reason: contract.AgreementReason | None,
    *,
    contradiction: bool,
    diagnostics: contract.Diagnostics = NO_DIAGNOSTICS,
    **evidence: Any,
) -> contract.VerdictRecord:
    fields: dict[str, Any] = dict.fromkeys(_EVIDENCE) | evidence
    return contract.VerdictRecord(
        schema_version=1,
        item_id=record.item_id,
        kind=record.kind,
        embedding_space=gallery.embedding_space,
        verdict=verdict,
        reason=reason,
        contradiction=contradiction,
        diagnostics=diagnostics,
        host_id=record.host_id if record.kind is contract.ItemKind.CURATED else None,
        **fields,
    )


_EVIDENCE = ("host_slot", "top_cosine", "runner_up_cosine", "margin", "host_slot_duration", "host_slot_segments")
