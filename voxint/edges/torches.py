"""torch, on one thread: two of them on busy cores are many times slower, and add in another order."""

from __future__ import annotations

import importlib
from typing import Any

from voxint.errors import MissingExtraError


def one_thread() -> Any:
    """The module torch, told to use one thread.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        torch: Any = importlib.import_module("torch")
    except ImportError as error:
        raise MissingExtraError("embeddings need the extra voice: pip install 'voxint[voice]'") from error
    torch.set_num_threads(1)
    return torch
