"""Help texts, from the catalog alone: no scorer, no numpy, no Fire is imported to show them."""

from __future__ import annotations

import textwrap

from voxint import __version__
from voxint.cli.catalog import SPECS
from voxint.cli.commands import GROUPS
from voxint.cli.spec import (
    ALIGNMENT,
    DOCUMENT,
    EACH,
    LINES,
    MEETINGS,
    NUMBER,
    RENDER,
    RESULT,
    RTTMS,
    SEVERAL,
    STREAM,
    SWITCH,
    WHOLE,
    Parameter,
    Spec,
)

WIDTH = 100
_INDENT = 28
_TIE = "\N{NO-BREAK SPACE}"
_TYPES = {
    STREAM: "JSONL",
    DOCUMENT: "JSON",
    SEVERAL: "JSON...",
    ALIGNMENT: "JSON",
    RENDER: "JSON",
    LINES: "LINES",
    RTTMS: "FOLDER",
    MEETINGS: "XML",
    NUMBER: "NUMBER",
    WHOLE: "INTEGER",
    RESULT: "FILE",
}


def overview() -> str:
    """The help of `voxint` itself."""
    lines = [
        f"voxint {__version__}: is the name shown beside a voice the right person, and how sure is that?",
        "",
        "usage: voxint GROUP COMMAND [arguments]      (or: python -m voxint ...)",
    ]
    for group, meaning in GROUPS.items():
        lines += ["", f"{group}: {meaning}", *_commands(group)]
    lines += ["", "voxint GROUP COMMAND --help shows arguments and an example.  voxint --version"]
    return "\n".join(lines) + "\n"


def group_help(group: str) -> str:
    """The help of one group of commands."""
    lines = [f"usage: voxint {group} COMMAND [arguments]", "", GROUPS[group], "", *_commands(group)]
    lines += ["", f"voxint {group} COMMAND --help shows arguments and an example."]
    return "\n".join(lines) + "\n"


def _commands(group: str) -> list[str]:
    return [_entry(" ".join(words), spec.summary) for words, spec in SPECS.items() if words[0] == group]


def command_help(spec: Spec) -> str:
    """The help of one command: usage, what it does, each argument with type and default, and an example."""
    words = [p for p in spec.all_parameters() if p.positional]
    flags = [p for p in spec.all_parameters() if not p.positional]
    lines = [_usage(spec, words, flags), "", *_wrapped(spec.summary)]
    if spec.details:
        lines += ["", *_wrapped(spec.details)]
    if words:
        lines += ["", "arguments:", *(_entry(p.name.upper(), _meaning(p)) for p in words)]
    lines += [
        "",
        "flags:",
        *(_entry(_shown(p, " "), _meaning(p)) for p in flags),
        _entry("--help", "Show this."),
    ]
    lines += ["", "example:", *(f"  {line}" for line in spec.example.splitlines())]
    lines += ["", "exit codes: 0 done, 1 a gate said no, 2 bad input or usage"]
    return "\n".join(lines).replace(_TIE, " ") + "\n"


def _usage(spec: Spec, words: list[Parameter], flags: list[Parameter]) -> str:
    parts = [_word(p) for p in words]
    parts += [_shown(p, _TIE) if p.required else f"[{_shown(p, _TIE)}]" for p in flags]
    head = f"usage: voxint {' '.join(spec.words)} "
    return textwrap.fill(" ".join(parts), WIDTH, initial_indent=head, subsequent_indent=" " * 8, break_on_hyphens=False)


def _shown(flag: Parameter, between: str) -> str:
    """A flag and what it takes; a switch takes nothing."""
    return flag.flag if flag.kind == SWITCH else f"{flag.flag}{between}{_type(flag)}"


def _word(parameter: Parameter) -> str:
    name = parameter.name.upper() + ("..." if parameter.kind == EACH else "")
    return name if parameter.required else f"[{name}]"


def _type(parameter: Parameter) -> str:
    if parameter.choices:
        return "|".join(parameter.choices)
    return _TYPES.get(parameter.kind, "FILE" if parameter.name in ("out", "file") else "NAME")


def _meaning(parameter: Parameter) -> str:
    notes = []
    if parameter.contract:
        form = "JSON" if parameter.kind in (DOCUMENT, SEVERAL, EACH, ALIGNMENT, RENDER) else "JSON lines"
        notes.append(f"{form} of {parameter.contract}" + ("; - is stdin" if parameter.is_input else ""))
    if parameter.low is not None:
        notes.append(_range(parameter))
    if parameter.default is not None:
        notes.append(f"default{_TIE}{parameter.default}")
    return parameter.help + (f" ({'; '.join(notes)})" if notes else "")


def _range(parameter: Parameter) -> str:
    if parameter.high is None:
        return f"{'above' if parameter.low_open else 'at least'} {_plain(parameter.low)}"
    return f"in {'(' if parameter.low_open else '['}{_plain(parameter.low)}, {_plain(parameter.high)}]"


def _plain(number: float | None) -> str:
    return "" if number is None else f"{number:.15g}"


def _entry(name: str, meaning: str) -> str:
    head = f"  {name}"
    if len(head) >= _INDENT - 1:
        return head + "\n" + _filled(meaning, " " * _INDENT)
    return _filled(meaning, head.ljust(_INDENT))


def _filled(meaning: str, first: str) -> str:
    return textwrap.fill(meaning, WIDTH, initial_indent=first, subsequent_indent=" " * _INDENT, break_on_hyphens=False)


def _wrapped(text: str) -> list[str]:
    return [line for block in text.split("\n") for line in (textwrap.wrap(block, WIDTH) or [""])]
