"""JSON text against one model and its rules: quickly where all is well, in full where something is wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Final, Generic, Protocol, TypeVar

import jiter
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from voxint.errors import SHOWN_FAULTS, Fault, Path
from voxint.io import words
from voxint.io.keys import all_keys_known, key_counter
from voxint.io.locate import Map, Problem, scan
from voxint.upgrades import way_out

M = TypeVar("M", bound=BaseModel)

_TOLD: Final = object()


class Violation(Protocol):
    """One way in which a valid model breaks a rule between its fields."""

    @property
    def path(self) -> Path:
        """The value that is wrong, from the root of the record."""

    @property
    def message(self) -> str:
        """What is wrong with it."""


Rule = Callable[[M], Iterable[Violation]]


class Check(Generic[M]):
    """All that a record must be: strict JSON, valid for its model, true to the rules."""

    def __init__(self, model: type[M], rules: Sequence[Rule[M]]) -> None:
        model.model_rebuild()
        self.model = model
        self._validate: Callable[[bytes], M] = model.__pydantic_validator__.validate_json
        self._n_keys = key_counter(model)
        self._rules = tuple(rules)

    def models(self, texts: Sequence[bytes]) -> list[M] | None:
        """The models of the texts, in order; None if anything is wrong with any of them."""
        try:
            models = list(map(self._validate, texts))
        except ValidationError:
            return None
        if not self._is_strict(texts, models):
            return None
        for rule in self._rules:
            if next(iter(chain.from_iterable(map(rule, models))), None) is not None:
                return None
        return models

    def faults(self, data: bytes, file: str, line: int = 1) -> tuple[list[Fault], int]:
        """What is wrong with one UTF-8 text that starts on `line`: the first 20 faults, and their number.

        Text that is not JSON has one fault; so has a record of another version; so has a repeated key, whatever
        its values are. Not for a text without fault.
        """
        text = data.decode()
        errors, violations = self._found(data)
        obstacle = _obstacle(data)
        found = scan(text, [error["loc"] for error in errors] + [tuple(broken.path) for broken in violations])
        problems = found.problems if obstacle else []
        if obstacle and not problems:
            problems = [Problem(0, (), f"is not strict JSON: {obstacle}")]
        if _is_no_json(errors):
            problems = problems[-1:]
        else:
            others = [
                _problem(error, text, found, self.model.__name__) for error in errors if not found.is_told(error["loc"])
            ]
            others += [_violated(broken, found) for broken in violations if not found.is_told(tuple(broken.path))]
            problems = problems + others
        first = sorted(problems, key=lambda problem: problem.offset)[:SHOWN_FAULTS]
        return [_placed(problem, text, file, line) for problem in first], len(problems)

    def n_faults(self, data: bytes) -> int:
        """How many `faults` there are, found faster, without their places."""
        errors, violations = self._found(data)
        if _is_no_json(errors):
            return 1
        if _obstacle(data) is None:
            return len(errors) + len(violations)
        n_blemishes, plain = _blemishes(data)
        paths = [error["loc"] for error in errors] + [tuple(broken.path) for broken in violations]
        return n_blemishes + sum(not _leads_to_told(plain, path) for path in paths)

    def is_other_version(self, data: bytes) -> bool:
        """Whether the text says it was written for a version that this model does not read."""
        errors, _ = self._found(data)
        return bool(errors) and words.is_wrong_version(errors[0])

    def is_json(self, data: bytes) -> bool:
        """Whether the text is one JSON value at all, whatever it holds."""
        return not _is_no_json(self._found(data)[0])

    def ends_early(self, data: bytes) -> bool:
        """Whether the text is the beginning of a JSON value and not the whole of it."""
        errors, _ = self._found(data)
        return (
            _is_no_json(errors) and bool(data.strip()) and str(errors[0].get("ctx", {}).get("error")).startswith("EOF")
        )

    def _is_strict(self, texts: Sequence[bytes], models: Sequence[M]) -> bool:
        if self._n_keys is not None and all_keys_known(b"".join(texts), self._n_keys(models)):
            return True
        return all(_obstacle(text) is None for text in texts)

    def _found(self, data: bytes) -> tuple[list[ErrorDetails], list[Violation]]:
        try:
            model = self._validate(data)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            other_version = [found for found in errors if words.is_wrong_version(found)]
            return other_version[:1] or errors, []
        return [], list(chain.from_iterable(rule(model) for rule in self._rules))


def _obstacle(data: bytes) -> str | None:
    """What keeps a text from being JSON without repeated keys, NaN or infinity, in jiter's words."""
    try:
        jiter.from_json(data, catch_duplicate_keys=True, allow_inf_nan=False)
    except ValueError as error:
        return str(error)
    return None


def _is_no_json(errors: Sequence[ErrorDetails]) -> bool:
    return bool(errors) and errors[0]["type"] == "json_invalid"


def _blemishes(data: bytes) -> tuple[int, object]:
    """How many repeated keys, NaN and infinities a JSON text has, and its content with marks in their places."""
    n = 0

    def no_number(_: str) -> object:
        nonlocal n
        n += 1
        return _TOLD

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal n
        last = dict(found)
        if len(last) < len(found):
            n += len(found) - len(last)
            times = Counter(key for key, _ in found)
            return {key: _TOLD if times[key] > 1 else value for key, value in found}
        return last

    plain = json.loads(data, parse_constant=no_number, object_pairs_hook=pairs)
    return n, plain


def _leads_to_told(plain: Any, path: Path) -> bool:
    for step in path:
        if plain is _TOLD:
            return True
        try:
            plain = plain[step]
        except (KeyError, IndexError, TypeError):
            return False
    return plain is _TOLD


def _problem(error: ErrorDetails, text: str, found: Map, model: str) -> Problem:
    """What pydantic found, at the value that the text has there (of a missing key: at its object)."""
    wanted = error["loc"]
    path, spot = found.find(wanted)
    if spot is None:
        return Problem(0, wanted, words.message(error, "this"))
    offset = spot.start
    if wanted[-1:] == ("[key]",) and path == wanted[:-1]:
        offset = spot.key
    shown = words.shown(text[spot.start : spot.end])
    message = words.message(error, shown)
    if words.is_wrong_version(error) and (advice := way_out(model, shown)):
        message = f"{message}; {advice}"
    return Problem(offset, wanted if error["type"] == "missing" else path, message)


def _violated(broken: Violation, found: Map) -> Problem:
    _, spot = found.find(tuple(broken.path))
    return Problem(spot.start if spot else 0, tuple(broken.path), broken.message)


def _placed(problem: Problem, text: str, file: str, line: int) -> Fault:
    before = text[: problem.offset]
    column = problem.offset - before.rfind("\n")
    return Fault(problem.message, file, line + before.count("\n"), column, problem.path)
