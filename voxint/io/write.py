"""Bytes into a file, whole or not at all, or to standard output.

Decided here: a link is written through, also one that points nowhere yet. The file keeps its mode and, where that is
permitted, its owner; access lists and other names of the same file (hard links) stay with the old content. Devices,
FIFOs and `/dev/stdout` are written as they are, since nothing can take their place.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from voxint.errors import EdgeError, Fault, InputError
from voxint.io.temporary import Temporary

_BLOCK = 1 << 18
_MOST_LINKS = 40


def write_atomic(path: str, chunks: Iterable[bytes]) -> None:
    """Write the chunks to the file: afterwards it holds all of them, or, if anything is raised, what it held.

    Raises:
        InputError: the file cannot be made or replaced there.
        EdgeError: the disk is full or fails.
    """
    target = _target(path)
    if isinstance(target, int):
        with _telling(path), os.fdopen(target, "wb", buffering=0) as file:
            _write_all(file.fileno(), chunks)
        return
    with _opened(path, target) as temporary:
        with _telling(path):
            _write_all(temporary.fd, chunks)
            temporary.replace(target)


def check_writable(path: str) -> None:
    """Raise now what `write_atomic` would raise before its first byte, so that no work is lost.

    Raises:
        InputError: the file cannot be made or replaced there.
    """
    target = _target(path, check=True)
    if isinstance(target, Path):
        with _opened(path, target):
            pass


def write_stdout(chunks: Iterable[bytes]) -> bool:
    """Write the chunks to standard output as bytes; False if its reader went away, which is no error.

    Raises:
        EdgeError: it is closed, or the disk behind it is full.
    """
    if sys.stdout is None or sys.stdout.closed:
        raise EdgeError("<stdout>: is closed")
    try:
        sys.stdout.flush()
        for block in _blocks(chunks):
            sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _mute_stdout()
        return False
    except OSError as error:
        _mute_stdout()
        raise EdgeError(f"<stdout>: cannot be written: {error.strerror}") from error
    return True


def same_file(a: str, b: str) -> bool:
    """Whether two names lead to one file, over links and hard links, also to one that does not exist yet."""
    try:
        return Path(a).samefile(b)
    except (OSError, ValueError):
        return os.path.realpath(a) == os.path.realpath(b)
