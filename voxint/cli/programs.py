"""Commands under a name of their own: what a script of tools/ runs."""

from __future__ import annotations

from collections.abc import Mapping

from voxint.cli import BAD_INPUT, DONE, complain, main
from voxint.io.write import write_stdout


def run_program(name: str, verbs: Mapping[str, tuple[str, ...]], argv: list[str]) -> int:
    """The exit code of the command behind the first word, called with the others; its words are in `verbs`.

    Without a verb, or with another one, the verbs are named: exit code 2, or 0 where help was asked for.
    """
    verb, rest = (argv[0], argv[1:]) if argv else ("", [])
    if verb in verbs:
        return main([*verbs[verb], *rest])
    text = f"usage: {name} {'|'.join(verbs)} [arguments]; VERB --help shows them"
    if verb in ("-h", "--help"):
        return DONE if write_stdout([f"{text}\n".encode()]) else BAD_INPUT
    complain(text)
    return BAD_INPUT
