"""Each way in which a service answers, over HTTP on this machine, becomes the reply that it should."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from fake_service import ANSWER, Service, Step, serving
from judge_support import text_axes
from llm_support import KEY, PROVIDERS, base_url, request
from voxint_contracts.autorater.v1 import JudgeAxis, Reply

from voxint.edges.llm import LlmJudge, Patience, Sampling
from voxint.edges.llm_access import Access
from voxint.io.schemas import self_contained
from voxint.ports import Judged

QUICK = Patience(call_s=5.0, first_wait_s=0.01, longest_wait_s=0.02)
SCHEMA = self_contained("autorater/v1/judge_answer")


def access(provider: str, service: Service) -> Access:
    return Access(provider, "large", KEY, base_url(provider, service))


def asked(
    provider: str, service: Service, patience: Patience = QUICK, sampling: Sampling | None = None, index: int = 0
) -> Judged[Reply]:
    async def once() -> Judged[Reply]:
        async with LlmJudge(access(provider, service), SCHEMA, patience, sampling) as judge:
            return await judge.reply(request(index))

    return asyncio.run(once())


def failure(judged: Judged[Reply]) -> tuple[str, int | None]:
    """Code and status of a reply that has neither axes nor a word of the service's own."""
    reply = judged.reply
    assert reply.status == "failed"
    assert reply.axes is None
    assert reply.error is not None
    assert KEY not in reply.error.message
    assert "127.0.0.1" not in reply.error.message
    return reply.error.code.value, reply.error.http_status


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_answer_that_fits_is_a_reply_with_its_scores(provider: str) -> None:
    with serving() as service:
        judged = asked(provider, service)
    assert judged.reply.status == "ok"
    assert judged.reply.axes is not None
    assert judged.reply.axes.tonal_duality.score == 8
    assert judged.reply.comment == "made up"
    assert judged.reply.reasks == 0
    assert judged.reply.axis_order == list(JudgeAxis)
    assert judged.usage is not None
    assert (judged.usage.input_tokens, judged.usage.output_tokens) == (100, 20)
    assert judged.usage.audio_tokens == (60 if provider == "google" else 0)
    assert judged.model_reported == {"google": "gemini-large-7", "openai": "chat-large-7"}[provider]
    assert judged.created_at is not None
    assert judged.created_at.endswith("Z")
    assert len(service.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_service_is_told_the_schema_of_the_contract(provider: str) -> None:
    with serving() as service:
        asked(provider, service)
    path, headers, body = service.requests[0]
    assert service.instructions() == ["the rubric, repeat 0"]
    if provider == "google":
        assert path == "/v1beta/models/large:generateContent"
        sent = body["generationConfig"]["responseJsonSchema"]
        assert headers["x-goog-api-key"] == KEY
    else:
        assert path == "/v1/chat/completions"
        sent = body["response_format"]["json_schema"]["schema"]
        assert headers["authorization"] == f"Bearer {KEY}"
    assert set(sent["$defs"]) == {"JudgeAxes", "AxisScore", "CitedMoment"}
    assert sent["$defs"]["JudgeAxes"]["required"] == [axis.value for axis in JudgeAxis]
    assert list(sent["$defs"]["AxisScore"]["properties"]) == ["cited_moments", "rationale", "score"]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_sampling_is_sent_and_each_repeat_has_a_seed_of_its_own(provider: str) -> None:
    sampling = Sampling(temperature=0.5, seed=4294967295, max_output_tokens=777)
    with serving() as service:
        asked(provider, service, sampling=sampling)
        asked(provider, service, sampling=sampling, index=3)
        asked(provider, service)
    bodies = [body.get("generationConfig", body) for _, _, body in service.requests]
    assert [body.get("temperature") for body in bodies] == [0.5, 0.5, None]
    assert [body.get("seed") for body in bodies] == [4294967295, 2, None]
    limits = [body.get("maxOutputTokens", body.get("max_completion_tokens", body.get("max_tokens"))) for body in bodies]
    assert limits == [777, 777, None]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_service_that_recovers_is_asked_again(provider: str) -> None:
    with serving(Step(status=503), Step(status=503), Step()) as service:
        assert asked(provider, service).reply.status == "ok"
    assert len(service.requests) == 3


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_service_that_does_not_recover_is_asked_four_times(provider: str, status: int) -> None:
    with serving(Step(status=status)) as service:
        assert failure(asked(provider, service)) == ("http", status)
    assert len(service.requests) == 4


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_refused_request_is_not_repeated(provider: str, status: int) -> None:
    with serving(Step(status=status)) as service:
        assert failure(asked(provider, service)) == ("http", status)
    assert len(service.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_retry_after_is_kept(provider: str) -> None:
    with serving(Step(status=429, headers={"retry-after": "1"}), Step()) as service:
        assert asked(provider, service).reply.status == "ok"
    assert service.times[1] - service.times[0] >= 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_retry_after_beyond_patience_ends_the_attempts(provider: str) -> None:
    with serving(Step(status=429, headers={"retry-after": "3600"})) as service:
        begin = time.monotonic()
        assert failure(asked(provider, service)) == ("http", 429)
    assert time.monotonic() - begin < 5
    assert len(service.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("late", [Step(wait_s=2), Step(drip_s=0.05)], ids=["headers", "body"])
def test_a_late_answer_is_a_timeout(provider: str, late: Step) -> None:
    patience = Patience(attempts=2, call_s=0.4, first_wait_s=0.01, longest_wait_s=0.02)
    with serving(late) as service:
        assert failure(asked(provider, service, patience)) == ("timeout", None)
    assert len(service.requests) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
def test_nobody_at_the_address(provider: str) -> None:
    with serving() as service:
        pass
    assert failure(asked(provider, service)) == ("http", None)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_withheld_answer(provider: str) -> None:
    with serving(Step(finish="blocked")) as service:
        assert failure(asked(provider, service)) == ("blocked", None)
    assert len(service.requests) == 1


def test_a_refusal_is_the_models_own() -> None:
    with serving(Step(finish="refusal")) as service:
        assert failure(asked("openai", service)) == ("refused", None)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("text", [ANSWER[:200], ""], ids=["half", "nothing"])
def test_an_answer_that_was_cut_off_is_not_asked_for_again(provider: str, text: str) -> None:
    with serving(Step(text=text, finish="length")) as service:
        assert failure(asked(provider, service)) == ("truncated", None)
    assert len(service.requests) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_fenced_answer_is_one(provider: str) -> None:
    with serving(Step(text=f"```json\n{ANSWER}\n```")) as service:
        assert asked(provider, service).reply.status == "ok"


def _bad(**scores: Any) -> str:
    axes = text_axes()
    for axis, score in scores.items():
        axes[axis]["score"] = score
    return json.dumps({"axes": axes})


UNFIT = {
    "out of range": (_bad(tonal_duality=11), "schema"),
    "quoted": (_bad(tonal_duality="9"), "schema"),
    "bool": (_bad(tonal_duality=True), "schema"),
    "nan": (_bad(tonal_duality=float("nan")), "schema"),
    "missing": (json.dumps({"axes": {k: v for k, v in text_axes().items() if k != "tonal_duality"}}), "schema"),
    "duplicate": (ANSWER.replace('"score": 8', '"score": 2, "score": 8', 1), "schema"),
    "prose": ("I cannot evaluate this.", "invalid_json"),
    "two": (ANSWER + ANSWER, "invalid_json"),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", UNFIT)
def test_what_does_not_fit_is_asked_for_once_more_and_then_failed(provider: str, name: str) -> None:
    text, code = UNFIT[name]
    with serving(Step(text=text)) as service:
        judged = asked(provider, service)
    assert failure(judged) == (code, None)
    assert judged.reply.reasks == 1
    assert len(service.requests) == 2
    assert judged.usage is not None
    assert judged.usage.input_tokens == 200


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_second_answer_that_fits_counts_and_is_recorded(provider: str) -> None:
    with serving(Step(text=UNFIT["out of range"][0]), Step()) as service:
        judged = asked(provider, service)
    assert judged.reply.status == "ok"
    assert judged.reply.reasks == 1
    told = json.dumps(service.requests[1][2])
    assert "must be at most 10, not 11" in told


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_second_request_that_fails_is_recorded_too(provider: str) -> None:
    with serving(Step(text="no"), Step(status=400)) as service:
        judged = asked(provider, service)
    assert failure(judged) == ("http", 400)
    assert judged.reply.reasks == 1


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("raw", [b"<html>busy</html>", b"{", b"[]", b"null", b"{}"])
def test_an_answer_of_another_service_is_no_score(provider: str, raw: bytes) -> None:
    with serving(Step(raw=raw)) as service:
        code, _ = failure(asked(provider, service))
    assert code in ("other", "invalid_json")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_answer_that_repeats_the_key_is_not_kept(provider: str) -> None:
    axes = text_axes(quote=f"your key is {KEY}")
    with serving(Step(text=json.dumps({"axes": axes}))) as service:
        judged = asked(provider, service)
    assert failure(judged) == ("other", None)
    assert KEY not in repr(judged)
