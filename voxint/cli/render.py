"""Summaries drawn by rich: a table for a terminal, or Markdown."""

from __future__ import annotations

import io
import shutil

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from voxint.cli.summaries import Grid, Summary

PLAIN_WIDTH = 100
_ENDLESS = 10_000


def table(summary: Summary, *, terminal: bool) -> str:
    """The summary as text: coloured and as wide as the terminal, or plain and 100 columns wide."""
    width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if terminal else PLAIN_WIDTH
    console = _console(width, terminal=terminal)
    console.print(Text(summary.title, style="bold"))
    for block in summary.blocks:
        console.print()
        console.print(Text(block) if isinstance(block, str) else _grid(block))
    return _text(console)


def markdown(summary: Summary) -> str:
    """The summary as Markdown: a heading, tables and paragraphs."""
    parts = [f"## {_escaped(summary.title)}"]
    for block in summary.blocks:
        if isinstance(block, str):
            parts.append(_escaped(block))
            continue
        console = _console(_ENDLESS, terminal=False)
        console.print(_grid(block, markdown=True))
        parts += ([f"**{_escaped(block.title)}**"] if block.title else []) + [_text(console).strip("\n")]
    return "\n\n".join(parts) + "\n"


def _grid(grid: Grid, *, markdown: bool = False) -> Table:
    drawn = Table(
        title=None if markdown or not grid.title else Text(grid.title),
        title_justify="left",
        box=box.MARKDOWN if markdown else box.SIMPLE_HEAD,
        show_edge=markdown,
        pad_edge=markdown,
    )
    for number, name in enumerate(grid.columns):
        drawn.add_column(Text(name), justify="left" if number < grid.n_text else "right", overflow="fold")
    for row in grid.rows:
        drawn.add_row(*(Text(_escaped(cell) if markdown else cell) for cell in row))
    return drawn


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join("\\" + c if c in "\\`*_[]<>|" else c for c in text)


def _console(width: int, *, terminal: bool) -> Console:
    return Console(file=io.StringIO(), width=width, force_terminal=terminal, highlight=False, emoji=False, markup=False)


def _text(console: Console) -> str:
    drawn = console.file
    assert isinstance(drawn, io.StringIO)
    return "\n".join(line.rstrip() for line in drawn.getvalue().split("\n"))
