"""Which service is asked, with which key: read once, kept out of every text, never written anywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from urllib.parse import urlsplit

from voxint.errors import MissingExtraError, UsageError, listed, quoted

_HOW = (
    "python -m pip install 'pydantic-ai-slim[google,openai,retries]' platformdirs, or in a checkout --editable '.[llm]'"
)
_KEYS = {"google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "openai": ("OPENAI_API_KEY",)}
_NO_KEY = "no-key"
_LONG_ENOUGH_TO_BE_SECRET = 8


@dataclass(frozen=True, slots=True)
class Access:
    """A service and how to reach it. The key and the address are in no `repr`."""

    provider: str
    model: str
    key: str = field(repr=False)
    base_url: str | None = field(default=None, repr=False)

    @property
    def requested(self) -> str:
        """The model as it was asked for: `google:NAME`."""
        return f"{self.provider}:{self.model}"

    def is_told_in(self, text: str) -> bool:
        """Whether a text holds the key or the address: such a text is not kept."""
        secrets = [self.key] if self.key != _NO_KEY and len(self.key) >= _LONG_ENOUGH_TO_BE_SECRET else []
        return any(secret in text for secret in [*secrets, *([self.base_url.rstrip("/")] if self.base_url else [])])


def access(model: str, base_url: str | None, environment: Callable[[str], str | None] = os.getenv) -> Access:
    """The service that `google:NAME` or `openai:NAME` names.

    A key comes from GOOGLE_API_KEY (or GEMINI_API_KEY), or from OPENAI_API_KEY. A server at an address of your own may
    do without one.

    Raises:
        UsageError: the model names no service, the address is none, or there is no key.
    """
    provider, colon, name = model.partition(":")
    if not colon or provider not in _KEYS or not name.strip() or len(model) > 200 or not name.isprintable():
        known = " or ".join(f"{each}:NAME" for each in _KEYS)
        raise UsageError(f"--model: must be {known}, not {quoted(model)}")
    if base_url is not None and not _is_address(base_url):
        raise UsageError("--base-url: must be an address that begins with http:// or https:// and names a host")
    key = next((found for name in _KEYS[provider] if (found := (environment(name) or "").strip())), None)
    if key is None and base_url is None:
        raise UsageError(f"--model {model}: no key: set the environment variable {' or '.join(_KEYS[provider])}")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError(f"--model {model}: the key in {listed(_KEYS[provider])} holds characters that no key has")
    return Access(provider, name, key or _NO_KEY, base_url)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - reading it is what finds a port that is none
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and text.isprintable() and " " not in text


def check_installed() -> None:
    """Nothing happens where judges can be asked.

    Raises:
        MissingExtraError: a library of the extra `llm` is not installed; the message says how to get it.
    """
    missing = [
        name for name in ("pydantic_ai", "google.genai", "openai", "tenacity", "platformdirs") if not _is_there(name)
    ]
    if missing:
        raise MissingExtraError(f"judges need the extra `llm` ({', '.join(missing)} not installed): {_HOW}")


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
