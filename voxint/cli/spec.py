"""What a command takes and returns, as data: `catalog.py` is rendered from the functions' own signatures."""

from __future__ import annotations

from dataclasses import dataclass

STREAM, DOCUMENT, SEVERAL, LINES = "stream", "document", "documents", "lines"
EACH = "each"
"""Several documents as words, read one at a time."""
NUMBER, WHOLE, TEXT, SWITCH = "number", "whole", "text", "switch"
RTTMS, MEETINGS, ALIGNMENT, RENDER = "rttms", "meetings", "alignment", "render"
RESULT = "result"

FORMATS = ("json", "table", "md")
PAGES = {"attribution/v1/report": ("md", "html", "table", "json")}
"""Forms of the results that are written for people, by contract; a file or a pipe gets the first."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument: positional ones are words, the others flags. Bounds are inclusive unless marked open.

    A flag of several documents takes every word up to the next flag; a switch takes none, and is off without its flag.
    """

    name: str
    kind: str
    help: str
    positional: bool = False
    required: bool = False
    default: str | None = None
    contract: str = ""
    low: float | None = None
    high: float | None = None
    low_open: bool = False
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """The flag as it is typed."""
        return "--" + self.name.replace("_", "-")

    @property
    def shown(self) -> str:
        """The name a message calls it by."""
        return self.name.upper() if self.positional else self.flag

    @property
    def is_input(self) -> bool:
        """Whether its value names a file, or a folder, that is read."""
        return self.kind in (STREAM, DOCUMENT, SEVERAL, EACH, LINES, RTTMS, MEETINGS, ALIGNMENT, RENDER)


@dataclass(frozen=True, slots=True)
class Spec:
    """One command: its words, the function behind it as `module:name`, and all that its help says.

    `returns` names the contract of its result, `is_stream` says that it is written as JSON lines, and `more_results`
    are the flags that take the further streams of a command with several.
    """

    words: tuple[str, ...]
    function: str
    summary: str
    details: str
    parameters: tuple[Parameter, ...]
    returns: str
    example: str
    is_stream: bool = False
    more_results: tuple[Parameter, ...] = ()

    def all_parameters(self) -> tuple[Parameter, ...]:
        """Its own parameters, the files of its further results, and what every command with a report has."""
        return self.parameters + self.more_results + (_output(self.forms) if self.returns != TEXT else ())

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of its result; a file or a pipe gets the first."""
        return PAGES.get(self.returns, FORMATS)

    def outputs(self) -> tuple[Parameter, ...]:
        """The flags that name a file to write."""
        return self.more_results + (_output(self.forms)[:1] if self.returns != TEXT else ())


def _output(forms: tuple[str, ...]) -> tuple[Parameter, ...]:
    what = {"json": "JSON"}.get(forms[0], "report")
    return (
        Parameter("out", TEXT, f"File to write; without it, a pipe gets the {what} and a terminal the summary."),
        Parameter("format", TEXT, f"Form of the report: a file or a pipe gets {forms[0]} by default.", choices=forms),
    )
