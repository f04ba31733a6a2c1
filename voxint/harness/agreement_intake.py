"""Which records may be scored: those that fit the enrollment, each item once."""

from __future__ import annotations

from collections.abc import Iterator

from voxint_contracts.agreement import v1 as contract

from voxint.errors import Path, RecordFault, quoted, respelt
from voxint.harness.agreement_gallery import Gallery
from voxint.harness.joins import FaultLog, distinct, raise_any
from voxint.harness.packed import RunBuilder
from voxint.semantics_agreement import vector_fault
from voxint.text import identity_form

PARAMETER = "slots"


class Intake:
    """Looks at each record of a stream once, and remembers of it the bytes of its id."""

    def __init__(self, gallery: Gallery) -> None:
        self._gallery = gallery
        self._log = FaultLog(PARAMETER)
        self._ids = RunBuilder()
        self._spelling: str | None = None
        self._n_records = 0

    def admits(self, record: contract.SlotsRecord) -> bool:
        """Whether this record and all before it are without fault; faults are kept for `close`."""
        index, form = self._n_records, identity_form(record.item_id)
        self._n_records += 1
        self._ids.add(form, index, (), b"" if form == record.item_id else record.item_id.encode())
        for path, message in self._faults(record):
            self._log.add(RecordFault(PARAMETER, index, message, path))
        return not self._log.n_faults

    def close(self) -> None:
        """Looks for repeated ids once the stream has ended.

        Raises:
            RecordError: there were faults; it holds the first 20 by record, and the number of all.
        """
        for _ in distinct(self._ids.build(), self._log, spelling_at=0):
            pass
        raise_any(self._log)

    def _faults(self, record: contract.SlotsRecord) -> Iterator[tuple[Path, str]]:
        if record.embedding_space != self._spelling and (message := self._space_fault(record.embedding_space)):
            yield ("embedding_space",), message
            return
        if record.kind is contract.ItemKind.CURATED and self._gallery.number(record.host_id) is None:
            yield ("host_id",), _unknown_host(record.host_id)
        for label, slot in record.slots.items():
            if message := vector_fault(slot.embedding, self._gallery.dims, "dims of the enrollment"):
                yield ("slots", label, "embedding"), message

    def _space_fault(self, space: str) -> str:
        """What is wrong with a space that is not spelt as the last one was."""
        expected = self._gallery.embedding_space
        if identity_form(space) != identity_form(expected):
            return f"must be {quoted(expected)}, the space of the enrollment, not {quoted(space)}"
        if self._spelling is not None:
            return respelt(space, self._spelling, "space")
        self._spelling = space
        return ""


def _unknown_host(host_id: str | None) -> str:
    if host_id is None:
        return "must name the host of a curated item"
    return f"must be a host of the enrollment: {quoted(host_id)} has no voiceprint"
