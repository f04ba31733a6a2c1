"""Which service, which key; and where neither may be told."""

from __future__ import annotations

import pytest

from voxint.edges import llm_access
from voxint.edges.llm_access import access, check_installed
from voxint.errors import MissingExtraError, UsageError

KEY = "sk-sentinel-0123456789abcdef"
NOTHING = {}.get


def test_a_model_names_its_service() -> None:
    found = access("google:gemini-2.5-pro", None, {"GOOGLE_API_KEY": KEY}.get)
    assert (found.provider, found.model, found.key, found.requested) == (
        "google",
        "gemini-2.5-pro",
        KEY,
        "google:gemini-2.5-pro",
    )
    assert access("openai:org/name:tag", None, {"OPENAI_API_KEY": KEY}.get).model == "org/name:tag"


def test_the_older_name_of_the_key_counts_and_the_newer_one_first() -> None:
    assert access("google:x", None, {"GEMINI_API_KEY": KEY}.get).key == KEY
    assert access("google:x", None, {"GEMINI_API_KEY": "old-key-0", "GOOGLE_API_KEY": KEY}.get).key == KEY
    assert access("google:x", None, {"GEMINI_API_KEY": f" {KEY}\n", "GOOGLE_API_KEY": " "}.get).key == KEY


@pytest.mark.parametrize(
    "model", ["", "gemini", "google:", "google: ", "mistral:x", ":x", "openai:a\nb", "openai:" + "x" * 200]
)
def test_a_model_without_a_service(model: str) -> None:
    with pytest.raises(UsageError, match=r"--model: must be google:NAME or openai:NAME"):
        access(model, None, {"GOOGLE_API_KEY": KEY, "OPENAI_API_KEY": KEY}.get)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:8000",
        "ftp://host",
        "http:///v1",
        "http://[",
        "http://h:99999",
        "http://h\n/",
        "http://a b/",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_told(address: str) -> None:
    with pytest.raises(UsageError, match="--base-url: must be an address") as caught:
        access("openai:x", address, NOTHING)
    assert address == "" or address not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "name"), [("google:x", "GOOGLE_API_KEY or GEMINI_API_KEY"), ("openai:x", "OPENAI_API_KEY")]
)
def test_no_key(model: str, name: str) -> None:
    with pytest.raises(UsageError, match=f"no key: set the environment variable {name}"):
        access(model, None, NOTHING)


def test_a_server_of_ones_own_may_do_without_a_key() -> None:
    found = access("openai:x", "http://127.0.0.1:8000/v1", NOTHING)
    assert not found.is_told_in("no-key")


@pytest.mark.parametrize("key", ["sk\n0123456789", "schlüssel-012345"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_told(key: str) -> None:
    with pytest.raises(UsageError, match="holds characters that no key has") as caught:
        access("openai:x", None, {"OPENAI_API_KEY": key}.get)
    assert key not in str(caught.value)


def test_key_and_address_are_in_no_repr_and_are_seen_in_a_text() -> None:
    found = access("openai:x", "http://host.example/v1/", {"OPENAI_API_KEY": KEY}.get)
    assert KEY not in repr(found)
    assert "host.example" not in repr(found)
    assert found.is_told_in(f"the key {KEY}!")
    assert found.is_told_in("see http://host.example/v1/chat")
    assert not found.is_told_in("nothing of either")


def test_a_missing_library_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    there = llm_access.find_spec
    monkeypatch.setattr(llm_access, "find_spec", lambda name: None if name == "pydantic_ai" else there(name))
    with pytest.raises(MissingExtraError, match=r"extra `llm` \(pydantic_ai not installed\): python -m pip install"):
        check_installed()
