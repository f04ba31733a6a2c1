"""Name accuracy done slowly and plainly: the independent implementation that the scorer is held against."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

Items = list[dict[str, Any]]


NOBODY = {None, "", "SPEAKER_01", "unknown 2", "__ABSTAIN__"}
SAME = {("D. Fox", "Dana Fox")}


def verdict(slot: dict[str, Any]) -> str:
    """The table of the contract, for the few names that the tests draw from."""
    shown, truth = slot["assigned_name"], slot.get("truth")
    if truth in (None, "__NEITHER_DETERMINABLE__"):
        return "EXCLUDED"
    if truth == "__ABSTAIN__":
        return "TN" if shown in NOBODY else "FP_OVERNAME"
    if shown in NOBODY:
        return "FN"
    ids = slot.get("assigned_id"), slot.get("truth_id")
    is_same = shown == truth or (shown, truth) in SAME or (bool(ids[0]) and ids[0] == ids[1])
    return "TP" if is_same else "FP_WRONG"


def share(part: Fraction | int, whole: Fraction | int) -> float:
    return float(Fraction(part) / Fraction(whole)) if whole else 0.0


def weight(slot: dict[str, Any]) -> Fraction:
    duration = slot.get("duration")
    exact = Fraction(1 if duration is None else duration) * 10**6
    return Fraction(round(exact))


def rates(sums: dict[str, Any]) -> dict[str, float]:
    tp, wrong, over, fn = (sums[k] for k in ("TP", "FP_WRONG", "FP_OVERNAME", "FN"))
    precision = Fraction(tp) / (tp + wrong + over) if tp else Fraction(0)
    recall = Fraction(tp) / (tp + fn) if tp else Fraction(0)
    return {
        "precision": float(precision),
        "recall": float(recall),
        "f1": float(2 * precision * recall / (precision + recall)) if tp else 0.0,
        "named_recall": share(tp, tp + wrong + fn),
    }


def report(items: Items, target: float = 0.95) -> dict[str, Any]:
    verdicts = {item["item_id"]: {label: verdict(slot) for label, slot in item["slots"].items()} for item in items}
    names = ("TP", "FP_WRONG", "FP_OVERNAME", "FN", "TN", "EXCLUDED")
    counts = dict.fromkeys(names, 0)
    weights: dict[str, Any] = dict.fromkeys(names, Fraction(0))
    scored = []
    for item in items:
        for label, slot in item["slots"].items():
            found = verdicts[item["item_id"]][label]
            counts[found] += 1
            weights[found] += weight(slot)
            if found != "EXCLUDED":
                scored.append((slot.get("confidence"), found in ("TP", "TN")))
    result = {name.lower(): counts[name] for name in names} | rates(counts)
    result |= {f"weighted_{name}": value for name, value in rates(weights).items()}
    return {
        "aggregate": result,
        "n_items": len(items),
        "n_slots_scored": len(scored),
        "accuracy": share(counts["TP"] + counts["TN"], len(scored)),
        "per_item": [{"item_id": i, "verdicts": verdicts[i]} for i in sorted(verdicts)],
        "curve": curve(scored, target),
    }


def curve(scored: list[tuple[float | None, bool]], target: float) -> dict[str, Any] | None:
    values = sorted({c + 0.0 for c, _ in scored if c is not None}, reverse=True)
    if not values:
        return None
    points, area, last, chow = [], Fraction(0), 0, None
    thresholds: list[float | None] = [*values, *([None] if any(c is None for c, _ in scored) else [])]
    for threshold in thresholds:
        kept = [right for c, right in scored if threshold is None or (c is not None and c >= threshold)]
        coverage, accuracy = share(len(kept), len(scored)), share(sum(kept), len(kept))
        points.append([coverage, accuracy, threshold])
        area += Fraction(len(kept) - last, len(scored)) * (1 - Fraction(sum(kept), len(kept)))
        last = len(kept)
        chow = coverage if accuracy >= target else chow
    return {"points": points, "aurc": float(area), "chow_coverage": chow}


def paired(candidate: Items, baseline: Items) -> dict[str, Any]:
    base = {item["item_id"]: item for item in baseline}
    clusters, lost, gained = [], 0, 0
    for item in candidate:
        deltas = []
        for label, slot in item["slots"].items():
            ours, theirs = verdict(slot), verdict(base[item["item_id"]]["slots"][label])
            if "EXCLUDED" not in (ours, theirs):
                deltas.append((ours in ("TP", "TN")) - (theirs in ("TP", "TN")))
        gained, lost = gained + deltas.count(1), lost + deltas.count(-1)
        if deltas:
            clusters.append((sum(deltas), len(deltas)))
    n, k = gained + lost, min(gained, lost)
    p = min(Fraction(1), 2 * Fraction(sum(math.comb(n, i) for i in range(k + 1)), 2**n))
    return {
        "n_slots": sum(size for _, size in clusters),
        "n_items": len(clusters),
        "lost": lost,
        "gained": gained,
        "p_value": float(p),
        "point": share(sum(d for d, _ in clusters), sum(size for _, size in clusters)),
    }
