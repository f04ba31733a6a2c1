"""Assignments and requests for the tests of judges: a script of two words, a rubric of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fake_service import Service
from judge_support import DIGEST
from voxint_contracts.autorater.v1 import JudgeAnswer, JudgeAxis, JudgeResponse, Reply

from voxint.autorater.judge_rubric import axis_order
from voxint.edges.judging import Options, judged_by_model
from voxint.ports import Assignment, JudgeRequest

KEY = "sk-sentinel-0123456789abcdef"
PROVIDERS = ["google", "openai"]


def request(index: int = 0) -> JudgeRequest[Reply]:
    """A request whose instructions name the repeat, so that a fake can tell one from another."""
    order = axis_order(tuple(JudgeAxis), index)
    return JudgeRequest(index, f"the rubric, repeat {index}", "the script", order, JudgeAnswer, Reply, JudgeResponse)


def assignment(n: int = 1, script_sha256: str = DIGEST) -> Assignment[Reply]:
    """`n` repeats about one script."""
    identity = {"script_id": "s-1", "script_sha256": script_sha256, "profile_id": "taste-1"}
    return Assignment(tuple(map(request, range(n))), "prompt-1", "ab" * 32, identity)


def base_url(provider: str, service: Service) -> str:
    """The address that a user would type."""
    return service.address + ("/v1" if provider == "openai" else "")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment, and nothing of the machine's own."""
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def judged(provider: str, service: Service, cache: Path, n: int = 1, **options: Any) -> JudgeResponse:
    """The document of `n` repeats, its notes refused."""
    how = Options(model=f"{provider}:large", base_url=base_url(provider, service), cache_dir=str(cache), **options)
    outcome = judged_by_model(assignment(n), how)
    assert outcome.notes == ()
    head: JudgeResponse = outcome.head
    return head
