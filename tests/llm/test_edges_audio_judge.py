"""The command `rate audio-judge`, from a manifest to its file."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import soundfile
from fake_service import AUDIO_ANSWER, Service, Step, serving
from judge_support import DIGEST, audio_axes, audio_response, ok, provenance
from llm_support import KEY, PROVIDERS, base_url, keys
from sound_support import render, sound
from voxint_contracts.audio_eval.v1 import AudioJudgeResponse

from voxint.cli import main
from voxint.edges import audio_payload
from voxint.io import canonical, read

__all__ = ["keys"]
pytestmark = pytest.mark.usefixtures("keys")
GOOD = Step(text=AUDIO_ANSWER)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a render in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "render").mkdir()
    render(tmp_path / "render", sound(tmp_path / "render" / "desk.wav"))
    return tmp_path


def words(provider: str, service: Service, *more: str) -> list[str]:
    asked = ["--model", f"{provider}:large", "--base-url", base_url(provider, service)]
    return ["rate", "audio-judge", "render/manifest.json", *asked, "--cache-dir", "cache", "--out", "judge.json", *more]


def written(place: Path) -> AudioJudgeResponse:
    return read.document(str(place / "judge.json"), AudioJudgeResponse)


def sent_sound(provider: str, body: dict[str, Any]) -> tuple[str, bytes]:
    """The media type and the bytes of the recording in a request."""
    if provider == "google":
        (part,) = [part["inlineData"] for part in body["contents"][0]["parts"] if "inlineData" in part]
        return part.get("mime_type") or part["mimeType"], base64.urlsafe_b64decode(part["data"])
    content = next(each["content"] for each in body["messages"] if each["role"] == "user")
    (part,) = [each["input_audio"] for each in content if each["type"] == "input_audio"]
    return part["format"], base64.b64decode(part["data"].rpartition(",")[2])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_recording_is_judged(provider: str, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serving(GOOD) as service:
        assert main(words(provider, service, "--n-repeats", "2")) == 0
    document = written(place)
    assert [reply.status.value for reply in document.replies] == ["ok", "ok"]
    assert (document.script_id, document.script_sha256, document.audio_seconds) == ("desk", DIGEST, 1.0)
    assert document.replies[1].axis_order[0] == "delivery_match"
    assert capfd.readouterr() == ("", "")
    kind, data = sent_sound(provider, service.requests[0][2])
    assert kind == {"google": "audio/flac", "openai": "mp3"}[provider]
    (place / "sent").write_bytes(data)
    assert soundfile.info(place / "sent").duration == pytest.approx(1.0, abs=0.2)
    told = json.dumps(service.requests[0][2])
    assert "[0.00 to 0.50] pym: One asks." in told
    assert "[0.50 to 1.00] pym (heard: phone): Does one?" in told


def test_what_is_held_is_not_asked_for_again_and_another_recording_is(place: Path) -> None:
    with serving(GOOD) as service:
        assert main(words("google", service)) == 0
        assert main(words("google", service)) == 0
        assert len(service.requests) == 1
        assert written(place).provenance.cache_hits == 1
        render(place / "render", sound(place / "render" / "desk.wav", 2))
        assert main(words("google", service)) == 0
        assert len(service.requests) == 2


def test_every_reply_failed(place: Path) -> None:
    with serving(Step(text="I cannot hear it.")) as service:
        assert main(words("google", service)) == 1
    (reply,) = written(place).replies
    assert reply.error is not None
    assert reply.error.code == "invalid_json"


def refused(place: Path, capfd: pytest.CaptureFixture[str], *more: str) -> str:
    """The line with which the command refuses, before anything is sent."""
    with serving(GOOD) as service:
        assert main(words("google", service, *more)) == 2
    assert service.requests == []
    assert not (place / "judge.json").exists()
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert KEY not in err
    return err


def test_another_recording_than_the_manifests(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sound(place / "render" / "desk.wav", 2)
    assert "render/manifest.json:1:" in (err := refused(place, capfd))
    assert "$.audio_sha256: is not the digest of render/desk.wav, " in err


def test_no_recording(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (place / "render" / "desk.wav").unlink()
    assert refused(place, capfd) == "render/desk.wav: cannot be read: No such file or directory\n"


def test_a_recording_that_is_too_large(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audio_payload.encoded, "__defaults__", (100,))
    assert "render/desk.wav: is too large to be sent inline" in refused(place, capfd)


def test_the_recording_cannot_be_the_output(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = (place / "render" / "desk.wav").read_bytes()
    with serving(GOOD) as service:
        assert main([*words("google", service)[:-1], "render/desk.wav"]) == 2
    assert "is an input of this command" in capfd.readouterr().err
    assert (place / "render" / "desk.wav").read_bytes() == before


def test_no_model(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", "audio-judge", "render/manifest.json"]) == 2
    assert "either --model or --replay is required" in capfd.readouterr().err


def test_a_replay_needs_no_recording(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    manifest = json.loads((place / "render/manifest.json").read_text(encoding="utf-8"))
    facts = provenance(requested_repeats=1)
    recorded = audio_response(ok(audio_axes(9)), audio_sha256=manifest["audio_sha256"], provenance=facts)
    (place / "recorded.json").write_bytes(canonical.encode(recorded))
    (place / "render" / "desk.wav").unlink()
    command = ["rate", "audio-judge", "render/manifest.json", "--replay", "recorded.json", "--out", "judge.json"]
    assert main(command) == 0
    assert (place / "judge.json").read_bytes() == (place / "recorded.json").read_bytes()
    other = recorded.model_copy(update={"audio_sha256": "ab" * 32})
    (place / "recorded.json").write_bytes(canonical.encode(other))
    assert main(command) == 2
    err = capfd.readouterr().err
    assert err.startswith("recorded.json:1:")
    assert "$.audio_sha256: is of another recording than MANIFEST" in err
