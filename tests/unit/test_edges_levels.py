import numpy as np
import pytest

from voxint.edges.levels import to_level


@pytest.mark.parametrize("gain", [1.0, 0.5, 0.01])
def test_every_gain_ends_at_the_same_level(gain: float) -> None:
    wave = np.sin(np.arange(1600) / 7).astype(np.float32)
    scaled = to_level(wave * np.float32(gain), -30.0)
    assert 20 * np.log10(np.sqrt(np.mean(scaled.astype(np.float64) ** 2))) == pytest.approx(-30.0, abs=1e-4)


def test_peaks_are_clipped() -> None:
    click = np.zeros(1000, np.float32)
    click[0] = 1.0
    assert to_level(click, -20.0).max() == 1.0


@pytest.mark.parametrize("samples", [[], [0.0, 0.0], [float("nan"), 1.0], [float("inf")]])
def test_without_sound_there_is_no_level(samples: list[float]) -> None:
    with pytest.raises(ValueError, match="expected sound"):
        to_level(np.array(samples, np.float32), -30.0)
