"""Many JSON documents, one at a time: as much memory as the largest of them, however many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from pydantic import BaseModel

from voxint.errors import SHOWN_FAULTS, ContractError, Fault, InputError, RecordError
from voxint.io.check import Rule
from voxint.io.read import document, document_places

M = TypeVar("M", bound=BaseModel)


class Documents(Generic[M]):
    """The models of several files in their order, each time it is iterated.

    A file with faults is passed over, and one that its taker refuses (`refuse`) is noted; at the end all their faults
    are raised together. So every good document is dealt with before any fault is raised.
    """

    def __init__(self, sources: Sequence[str], model: type[M], *, rules: Sequence[Rule[M]] = ()) -> None:
        self._sources = tuple(sources)
        self._model = model
        self._rules = tuple(rules)
        self._faults: list[Fault] = []
        self._n_faults = 0
        self._source = ""

    def __len__(self) -> int:
        return len(self._sources)

    def __iter__(self) -> Iterator[M]:
        """The models of the files without faults.

        Raises:
            ContractError: at the end, with the faults of all files, the first 20 in full.
        """
        self._faults, self._n_faults = [], 0
        for source in self._sources:
            self._source = source
            try:
                model = document(source, self._model, rules=self._rules)
            except InputError as error:
                self._note(error.faults, error.n_faults)
                continue
            yield model
        if self._n_faults:
            raise ContractError(self._faults, self._n_faults)

    def refuse(self, error: RecordError) -> None:
        """Notes what is wrong with the model that was yielded last, at the places that the records' paths name."""
        if self._source == "-":
            placed: Sequence[Fault] = [Fault(each.message, "<stdin>", path=each.path) for each in error.records]
        else:
            placed = document_places(self._source, error.records)
        self._note(placed, error.n_faults)

    def _note(self, faults: Sequence[Fault], n_faults: int) -> None:
        self._faults += faults[: max(0, SHOWN_FAULTS - len(self._faults))]
        self._n_faults += n_faults
