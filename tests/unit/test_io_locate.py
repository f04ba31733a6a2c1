from __future__ import annotations

import json
from collections.abc import Iterator

import jiter
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.errors import Path
from voxint.io.locate import Problem, Spot, scan

BLANKS = st.text(alphabet=" \t\r\n", max_size=2)
KEYS = st.sampled_from(["a", "b", ":", 'a":', "é", "\\", "SPK 0", ""])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(alphabet='a:",{}[]\\é😀\n', max_size=4),
)
Tree = object
TREES: st.SearchStrategy[Tree] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.lists(st.tuples(KEYS, inner), max_size=4).map(tuple),
    max_leaves=12,
)
"""Objects are tuples of pairs, so that a key may occur twice."""


class Renderer:
    """JSON text of a tree with blanks wherever they may be, and where each value and each repeated key stands."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.text = ""
        self.spots: dict[Path, Spot] = {}
        self.repeated: list[int] = []

    def put(self, text: str) -> None:
        self.text += text

    def blank(self) -> None:
        self.put(self.data.draw(BLANKS))

    def scalar(self, value: object) -> str:
        return json.JSONEncoder(ensure_ascii=self.data.draw(st.booleans())).encode(value)

    def value(self, tree: Tree, path: Path, key_at: int | None = None) -> None:
        self.blank()
        start = len(self.text)
        if isinstance(tree, list):
            self.many("[", "]", [(None, index, value) for index, value in enumerate(tree)], path)
        elif isinstance(tree, tuple):
            self.many("{", "}", [(key, key, value) for key, value in tree], path)
        else:
            self.put(self.scalar(tree))
        end = start + 1 if isinstance(tree, (list, tuple)) else len(self.text)
        self.spots[path] = Spot(start if key_at is None else key_at, start, end)
        self.blank()

    def many(self, opening: str, closing: str, parts: list[tuple[str | None, str | int, Tree]], path: Path) -> None:
        self.put(opening)
        seen: set[str] = set()
        for number, (key, step, value) in enumerate(parts):
            self.put("," if number else "")
            self.blank()
            key_at = None if key is None else len(self.text)
            if key is not None and key_at is not None:
                self.repeated += [key_at] if key in seen else []
                seen.add(key)
                self.put(self.scalar(key))
                self.blank()
                self.put(":")
            for old in [spot for spot in self.spots if spot[: len(path) + 1] == (*path, step)]:
                del self.spots[old]
            self.value(value, (*path, step), key_at)
        self.blank() if not parts else None
        self.put(closing)


def rendered(tree: Tree, data: st.DataObject) -> Renderer:
    renderer = Renderer(data)
    renderer.value(tree, ())
    return renderer


@settings(deadline=None)
@given(TREES, st.data())
def test_every_value_is_found_where_it_was_written(tree: Tree, data: st.DataObject) -> None:
    made = rendered(tree, data)
    if made.repeated:
        return
    for wanted in ([path] for path in made.spots):
        found = scan(made.text, wanted)
        assert found.problems == []
        assert found.find(wanted[0]) == (wanted[0], made.spots[wanted[0]])
    all_at_once = scan(made.text, made.spots)
    assert {path: all_at_once.find(path)[1] for path in made.spots} == made.spots


@settings(deadline=None)
@given(TREES, st.data())
def test_repeated_keys_are_found_at_each_repetition(tree: Tree, data: st.DataObject) -> None:
    made = rendered(tree, data)
    problems = scan(made.text).problems
    assert [problem.offset for problem in problems] == sorted(made.repeated)
    assert all(problem.message.startswith('duplicate key "') for problem in problems)


def mangled(text: str, data: st.DataObject) -> Iterator[str]:
    at = data.draw(st.integers(0, len(text)))
    yield text[:at]
    yield text[:at] + data.draw(st.sampled_from([*'{}[],:"\\-0.eEuN \x00\x0bé', "NaN"])) + text[at:]
    yield text[:at] + text[at + 1 :]


@settings(deadline=None, max_examples=300)
@given(TREES, st.data())
def test_there_is_a_problem_just_where_jiter_refuses(tree: Tree, data: st.DataObject) -> None:
    made = rendered(tree, data)
    for text in mangled(made.text, data):
        try:
            jiter.from_json(text.encode(), catch_duplicate_keys=True, allow_inf_nan=False)
            is_strict = True
        except ValueError:
            is_strict = False
        problems = scan(text).problems
        assert (problems == []) == is_strict
        assert all(0 <= problem.offset <= len(text) for problem in problems)


@pytest.mark.parametrize(
    ("text", "offset", "path", "message"),
    [
        ('{"a":1,}', 6, (), "trailing comma"),
        ('{"a":[1, 2 , ]}', 11, ("a",), "trailing comma"),
        ("[1,2,]", 4, (), "trailing comma"),
        ("{} {}", 3, (), "unexpected text after the end of the JSON value"),
        ('{"a":1', 6, ("a",), "the JSON text ends early; is it cut off?"),
        ('{"a":   \n', 5, ("a",), "the JSON text ends early; is it cut off?"),
        ("", 0, (), "the JSON text ends early; is it cut off?"),
        ('{"a" 1}', 5, ("a",), 'expected ":" after the key, not "1"'),
        ("{'a':1}", 1, (), "expected a key in double quotes, not \"'a'\""),
        ("{,}", 1, (), 'expected a key in double quotes, not ","'),
        ("[,]", 1, (0,), 'expected a value, not ","'),
        ("[1,,2]", 3, (1,), 'expected a value, not ","'),
        ('{"a":[1 2]}', 8, ("a",), 'expected "," or "]", not "2"'),
        ('{"a":1 "b":2}', 7, (), 'expected "," or "}", not "\\""'),
        ("[1}", 2, (), 'expected "," or "]", not "}"'),
        ('{"a":[1,NaN]}', 8, ("a", 1), "NaN is not JSON"),
        ('{"a":-Infinity}', 5, ("a",), "-Infinity is not JSON"),
        ('{"a":nan}', 5, ("a",), "nan is not JSON"),
        ('{"a":True}', 5, ("a",), "True is not JSON; write true"),
        ('{"a":007}', 5, ("a",), "007 is not JSON"),
        ('{"a":-}', 5, ("a",), "- is not JSON"),
        ('[{"a":1,"b":2,"a":3}]', 14, (0,), 'duplicate key "a"'),
        ('{"a":1,"\\u0061":2}', 7, (), 'duplicate key "a"'),
        ('{"a":"x\ny"}', 7, ("a",), "the control character U+000A must be escaped"),
        ('{"b":[[1,2,3],[1,2,x]]}', 19, ("b", 1, 2), "x is not JSON"),
        ('{"a":' + "9" * 4301 + "}", 5, ("a",), "has 4301 digits; at most 4300 are read"),
    ],
)
def test_each_problem_has_its_place_and_words(text: str, offset: int, path: Path, message: str) -> None:
    assert scan(text).problems == [Problem(offset, path, message)]


def test_problems_that_do_not_end_the_scan_come_together() -> None:
    found = scan('{"a":NaN,"a":[Infinity],"a":tru}')
    assert [problem.offset for problem in found.problems] == [5, 9, 14, 24, 28]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_is_bounded(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    assert scan(opening * 200 + "1" + closing * 200).problems == []
    (problem,) = scan('{"note":' + opening * 100_000).problems
    assert problem.message == "is nested deeper than 200 levels"
    assert problem.path == ("note",)
    assert problem.offset == len('{"note":') + 200 * len(opening)


def test_a_missing_path_ends_at_its_longest_part() -> None:
    found = scan('{"slots": {"S": {}}}', [("slots", "S", "truth"), ("slots", "T", "truth"), ("slots", 0)])
    assert found.find(("slots", "S", "truth")) == (("slots", "S"), Spot(11, 16, 17))
    assert found.find(("slots", "T", "truth")) == (("slots",), Spot(1, 10, 11))
    assert found.find(()) == ((), Spot(0, 0, 1))


def test_the_last_of_repeated_keys_counts() -> None:
    assert scan('{"a":1,"a":2}', [("a",)]).find(("a",)) == (("a",), Spot(7, 11, 12))
    assert scan("", [("a",)]).find(("a",)) == ((), None)
