"""Agreement as the specification reads, one item and one pair of vectors at a time; and small makers of documents."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from voxint_contracts.agreement import v1 as contract

from voxint.harness.vectors import TaggedVector, cosine

SPACE = "toy-v1"
Json = dict[str, Any]


def slot(*embedding: float, duration: float = 60.0, segments: int = 8) -> Json:
    return {"embedding": list(embedding), "duration": duration, "segments": segments}


def item(item_id: str, host_id: str | None = None, total_speech: float | None = 600.0, **slots: Json) -> Json:
    """A curated item where a host is given, else a negative control."""
    kind = "negative_control" if host_id is None else "curated"
    return {
        "item_id": item_id,
        "kind": kind,
        "host_id": host_id,
        "embedding_space": SPACE,
        "total_speech": total_speech,
        "slots": slots,
    }


def voiceprint(*embedding: float, items: int = 5, held_out: bool = True, sources: tuple[str, ...] = ()) -> Json:
    return {
        "embedding": list(embedding),
        "enrollment_items": items,
        "held_out": held_out,
        "source_item_ids": list(sources),
    }


def enrollment(dims: int = 2, **voiceprints: Json) -> contract.Enrollment:
    return contract.Enrollment.model_validate(
        {"schema_version": 1, "embedding_space": SPACE, "dims": dims, "voiceprints": voiceprints}
    )


def thresholds(**changed: float) -> contract.Thresholds:
    values: Json = {
        "schema_version": 1,
        "tau": 0.6,
        "margin": 0.1,
        "min_duration": 45.0,
        "min_segments": 6,
        "low_band": 0.3,
        "neg_min_total_duration": 300.0,
        "min_enrollment_items": 3,
    }
    return contract.Thresholds.model_validate(values | changed)


def records(*items: Json) -> list[contract.SlotsRecord]:
    return [contract.SlotsRecord.model_validate_json(json.dumps(each)) for each in items]


def verdict(item: Json, enrolled: contract.Enrollment, gates: contract.Thresholds) -> Json:
    """The verdict record that the specification gives an item."""
    out: Json = dict.fromkeys(contract.VerdictRecord.model_fields)
    out |= {
        "schema_version": 1,
        "item_id": item["item_id"],
        "kind": item["kind"],
        "embedding_space": SPACE,
        "host_id": item["host_id"] if item["kind"] == "curated" else None,
        "verdict": "ABSTAIN",
        "contradiction": False,
        "diagnostics": {},
    }
    judge = _curated if item["kind"] == "curated" else _control
    return out | judge(item, enrolled, gates)


def _unusable(print_: contract.Voiceprint, item: Json, gates: contract.Thresholds) -> str | None:
    sources = {unicodedata.normalize("NFC", each).strip() for each in print_.source_item_ids}
    if unicodedata.normalize("NFC", item["item_id"]).strip() in sources or not print_.held_out:
        return "session_leakage_risk"
    return "weak_enrollment" if print_.enrollment_items < gates.min_enrollment_items else None


def _ranked(item: Json, print_: contract.Voiceprint) -> list[tuple[float, str]]:
    mine = TaggedVector(SPACE, tuple(print_.embedding))
    found = [(cosine(TaggedVector(SPACE, tuple(s["embedding"])), mine), label) for label, s in item["slots"].items()]
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))


def _gate(ranked: list[tuple[float, str]], item: Json, gates: contract.Thresholds) -> str | None:
    top, label = ranked[0]
    if top < gates.tau:
        return "low_cosine_band"
    if item["slots"][label]["duration"] < gates.min_duration or item["slots"][label]["segments"] < gates.min_segments:
        return "short_duration"
    if len(ranked) > 1 and top - ranked[1][0] < gates.margin:
        return "near_tie"
    return None


def _adequate(item: Json, gates: contract.Thresholds) -> bool:
    return item["total_speech"] is not None and item["total_speech"] >= gates.neg_min_total_duration


def _curated(item: Json, enrolled: contract.Enrollment, gates: contract.Thresholds) -> Json:
    print_ = enrolled.voiceprints[item["host_id"]]
    if reason := _unusable(print_, item, gates):
        return {"reason": reason}
    if not item["slots"]:
        return {"reason": "no_slot_embeddings"}
    ranked = _ranked(item, print_)
    top, label = ranked[0]
    reason = _gate(ranked, item, gates)
    return {
        "verdict": "ABSTAIN" if reason else "CONFIDENT_HOST_PRESENT",
        "reason": reason,
        "contradiction": top < gates.low_band and _adequate(item, gates),
        "host_slot": label,
        "top_cosine": top,
        "runner_up_cosine": ranked[1][0] if len(ranked) > 1 else None,
        "margin": top - ranked[1][0] if len(ranked) > 1 else None,
        "host_slot_duration": item["slots"][label]["duration"],
        "host_slot_segments": item["slots"][label]["segments"],
    }


def _control(item: Json, enrolled: contract.Enrollment, gates: contract.Thresholds) -> Json:
    if not item["slots"]:
        return {"reason": "no_slot_embeddings"}
    faults = {host: _unusable(print_, item, gates) for host, print_ in enrolled.voiceprints.items()}
    usable = sorted(host for host, fault in faults.items() if fault is None)
    if not usable:
        leaked = "session_leakage_risk" in faults.values()
        return {"reason": "session_leakage_risk" if leaked else "weak_enrollment"}
    ranked = {host: _ranked(item, enrolled.voiceprints[host]) for host in usable}
    best = min(usable, key=lambda host: (-ranked[host][0][0], host))
    top, label = ranked[best][0]
    out: Json = {"host_slot": label, "top_cosine": top, "diagnostics": {"best_candidate_host": best}}
    present = [host for host in usable if _gate(ranked[host], item, gates) is None]
    if present:
        out["diagnostics"]["contradiction_hosts"] = present
        return out | {"reason": "low_cosine_band", "contradiction": True}
    if top >= gates.low_band:
        return out | {"reason": "low_cosine_band"}
    if not _adequate(item, gates):
        return out | {"reason": "short_duration"}
    return out | {"verdict": "NO_CURATED_HOST_DETECTED"}
