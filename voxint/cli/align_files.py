"""An align input and the files that it names.

Decided here: the document is the user's own, like the command line, so that its paths may be absolute and may lead out
of its folder. They are only ever read. A path is refused that is `-`, holds a control character (NUL among them) or
leads to anything but a regular file: a device or a FIFO must not be opened because a document says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from voxint_contracts.attribution.v1 import AlignInput
from voxint_contracts.attribution_protocol.v2 import ProtocolManifest
from voxint_contracts.base import Contract
from voxint_contracts.catalog import document_of

from voxint.cli.located import located
from voxint.corpus import Recordings, Timeline
from voxint.errors import ContractError, Fault, InputError, RecordError, RecordFault
from voxint.errors import Path as JsonPath
from voxint.harness.attribution_meetings import AlignFiles
from voxint.io import read, rttm
from voxint.io.source import Source
from voxint.semantics import rules_of

M = TypeVar("M", bound=Contract)


def align_files(parameter: str, source: str) -> tuple[AlignFiles, tuple[str, ...]]:
    """The align input at `source`, what its files hold, and the names of these files.

    Raises:
        InputError: a file cannot be read; each is named at its place in the document.
        ContractError: a file has faults; holds those of all files.
    """
    document = _document(source, AlignInput)
    folder = Path() if source == "-" else Path(source).parent
    places = {path: str(folder / named) for path, named in _named(document)}
    _check_places(parameter, source, document, places)
    loader = _Loader()
    protocol = loader.protocol(places["protocol_path",])
    held = {
        name: {
            meeting_id: loader.recording(places["meetings", meeting_id, name], meeting_id)
            for meeting_id in sorted(document.meetings)
        }
        for name in ("gold_rttm", "hypothesis_rttm")
    }
    if loader.n_faults or protocol is None:
        raise ContractError(loader.faults, loader.n_faults)
    return AlignFiles(document, protocol, held["gold_rttm"], held["hypothesis_rttm"]), tuple(places.values())


def _document(source: str, model: type[M]) -> M:
    return read.document(source, model, rules=rules_of(document_of(model).rules))


def _named(document: AlignInput) -> Iterator[tuple[JsonPath, str]]:
    """Where the document names a file, and the name."""
    yield ("protocol_path",), document.protocol_path
    for meeting_id, meeting in document.meetings.items():
        yield ("meetings", meeting_id, "gold_rttm"), meeting.gold_rttm
        yield ("meetings", meeting_id, "hypothesis_rttm"), meeting.hypothesis_rttm


def _check_places(parameter: str, source: str, document: AlignInput, places: dict[JsonPath, str]) -> None:
    """Each name that leads to no file that can be read, as a fault of the document."""
    faults = [
        RecordFault(parameter, None, message, path)
        for path, named in _named(document)
        if (message := _unreadable(named, places[path]))
    ]
    if faults:
        raise located(RecordError(faults), {}, {parameter: Source(source).file})


def _unreadable(named: str, place: str) -> str | None:
    if named == "-" or any(ord(char) < 32 or ord(char) == 127 for char in named):
        return "must be the name of a file"
    path = Path(place)
    try:
        if path.exists() and not path.is_file():
            return f"{place}: is no regular file"
        path.open("rb").close()
    except OSError as error:
        return f"{place}: cannot be read: {error.strerror}"
    except ValueError as error:
        return f"{place}: cannot be read: {error}"
    return None


class _Loader:
    """Reads files one after the other, each once, and keeps the faults of all."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.n_faults = 0
        self._read: dict[str, Recordings] = {}

    def protocol(self, file: str) -> ProtocolManifest | None:
        """The protocol; None after keeping its faults."""
        try:
            return _document(file, ProtocolManifest)
        except InputError as error:
            self._keep(error)
            return None

    def recording(self, file: str, meeting_id: str) -> Timeline:
        """The recording of a meeting; an empty one after keeping the faults of its file."""
        try:
            if file not in self._read:
                self._read[file] = {}
                self._read[file] = rttm.recordings(file)
            found = self._read[file]
            return rttm.select(found, meeting_id, file) if found else Timeline(1, {})
        except InputError as error:
            self._keep(error)
            return Timeline(1, {})

    def _keep(self, error: InputError) -> None:
        self.faults += error.faults
        self.n_faults += error.n_faults
