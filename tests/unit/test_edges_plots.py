"""Pictures of a report: which there are, that they are alike each time, and what is said without matplotlib."""

from __future__ import annotations

import sys
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from test_harness_attribution_report import DATE, METRICS, TRIALS

from voxint.edges import plots as module
from voxint.edges.plots import check_installed, plots
from voxint.errors import MissingExtraError
from voxint.harness.attribution_report import report

BARE = report(run=[METRICS, METRICS], date=DATE)
FULL = report(run=[METRICS], date=DATE, trials=[TRIALS])


def texts(svg: bytes) -> set[str]:
    return {each.text or "" for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}


def test_the_rates_of_every_run_are_drawn() -> None:
    (rates,) = plots(BARE)
    assert rates.caption.startswith("False accepts and false rejects of each run")
    assert {"FAR by trial, run A", "FRR by speaker, run B"} <= texts(rates.svg)


def test_a_run_with_trials_has_its_scores_and_curves() -> None:
    rates, scores, bounds, coverage = plots(FULL)
    assert "FAR by speaker, run A" in texts(rates.svg)
    assert {"genuine (9)", "impostor_closed (1)", "impostor_open (30)"} <= texts(scores.svg)
    assert "unscoreable (1)" not in texts(scores.svg)
    assert {"Wilson", "exact", "ceiling of the rule, 5 %"} <= texts(bounds.svg)
    assert {"scoreable trials", "genuine speakers with a trial shown"} <= texts(coverage.svg)


def test_the_same_report_is_the_same_bytes_whatever_the_users_settings() -> None:
    first = plots(FULL)
    with mpl.rc_context({"font.size": 40, "svg.hashsalt": "mine", "svg.fonttype": "path", "lines.linewidth": 9}):
        assert plots(FULL) == first
        assert mpl.rcParams["font.size"] == 40
    for each in first:
        assert b"<dc:date>" not in each.svg
        assert b"matplotlib.org/" not in each.svg.replace(b"http://www.w3.org", b"")


def test_without_matplotlib_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "matplotlib" else object())
    for call in (check_installed, lambda: plots(FULL)):
        with pytest.raises(MissingExtraError) as caught:
            call()
        assert str(caught.value) == (
            "a page needs matplotlib, the extra `report`: python -m pip install matplotlib, or in a checkout "
            "python -m pip install --editable '.[report]'"
        )


def test_where_it_is_installed_nothing_is_imported_to_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    check_installed()
    assert "matplotlib.figure" not in sys.modules
