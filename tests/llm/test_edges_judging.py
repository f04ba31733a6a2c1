"""Several repeats: side by side, in order, some failed; kept and found again."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from fake_service import ANSWER, Step, instructions_of, serving
from llm_support import PROVIDERS, assignment, judged, keys, request
from voxint_contracts.autorater.v1 import JudgeResponse, Reply

from voxint.autorater.judge_replies import failed
from voxint.edges.judging import replies
from voxint.io import canonical
from voxint.ports import Judged, JudgeRequest
from voxint.semantics import RULES

__all__ = ["keys"]
pytestmark = pytest.mark.usefixtures("keys")


def repeat_of(body: dict[str, Any]) -> int:
    found = re.search(r"repeat (\d+)", instructions_of(body))
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_document_keeps_every_rule_and_says_where_it_comes_from(provider: str, tmp_path: Path) -> None:
    with serving() as service:
        document = judged(provider, service, tmp_path, 3, temperature=0.5, seed=1, max_output_tokens=9)
    for rule in ("judged_script_is_identified", "provenance_is_well_formed", "replies_fit_their_status"):
        assert list(RULES[rule](document)) == []
    facts = document.provenance
    assert (facts.provider, facts.model_requested) == (provider, f"{provider}:large")
    assert facts.model_reported in ("gemini-large-7", "chat-large-7")
    assert (facts.temperature, facts.seed, facts.max_output_tokens) == (0.5, 1, 9)
    assert (facts.requested_repeats, facts.cache_hits) == (3, 0)
    assert (facts.prompt_id, facts.prompt_sha256) == ("prompt-1", "ab" * 32)
    assert facts.sdk.name == "pydantic-ai-slim"
    assert facts.usage is not None
    assert facts.usage.input_tokens == 300
    again = JudgeResponse.model_validate_json(canonical.encode(document))
    assert again == document


def test_each_repeat_turns_the_axes(tmp_path: Path) -> None:
    with serving() as service:
        document = judged("openai", service, tmp_path, 12)
    firsts = [reply.axis_order[0] for reply in document.replies]
    assert len(set(firsts)) == 11
    assert firsts[0] == firsts[11]


@pytest.mark.parametrize(("concurrency", "expected"), [(1, 1), (3, 3)])
def test_no_more_than_so_many_at_once(concurrency: int, expected: int, tmp_path: Path) -> None:
    with serving(Step(wait_s=0.2)) as service:
        judged("openai", service, tmp_path, 6, concurrency=concurrency)
    assert service.most_busy == expected


def test_requests_a_minute_are_spaced(tmp_path: Path) -> None:
    with serving() as service:
        judged("openai", service, tmp_path, 3, per_minute=300)
    gaps = [later - earlier for earlier, later in zip(service.times, service.times[1:], strict=False)]
    assert min(gaps) > 0.15


def test_replies_stand_in_the_order_of_the_repeats_whoever_answers_first(tmp_path: Path) -> None:
    def choose(body: dict[str, Any]) -> Step:
        number = repeat_of(body)
        text = json.dumps({"axes": json.loads(ANSWER)["axes"], "comment": str(number)})
        return Step(text=text, wait_s=0.3 - 0.1 * number)

    with serving(choose=choose) as service:
        document = judged("openai", service, tmp_path, 3)
    assert [(reply.index, reply.comment) for reply in document.replies] == [(0, "0"), (1, "1"), (2, "2")]


def test_a_failed_repeat_takes_no_other_with_it_and_is_not_kept(tmp_path: Path) -> None:
    def choose(body: dict[str, Any]) -> Step:
        return Step(status=400) if repeat_of(body) == 1 else Step()

    with serving(choose=choose) as service:
        document = judged("openai", service, tmp_path, 3)
    assert [reply.status.value for reply in document.replies] == ["ok", "failed", "ok"]
    assert len(list(tmp_path.iterdir())) == 2
    with serving() as service:
        document = judged("openai", service, tmp_path, 3)
    assert [reply.status.value for reply in document.replies] == ["ok"] * 3
    assert len(service.requests) == 1
    assert document.provenance.cache_hits == 2


def test_the_steps_are_told() -> None:
    class Judge:
        async def reply(self, request: JudgeRequest[Reply]) -> Judged[Reply]:
            return Judged(failed(request, "other", "?"))

    told: list[tuple[int, int]] = []
    asyncio.run(replies(Judge(), assignment(3), 2, done=lambda done, total: told.append((done, total))))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_request_is_one_of_the_assignment() -> None:
    assert assignment(2).requests[1] == request(1)
