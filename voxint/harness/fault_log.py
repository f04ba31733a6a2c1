"""Faults of a stream of records: the first ones are kept, all are counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from voxint.errors import SHOWN_FAULTS, RecordError, RecordFault


@dataclass
class FaultLog:
    """Faults in the order of the file: the first 20 are kept, all are counted."""

    parameter: str
    n_faults: int = 0
    _kept: list[RecordFault] = field(default_factory=list)

    def add(self, fault: RecordFault) -> None:
        """Counts a fault and keeps it if it may be among the first."""
        self.n_faults += 1
        self._kept.append(fault)
        if len(self._kept) > 50 * SHOWN_FAULTS:
            self._kept = self.first()

    def first(self) -> list[RecordFault]:
        """The first faults by record number."""
        return sorted(self._kept, key=lambda fault: -1 if fault.index is None else fault.index)[:SHOWN_FAULTS]


def raise_any(*logs: FaultLog) -> None:
    """Raises one RecordError with the faults of all logs, if there are any."""
    total = sum(log.n_faults for log in logs)
    if total:
        raise RecordError([fault for log in logs for fault in log.first()], total)
