"""Repeats of one judgement: asked side by side, kept in a cache, put into one document."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from voxint_contracts.autorater.v1 import Provenance, ToolVersion
from voxint_contracts.base import Contract
from voxint_contracts.catalog import document_of

from voxint.autorater.judge_replies import newest, reported, total_usage
from voxint.edges.llm_access import Access, access, check_installed
from voxint.edges.reply_cache import CachedJudge, prepared
from voxint.harness.outcome import Outcome
from voxint.io import canonical
from voxint.io.schemas import self_contained
from voxint.ports import Assignment, Judged, JudgePort, JudgeRequest, R

ADAPTER = ToolVersion(name="voxint-judge", version="1")
"""Raise the version when the same request could get another reply: it is part of every key of the cache."""

Done = Callable[[int, int], None]
"""Told how many of how many replies are there."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to ask, beside what: the flags of the commands."""

    model: str
    base_url: str | None = None
    cache_dir: str | None = None
    refresh: bool = False
    concurrency: int = 4
    per_minute: float | None = None
    temperature: float | None = None
    seed: int | None = None
    max_output_tokens: int | None = None
    call_s: float = 60.0


def judged_by_model(assignment: Assignment[Any], options: Options, done: Done | None = None) -> Outcome[Any]:
    """The document of the replies of a model, in the order of the repeats; notes say what could not be kept.

    Nothing is sent before all of this is known to be in order.

    Raises:
        UsageError: the model, the address, the key or the folder of the cache are not as they must be.
        MissingExtraError: the extra `llm` is not installed.
    """
    service = ready(options)
    folder = prepared(options.cache_dir)
    return asyncio.run(_judge(assignment, options, service, folder, done))


def ready(options: Options) -> Access:
    """The service to ask, once all that can be known before a request is in order.

    Raises:
        UsageError: the model, the address or the key are not as they must be.
        MissingExtraError: the extra `llm` is not installed.
    """
    service = access(options.model, options.base_url)
    check_installed()
    return service


async def _judge(
    assignment: Assignment[Any], options: Options, service: Access, folder: Any, done: Done | None
) -> Outcome[Any]:
    from voxint.edges import llm

    schema = self_contained(document_of(assignment.requests[0].answer).name)
    sampling = llm.Sampling(options.temperature, options.seed, options.max_output_tokens)
    facts = _facts(
        assignment,
        options,
        service,
        canonical.digest_of(schema),
        ToolVersion(name=llm.SDK_NAME, version=llm.sdk_version()),
    )

    def assemble(judged: list[Judged[Any]]) -> Contract:
        return document(assignment, facts, judged)

    async with llm.LlmJudge(service, schema, llm.Patience(call_s=options.call_s), sampling) as judge:
        cached = CachedJudge(judge, folder, facts["request_sha256"], assemble, options.refresh)
        judged = await replies(cached, assignment, options.concurrency, options.per_minute, done)
    return Outcome(assemble(judged), notes=tuple(cached.notes))


def _facts(
    assignment: Assignment[Any], options: Options, service: Access, schema_sha256: str, sdk: ToolVersion
) -> dict[str, Any]:
    """What a provenance says before there is a reply."""
    parameters = {
        "temperature": options.temperature,
        "seed": options.seed,
        "max_output_tokens": options.max_output_tokens,
    }
    recording = assignment.requests[0].recording
    asked = {
        "adapter_version": ADAPTER.version,
        "provider": service.provider,
        "model": service.requested,
        "parameters": parameters,
        "prompt_sha256": assignment.prompt_sha256,
        "response_schema_sha256": schema_sha256,
        "subject": dict(assignment.identity),
        "recording": recording.media_type if recording is not None else None,
    }
    return {
        "provider": service.provider,
        "model_requested": service.requested,
        "prompt_id": assignment.prompt_id,
        "prompt_sha256": assignment.prompt_sha256,
        "response_schema_sha256": schema_sha256,
        "request_sha256": canonical.digest_of(asked),
        **parameters,
        "adapter": ADAPTER,
        "sdk": sdk,
    }


def document(assignment: Assignment[Any], facts: dict[str, Any], judged: list[Judged[Any]]) -> Contract:
    """The document of replies: who was asked, what they said, and what is known of how it came about."""
    response: Any = assignment.requests[0].response
    made: Contract = response(
        schema_version=1,
        **assignment.identity,
        replies=[each.reply for each in judged],
        provenance=Provenance(
            **facts,
            requested_repeats=len(judged),
            model_reported=reported(judged),
            usage=total_usage(judged),
            cache_hits=sum(each.is_cached for each in judged),
            created_at=newest(judged),
        ),
    )
    return made


async def replies(
    judge: JudgePort[R],
    assignment: Assignment[R],
    concurrency: int,
    per_minute: float | None = None,
    done: Done | None = None,
) -> list[Judged[R]]:
    """The replies in the order of the requests; at most `concurrency` are waited for at once.

    With `per_minute`, no more than so many requests begin in a minute, evenly spaced.
    """
    gate, pace = asyncio.Semaphore(concurrency), _Pace(per_minute)
    n_done, n = 0, len(assignment.requests)

    async def one(request: JudgeRequest[R]) -> Judged[R]:
        nonlocal n_done
        async with gate:
            await pace.turn()
            judged = await judge.reply(request)
        n_done += 1
        if done is not None:
            done(n_done, n)
        return judged

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(request)) for request in assignment.requests]
    return [task.result() for task in tasks]


class _Pace:
    """Spaces the beginnings of requests."""

    def __init__(self, per_minute: float | None) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        now = asyncio.get_running_loop().time()
        start = max(now, self._next)
        self._next = start + self._gap
        if start > now:
            await asyncio.sleep(start - now)
