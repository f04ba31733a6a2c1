"""Recordings as services take them."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pytest
import soundfile
from sound_support import sound

from voxint.edges import audio_payload
from voxint.edges.audio_payload import Sound, check_installed, encoded, measured
from voxint.errors import InputError, MissingExtraError


def test_length_and_digest(tmp_path: Path) -> None:
    path = sound(tmp_path / "a.wav", 1.5)
    assert measured(str(path)) == Sound(str(path), 1.5, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24", "PCM_32", "FLOAT", "PCM_U8", "ULAW"])
@pytest.mark.parametrize("channels", [1, 2])
def test_a_wav_becomes_flac_with_the_same_sound(subtype: str, channels: int, tmp_path: Path) -> None:
    path = sound(tmp_path / "a.wav", 2.3, channels=channels, subtype=subtype)
    made = encoded(measured(str(path)), "google")
    assert made.media_type == "audio/flac"
    before, rate = soundfile.read(path)
    after, new_rate = soundfile.read(io.BytesIO(made.data))
    assert rate == new_rate
    assert before.shape == after.shape
    assert abs(before - after).max() < 1e-4


def test_a_service_that_speaks_no_flac_gets_mp3(tmp_path: Path) -> None:
    made = encoded(measured(str(sound(tmp_path / "a.wav", 3))), "openai")
    assert made.media_type == "audio/mpeg"
    info = soundfile.info(io.BytesIO(made.data))
    assert (info.format, info.samplerate) == ("MP3", 16000)
    assert info.duration == pytest.approx(3, abs=0.2)


def test_what_is_too_large_as_flac_goes_as_mp3_and_then_not_at_all(tmp_path: Path) -> None:
    found = measured(str(sound(tmp_path / "a.wav", 5)))
    flac, mp3 = len(encoded(found, "google").data), len(encoded(found, "openai").data)
    assert mp3 < flac
    assert encoded(found, "google", mp3).media_type == "audio/mpeg"
    with pytest.raises(InputError, match=r"a\.wav: is too large to be sent inline: \S+ MB as FLAC, \S+ MB as MP3"):
        encoded(found, "google", mp3 - 1)


@pytest.mark.parametrize(("name", "provider"), [("a.flac", "google"), ("a.mp3", "openai")])
def test_a_file_that_has_the_form_goes_as_it_is(name: str, provider: str, tmp_path: Path) -> None:
    path = sound(tmp_path / name, 2)
    assert encoded(measured(str(path)), provider).data == path.read_bytes()


def test_long_sound_goes_through_in_blocks(tmp_path: Path) -> None:
    path = sound(tmp_path / "a.wav", 400, rate=8000)
    assert soundfile.info(io.BytesIO(encoded(measured(str(path)), "google").data)).duration == 400


@pytest.mark.parametrize("data", [b"", b"RIFF", b"not sound at all", bytes(1000)])
def test_no_recording(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(data)
    with pytest.raises(InputError, match="is no recording that can be read"):
        measured(str(path))


def test_silence_of_no_length_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no sound"):
        measured(str(sound(tmp_path / "a.wav", 0)))
    with pytest.raises(InputError, match="cannot be read: No such file"):
        measured(str(tmp_path / "b.wav"))


def test_a_rate_that_mp3_does_not_have(tmp_path: Path) -> None:
    found = measured(str(sound(tmp_path / "a.wav", 1, rate=96000)))
    with pytest.raises(InputError, match="cannot be encoded as MP3"):
        encoded(found, "openai")
    assert encoded(found, "google").media_type == "audio/flac"


def test_a_missing_library_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    monkeypatch.setattr(audio_payload, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="recordings need soundfile, the extra `audio`: python -m pip"):
        check_installed()
