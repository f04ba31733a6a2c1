"""Field numbers and enum numbers: given once, kept in a lock file, never given again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tools._contracts.shapes import Enum, Message

Numbers = dict[str, int]


@dataclass(frozen=True)
class Lock:
    """The numbers of one family version, by type; what was removed keeps its name and number reserved."""

    numbers: dict[str, Numbers] = field(default_factory=dict)
    removed: dict[str, Numbers] = field(default_factory=dict)
    removed_types: tuple[str, ...] = ()

    def to_text(self) -> str:
        """The lock as JSON: types in order of their name, members in order of their number."""
        document = {
            "numbers": _by_number(self.numbers),
            "removed": _by_number(self.removed),
            "removed_types": sorted(self.removed_types),
        }
        return json.dumps(document, indent=2) + "\n"


def parse_lock(text: str) -> Lock:
    """The lock that a text spells; ValueError if a name or a number stands for two things."""
    document: dict[str, Any] = json.loads(text)
    lock = Lock(document["numbers"], document["removed"], tuple(document["removed_types"]))
    for name in {*lock.numbers, *lock.removed}:
        present, gone = lock.numbers.get(name, {}), lock.removed.get(name, {})
        given = [*present.values(), *gone.values()]
        if present.keys() & gone.keys() or len(set(given)) != len(given) or min(given, default=1) < 1:
            raise ValueError(f"fields.lock: {name} gives one name or one number to two members")
    return lock


def advance(lock: Lock, types: Iterable[Message | Enum], faults: list[str]) -> Lock:
    """The lock after a change of the schema: new members take the next number, lost ones are reserved."""
    members = {type_.name: _members(type_) for type_ in types}
    numbers: dict[str, Numbers] = {}
    removed = {name: dict(gone) for name, gone in lock.removed.items()}
    for name, present in members.items():
        if name in lock.removed_types:
            faults.append(f"{name} was removed once, its numbers are spent; choose another name")
        numbers[name] = _number(name, present, lock, faults)
    for name, given in lock.numbers.items():
        gone = {member: number for member, number in given.items() if member not in members.get(name, ())}
        if gone:
            removed[name] = removed.get(name, {}) | gone
    lost = {name for name in lock.numbers if name not in members}
    return Lock(numbers, removed, tuple(sorted({*lock.removed_types, *lost})))


def _members(type_: Message | Enum) -> tuple[str, ...]:
    return type_.values if isinstance(type_, Enum) else tuple(each.name for each in type_.fields)


def _number(name: str, members: tuple[str, ...], lock: Lock, faults: list[str]) -> Numbers:
    given, gone = lock.numbers.get(name, {}), lock.removed.get(name, {})
    returned = [member for member in members if member in gone]
    faults.extend(f"{name}.{each} was removed once, its name is reserved; choose another" for each in returned)
    last = max([*given.values(), *gone.values()], default=0)
    fresh = [member for member in members if member not in given]
    following = {member: last + step for step, member in enumerate(fresh, start=1)}
    return {member: given.get(member, following.get(member, 0)) for member in members}


def _by_number(numbers: dict[str, Numbers]) -> dict[str, Numbers]:
    return {name: dict(sorted(numbers[name].items(), key=lambda item: item[1])) for name in sorted(numbers)}
