"""NIST RTTM: who speaks when, in exact decimals; every fault of a file at once, by line and column.

Decided here, where the format leaves it open: fields are separated by ASCII white space; a line that begins with `;;`
is a comment; the record types that NIST defines beside SPEAKER are skipped, any other word is a fault, since a
misspelt SPEAKER would lose speech. The confidence of a SPEAKER line is a number or `<NA>`: that is how a space inside
a speaker's name is noticed in a line of nine fields. Channels are not told apart.

Source: NIST, The 2009 (RT-09) Rich Transcription Meeting Recognition Evaluation Plan, appendix A.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from voxint.corpus import Recordings, Span, Timeline
from voxint.errors import SHOWN_FAULTS, ContractError, Fault, InputError, listed, quoted
from voxint.io.encoding import encoding_fault
from voxint.io.source import Source

OTHER_TYPES = frozenset(
    b"SEGMENT NOSCORE NO_RT_METADATA LEXEME NON-LEX NON-SPEECH FILLER EDIT SU IP CB A/P SPKR-INFO".split()
)
"""The record types of NIST that say nothing of who speaks when."""

MOST_SECONDS = 10**9
MOST_DECIMALS = 400

_SUFFIXES = (".rttm", ".rttm.gz", ".rttm.zst")
_MISSING = b"<NA>"
_FIELD = re.compile(rb"[^ \t\n\r\f\v]+")
_DECIMAL = re.compile(rb"([+-]?)(\d{0,600})(?:\.(\d{0,600}))?(?:[eE]([+-]?\d{1,4}))?")
_RECORDING, _ONSET, _DURATION, _NAME, _CONFIDENCE = 1, 3, 4, 7, 8

_Time = tuple[int, int]
"""Digits and decimals: 1.50 is (150, 2)."""
_Turn = tuple[str, str, _Time, _Time]
"""Recording, speaker, onset, duration."""


def recordings(source: str) -> dict[str, Timeline]:
    """The recordings of an RTTM file (`-` is standard input) by their id in it, in order of their first turn.

    Spans are as the file has them, neither sorted nor united; a unit is a power of ten, fine enough for every time.

    Raises:
        ContractError: a line is no RTTM, an onset is below 0, a duration is not above 0, a time is not finite or above
            10^9 s or has more than 400 decimals, a speaker is `<NA>`, a name has a character that cannot be seen, or
            there is no SPEAKER line. Holds all faults.
        InputError: the file cannot be read.
    """
    reader = _Reader(Source(source))
    turns = list(reader.turns())
    reader.close(is_empty=not turns)
    decimals = max(time[1] for turn in turns for time in turn[2:])
    powers = [10**n for n in range(decimals + 1)]
    found: dict[str, dict[str, list[Span]]] = {}
    for recording, speaker, (onset, places), (duration, more_places) in turns:
        start = onset * powers[decimals - places]
        span = (start, start + duration * powers[decimals - more_places])
        found.setdefault(recording, {}).setdefault(speaker, []).append(span)
    return {recording: Timeline(powers[decimals], spans) for recording, spans in found.items()}


def select(found: Recordings, meeting_id: str, file: str) -> Timeline:
    """The recording of one meeting: the one with its id or, where the file holds one recording, that one.

    Raises:
        InputError: `file`, which held them, has several recordings and none of that id.
    """
    if meeting_id not in found and len(found) > 1:
        message = f"holds {len(found)} recordings, and none is {quoted(meeting_id)}: {listed(found)}"
        raise InputError(Fault(message, file))
    return found[meeting_id] if meeting_id in found else next(iter(found.values()))


def folder(path: str) -> Recordings:
    """The recordings of all `.rttm` files (also `.rttm.gz`, `.rttm.zst`) of a folder by meeting id, sorted by it.

    A file of one recording is the meeting that the file is named after; in a file of several, each has its own id.

    Raises:
        ContractError: a file has a fault; holds those of all files.
        InputError: the folder cannot be read or holds no such file, or two files hold one meeting.
    """
    return folder_with_files(path)[0]


def folder_with_files(path: str) -> tuple[Recordings, dict[str, str]]:
    """As `folder`, and beside the recordings the name of the file of each meeting.

    Raises:
        ContractError, InputError: as `folder`.
    """
    found: dict[str, Timeline] = {}
    owners: dict[str, str] = {}
    faults: list[Fault] = []
    n_faults = 0
    for name in files(path):
        try:
            inside = recordings(name)
        except InputError as error:
            faults += error.faults
            n_faults += error.n_faults
            continue
        if len(inside) == 1:
            inside = {_stem(name): next(iter(inside.values()))}
        for meeting_id, timeline in inside.items():
            if meeting_id in found:
                faults.append(Fault(f"holds meeting {quoted(meeting_id)}, as {owners[meeting_id]} does", name))
                n_faults += 1
            found[meeting_id], owners[meeting_id] = timeline, name
    if n_faults:
        raise ContractError(faults, n_faults)
    return dict(sorted(found.items())), owners


def files(path: str) -> list[str]:
    """The RTTM files of a folder, sorted by name; hidden ones are left aside.

    Raises:
        InputError: the folder cannot be read or holds none.
    """
    try:
        names = sorted(each.name for each in Path(path).iterdir())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(Fault(f"cannot be read as a folder: {why}", path)) from error
    kept = [name for name in names if name.endswith(_SUFFIXES) and not name.startswith(".")]
    if not kept:
        raise InputError(Fault("holds no .rttm file", path))
    return [str(Path(path) / name) for name in kept]


def _stem(name: str) -> str:
    base = Path(name).name
    return next(base.removesuffix(suffix) for suffix in _SUFFIXES if base.endswith(suffix))


class _FaultyField(Exception):  # noqa: N818 - never leaves this module
    """What is wrong with one field of a line; None for the line as a whole."""

    def __init__(self, message: str, field: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class _Reader:
    """One pass over a file: its turns, and its faults."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._faults: list[Fault] = []
        self._n_faults = 0

    def turns(self) -> Iterator[_Turn]:
        """The turns of the lines that are well formed, in order; text that is not UTF-8 ends them."""
        number = 0
        for batch in self._source.batches():
            if foreign := self._foreign(batch, number + 1):
                self._add(foreign)
                return
            for line in batch:
                number += 1
                try:
                    turn = _turn(line)
                except _FaultyField as faulty:
                    self._add(_placed(faulty, line, self._source.file, number))
                    continue
                if turn is not None:
                    yield turn
        if self._source.damage:
            self._add(Fault(self._source.damage, self._source.file, number + 1))

    def close(self, *, is_empty: bool) -> None:
        """Raises what was found, if anything was."""
        if is_empty and not self._n_faults:
            self._add(self._source.fault("has no SPEAKER line, so that nobody speaks in it"))
        if self._n_faults:
            raise ContractError(self._faults, self._n_faults)

    def _add(self, fault: Fault) -> None:
        self._n_faults += 1
        if len(self._faults) < SHOWN_FAULTS:
            self._faults.append(fault)

    def _foreign(self, batch: list[bytes], first_line: int) -> Fault | None:
        return encoding_fault(b"".join(batch), self._source.file, first_line)


