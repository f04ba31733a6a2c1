"""Where each value of a JSON text stands, and what keeps the text from being JSON. For the error path only.

One pass over the text, no recursion. Offsets count characters from 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import NamedTuple

from voxint.errors import Path, quoted
from voxint.io import tokens

MAX_DEPTH = 200

_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity"})


class Spot(NamedTuple):
    """A value's place: where its key starts (the value itself, if it has none), its start and its end.

    Of an object or an array, the end is that of its bracket.
    """

    key: int
    start: int
    end: int


class Problem(NamedTuple):
    """Something that strict JSON forbids; `path` is the value or the object concerned."""

    offset: int
    path: Path
    message: str


class _Node:
    """One step of the paths that are looked for."""

    __slots__ = ("children", "spot")

    def __init__(self) -> None:
        self.children: dict[str | int, _Node] = {}
        self.spot: Spot | None = None


class _Frame:
    """An open object (`keys` is its set of keys) or array (`keys` is None)."""

    __slots__ = ("key_at", "keys", "node", "step")

    def __init__(self, node: _Node | None, *, is_object: bool) -> None:
        self.keys: set[str] | None = set() if is_object else None
        self.step: str | int | None = None if is_object else 0
        self.key_at: int | None = None
        self.node = node


class Map:
    """What a scan found: `problems` in the order of the text (of syntax at most one, the last), and spots."""

    def __init__(self, wanted: Iterable[Path]) -> None:
        self.problems: list[Problem] = []
        self._told: set[Path] = set()
        self.root = _Node()
        for path in wanted:
            node = self.root
            for step in path:
                node = node.children.setdefault(step, _Node())

    def tell(self, problem: Problem, value: Path) -> None:
        """Take in a problem that makes all else about the value at `value` idle talk."""
        self.problems.append(problem)
        self._told.add(value)

    def is_told(self, path: Path) -> bool:
        """Whether the value at `path`, or one that holds it, is repeated or no number."""
        return any(path[:depth] in self._told for depth in range(len(path) + 1))

    def find(self, path: Path) -> tuple[Path, Spot | None]:
        """The longest part of a wanted path that is in the text, and its (last) spot."""
        node, depth = self.root, 0
        for step in path:
            child = node.children.get(step)
            if child is None or child.spot is None:
                break
            node, depth = child, depth + 1
        return path[:depth], node.spot


def scan(text: str, wanted: Iterable[Path] = ()) -> Map:
    """The places of the `wanted` paths and all that keeps `text` from being strict JSON.

    Repeated keys, NaN and infinities are each a problem and the scan goes on; a fault of syntax ends it.
    """
    found = Map(wanted)
    _Scanner(text, found).run()
    return found


_State = Callable[[], "_State | None"]


class _Scanner:
    def __init__(self, text: str, found: Map) -> None:
        self.text = text
        self.found = found
        self.at = 0
        self.comma: int | None = None
        self.stack: list[_Frame] = []

    def run(self) -> None:
        state: _State | None = self.value
        while state is not None:
            state = state()

    def value(self) -> _State | None:
        """A value is due: read it, or open it."""
        char = self._peek()
        if len(self.stack) > MAX_DEPTH:
            return self._stop(f"is nested deeper than {MAX_DEPTH} levels", path=self._path()[:1])
        if char in "{[" and char:
            return self._open(is_object=char == "{")
        if char == '"':
            start = self.at
            return self._mark(start) if self._string() else None
        if char in "-0123456789" and char:
            return self._number()
        return self._bare(char)

    def key(self) -> _State | None:
        """A key or the end of the object is due."""
        char, frame = self._peek(), self.stack[-1]
        if char == "}":
            return self._close()
        if char != '"':
            return self._unexpected("a key in double quotes")
        frame.key_at = self.at
        raw = self._string()
        if raw is None:
            return None
        key = json.loads(raw) if "\\" in raw else raw[1:-1]
        if frame.keys is not None:
            if key in frame.keys:
                self._note(frame.key_at, f"duplicate key {quoted(key)}", self._container(), (*self._container(), key))
            frame.keys.add(key)
        frame.step = key
        return self.colon

    def colon(self) -> _State | None:
        """The colon after a key is due."""
        if self._peek() != ":":
            return self._unexpected('":" after the key')
        self.at += 1
        return self.value

    def item(self) -> _State | None:
        """A value of an array or the end of the array is due."""
        frame = self.stack[-1]
        if frame.node is None and isinstance(frame.step, int):
            skipped = tokens.PLAIN_NUMBERS.match(self.text, self.at)
            if skipped and skipped.end() > self.at:
                frame.step += skipped.group().count(",")
                self.at = skipped.end()
                self.comma = self.at - 1
        return self._close() if self._peek() == "]" else self.value()

    def after(self) -> _State | None:
        """A value has ended: a comma, the end of its container or the end of the text is due."""
        char = self._peek()
        if not self.stack:
            return self._stop("unexpected text after the end of the JSON value") if char else None
        frame = self.stack[-1]
        is_object = frame.keys is not None
        if char == ",":
            self.comma = self.at
            self.at += 1
            if isinstance(frame.step, int):
                frame.step += 1
                return self.item
            frame.step = None
            return self.key
        if char == ("}" if is_object else "]"):
            self.comma = None
            return self._close()
        return self._unexpected('"," or "}"' if is_object else '"," or "]"', path=self._container())

    def _open(self, *, is_object: bool) -> _State:
        node = self._node()
        self._mark(self.at, self.at + 1)
        self.at += 1
        self.stack.append(_Frame(node, is_object=is_object))
        self.comma = None
        return self.key if is_object else self.item

    def _close(self) -> _State | None:
        if self.comma is not None:
            self.at = self.comma
            return self._stop("trailing comma", path=self._container())
        self.stack.pop()
        self.at += 1
        return self.after

    def _string(self) -> str | None:
        """The string that starts here, with its quotes; None if it is wrong, which is then noted."""
        start, end = self.at, tokens.string_end(self.text, self.at)
        if end < 0:
            self.at, message = tokens.string_problem(self.text, start)
            self._stop(message)
            return None
        self.at = end
        return self.text[start:end]

    def _number(self) -> _State | None:
        match, word = tokens.NUMBER.match(self.text, self.at), tokens.WORD.match(self.text, self.at)
        if match is None or word is None or match.end() != word.end():
            return self._bare("-")
        if len(match[1]) > tokens.MAX_DIGITS:
            return self._stop(f"has {len(match[1])} digits; at most {tokens.MAX_DIGITS} are read")
        self.at = match.end()
        return self._mark(match.start())

    def _bare(self, char: str) -> _State | None:
        """A word that is no string: true, false, null, or something that JSON has not."""
        match = tokens.WORD.match(self.text, self.at)
        if match is None:
            return self._unexpected("a value") if char else self._cut_off()
        start, word = self.at, match.group()
        if word not in {"true", "false", "null"}:
            if word not in _NOT_FINITE:
                return self._stop(tokens.word_problem(word))
            self._note(start, tokens.word_problem(word), self._path(), self._path())
        self.at = match.end()
        return self._mark(start)

    def _mark(self, start: int, end: int | None = None) -> _State:
        node = self._node()
        if node is not None:
            key_at = self.stack[-1].key_at if self.stack else None
            node.spot = Spot(start if key_at is None else key_at, start, self.at if end is None else end)
        self.comma = None
        return self.after

    def _node(self) -> _Node | None:
        if not self.stack:
            return self.found.root
        frame = self.stack[-1]
        return frame.node.children.get(frame.step) if frame.node and frame.step is not None else None

    def _peek(self) -> str:
        match = tokens.SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def _path(self) -> Path:
        return tuple(frame.step for frame in self.stack if frame.step is not None)

    def _container(self) -> Path:
        return tuple(frame.step for frame in self.stack[:-1] if frame.step is not None)

    def _note(self, offset: int, message: str, path: Path, value: Path) -> None:
        self.found.tell(Problem(offset, path, message), value)

    def _stop(self, message: str, *, path: Path | None = None) -> _State | None:
        self.found.problems.append(Problem(self.at, self._path() if path is None else path, message))
        return None

    def _unexpected(self, due: str, *, path: Path | None = None) -> _State | None:
        if self.at == len(self.text):
            return self._cut_off()
        word = tokens.WORD.match(self.text, self.at)
        got = word.group() if word else self.text[self.at]
        return self._stop(f"expected {due}, not {quoted(got)}", path=path)

    def _cut_off(self) -> _State | None:
        self.at = len(self.text.rstrip(tokens.BLANK))
        return self._stop("the JSON text ends early; is it cut off?")
