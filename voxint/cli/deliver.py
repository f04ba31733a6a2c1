"""Where a product goes: a file, a pipe or a terminal; see the table in docs/walk.md."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile, gettempdir

from voxint.cli.products import Product
from voxint.errors import EdgeError
from voxint.io import write

_IN_MEMORY = 1 << 26
_PIECE = 1 << 20

DONE, GATE_SAID_NO, STDOUT_CLOSED = 0, 1, 2


def deliver(
    product: Product, out: str | None, form: str | None, quiet: Callable[[], None], default: str = "json"
) -> int:
    """Writes the product and returns the exit code; `quiet` ends the progress display before a terminal is used.

    `default` is the form that a file or a pipe gets where none was asked for.
    """
    terminal = sys.stdout is not None and sys.stdout.isatty()
    if out is not None:
        write.write_atomic(out, _pieces(product, form or default, terminal=False))
    text: Iterable[bytes] | None = None
    if terminal and (out is not None or form is None):
        hint = (
            f"{out} written" if out is not None else f"--out FILE writes the whole report; --format {default} prints it"
        )
        text = [_drawn(product, "table", terminal=True), f"\n{hint}\n".encode()]
    elif out is None:
        text = _settled(_pieces(product, form or default, terminal=terminal))
    if terminal:
        quiet()
    code = DONE if text is None else say(text)
    return code if product.passed() else GATE_SAID_NO


def say(chunks: Iterable[bytes]) -> int:
    """0 when stdout took it all, 2 in silence when its reader went away."""
    return DONE if write.write_stdout(chunks) else STDOUT_CLOSED


def _pieces(product: Product, form: str, *, terminal: bool) -> Iterator[bytes]:
    if form == "json":
        return product.json()
    if form == "html":
        return product.page()
    return iter([_drawn(product, form, terminal=terminal)])


def _settled(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes once all of them exist: a fault in the last record must not leave half an output in a pipe."""
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
        for chunk in chunks:
            try:
                spool.write(chunk)
            except OSError as error:
                raise EdgeError(f"{gettempdir()}: cannot hold the report for the pipe: {error.strerror}") from error
        spool.seek(0)
        while piece := spool.read(_PIECE):
            yield piece


def _drawn(product: Product, form: str, *, terminal: bool) -> bytes:
    from voxint.cli import render

    summary = product.summary()
    text = render.markdown(summary) if form == "md" else render.table(summary, terminal=terminal)
    return text.encode()
