"""The command line: words to a plan, a plan to bytes, errors to lines and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Callable

DONE, GATE_SAID_NO, BAD_INPUT, BUG, INTERRUPTED = 0, 1, 2, 70, 130


def main(argv: list[str]) -> int:
    """The exit code of one call: 0 done, 1 a gate said no, 2 bad input or usage, 70 a bug (with its traceback)."""
    return guarded(lambda: _run(argv))


def guarded(run: Callable[[], int]) -> int:
    """The exit code that `run` returns, or that of what it raises: told on stderr, a line a fault; see `main`."""
    from voxint.errors import VoxintError

    try:
        return run()
    except VoxintError as error:
        complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("interrupted: nothing was written")
        return INTERRUPTED
    except Exception:
        import traceback

        complain("this is a bug in voxint, please report it:\n" + traceback.format_exc())
        return BUG


def _run(argv: list[str]) -> int:
    help_text = _help(argv)
    if help_text is not None:
        from voxint.io.write import write_stdout

        return DONE if write_stdout([help_text.encode()]) else BAD_INPUT
    from voxint.cli.plan import plan

    accepted = plan(argv)
    from voxint.cli.walk import run

    return run(accepted)


def _help(argv: list[str]) -> str | None:
    """The help or version text that was asked for, if one was."""
    from voxint import __version__

    if argv == ["--version"]:
        return f"voxint {__version__}\n"
    if argv and not {"--help", "-h"} & set(argv):
        return None
    from voxint.cli import help as texts
    from voxint.cli.catalog import SPECS
    from voxint.cli.commands import GROUPS

    words = tuple(word for word in argv if not word.startswith("-"))[:2]
    if words in SPECS:
        return texts.command_help(SPECS[words])
    if len(words) == 1 and words[0] in GROUPS:
        return texts.group_help(words[0])
    return None if words else texts.overview()


def complain(text: str) -> None:
    """Text on stderr, whatever its encoding: nothing may hide the reason of a failure."""
    if sys.stderr is None:
        return
    raw = getattr(sys.stderr, "buffer", None)
    if raw is None:
        sys.stderr.write(text + "\n")
        return
    sys.stderr.flush()
    raw.write(text.encode("utf-8", "backslashreplace") + b"\n")
    raw.flush()
