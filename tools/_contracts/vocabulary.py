"""contracts/vocabulary.toml: what every field and every enum value means, in which unit and range."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tools._contracts.shapes import Contracts, Enum, Field, List, Map, Nested, Ref, Scalar, Type, range_of


@dataclass(frozen=True)
class Word:
    """One field name; `Message.field` or `family/vN/Message.field` where it has a meaning of its own there."""

    unit: str
    range: str
    meaning: str


@dataclass(frozen=True)
class Unit:
    """What a number counts. `kinds` are the types that may carry it, `low` and `high` their widest bounds."""

    kinds: tuple[str, ...]
    meaning: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Vocabulary:
    """The whole file. `values` holds a meaning for each value of each enum."""

    terms: dict[str, dict[str, str]] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    fields: dict[str, Word] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)

    def word(self, version: str, message: str, name: str) -> tuple[str, Word | None]:
        """The entry that covers a field, and its key: the message's own one before the common one."""
        keys = (f"{version}/{message}.{name}", f"{message}.{name}", name)
        key = next((each for each in keys if each in self.fields), name)
        return key, self.fields.get(key)


def parse_vocabulary(text: str) -> Vocabulary:
    """The vocabulary that a TOML text spells; TypeError or KeyError where an entry has the wrong keys."""
    tables: dict[str, Any] = tomllib.loads(text)
    units = {name: Unit(**{**each, "kinds": tuple(each["kinds"])}) for name, each in tables["units"].items()}
    words = {name: Word(**each) for name, each in tables["fields"].items()}
    return Vocabulary(tables["terms"], units, words, tables["values"])


def vocabulary_faults(vocabulary: Vocabulary, contracts: Contracts) -> Iterator[str]:
    """What is not listed, what is listed and not used, and units and ranges that disagree with a schema."""
    used: set[str] = set()
    for version, message, each in contracts.fields():
        key, word = vocabulary.word(version, message.name, each.name)
        used.add(key)
        if word is None:
            yield f"field {message.name}.{each.name} is not listed"
        else:
            yield from _word_faults(f"field {message.name}.{each.name}", word, each, vocabulary, contracts)
    units = {word.unit for word in vocabulary.fields.values()}
    spare = [("field", key) for key in vocabulary.fields if key not in used]
    spare += [("unit", unit) for unit in vocabulary.units if unit not in units]
    yield from (f"{what} {name} is listed, but no contract has it" for what, name in spare)
    yield from _value_faults(vocabulary, contracts)
    yield from (f"{what} has no meaning" for what, meaning in _meanings(vocabulary) if not meaning.strip())


def _meanings(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    yield from ((f"term {name}", term.get("meaning", "")) for name, term in vocabulary.terms.items())
    yield from ((f"unit {name}", unit.meaning) for name, unit in vocabulary.units.items())
    yield from ((f"field {name}", word.meaning) for name, word in vocabulary.fields.items())
    for name, values in vocabulary.values.items():
        yield from ((f"value {name}.{value}", meaning) for value, meaning in values.items())


def _word_faults(where: str, word: Word, each: Field, vocabulary: Vocabulary, contracts: Contracts) -> Iterator[str]:
    expected = range_of(each.type)
    if word.range != expected:
        yield f"{where} has the range {word.range!r} here, and {expected!r} in its schema"
    unit = vocabulary.units.get(word.unit)
    if unit is None:
        yield f"{where} has the unit {word.unit!r}, which is not listed"
        return
    leaf, kind = _leaf(each.type, contracts)
    if kind not in unit.kinds:
        yield f"{where} has the unit {word.unit!r}, which is for {' or '.join(unit.kinds)}, not for {kind}"
    elif leaf and not _within(leaf, unit):
        yield f"{where} has the unit {word.unit!r}, and its schema allows more than the unit: {leaf.range}"
    elif leaf and (closer := _closer(leaf, unit, vocabulary)):
        yield f"{where} has the unit {word.unit!r}, which has no such ends as {leaf.range}; it is a {closer}"


def _leaf(shape: Type, contracts: Contracts) -> tuple[Scalar | None, str]:
    match shape:
        case List(item=inner) | Map(value=inner):
            return _leaf(inner, contracts)
        case Scalar():
            return shape, shape.kind
        case Ref():
            return None, "enum" if isinstance(contracts.index[shape], Enum) else "message"
        case Nested():
            return None, "nested"


def _within(leaf: Scalar, unit: Unit) -> bool:
    low_fits = unit.low is None or (leaf.low is not None and leaf.low >= unit.low)
    high_fits = unit.high is None or (leaf.high is not None and leaf.high <= unit.high)
    return low_fits and high_fits


def _closer(leaf: Scalar, unit: Unit, vocabulary: Vocabulary) -> str:
    """The units with two ends that hold a number with two ends, and its own unit lacks one: seconds end nowhere."""
    if leaf.kind != "number" or None in (leaf.low, leaf.high) or None not in (unit.low, unit.high):
        return ""
    closed = {name: each for name, each in vocabulary.units.items() if None not in (each.low, each.high)}
    return " or a ".join(name for name, each in closed.items() if leaf.kind in each.kinds and _within(leaf, each))


def _value_faults(vocabulary: Vocabulary, contracts: Contracts) -> Iterator[str]:
    needed: dict[str, set[str]] = {}
    for _, enum in contracts.enums():
        needed.setdefault(enum.name, set()).update(enum.values)
    for name in sorted(needed.keys() | vocabulary.values.keys()):
        listed, present = set(vocabulary.values.get(name, ())), needed.get(name, set())
        yield from (f"value {name}.{value} is not listed" for value in sorted(present - listed))
        gone = sorted(listed - present)
        yield from (f"value {name}.{value} is listed, but no contract has it" for value in gone)
