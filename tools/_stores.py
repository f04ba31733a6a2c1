"""What the programs on the evidence store share: arguments, documents, the clock, the commit, and the way to fail."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.base import Contract
from voxint_contracts.catalog import document_of

from voxint.cli import guarded
from voxint.errors import UsageError
from voxint.io import read
from voxint.semantics import rules_of
from voxint.speakers.policy import BASE_GATES

ROOT = Path(__file__).resolve().parent.parent

M = TypeVar("M", bound=Contract)


def parser_of(description: str, **arguments: str) -> argparse.ArgumentParser:
    """A parser whose required arguments are these, by name and help text; words are never abbreviated."""
    parser = argparse.ArgumentParser(
        description=description, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, text in arguments.items():
        parser.add_argument(f"--{name.replace('_', '-')}", required=True, help=text)
    return parser


def run(action: Callable[[argparse.Namespace], int], parser: argparse.ArgumentParser, argv: list[str]) -> int:
    """The exit code of a program: that of its action, or 2 after a line for each fault."""
    options = parser.parse_args(argv)
    return guarded(lambda: action(options))


def document(path: str, model: type[M]) -> M:
    """The document of a file, by its schema and its rules.

    Raises:
        InputError: the file cannot be read.
        ContractError: it does not fit.
    """
    return read.document(path, model, rules=rules_of(document_of(model).rules))


def gates_of(path: str | None) -> MatchingGates:
    """The gates of a file, or the built-in ones."""
    return BASE_GATES if path is None else document(path, MatchingGates)


def moment(text: str | None) -> datetime:
    """The moment that was given, RFC 3339, or the clock's, to the second.

    Raises:
        UsageError: the text is no moment.
    """
    from voxint.store.moments import moment_or_now

    found = moment_or_now(text)
    return found.replace(microsecond=0) if text is None else found


def commit(*, allow_dirty: bool) -> str | None:
    """The commit of the checkout that this program is part of; None outside of one.

    Raises:
        UsageError: tracked files differ from it, and that is not allowed.
    """
    head = _git("rev-parse", "HEAD")
    if head is not None and not allow_dirty and _git("status", "--porcelain", "--untracked-files=no"):
        raise UsageError("tracked files of this checkout are changed: commit them, or --allow-dirty")
    return head


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
