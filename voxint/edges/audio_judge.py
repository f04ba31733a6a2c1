"""The command `rate audio-judge`: replies about a recording, from a model or as they were recorded."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le
from voxint_contracts.audio_eval.v1 import AudioJudgeResponse

from voxint.audio_eval.judge_prompt import assignment
from voxint.audio_eval.render import Render
from voxint.autorater.judge_replay import ReplayJudge, replayed
from voxint.edges import audio_payload
from voxint.edges.judging import Done, Options, judged_by_model, ready, replies
from voxint.errors import RecordError, RecordFault, UsageError
from voxint.harness.outcome import Outcome

_CALL_S = 180.0


def score(  # noqa: PLR0913 - a flag each
    manifest: Render,
    *,
    model: str | None = None,
    base_url: str | None = None,
    n_repeats: Annotated[int, Ge(1), Le(25)] | None = None,
    replay: AudioJudgeResponse | None = None,
    cache_dir: str | None = None,
    refresh: bool = False,
    concurrency: Annotated[int, Ge(1), Le(25)] = 4,
    per_minute: Annotated[float, Gt(0)] | None = None,
    temperature: Annotated[float, Ge(0), Le(2)] | None = None,
    seed: Annotated[int, Ge(0), Le(4294967295)] | None = None,
    max_output_tokens: Annotated[int, Ge(1), Le(2147483647)] | None = None,
) -> AudioJudgeResponse:
    """Asks a language model that hears to judge a recording by five axes, once or several times side by side.

    The recording goes inline, as FLAC or MP3 of at most 14 MB; one that is larger is refused before anything is sent.
    Keys, failures, the cache and the exit code are as in `rate judge`.

    Args:
        manifest: The manifest of the render to judge; its recording is read.
        model: Model to ask: google:NAME, or openai:NAME of any server that speaks OpenAI's chat interface.
        base_url: Address of a server of your own, as http://127.0.0.1:8000/v1; it may do without a key.
        n_repeats: Replies to ask for; 1 without it, or as many as --replay holds.
        replay: Replies that were recorded, to be given again instead of asking a model; no recording is read.
        cache_dir: Folder of the cache; the user's own one without it.
        refresh: Ask again for what the cache holds, and keep the new replies.
        concurrency: Requests at once.
        per_minute: Most requests that begin in a minute.
        temperature: Sampling temperature; the service's own without it.
        seed: Seed of the first repeat, for services that take one; each further repeat adds 1.
        max_output_tokens: Most tokens of an answer; the service's own limit without it.

    Example:
        voxint rate audio-judge manifest.json --model google:gemini-2.5-pro --n-repeats 5 --out audio-judge.json

    Raises:
        UsageError: Neither a model nor a replay is given, or both; the model, the address or the key are not in order.
        InputError: The recording cannot be read, is not the manifest's, or is too large.
        RecordError: The replay is of another recording.
        MissingExtraError: The extra `llm` or `audio` is not installed.
    """
    return outcome(
        manifest,
        model=model,
        base_url=base_url,
        n_repeats=n_repeats,
        replay=replay,
        cache_dir=cache_dir,
        refresh=refresh,
        concurrency=concurrency,
        per_minute=per_minute,
        temperature=temperature,
        seed=seed,
        max_output_tokens=max_output_tokens,
    ).whole()


def outcome(
    manifest: Render,
    *,
    model: str | None = None,
    n_repeats: int | None = None,
    replay: AudioJudgeResponse | None = None,
    done: Done | None = None,
    **how: Any,
) -> Outcome[AudioJudgeResponse]:
    """As `score`, with notes on what could not be kept; `done` is told how many of how many replies are there."""
    if (model is None) == (replay is None):
        raise UsageError("voxint rate audio-judge: either --model or --replay is required, and not both")
    if replay is not None:
        return _again(manifest, replay, n_repeats, done)
    assert model is not None
    options = Options(model=model, call_s=_CALL_S, **how)
    audio_payload.check_installed()
    service = ready(options)
    sound = audio_payload.measured(manifest.audio)
    if sound.sha256 != manifest.manifest.audio_sha256:
        raise _fault("manifest", "audio_sha256", f"is not the digest of {manifest.audio}, {sound.sha256}")
    recording = audio_payload.encoded(sound, service.provider)
    return judged_by_model(assignment(manifest.manifest, sound.seconds, n_repeats or 1, recording), options, done)


def _again(
    render: Render, replay: AudioJudgeResponse, n_repeats: int | None, done: Done | None
) -> Outcome[AudioJudgeResponse]:
    for name in ("audio_sha256", "script_sha256"):
        if getattr(replay, name) != getattr(render.manifest, name):
            raise _fault("replay", name, "is of another recording than MANIFEST, or of another version of it")
    again = assignment(render.manifest, replay.audio_seconds, n_repeats or len(replay.replies), None)
    judged = asyncio.run(replies(ReplayJudge(replay.replies), again, concurrency=1, done=done))
    return Outcome(replayed(replay, judged))


def _fault(parameter: str, name: str, message: str) -> RecordError:
    return RecordError([RecordFault(parameter, None, message, (name,))])
