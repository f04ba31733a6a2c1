"""The plots of an attribution report as SVG, drawn by matplotlib: the same bytes for the same report.

What could differ between two runs is fixed: the salt of the ids, the metadata, and every setting of the user's own.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from voxint_contracts.attribution import v1 as contract

from voxint.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HOW = "python -m pip install matplotlib, or in a checkout python -m pip install --editable '.[report]'"
_MAX_FAR = 0.05
_COLOURS = {
    contract.TrialDetail.GENUINE: "#1b7837",
    contract.TrialDetail.IMPOSTOR_CLOSED: "#b2182b",
    contract.TrialDetail.IMPOSTOR_OPEN: "#d6604d",
    contract.TrialDetail.UNSCOREABLE: "#878787",
}
_RATES = {
    "far_by_trial": "FAR by trial",
    "far_by_cluster": "FAR by speaker",
    "frr_by_trial": "FRR by trial",
    "frr_by_cluster": "FRR by speaker",
}
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


@dataclass(frozen=True, slots=True)
class Plot:
    """One picture: what it shows in a sentence, and its SVG."""

    caption: str
    svg: bytes


def check_installed() -> None:
    """Nothing happens where plots can be drawn.

    Raises:
        MissingExtraError: matplotlib is not installed; the message says how to get it.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtraError(f"a page needs matplotlib, the extra `report`: {_HOW}")


def _load() -> None:
    # Its chatter on settings files that the page does not use.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(f"matplotlib is installed and cannot be loaded ({error}); repair it: {_HOW}") from error


def plots(report: contract.AttributionReport) -> list[Plot]:
    """The pictures of a report: rates of every run with their intervals; of each run with trials, scores and curves.

    Raises:
        MissingExtraError: matplotlib is not installed, or cannot be loaded.
    """
    check_installed()
    _load()
    drawn = [_rates(report.runs)]
    for run in report.runs:
        if run.distributions:
            drawn += [_scores(run), _bounds(run), _coverage(run)]
    return drawn


@contextmanager
def _figure(caption: str, made: list[Plot], height: float = 3.2) -> Iterator[Figure]:
    """An empty figure, whose SVG is put into `made` at the end."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context():
        mpl.rcdefaults()
        for name, value in {**_SETTINGS, "svg.hashsalt": caption}.items():
            mpl.rcParams[name] = value
        figure = Figure(figsize=(7.2, height), layout="constrained")
        FigureCanvasSVG(figure)
        yield figure
        target = io.BytesIO()
        figure.savefig(target, format="svg", metadata=_NO_METADATA)
        made.append(Plot(caption, target.getvalue()))


def _rates(runs: Sequence[contract.RunReport]) -> Plot:
    made: list[Plot] = []
    caption = (
        "False accepts and false rejects of each run: the rate, its 95 % Wilson interval (thick) and exact (thin)."
    )
    with _figure(caption, made, 1.2 + 0.35 * len(_RATES) * len(runs)) as figure:
        axes = figure.subplots()
        names = [
            (f"{words}, run {run.label}", getattr(run.metrics, name)) for name, words in _RATES.items() for run in runs
        ]
        for height, (_, rate) in enumerate(reversed(names)):
            axes.plot(rate.exact_ci95, [height] * 2, color="#4393c3", linewidth=1)
            axes.plot(rate.ci95, [height] * 2, color="#2166ac", linewidth=4)
            axes.plot([rate.rate], [height], "o", color="#053061")
        axes.set_yticks(range(len(names)), [words for words, _ in reversed(names)])
        axes.set_xlim(0, 1)
        axes.set_xlabel("share")
    return made[0]


def _scores(run: contract.RunReport) -> Plot:
    made: list[Plot] = []
    caption = f"Run {run.label}: cosines with the top speaker, by what the trials are; lines at both gates."
    with _figure(caption, made) as figure:
        axes = figure.subplots()
        for each in run.distributions:
            known = each.n_trials - each.n_without_score
            if known:
                shares = [count / known for count in each.bin_counts]
                edges = [(step - 20) / 20 for step in range(len(shares) + 1)]
                words = f"{each.detail.value} ({each.n_trials})"
                axes.stairs(shares, edges, label=words, color=_COLOURS[each.detail], linewidth=1.5)
        _gate_lines(axes, run)
        axes.set_xlim(_lowest(run), 1.0)
        axes.set_xlabel("cosine")
        axes.set_ylabel("share of these trials")
        axes.legend(frameon=False)
    return made[0]


def _lowest(run: contract.RunReport) -> float:
    """The lower edge of the lowest bin with a trial; -1 without any."""
    filled = [place for each in run.distributions for place, count in enumerate(each.bin_counts) if count]
    return (min(filled, default=0) - 20) / 20


def _bounds(run: contract.RunReport) -> Plot:
    made: list[Plot] = []
    caption = (
        f"Run {run.label}: one-sided 95 % bound of the share of impostor speakers shown, over the grounded cosine."
    )
    with _figure(caption, made) as figure:
        axes = figure.subplots()
        cosines = [point.cosine for point in run.curve]
        axes.plot(cosines, [point.far_upper_one_sided for point in run.curve], color="#b2182b", label="Wilson")
        exact = [point.far_exact_upper_one_sided for point in run.curve]
        axes.plot(cosines, exact, color="#b2182b", linestyle=":", label="exact")
        axes.plot(cosines, [point.far for point in run.curve], color="#878787", label="FAR by trial")
        axes.axhline(_MAX_FAR, color="black", linewidth=0.8, linestyle="--", label="ceiling of the rule, 5 %")
        _share_axes(axes, run, 1.1 * max([_MAX_FAR, *exact]))
    return made[0]


def _coverage(run: contract.RunReport) -> Plot:
    made: list[Plot] = []
    caption = f"Run {run.label}: what is shown without review, over the grounded cosine."
    with _figure(caption, made) as figure:
        axes = figure.subplots()
        cosines = [point.cosine for point in run.curve]
        axes.plot(cosines, [point.coverage for point in run.curve], color="#2166ac", label="scoreable trials")
        covered = [point.genuine_cluster_coverage for point in run.curve]
        axes.plot(cosines, covered, color="#1b7837", label="genuine speakers with a trial shown")
        _share_axes(axes, run, 1.05)
    return made[0]


def _share_axes(axes: Axes, run: contract.RunReport, top: float) -> None:
    _gate_lines(axes, run)
    axes.set_ylim(0, top)
    axes.set_xlabel("grounded cosine")
    axes.set_ylabel("share")
    axes.legend(frameon=False)


def _gate_lines(axes: Axes, run: contract.RunReport) -> None:
    gates = run.metrics.gates
    axes.axvline(gates.min_cosine, color="#bababa", linewidth=0.8)
    axes.axvline(gates.grounded_min_cosine, color="#4d4d4d", linewidth=0.8)
