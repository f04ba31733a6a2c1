"""From words to a plan: nothing runs, and no scorer is imported, before every argument is accepted."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import io
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from voxint.cli.catalog import SPECS
from voxint.cli.spec import EACH, NUMBER, SEVERAL, SWITCH, TEXT, WHOLE, Parameter, Spec
from voxint.errors import UsageError, quoted

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,40}", re.ASCII)
# Fire splits chained calls at a lone "-", which is how people write stdin: its separator becomes unspeakable.
_FIRE_FLAGS = ["--", "--separator", "\x00"]
# What no word can hold ties the words of one flag together, so that Fire sees one value.
_TIE = "\x00"
_ON = "\x00on"


@dataclass(frozen=True, slots=True)
class Plan:
    """A command and its accepted arguments, converted; absent ones hold their default or are left out."""

    spec: Spec
    values: Mapping[str, Any]


def plan(argv: list[str]) -> Plan:
    """The plan that the words ask for; UsageError says what is wrong with them."""
    spec = _spec(argv)
    words = _tied(spec, argv[len(spec.words) :])
    _check_flags(spec, words)
    given = _bind(spec, words)
    for parameter in spec.outputs():
        if given.get(parameter.name) == "-":
            hint = "without it a pipe gets the report" if parameter.name == "out" else "stdout is /dev/stdout"
            raise UsageError(f"voxint {' '.join(spec.words)}: {parameter.flag} needs the name of a file, not -: {hint}")
    values = {}
    for parameter in spec.all_parameters():
        text = given.get(parameter.name)
        if text is not None:
            values[parameter.name] = convert(parameter, text)
        elif parameter.required:
            raise UsageError(f"voxint {' '.join(spec.words)}: {parameter.shown} is required{_see(spec)}")
    return Plan(spec, values)


def _tied(spec: Spec, words: list[str]) -> list[str]:
    """The words, each switch with its value, and those made one that are one argument.

    A flag of several documents takes all words up to the next flag, and an argument of several takes all words that
    are no flag's.
    """
    several = {p.flag for p in spec.all_parameters() if p.kind == SEVERAL}
    switches = {p.flag for p in spec.all_parameters() if p.kind == SWITCH}
    takes_all = any(p.kind == EACH for p in spec.all_parameters())
    tied: list[str] = []
    flag, first = "", -1
    for word in words:
        if word.startswith("--") and word.replace("_", "-") in switches:
            flag = ""
            tied.append(f"{word}={_ON}")
            continue
        if word.startswith("-") and word != "-":
            flag = word.partition("=")[0] if word.partition("=")[0] in several or "=" not in word else ""
        elif flag in several and tied[-1] != flag:
            tied[-1] += _TIE + word
            continue
        elif takes_all and (not flag or flag in several or tied[-1] != flag):
            if first >= 0:
                tied[first] += _TIE + word
                continue
            first = len(tied)
        tied.append(word)
    return tied


def _spec(argv: list[str]) -> Spec:
    words = tuple(argv[:2])
    if words in SPECS:
        return SPECS[words]
    groups = sorted({group for group, _ in SPECS})
    if not words or words[0] not in groups:
        what = f"no such group: {quoted(words[0])}" if words else "a group is missing"
        raise UsageError(f"voxint: {what}{_near(words[0] if words else '', groups)} (groups: {', '.join(groups)})")
    commands = sorted(command for group, command in SPECS if group == words[0])
    what = f"no such command: {quoted(words[1])}" if len(words) > 1 else "a command is missing"
    near = _near(words[1] if len(words) > 1 else "", commands)
    raise UsageError(f"voxint {words[0]}: {what}{near} (commands: {', '.join(commands)})")


def _near(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f", did you mean {close[0]}?" if close else ""


def _see(spec: Spec) -> str:
    return f" (see voxint {' '.join(spec.words)} --help)"


def _check_flags(spec: Spec, words: list[str]) -> None:
    """Refuses flags that are unknown, repeated or without a value: Fire would guess at all three."""
    known = {p.flag: p for p in spec.all_parameters()}
    seen: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            continue
        name, has_value, value = word.partition("=")
        flag = "--" + name[2:].replace("_", "-") if name.startswith("--") else name
        if flag not in known:
            raise UsageError(
                f"voxint {' '.join(spec.words)}: unknown flag {quoted(name)}{_near(flag, list(known))}{_see(spec)}"
            )
        if flag in seen:
            raise UsageError(f"voxint {' '.join(spec.words)}: {flag} is given twice")
        seen.add(flag)
        if not has_value:
            value = next(rest, "")
            value = "" if value.startswith("--") else value
        if not value:
            raise UsageError(f"voxint {' '.join(spec.words)}: {flag} needs a value{_see(spec)}")


def _bind(spec: Spec, words: list[str]) -> dict[str, str]:
    """The text of each argument, bound by Fire to a function that only records what it was called with."""
    import fire
    from fire.decorators import SetParseFn

    accepted = object()
    given: dict[str, str] = {}

    def record(*args: str | None, **kwargs: str | None) -> object:
        bound = signature.bind(*args, **kwargs)
        given.update({name: value for name, value in bound.arguments.items() if value is not None})
        return accepted

    signature = _signature(spec)
    record.__signature__ = signature  # type: ignore[attr-defined]
    tree: dict[str, Any] = {}
    node = tree
    for word in spec.words[:-1]:
        node = node.setdefault(word, {})
    node[spec.words[-1]] = SetParseFn(str)(record)
    noise = io.StringIO()
    try:
        with contextlib.redirect_stderr(noise), contextlib.redirect_stdout(noise):
            result = fire.Fire(tree, [*spec.words, *words, *_FIRE_FLAGS], "voxint", serialize=lambda _: None)
    except fire.core.FireExit as stop:
        raise UsageError(f"voxint {' '.join(spec.words)}: {_reason(spec, stop)}{_see(spec)}") from None
    if result is not accepted:
        raise UsageError(f"voxint {' '.join(spec.words)}: too many words: {quoted(words[-1])}{_see(spec)}")
    return given


def _reason(spec: Spec, stop: Any) -> str:
    """Fire's complaint in this program's words."""
    text = str(stop.trace.elements[-1].ErrorAsStr())
    missing = [p.shown for p in spec.parameters if p.required and re.search(rf"\b{p.name}\b", text)]
    if "required" in text and missing:
        return f"{', '.join(missing)} is required"
    surplus = re.search(r"consume arg(?:s)?: (.*)", text)
    return f"unexpected word {quoted(surplus[1])}" if surplus else text.splitlines()[0]


def _signature(spec: Spec) -> inspect.Signature:
    kinds = inspect.Parameter
    return inspect.Signature(
        [
            kinds(
                p.name,
                kinds.POSITIONAL_OR_KEYWORD if p.positional else kinds.KEYWORD_ONLY,
                default=kinds.empty if p.positional and p.required else None,
            )
            for p in sorted(spec.all_parameters(), key=lambda p: not p.positional)
        ]
    )


def convert(parameter: Parameter, text: str) -> Any:
    """The value that a text stands for; UsageError when it is of another kind or out of range."""
    if parameter.choices and text not in parameter.choices:
        known = ", ".join(parameter.choices)
        near = _near(text, list(parameter.choices))
        raise UsageError(f"{parameter.shown}: must be one of {known}, not {quoted(text)}{near}")
    if parameter.kind == TEXT and parameter.name != "out" and any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(f"{parameter.shown}: is not UTF-8: {quoted(text)}")
    reader = _READERS.get(parameter.kind)
    return reader(parameter, text) if reader else text


def _whole(parameter: Parameter, text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise UsageError(f"{parameter.shown}: must be a whole number, not {quoted(text)}")
    _check_range(parameter, int(text), text)
    return int(text)


def _number(parameter: Parameter, text: str) -> float:
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise UsageError(f"{parameter.shown}: must be a finite number, not {quoted(text)}")
    _check_range(parameter, float(text), text)
    return float(text)


def _check_range(parameter: Parameter, value: float, text: str) -> None:
    low, high = parameter.low, parameter.high
    below = low is not None and (value <= low if parameter.low_open else value < low)
    if below:
        word = "above" if parameter.low_open else "at least"
        raise UsageError(f"{parameter.shown}: must be {word} {low:.15g}, not {text}")
    if high is not None and value > high:
        raise UsageError(f"{parameter.shown}: must be at most {high:.15g}, not {text}")


def _several(_: Parameter, text: str) -> tuple[str, ...]:
    return tuple(text.split(_TIE))


def _switch(parameter: Parameter, text: str) -> bool:
    if text != _ON:
        raise UsageError(f"{parameter.shown}: is given or left out, and takes no value: {quoted(text)}")
    return True


_READERS: dict[str, Callable[[Parameter, str], Any]] = {
    WHOLE: _whole,
    NUMBER: _number,
    SEVERAL: _several,
    SWITCH: _switch,
    EACH: _several,
}
