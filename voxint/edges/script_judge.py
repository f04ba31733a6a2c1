"""The command `rate judge`: replies about a script, from a model or as they were recorded."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le
from voxint_contracts.autorater.v1 import JudgeResponse, Script

from voxint.autorater.injection import script_addresses_judge
from voxint.autorater.judge_prompt import assignment
from voxint.autorater.judge_replay import ReplayJudge, replayed
from voxint.edges.judging import Done, Options, judged_by_model, replies
from voxint.errors import RecordError, RecordFault, UsageError, quoted
from voxint.harness.outcome import Outcome
from voxint.io import canonical


def score(  # noqa: PLR0913 - a flag each
    script: Script,
    *,
    model: str | None = None,
    base_url: str | None = None,
    n_repeats: Annotated[int, Ge(1), Le(25)] | None = None,
    replay: JudgeResponse | None = None,
    cache_dir: str | None = None,
    refresh: bool = False,
    concurrency: Annotated[int, Ge(1), Le(25)] = 4,
    per_minute: Annotated[float, Gt(0)] | None = None,
    temperature: Annotated[float, Ge(0), Le(2)] | None = None,
    seed: Annotated[int, Ge(0), Le(4294967295)] | None = None,
    max_output_tokens: Annotated[int, Ge(1), Le(2147483647)] | None = None,
) -> JudgeResponse:
    """Asks a language model to judge a script by eleven axes, once or several times side by side.

    The key is read from GOOGLE_API_KEY or OPENAI_API_KEY and written nowhere. A reply that fails is kept as a failed
    reply with its reason, never as a score. Replies that are ok are kept in a cache by all that decides them, and are
    not asked for again. The exit code is 1 when every reply failed; the document is written all the same.

    Args:
        script: The script to judge.
        model: Model to ask: google:NAME, or openai:NAME of any server that speaks OpenAI's chat interface.
        base_url: Address of a server of your own, as http://127.0.0.1:8000/v1; it may do without a key.
        n_repeats: Replies to ask for; 1 without it, or as many as --replay holds.
        replay: Replies that were recorded, to be given again instead of asking a model.
        cache_dir: Folder of the cache; the user's own one without it.
        refresh: Ask again for what the cache holds, and keep the new replies.
        concurrency: Requests at once.
        per_minute: Most requests that begin in a minute.
        temperature: Sampling temperature; the service's own without it.
        seed: Seed of the first repeat, for services that take one; each further repeat adds 1.
        max_output_tokens: Most tokens of an answer; the service's own limit without it.

    Example:
        voxint rate judge script.json --model google:gemini-2.5-pro --n-repeats 3 --out judge.json

    Raises:
        UsageError: Neither a model nor a replay is given, or both; the model, the address or the key are not in order.
        RecordError: The replay is of another script.
        MissingExtraError: The extra `llm` is not installed.
    """
    return outcome(
        script,
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
    script: Script,
    *,
    model: str | None = None,
    n_repeats: int | None = None,
    replay: JudgeResponse | None = None,
    done: Done | None = None,
    **how: Any,
) -> Outcome[JudgeResponse]:
    """As `score`, with notes on what could not be kept; `done` is told how many of how many replies are there."""
    digest = canonical.digest(script)
    notes = tuple(
        f"{found.subject} speaks to a judge: {quoted(found.phrase)}" for found in script_addresses_judge(script)
    )
    if (model is None) == (replay is None):
        raise UsageError("voxint rate judge: either --model or --replay is required, and not both")
    if replay is not None:
        if replay.script_sha256 != digest:
            message = "is of another script than SCRIPT, or of another version of it"
            raise RecordError([RecordFault("replay", None, message, ("script_sha256",))])
        again = assignment(script, digest, n_repeats or len(replay.replies))
        judged = asyncio.run(replies(ReplayJudge(replay.replies), again, concurrency=1, done=done))
        return Outcome(replayed(replay, judged), notes=notes)
    assert model is not None
    asked = judged_by_model(assignment(script, digest, n_repeats or 1), Options(model=model, **how), done)
    return Outcome(asked.head, notes=(*notes, *asked.notes))
