"""Voiceprints: mean directions of embeddings, and which of them is nearest. Pure, the same bits on any machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from voxint.errors import quoted
from voxint.stats.cosines import column_sums, row_cosines, screen, screen_margin, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Enrolled", "Roster", "nearest", "roster_of", "top_two", "weighted_direction"]

Enrolled = Mapping[str, Sequence[Sequence[float]]]
"""Speaker id to enrollment vectors."""


@dataclass(frozen=True, slots=True, eq=False)
class Roster:
    """The enrolled voices of one embedding space: speaker ids in code point order, and a unit row for each."""

    embedding_space: str
    speaker_ids: tuple[str, ...]
    units: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.speaker_ids)


def weighted_direction(units: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The direction of the weighted sum of unit rows, of length 1; None where it is zero or there is no row.

    The rows are added in a fixed tree, so that their order is all that the last bit depends on.
    """
    if not len(units):
        return None
    total = column_sums(units * weights[:, None])
    return unit_rows(total[None, :])[0] if np.any(total) else None


def roster_of(
    embedding_space: str, enrolled: Mapping[str, Sequence[Sequence[float]]]
) -> tuple[Roster, tuple[str, ...]]:
    """The roster of a space from each speaker's enrollment vectors, and the speakers whose vectors cancel out.

    Vectors may have any scale; each counts alike.

    Raises:
        ValueError: a vector is zero, not finite, or of another length than the first; it says whose.
    """
    ids, rows, lost = [], [], []
    dims: int | None = None
    for speaker_id in sorted(enrolled):
        vectors = enrolled[speaker_id]
        lengths = {len(vector) for vector in vectors}
        dims = next(iter(lengths), None) if dims is None else dims
        if lengths - {dims}:
            raise ValueError(f"speaker {quoted(speaker_id)}: vectors of one space must have one length")
        centroid = _mean(speaker_id, vectors)
        if centroid is None:
            lost.append(speaker_id)
        else:
            ids.append(speaker_id)
            rows.append(centroid)
    units = np.stack(rows) if rows else np.empty((0, dims or 0))
    return Roster(embedding_space, tuple(ids), units), tuple(lost)


def _mean(speaker_id: str, vectors: Sequence[Sequence[float]]) -> NDArray[np.float64] | None:
    if not len(vectors):
        return None
    try:
        units = unit_rows(np.array(vectors, np.float64))
    except ValueError as error:
        raise ValueError(f"speaker {quoted(speaker_id)}: {error}") from error
    return weighted_direction(units, np.ones(len(units)))


def top_two(centroid: NDArray[np.float64], roster: Roster) -> tuple[int, float, float | None]:
    """The place of the nearest speaker, its cosine, and the second cosine (None in a roster of one).

    The roster must not be empty. Of equal cosines the first in order of speaker id is nearest.
    """
    rough = screen(centroid[None, :], roster.units)[0]
    margin = 2 * screen_margin(len(centroid))
    bar = rough.max() if len(rough) == 1 else np.partition(rough, -2)[-2]
    places = np.flatnonzero(rough >= bar - margin)
    exact = row_cosines(roster.units[places], centroid[None, :])
    order = np.argsort(-exact, kind="stable")
    second = float(exact[order[1]]) if len(order) > 1 else None
    return int(places[order[0]]), float(exact[order[0]]), second


def nearest(units: NDArray[np.float64], roster: Roster) -> NDArray[np.intp]:
    """The place of the nearest speaker of each unit row; of equal cosines the first. The roster must not be empty."""
    rough = screen(units, roster.units)
    found: NDArray[np.intp] = rough.argmax(axis=1)
    if len(roster) == 1:
        return found
    top = rough[np.arange(len(units)), found]
    near = rough >= (top - 2 * screen_margin(units.shape[1]))[:, None]
    for row in np.flatnonzero(near.sum(axis=1) > 1):
        places = np.flatnonzero(near[row])
        exact = row_cosines(roster.units[places], units[row : row + 1])
        found[row] = places[int(exact.argmax())]
    return found
