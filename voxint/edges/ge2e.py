"""Voices as vectors by Resemblyzer's GE2E encoder (Wan et al. 2018, doi:10.1109/ICASSP.2018.8462665). Extra `voice`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from voxint.edges.levels import to_level
from voxint.edges.torches import one_thread
from voxint.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE, DIMS, RATE = "resemblyzer-ge2e-0.1.4", 256, 16_000
LEVEL = -30.0
"""RMS in dBFS that every clip is brought to: the model was trained so, and a quiet clip is another voice to it."""


class Ge2e:
    """The encoder, loaded once. Its weights are in its package: nothing is downloaded.

    Raises:
        MissingExtraError: the extra is not installed.
    """

    embedding_space = SPACE

    def __init__(self) -> None:
        one_thread()
        try:
            resemblyzer: Any = importlib.import_module("resemblyzer")
        except ImportError as error:
            raise MissingExtraError(f"{SPACE} needs the extra voice: pip install 'voxint[voice]' ({error})") from error
        self._encoder = resemblyzer.VoiceEncoder("cpu", verbose=False)

    def embed(self, samples: NDArray[np.float32]) -> list[float]:
        """The 256 numbers of a clip: mono samples at 16,000 Hz in [-1, 1], at least 1.6 s for a good one.

        Raises:
            ValueError: the clip is empty, silent or not finite.
        """
        found = self._encoder.embed_utterance(to_level(samples, LEVEL))
        return [float(value) for value in np.asarray(found, np.float64)]
