"""A contract as data: what is left of a JSON Schema once it is known to fit the profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

INT32_LOW, INT32_HIGH, UINT32_HIGH = -(2**31), 2**31 - 1, 2**32 - 1

ScalarKind = Literal["string", "integer", "number", "boolean"]
Flow = Literal["input", "output", "both"]


@dataclass(frozen=True)
class Scalar:
    """A string, a number or a boolean, and the bounds it must keep; lengths count characters."""

    kind: ScalarKind
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    const: str | bool | None = None

    @property
    def range(self) -> str:
        """The bounds as a reader writes them: `[0, 1]`, `(0, 1)`, `>= 0`, `non-empty`.

        The ends of int32 bound nothing that a user would meet, so they are left out.
        """
        if self.const is not None:
            return str(self.const).lower() if self.kind == "boolean" else str(self.const)
        if self.kind == "boolean":
            return "true or false"
        low = None if self.low in (None, 0 if self.kind == "string" else INT32_LOW, -INT32_HIGH) else self.low
        high = None if self.high == INT32_HIGH else self.high
        if self.kind == "string":
            text = _interval(low, high, self, "any text", "length ")
            return "non-empty" if text == "length >= 1" else text
        return _interval(low, high, self, "any" if self.kind == "integer" else "finite")


def _interval(low: float | None, high: float | None, scalar: Scalar, anything: str, prefix: str = "") -> str:
    if low is None and high is None:
        return anything
    if low is None or high is None:
        sign, opened, bound = ("<", scalar.high_open, high) if low is None else (">", scalar.low_open, low)
        return f"{prefix}{sign}{'' if opened else '='} {bound}"
    if low == high:
        return f"{prefix}{low}"
    return f"{prefix}{'(' if scalar.low_open else '['}{low}, {high}{')' if scalar.high_open else ']'}"


@dataclass(frozen=True)
class Ref:
    """A message or an enum by the version it lives in and its name there."""

    version: str
    name: str


@dataclass(frozen=True)
class List:
    """An array of scalars, enums or messages."""

    item: Scalar | Ref
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Map:
    """An object with free string keys and scalar, enum or message values."""

    value: Scalar | Ref
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Nested:
    """Arrays or maps inside one another; on the wire a ListValue or a Struct. `shape` is its outline."""

    outer: Literal["array", "object"]
    shape: str
    refs: tuple[Ref, ...] = ()


Type = Scalar | Ref | List | Map | Nested


def sized(word: str, inside: str, low: float | None, high: float | None) -> str:
    """What a list or a map holds, and how many: `list of [0, 1], length 2`."""
    length = Scalar("integer", low or None, high).range
    return f"{word} of {inside}" + ("" if length == "any" else f", length {length}")


def range_of(shape: Type) -> str:
    """The values that a type takes, as the vocabulary and the glossary write them."""
    match shape:
        case Scalar():
            return shape.range
        case Ref():
            return shape.name
        case List():
            return sized("list", range_of(shape.item), shape.low, shape.high)
        case Map():
            return sized("map", range_of(shape.value), shape.low, shape.high)
        case Nested():
            return shape.shape


@dataclass(frozen=True)
class Field:
    """One property of a message."""

    name: str
    description: str
    type: Type
    required: bool
    nullable: bool


@dataclass(frozen=True)
class Message:
    """An object with named properties."""

    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Enum:
    """A closed list of identifiers."""

    name: str
    description: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """One schema file. `root` is None where the file only holds definitions that others use."""

    name: str
    description: str
    root: Message | None
    definitions: tuple[Message | Enum, ...]
    stream: bool = False
    flow: Flow = "both"
    rules: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """Family and version: `name_accuracy/v1`."""
        return self.name.rpartition("/")[0]

    @property
    def types(self) -> tuple[Message | Enum, ...]:
        """The root message, then the definitions in file order."""
        return (*((self.root,) if self.root else ()), *self.definitions)

    @property
    def kind(self) -> str:
        """The constant of the root's field `kind`, or an empty string."""
        for each in self.root.fields if self.root else ():
            if each.name == "kind" and isinstance(each.type, Scalar) and isinstance(each.type.const, str):
                return each.type.const
        return ""


@dataclass(frozen=True)
class Contracts:
    """Every document, sorted by name."""

    documents: tuple[Document, ...]
    index: dict[Ref, Message | Enum] = field(default_factory=dict)

    def versions(self) -> dict[str, list[Document]]:
        """Documents by `family/vN`, both in order."""
        found: dict[str, list[Document]] = {}
        for document in self.documents:
            found.setdefault(document.version, []).append(document)
        return found

    def fields(self) -> Iterator[tuple[str, Message, Field]]:
        """Every field with its version and message."""
        for document in self.documents:
            for message in document.types:
                if isinstance(message, Message):
                    yield from ((document.version, message, each) for each in message.fields)

    def enums(self) -> Iterator[tuple[str, Enum]]:
        """Every enum with its version."""
        for document in self.documents:
            yield from ((document.version, each) for each in document.definitions if isinstance(each, Enum))

    def reachable(self, document: Document) -> frozenset[Ref]:
        """Every message and enum that a document is made of, its root included."""
        seen: set[Ref] = set()
        waiting = [Ref(document.version, document.root.name)] if document.root else []
        while waiting:
            ref = waiting.pop()
            if ref in seen:
                continue
            seen.add(ref)
            target = self.index[ref]
            if isinstance(target, Message):
                waiting.extend(each for item in target.fields for each in refs_of(item.type))
        return frozenset(seen)


def refs_of(shape: Type) -> tuple[Ref, ...]:
    """The messages and enums that a type names directly."""
    match shape:
        case Ref():
            return (shape,)
        case List(item=Ref() as ref) | Map(value=Ref() as ref):
            return (ref,)
        case Nested(refs=refs):
            return refs
        case _:
            return ()
