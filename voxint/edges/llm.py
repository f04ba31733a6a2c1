"""A judge that is a language model: Gemini, or any server that speaks OpenAI's chat interface.

The one module that imports pydantic-ai and its HTTP client. What it learns from a service becomes a reply in the words
of this house: no text of an error, no key and no address of a service goes into a reply, a log or a message.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC
from importlib.metadata import version
from typing import Any, cast

import httpx2
from openai import AsyncOpenAI
from pydantic_ai import exceptions
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.retries import AsyncHTTPX2TenacityTransport, RetryConfig, wait_retry_after
from pydantic_ai.settings import ModelSettings
from tenacity import retry_if_exception, stop_after_attempt, wait_exponential_jitter
from voxint_contracts.autorater.v1 import TokenUsage

from voxint.autorater.judge_replies import failed, scored
from voxint.edges.llm_access import Access
from voxint.io.answers import Unfit, answer
from voxint.ports import Judged, JudgeRequest, R

SDK_NAME = "pydantic-ai-slim"
_TALKATIVE = ("openai", "httpx", "httpx2", "httpcore", "httpcore2", "google_genai", "pydantic_ai")
_PASSING = frozenset({408, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a service is waited for, and how often it is asked.

    `call_s` bounds one attempt, headers and body; a server that asks for more than `longest_request_s` (Retry-After) is
    not waited for at all.
    """

    attempts: int = 4
    call_s: float = 60.0
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    longest_request_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Sampling:
    """What decides a reply beside its words; None leaves it to the service."""

    temperature: float | None = None
    seed: int | None = None
    max_output_tokens: int | None = None


def sdk_version() -> str:
    """The version of the library that asks."""
    return version(SDK_NAME)


