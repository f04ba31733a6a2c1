"""How loud samples are, and the same samples louder or softer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_level(samples: NDArray[np.float32], dbfs: float) -> NDArray[np.float32]:
    """The samples scaled to an RMS of `dbfs` decibels below full scale (0 dBFS is an RMS of 1), clipped to [-1, 1].

    Raises:
        ValueError: there are none, they are silent, or not finite.

    >>> to_level(np.array([0.5, -0.5], np.float32), -20.0).tolist()
    [0.10000000149011612, -0.10000000149011612]
    """
    wide = samples.astype(np.float64)
    level = float(np.sqrt(np.mean(wide * wide))) if len(wide) else 0.0
    if not (level > 0.0 and np.isfinite(level)):
        raise ValueError("samples: expected sound, got none or numbers that are not finite")
    scaled: NDArray[np.float32] = np.clip(wide * (10.0 ** (dbfs / 20.0) / level), -1.0, 1.0).astype(np.float32)
    return scaled
