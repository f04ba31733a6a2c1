"""What a person reads of a report: plain data, made once, drawn as a terminal table or as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table; the first `n_text` columns are text, the others are numbers aligned right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_text: int = 1


@dataclass(frozen=True, slots=True)
class Summary:
    """A title, then tables and sentences in reading order."""

    title: str
    blocks: tuple[Grid | str, ...]


_WRITERS = {
    "NameAccuracyReport": "voxint.cli.summaries.name_accuracy:summary",
    "ContractList": "voxint.cli.summaries.contracts:listing",
    "GateMetrics": "voxint.cli.summaries.gate_metrics:summary",
    "CheckReport": "voxint.cli.summaries.contracts:check",
    "AttributionMetrics": "voxint.cli.summaries.attribution:metrics_summary",
    "AttributionReport": "voxint.cli.summaries.attribution:report_summary",
    "CalibrationSweep": "voxint.cli.summaries.calibration:sweep",
    "CalibrationComparison": "voxint.cli.summaries.calibration:compare",
    "CalibrationSelection": "voxint.cli.summaries.calibration:select",
    "CalibrationCertification": "voxint.cli.summaries.calibration:certify",
    "CalibrationPlan": "voxint.cli.summaries.calibration:plan",
    "RecurrenceReport": "voxint.cli.summaries.protocol:recurrence_summary",
    "ProtocolManifest": "voxint.cli.summaries.protocol:manifest_summary",
    "ProtocolInspection": "voxint.cli.summaries.protocol:inspection_summary",
    "JudgeResponse": "voxint.cli.summaries.judge:summary",
    "AudioJudgeResponse": "voxint.cli.summaries.judge:summary",
    "TrialsDocument": "voxint.cli.summaries.alignment:summary",
}


def summary_of(report: Any) -> Summary:
    """The summary of a report: its family's own, or a plain list of its scalar fields."""
    place = _WRITERS.get(type(report).__name__)
    if place is None:
        return _plain(report)
    module, _, name = place.partition(":")
    writer: Callable[[Any], Summary] = getattr(import_module(module), name)
    return writer(report)


class Counter(Protocol):
    """Sums up a stream record by record."""

    def add(self, model: Any) -> None:
        """Counts one record."""

    def summary(self) -> Summary:
        """What was counted so far."""


_COUNTERS: dict[str, str] = {
    "agreement/v1/verdicts": "voxint.cli.summaries.agreement:VerdictCounts",
    "ensemble/v1/decisions": "voxint.cli.summaries.ensemble:DecisionCounts",
    "goldset/v1/labels": "voxint.cli.summaries.goldset:GoldCounts",
    "goldset/v1/queue": "voxint.cli.summaries.goldset:GoldCounts",
}


def counter_of(contract: str) -> Counter:
    """What sums up a stream of this contract: its family's own, or counts of its enum fields."""
    module, _, name = _COUNTERS.get(contract, "voxint.cli.summaries.counts:EnumCounts").partition(":")
    made: Counter = getattr(import_module(module), name)(contract)
    return made


def _plain(report: Any) -> Summary:
    rows = tuple(
        (name, str(value)) for name, value in report if isinstance(value, str | int | float) and name != "kind"
    )
    return Summary(type(report).__name__, (Grid("", ("field", "value"), rows),))
