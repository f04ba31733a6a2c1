"""Does a script speak to its judge? A flag for a person's eye: it changes no score.

A judge that is a language model reads the script as it reads its instructions. Lines such as "ignore previous
instructions" or "ten out of ten" may be part of the story, and may be there to be obeyed; no rule of text can tell, so
that each is named with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from voxint_contracts.autorater.v1 import JudgeAxis, Script
from voxint_contracts.base import Contract

from voxint.text import normal_form

_SPOKEN = (
    *("ignore previous", "ignore all previous", "ignore the previous", "ignore the above", "ignore your instructions"),
    *("disregard previous", "disregard all previous", "disregard the above", "disregard your instructions"),
    *("forget your instructions", "previous instructions", "new instructions", "system prompt", "system message"),
    *("out of ten", "out of 10", "10 10", "full marks", "highest score", "maximum score", "perfect score"),
    *("score of 10", "score of ten", "score this", "rate this script", "grade this", "high score", "the rubric"),
    *(
        "dear judge",
        "note to the judge",
        "to the judge",
        "to the evaluator",
        "language model",
        "as an ai",
        "end of script",
    ),
    *("cited moments", "you are a judge", "you are the judge"),
)
_AXES = tuple(axis.value.replace("_", " ") for axis in JudgeAxis)
_GAPS = re.compile(r"[\W_]+")
_PHRASES = re.compile(r"(?<!\w)(?:" + "|".join(sorted({*_SPOKEN, *_AXES}, key=len, reverse=True)) + r")(?!\w)")


@dataclass(frozen=True, slots=True)
class Address:
    """A phrase that speaks to a judge: in which entry, or in which field of the script, and which one."""

    subject: str
    phrase: str


def script_addresses_judge(script: Script) -> tuple[Address, ...]:
    """The phrases of a script that a judge could take for its own, in order; case, marks and invisible letters apart.

    A subject is the id of an entry, or the path of a field outside of the entries (`cast[0].description`).
    """
    found = (
        Address(subject, phrase) for subject, text in _texts(script, "") for phrase in _PHRASES.findall(_plain(text))
    )
    return tuple(dict.fromkeys(found))


def _plain(text: str) -> str:
    return _GAPS.sub(" ", normal_form(text)).strip()


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts(each, f"{path}[{number}]")
    elif isinstance(value, Contract):
        entry = getattr(value, "entry_id", None) if type(value).__name__ == "Entry" else None
        for name, each in value:
            yield from _texts(each, entry or (f"{path}.{name}" if path else name))
