"""An argument that names a file or a folder, opened as what the command's parameter is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from voxint.cli.progress import Progress
from voxint.cli.spec import ALIGNMENT, EACH, LINES, MEETINGS, RENDER, RTTMS, SEVERAL, STREAM, Parameter
from voxint.errors import ContractError, Fault, InputError
from voxint.io import read
from voxint.io.documents import Documents
from voxint.io.lines import lines
from voxint.semantics import rules_of


@dataclass(frozen=True, slots=True)
class Opened:
    """What the function gets, and the files beside the named one that were read for it."""

    value: Any
    files: tuple[str, ...] = ()


def check_readable(parameter: Parameter, source: str) -> None:
    """Opens a file and closes it again, or looks into a folder; what cannot be read twice is left for the one reading.

    Raises:
        InputError: it cannot be read.
    """
    if parameter.kind == RTTMS:
        from voxint.io.rttm import files

        files(source)
        return
    if source == "-":
        return
    try:
        if not Path(source).is_fifo():
            Path(source).open("rb").close()
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", source)) from error


def open_input(parameter: Parameter, value: Any, progress: Progress) -> Opened:
    """The argument as the function takes it: a stream is opened, a document read, any other value left as it is.

    Raises:
        InputError: a document, a list, a folder or XML cannot be read or has faults; a stream says so when it is read.
    """
    if not parameter.is_input:
        return Opened(value)
    reader = _READERS.get(parameter.kind)
    if reader is not None:
        return reader(parameter, value)
    return Opened(_json(parameter, value, progress))


def _json(parameter: Parameter, value: Any, progress: Progress) -> Any:
    from voxint_contracts.catalog import DOCUMENTS

    document = next(document for document in DOCUMENTS if document.name == parameter.contract)
    model = getattr(import_module(document.module), document.model)
    rules = rules_of(document.rules)
    if parameter.kind == STREAM:
        return read.rows(value, model, rules=rules, on_bytes=progress.of(value))
    if parameter.kind == EACH:
        return Documents(value, model, rules=rules)
    if parameter.kind == SEVERAL:
        return _documents(value, model, rules)
    return read.document(value, model, rules=rules)


def _documents(sources: tuple[str, ...], model: Any, rules: tuple[Any, ...]) -> tuple[Any, ...]:
    """The models of several files; the faults of all of them at once."""
    models, logs = [], []
    for source in sources:
        try:
            models.append(read.document(source, model, rules=rules))
        except ContractError as error:
            logs.append(error)
    if logs:
        raise ContractError([fault for log in logs for fault in log.faults], sum(log.n_faults for log in logs))
    return tuple(models)


def _lines(_: Parameter, value: str) -> Opened:
    return Opened(lines(value))


def _rttms(_: Parameter, value: str) -> Opened:
    from voxint.io import rttm

    return Opened(rttm.folder(value), tuple(rttm.files(value)))


def _meetings(_: Parameter, value: str) -> Opened:
    from voxint.io.ami_xml import meetings

    return Opened(meetings(value))


def _alignment(parameter: Parameter, value: str) -> Opened:
    from voxint.cli.align_files import align_files

    return Opened(*align_files(parameter.name, value))


def _render(_: Parameter, value: str) -> Opened:
    from voxint_contracts.audio_eval.v1 import RenderManifest
    from voxint_contracts.catalog import document_of

    from voxint.audio_eval.render import Render

    manifest = read.document(value, RenderManifest, rules=rules_of(document_of(RenderManifest).rules))
    audio = str((Path() if value == "-" else Path(value).parent) / manifest.audio_path)
    return Opened(Render(manifest, audio), (audio,))


_READERS: dict[str, Callable[[Parameter, str], Opened]] = {
    LINES: _lines,
    RTTMS: _rttms,
    MEETINGS: _meetings,
    ALIGNMENT: _alignment,
    RENDER: _render,
}
