"""The embedding models themselves, on real speech: the numbers of the example, and voices told apart.

Run by `make test-voice`, which installs torch and the models.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from voxint.edges.campplus import CampPlus
from voxint.edges.ge2e import Ge2e

ROOT = Path(__file__).resolve().parents[2]
SPEECH = ROOT.parent / "shared" / "data" / "audio" / "librispeech-test-other"
MODELS = {"ge2e": Ge2e, "campplus": CampPlus}

pytestmark = pytest.mark.skipif(not SPEECH.is_dir(), reason="needs LibriSpeech beside the repository")


@pytest.fixture(scope="module", params=sorted(MODELS))
def model(request: pytest.FixtureRequest) -> tuple[str, Any]:
    return request.param, MODELS[request.param]()


def clip(reader: str, utterance: str) -> np.ndarray[Any, Any]:
    (path,) = (SPEECH / reader).glob(f"*-{utterance}.flac")
    return soundfile.read(path, dtype="float32")[0]


def cosine(a: list[float], b: list[float]) -> float:
    return float(np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_example_holds_what_the_model_says(model: tuple[str, Any]) -> None:
    name, encoder = model
    first = json.loads((ROOT / f"examples/real-speech/runs-{name}.jsonl").read_text().splitlines()[0])["turns"][0]
    assert first["embedding_space"] == encoder.embedding_space
    assert encoder.embed(clip("1688", "0000")) == pytest.approx(first["embedding"], abs=2e-4)


def test_a_voice_is_nearer_to_itself_than_to_others(model: tuple[str, Any]) -> None:
    _, encoder = model
    clips = [(reader, utterance) for reader in ("1688", "2033") for utterance in ("0006", "0007")]
    vectors = {each: encoder.embed(clip(*each)) for each in clips}
    same = [cosine(vectors[reader, "0006"], vectors[reader, "0007"]) for reader in ("1688", "2033")]
    other = [cosine(vectors["1688", a], vectors["2033", b]) for a in ("0006", "0007") for b in ("0006", "0007")]
    assert min(same) > max(other) + 0.1


def test_ge2e_does_not_hear_how_loud_a_clip_is() -> None:
    encoder = Ge2e()
    wave = clip("1688", "0006")
    assert cosine(encoder.embed(wave), encoder.embed(wave * np.float32(0.1))) > 0.999


def test_no_sound_is_no_voice(model: tuple[str, Any]) -> None:
    with pytest.raises(ValueError, match="samples: expected"):
        model[1].embed(np.array([], np.float32))