class LlmJudge:
    """A `JudgePort` over one service. Use it as an asynchronous context manager: it keeps a client open."""

    def __init__(
        self, access: Access, schema: dict[str, Any], patience: Patience | None = None, sampling: Sampling | None = None
    ) -> None:
        for name in _TALKATIVE:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self._access = access
        self._sampling = sampling or Sampling()
        self._client = _client(patience or Patience())
        self._model = _model(access, self._client)
        self._parameters = ModelRequestParameters(
            output_mode="native",
            output_object=OutputObjectDefinition(json_schema=schema, name=schema["title"]),
            allow_text_output=False,
        )

    async def __aenter__(self) -> LlmJudge:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def reply(self, request: JudgeRequest[R]) -> Judged[R]:
        """The reply of the model, which is asked a second time at most: where its first answer does not fit."""
        talk: list[ModelMessage] = [_opening(request)]
        heard: list[ModelResponse] = []
        try:
            result = await self._ask(request, talk, heard)
            if isinstance(result, Unfit) and result.code != "truncated":
                talk += [heard[-1], ModelRequest(parts=[UserPromptPart(_again(result))])]
                result = await self._ask(request, talk, heard)
            reasks = len(heard) - 1
            if isinstance(result, Unfit):
                reply = failed(request, result.code, result.message, reasks=reasks)
            else:
                reply = scored(request, result, reasks)
        except _NoAnswerError as error:
            reply = failed(request, error.code, error.message, reasks=len(talk) // 2)
        except Exception as error:
            code, message, status = _failure(error)
            reply = failed(request, code, message, http_status=status, reasks=len(talk) // 2)
        return self._judged(reply, heard)

    async def _ask(self, request: JudgeRequest[R], talk: list[ModelMessage], heard: list[ModelResponse]) -> Any:
        response = await self._model.request(talk, self._settings(request.index), self._parameters)
        heard.append(response)
        details = response.provider_details or {}
        if details.get("refusal"):
            raise _NoAnswerError("refused", "the model refused to answer")
        if response.finish_reason == "content_filter":
            raise _NoAnswerError("blocked", "the service withheld the answer")
        text = "".join(part.content for part in response.parts if part.part_kind == "text")
        if self._access.is_told_in(text):
            raise _NoAnswerError("other", "the answer repeats the key or the address of the service, and is not kept")
        if response.finish_reason == "length" and not text:
            raise _NoAnswerError("truncated", "the model used up its tokens before it answered")
        result = answer(text, request.answer)
        if isinstance(result, Unfit) and response.finish_reason == "length":
            return Unfit("truncated", "the answer was cut off at the largest number of tokens")
        return result

    def _settings(self, index: int) -> ModelSettings:
        sampling = self._sampling
        given = {
            "temperature": sampling.temperature,
            "seed": None if sampling.seed is None else (sampling.seed + index) % 2**32,
            "max_tokens": sampling.max_output_tokens,
            "max_retries": 0,
        }
        return cast("ModelSettings", {name: value for name, value in given.items() if value is not None})

    def _judged(self, reply: R, heard: list[ModelResponse]) -> Judged[R]:
        names = [each.model_name for each in heard if each.model_name and not self._access.is_told_in(each.model_name)]
        return Judged(
            reply,
            model_reported=names[-1][:200] if names else None,
            usage=_usage(heard),
            created_at=heard[-1].timestamp.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if heard else None,
        )


class _NoAnswerError(Exception):
    """The service answered, but not the question."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code)
        self.code, self.message = code, message


def _opening(request: JudgeRequest[R]) -> ModelRequest:
    content: list[Any] = [request.material]
    if request.recording is not None:
        content.append(BinaryContent(request.recording.data, media_type=request.recording.media_type))
    return ModelRequest(parts=[SystemPromptPart(request.instructions), UserPromptPart(content)])


def _again(unfit: Unfit) -> str:
    return f"That answer does not fit: {unfit.message}. Answer again with the whole JSON object and nothing else."


def _usage(heard: list[ModelResponse]) -> TokenUsage | None:
    counts = [each.usage for each in heard if each.usage.input_tokens or each.usage.output_tokens]
    if not counts:
        return None
    return TokenUsage(
        input_tokens=sum(usage.input_tokens for usage in counts),
        output_tokens=sum(usage.output_tokens for usage in counts),
        audio_tokens=sum(usage.input_audio_tokens for usage in counts),
    )


def _model(access: Access, client: httpx2.AsyncClient) -> Model:
    if access.provider == "google":
        google = GoogleProvider(api_key=access.key, base_url=access.base_url, http_client=client)
        return GoogleModel(access.model, provider=google)
    sdk = AsyncOpenAI(
        api_key=access.key,
        # Never from the environment: the address is what the command says, or the service's own.
        base_url=access.base_url or "https://api.openai.com/v1",
        http_client=client,
        max_retries=0,
    )
    return OpenAIChatModel(access.model, provider=OpenAIProvider(openai_client=sdk))


def _client(patience: Patience) -> httpx2.AsyncClient:
    retries = RetryConfig(
        retry=retry_if_exception(lambda error: _is_passing(error, patience)),
        wait=wait_retry_after(
            wait_exponential_jitter(patience.first_wait_s, patience.longest_wait_s, jitter=patience.first_wait_s / 2),
            max_wait=patience.longest_request_s,
        ),
        stop=stop_after_attempt(patience.attempts),
        reraise=True,
    )
    timed = _Timed(httpx2.AsyncHTTPTransport(), patience.call_s)
    transport = AsyncHTTPX2TenacityTransport(retries, timed, lambda response: response.raise_for_status())
    # The clock of an attempt is that of _Timed; the client's own is only the second line.
    return httpx2.AsyncClient(transport=transport, timeout=httpx2.Timeout(patience.call_s * 2))


class _Timed(httpx2.AsyncBaseTransport):
    """One attempt, headers and body, within a time: a server that sends a byte a minute is late as well."""

    def __init__(self, wrapped: httpx2.AsyncBaseTransport, seconds: float) -> None:
        self._wrapped = wrapped
        self._seconds = seconds

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            async with asyncio.timeout(self._seconds):
                response = await self._wrapped.handle_async_request(request)
                await response.aread()
                return response
        except TimeoutError:
            message = "late"
            raise httpx2.ReadTimeout(message, request=request) from None

    async def aclose(self) -> None:
        await self._wrapped.aclose()


def _is_passing(error: BaseException, patience: Patience) -> bool:
    """Whether to try again: a late or lost answer, or a status that passes; not where the server asks for too long."""
    if isinstance(error, httpx2.HTTPStatusError):
        asked = wait_retry_after(lambda _: 0.0, max_wait=float("inf"))(cast("Any", _Outcome(error)))
        return error.response.status_code in _PASSING and asked <= patience.longest_request_s
    return isinstance(error, httpx2.TransportError)


class _Outcome:
    """As much of tenacity's state as its reader of Retry-After looks at."""

    def __init__(self, error: BaseException) -> None:
        self.outcome = self
        self._error = error

    def exception(self) -> BaseException:
        return self._error


_KINDS: tuple[tuple[tuple[type[BaseException], ...], str, str], ...] = (
    ((httpx2.TimeoutException, TimeoutError), "timeout", "no answer came in time"),
    ((httpx2.TransportError,), "http", "the service could not be reached"),
    ((exceptions.ContentFilterError,), "blocked", "the service withheld the answer"),
    ((exceptions.UnexpectedModelBehavior,), "other", "the service answered in a form that is not its own"),
)
_STATUSES = {
    400: "the request was refused",
    401: "the key was refused",
    403: "the key may not do this",
    404: "there is no such model or address",
    413: "the request is too large",
    429: "too many requests",
}


def _failure(error: BaseException) -> tuple[str, str, int | None]:
    """Code, message and HTTP status of an exception, told from its kind and those behind it; never from its text."""
    chain = _chain(error)
    status = next((found for each in chain if (found := _status(each)) is not None), None)
    if status is not None:
        return "http", f"the service answered with status {status}: {_STATUSES.get(status, 'it failed')}", status
    for kinds, code, message in _KINDS:
        if any(isinstance(each, kinds) for each in chain):
            return code, message, None
    return "other", f"the request could not be made ({type(error).__name__})", None


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    return chain


def _status(error: BaseException) -> int | None:
    if isinstance(error, httpx2.HTTPStatusError):
        return error.response.status_code
    return error.status_code if isinstance(error, exceptions.ModelHTTPError) else None
