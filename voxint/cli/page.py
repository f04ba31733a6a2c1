"""A report as one page of HTML: its summary as tables, its pictures inside, nothing loaded from anywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape

from voxint.cli.summaries import Grid, Summary
from voxint.edges.plots import Plot

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}"
    "table{border-collapse:collapse;margin:1rem 0;font-size:.9rem}caption{text-align:left;font-weight:600}"
    "th,td{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:right}"
    "th.text,td.text{text-align:left}figure{margin:1.5rem 0}img{width:100%;height:auto}figcaption{font-size:.9rem}"
)


def html(summary: Summary, pictures: Sequence[Plot]) -> str:
    """The page: the title, the pictures, then every table and sentence of the summary."""
    title = escape(summary.title)
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        *(_picture(each) for each in pictures),
        *(f"<p>{escape(block)}</p>" if isinstance(block, str) else "".join(_table(block)) for block in summary.blocks),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _picture(plot: Plot) -> str:
    source = f"data:image/svg+xml;base64,{b64encode(plot.svg).decode()}"
    caption = escape(plot.caption)
    return f'<figure><img src="{source}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'


def _table(grid: Grid) -> Iterator[str]:
    yield "<table>" + (f"<caption>{escape(grid.title)}</caption>" if grid.title else "")
    yield "<thead><tr>" + "".join(_cell("th", grid, *each) for each in enumerate(grid.columns)) + "</tr></thead><tbody>"
    for row in grid.rows:
        yield "<tr>" + "".join(_cell("td", grid, *each) for each in enumerate(row)) + "</tr>"
    yield "</tbody></table>"


def _cell(tag: str, grid: Grid, number: int, text: str) -> str:
    kind = ' class="text"' if number < grid.n_text else ""
    return f"<{tag}{kind}>{escape(text)}</{tag}>"
