"""Every error voxint raises on purpose, in one tree.

VoxintError
├── InputError            exit 2: the user's file or flag
│   ├── ContractError     a document does not fit its schema or its rules
│   ├── RecordError       records fit, but contradict one another
│   ├── VersionError      a contract version that is refused, with the way out
│   ├── ConflictError     a store holds something else already, or in another state
│   └── UsageError        the command line itself
├── SpaceMismatchError    two embedding spaces in one comparison
├── MissingExtraError     a part of voxint that is not installed; names the extra
└── EdgeError             a file system, database or model failed; the cause is attached

One message shape everywhere: `file:line:col: path: what is wrong`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Path = tuple[str | int, ...]

SHOWN_FAULTS = 20

LISTED = 5
"""How many of several texts a message names."""


LONGEST_KEY = 120
"""How many characters of a key a message shows: the line and the column find the rest."""


def json_path(path: Path) -> str:
    """The JSONPath of a place in a document: `$.slots["SPK 0"].embedding[2]`."""
    parts = ["$"]
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif len(step) > LONGEST_KEY:
            parts.append('["' + _visible(step[:LONGEST_KEY]) + '…"]')
        elif step.isidentifier():
            parts.append(f".{step}")
        else:
            parts.append('["' + _visible(step) + '"]')
    return "".join(parts)


def _visible(text: str, *, ascii_only: bool = False) -> str:
    r"""The text on one line: quotes and backslashes escaped, unprintable characters as \uXXXX."""
    return "".join(
        "\\" + c
        if c in '"\\'
        else c
        if c.isprintable() and (c.isascii() or not ascii_only)
        else f"\\u{ord(c):04x}"
        if ord(c) < 0x10000
        else f"\\U{ord(c):08x}"
        for c in text
    )


def visible_name(name: str) -> str:
    """A file name on one line; what can be printed stays as it is."""
    return name if name.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


def quoted(text: str, limit: int = 60) -> str:
    """The text in double quotes, on one line, cut at `limit` characters."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return f'"{_visible(cut)}"'


def listed(texts: Iterable[str]) -> str:
    """The first five texts in quotes, and how many more there are."""
    kept = list(texts)
    more = f" and {len(kept) - LISTED} more" if len(kept) > LISTED else ""
    return ", ".join(map(quoted, kept[:LISTED])) + more


def respelt(ours: str, theirs: str, what: str = "id") -> str:
    r"""What is wrong with two spellings of one id: both as they differ, with every other letter as \uXXXX.

    >>> respelt("e\u0301", "\u00e9 ")
    '"e\\u0301" is another spelling of "\\u00e9 ": one id is spelt one way'
    """
    shown = [f'"{_visible(text, ascii_only=True)}"' for text in (ours, theirs)]
    return f"{shown[0]} is another spelling of {shown[1]}: one {what} is spelt one way"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where: line and column count from 1, columns in characters."""

    message: str
    file: str = ""
    line: int | None = None
    column: int | None = None
    path: Path | None = None

    def __str__(self) -> str:
        place = ":".join(
            str(part) for part in (visible_name(self.file) or None, self.line, self.column) if part is not None
        )
        parts = [place, json_path(self.path) if self.path is not None else "", self.message]
        return ": ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Violation:
    """A document that fits its schema and breaks one of its rules: where, and what is wrong."""

    path: Path
    message: str


class VoxintError(Exception):
    """Root of every error raised on purpose."""


class InputError(VoxintError):
    """The user's file or flag is wrong. `faults` holds the first ones, `n_faults` counts all."""

    def __init__(self, faults: Fault | str | Iterable[Fault], n_faults: int | None = None) -> None:
        if isinstance(faults, str):
            faults = Fault(faults)
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        self.n_faults = len(self.faults) if n_faults is None else n_faults
        super().__init__(self.faults, self.n_faults)

    def lines(self) -> Iterator[str]:
        """One line per fault: the first 20 in full, then a count of the rest."""
        yield from map(str, self.faults[:SHOWN_FAULTS])
        hidden = self.n_faults - min(len(self.faults), SHOWN_FAULTS)
        if hidden > 0:
            files = {visible_name(fault.file) for fault in self.faults}
            file = files.pop() if len(files) == 1 else ""
            yield f"{file + ': ' if file else ''}{hidden} more fault{'s' if hidden > 1 else ''} not shown"

    def __str__(self) -> str:
        return "\n".join(self.lines())


class ContractError(InputError):
    """A document does not fit its schema or one of its rules."""


class VersionError(InputError):
    """A contract version that is refused; the message says how to get one that is not."""


class ConflictError(InputError):
    """A store holds something else under that name or key, or holds it in another state; nothing was written."""


class UsageError(InputError):
    """The command line is wrong; nothing ran."""


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A record that contradicts another one: `parameter` is the scorer's argument, `index` counts from 0."""

    parameter: str
    index: int | None
    message: str
    path: Path | None = None
    other: tuple[str, int] | None = None
    """(parameter, index) of the record it contradicts, for messages that end in "see ..."."""


class RecordError(InputError):
    """Records fit their contract, but contradict one another.

    Scorers know parameters and record numbers, not files; whoever opened the files turns `records` into
    `file:line:col` faults.
    """

    def __init__(self, records: Sequence[RecordFault], n_faults: int | None = None) -> None:
        self.records = tuple(records)
        faults = [
            Fault(r.message, f"{r.parameter}[{r.index}]" if r.index is not None else r.parameter, path=r.path)
            for r in records
        ]
        super().__init__(faults, n_faults)


class SpaceMismatchError(VoxintError):
    """Two embedding spaces in one comparison."""


class MissingExtraError(VoxintError):
    """A part of voxint whose libraries are not installed; the message names the extra."""


class EdgeError(VoxintError):
    """A file system, database or model failed; `__cause__` holds the original error."""