def _turn(line: bytes) -> _Turn | None:
    """The turn of one line; None for a line that holds no turn."""
    fields = line.split()
    if not fields or fields[0].startswith(b";;"):
        return None
    if fields[0] != b"SPEAKER":
        if fields[0] in OTHER_TYPES:
            return None
        raise _FaultyField(f"must begin with SPEAKER or another record type of RTTM, not {_shown(fields[0])}", 0)
    if len(fields) not in (9, 10):
        hint = "; is there a space inside a name?" if len(fields) > 10 else ""
        raise _FaultyField(f"a SPEAKER line has 9 or 10 fields, not {len(fields)}{hint}")
    onset, duration = _seconds(fields, _ONSET), _seconds(fields, _DURATION)
    if not duration[0]:
        raise _FaultyField(f"the duration must be above 0 s, not {_shown(fields[_DURATION])}", _DURATION)
    if fields[_NAME] == _MISSING:
        raise _FaultyField("the speaker must have a name, not <NA>; is there a space inside a name?", _NAME)
    if fields[_CONFIDENCE] != _MISSING and not _is_number(fields[_CONFIDENCE]):
        message = f"the confidence must be a number or <NA>, not {_shown(fields[_CONFIDENCE])}"
        raise _FaultyField(f"{message}; is there a space inside a name?", _CONFIDENCE)
    return _name(fields, _RECORDING), _name(fields, _NAME), onset, duration


def _name(fields: Sequence[bytes], place: int) -> str:
    """The name in a field. One with a character that cannot be seen would look like another name and be none."""
    name = fields[place].decode()
    if not name.isprintable():
        what = "recording" if place == _RECORDING else "speaker"
        raise _FaultyField(f"the {what} has a character in its name that cannot be seen: {quoted(name)}", place)
    return name


def _seconds(fields: Sequence[bytes], place: int) -> _Time:
    """A time as digits and decimals, exactly as it is spelt."""
    text = fields[place]
    what = "onset" if place == _ONSET else "duration"
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise _FaultyField(f"the {what} must be a finite number of seconds, not {_shown(text)}", place)
    fraction = match[3] or b""
    digits = int(match[2] + fraction)
    if match[1] == b"-" and digits:
        raise _FaultyField(f"the {what} must not be negative, not {_shown(text)}", place)
    decimals = len(fraction) - int(match[4] or b"0")
    if not digits:
        return 0, 0
    if decimals > MOST_DECIMALS:
        raise _FaultyField(f"the {what} has more than {MOST_DECIMALS} decimals", place)
    if len(str(digits)) - decimals > len(str(MOST_SECONDS)):
        raise _FaultyField(f"the {what} must be at most 10^9 s, not {_shown(text)}", place)
    if decimals < 0:
        digits, decimals = digits * 10**-decimals, 0
    if digits > MOST_SECONDS * 10**decimals:
        raise _FaultyField(f"the {what} must be at most 10^9 s, not {_shown(text)}", place)
    return digits, decimals


def _is_number(text: bytes) -> bool:
    match = _DECIMAL.fullmatch(text)
    return match is not None and bool(match[2] or match[3])


def _shown(text: bytes) -> str:
    return quoted(text.decode())


def _placed(faulty: _FaultyField, line: bytes, file: str, number: int) -> Fault:
    """The fault with the column of its field, in characters from 1."""
    starts = [match.start() for match in _FIELD.finditer(line)]
    start = starts[0 if faulty.field is None else faulty.field]
    return Fault(faulty.message, file, number, len(line[:start].decode()) + 1)
