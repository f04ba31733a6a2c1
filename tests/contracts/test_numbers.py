"""Field numbers are given once: a removed member stays reserved, and nothing takes its number or its name."""

from __future__ import annotations

import pytest

from tools._contracts.numbers import Lock, advance, parse_lock
from tools._contracts.shapes import Enum, Field, Message, Scalar


def _message(*names: str, called: str = "Pet") -> Message:
    return Message(
        called, "d", tuple(Field(name, "d", Scalar("string"), required=True, nullable=False) for name in names)
    )


def _step(lock: Lock, *types: Message | Enum) -> Lock:
    faults: list[str] = []
    after = advance(lock, types, faults)
    assert faults == []
    return parse_lock(after.to_text())


def test_numbers_follow_the_schema_at_first() -> None:
    lock = _step(Lock(), _message("b", "a"), Enum("Mood", "d", ("calm", "ANGRY")))
    assert lock.numbers == {"Pet": {"b": 1, "a": 2}, "Mood": {"calm": 1, "ANGRY": 2}}


def test_order_in_the_schema_moves_no_number() -> None:
    lock = _step(_step(Lock(), _message("a", "b")), _message("c", "b", "a"))
    assert lock.numbers == {"Pet": {"a": 1, "b": 2, "c": 3}}


def test_a_removed_field_is_reserved_and_its_number_is_never_given_again() -> None:
    lock = _step(_step(Lock(), _message("a", "b", "c")), _message("a", "b"))
    assert (lock.numbers, lock.removed) == ({"Pet": {"a": 1, "b": 2}}, {"Pet": {"c": 3}})
    assert _step(lock, _message("a", "b", "d")).numbers == {"Pet": {"a": 1, "b": 2, "d": 4}}


def test_a_removed_name_cannot_return() -> None:
    lock = _step(_step(Lock(), _message("a", "b")), _message("a"))
    faults: list[str] = []
    advance(lock, [_message("a", "b")], faults)
    assert faults == ["Pet.b was removed once, its name is reserved; choose another"]


def test_removals_add_up() -> None:
    lock = Lock()
    for names in (("a", "b", "c"), ("b", "c"), ("c",), ("c", "d")):
        lock = _step(lock, _message(*names))
    assert (lock.numbers, lock.removed) == ({"Pet": {"c": 3, "d": 4}}, {"Pet": {"a": 1, "b": 2}})


def test_a_removed_type_cannot_return() -> None:
    lock = _step(_step(Lock(), _message("a"), _message("x", called="Tag")), _message("a"))
    assert (lock.removed_types, lock.removed) == (("Tag",), {"Tag": {"x": 1}})
    faults: list[str] = []
    advance(lock, [_message("a"), _message("y", called="Tag")], faults)
    assert faults == ["Tag was removed once, its numbers are spent; choose another name"]


def test_a_removed_enum_value_is_reserved() -> None:
    lock = _step(_step(Lock(), Enum("Mood", "d", ("calm", "ANGRY"))), Enum("Mood", "d", ("ANGRY", "none")))
    assert (lock.numbers, lock.removed) == ({"Mood": {"ANGRY": 2, "none": 3}}, {"Mood": {"calm": 1}})


def test_nothing_changes_where_nothing_changed() -> None:
    lock = _step(_step(Lock(), _message("a", "b")), _message("a"))
    assert _step(lock, _message("a")).to_text() == lock.to_text()


@pytest.mark.parametrize(
    "text",
    [
        '{"numbers": {"Pet": {"a": 1, "b": 1}}, "removed": {}, "removed_types": []}',
        '{"numbers": {"Pet": {"a": 1}}, "removed": {"Pet": {"b": 1}}, "removed_types": []}',
        '{"numbers": {"Pet": {"a": 1}}, "removed": {"Pet": {"a": 2}}, "removed_types": []}',
        '{"numbers": {"Pet": {"a": 0}}, "removed": {}, "removed_types": []}',
    ],
)
def test_a_lock_that_gives_a_number_twice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"fields\.lock: Pet"):
        parse_lock(text)
