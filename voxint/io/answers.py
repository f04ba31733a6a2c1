"""What a language model wrote, into a model of a contract: a whole answer, or why it is none. Never half of one.

Decided here: white space around the JSON does not count, and one Markdown fence around it does not either, with prose
before and after it or without. An answer with several fences, or with prose around JSON without a fence, is no answer:
which part was meant would be a guess. Numbers in quotes, NaN, a key that stands twice and two objects are refused as
in any file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar

from voxint_contracts.base import Contract

from voxint.errors import Fault, json_path
from voxint.io.check import Check

M = TypeVar("M", bound=Contract)

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^`\n]*$", re.MULTILINE)
_LONGEST = 1 << 20
LONGEST_MESSAGE = 400
"""Most characters of a message of a failed reply."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a text is no answer: the code and the message of a failed reply."""

    code: Literal["truncated", "invalid_json", "schema"]
    message: str


def answer(text: str, model: type[M]) -> M | Unfit:
    """The model that a text holds, or what is wrong with it; nothing is repaired and nothing is filled in.

    A text that ends in the middle of its JSON is `truncated`, one that is not one JSON value is `invalid_json`, and one
    of another shape, with a key that stands twice, with NaN or with a number off its scale is `schema`.
    """
    if len(text) > _LONGEST:
        return Unfit("invalid_json", f"the answer has more than {_LONGEST} characters")
    inside = unfenced(text).strip()
    if not inside:
        return Unfit("invalid_json", "the answer is empty")
    data = inside.encode(errors="replace")
    check: Check[M] = _check(model)
    models = check.models([data])
    if models is not None:
        return models[0]
    faults, n_faults = check.faults(data, "")
    message = cut("; ".join(map(_told, faults[:3])) + (f"; {n_faults - 3} more" if n_faults > 3 else ""))
    if check.is_json(data):
        return Unfit("schema", message)
    return Unfit("truncated" if data.startswith(b"{") and check.ends_early(data) else "invalid_json", message)


def unfenced(text: str) -> str:
    """What is inside the one Markdown fence of a text; the text itself when it has none, or more than one.

    A fence that is never closed ends with the text: an answer that was cut off looks like that.
    """
    fences = list(_FENCE.finditer(text))
    if not 1 <= len(fences) <= 2 or "{" in text[: fences[0].start()]:
        return text
    if len(fences) == 1:
        return text[fences[0].end() :]
    return text if "{" in text[fences[1].end() :] else text[fences[0].end() : fences[1].start()]


def cut(message: str) -> str:
    """The message, at most as long as that of a failed reply may be, on one line."""
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def _told(fault: Fault) -> str:
    return f"{json_path(fault.path or ())}: {fault.message}"


@lru_cache(maxsize=8)
def _check(model: type[Contract]) -> Any:
    return Check(model, ())
