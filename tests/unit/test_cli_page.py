"""The page: everything inside it, everything escaped."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser

from test_edges_plots import FULL

from voxint.cli.page import html
from voxint.cli.summaries import Grid, Summary, summary_of
from voxint.edges.plots import Plot, plots

HOSTILE = '<script>alert("&")</script>'


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(page: str) -> list[str]:
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    return parser.seen


def test_a_small_page() -> None:
    grid = Grid("Counts", ("what", "n"), (("right", "3"),))
    page = html(Summary("Title", (grid, "A sentence.")), [Plot("A picture.", b"<svg/>")])
    assert page.startswith("<!DOCTYPE html>\n")
    assert '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="A picture.">' in page
    assert "<caption>Counts</caption>" in page
    assert '<tr><td class="text">right</td><td>3</td></tr>' in page
    assert "<p>A sentence.</p>" in page
    assert tags(page).count("table") == 1


def test_text_is_no_markup() -> None:
    grid = Grid(HOSTILE, (HOSTILE,), ((HOSTILE,),))
    page = html(Summary(HOSTILE, (grid, HOSTILE)), [Plot(HOSTILE, b"")])
    assert "script" not in tags(page)
    assert page.count("&lt;script&gt;") == 8


def test_the_report_loads_nothing_from_anywhere() -> None:
    page = html(summary_of(FULL), plots(FULL))
    assert "script" not in tags(page)
    assert set(re.findall(r'(?:src|href)="([^"]{0,26})', page)) == {"data:image/svg+xml;base64,"}
    pictures = re.findall(r"base64,([A-Za-z0-9+/=]+)", page)
    assert len(pictures) == 4
    for picture in pictures:
        svg = b64decode(picture)
        assert b"<svg" in svg
        assert not re.search(rb"(?:xlink:)?href=\"(?!#)", svg)
