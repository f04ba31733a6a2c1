"""Bytes into a file, whole or not at all, or to standard output.

Decided here: a link is written through, also one that points nowhere yet. A file keeps its mode and, where that is
permitted, its owner; its other names (hard links) keep the old content, and access lists are not copied. Devices,
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
_MACHINE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EPIPE}
)


def write_atomic(path: str, chunks: Iterable[bytes]) -> None:
    """Write the chunks to the file: afterwards it holds all of them or, if anything is raised, what it held.

    Raises:
        InputError: no file can be made or replaced there.
        EdgeError: the disk is full or fails.
    """
    with staged(path, chunks):
        pass


@contextmanager
def staged(path: str, chunks: Iterable[bytes]) -> Iterator[None]:
    """Write the chunks beside the file now, and put them in its place when the block ends well.

    If the block raises, the file holds what it held. A device or a FIFO takes the chunks now: nothing can stand in
    for it.

    Raises:
        InputError: no file can be made or replaced there.
        EdgeError: the disk is full or fails.
    """
    target = _target(path)
    if target is None:
        _write_through(path, chunks)
        yield
        return
    with _telling(path):
        new = Temporary(target)
    with new:
        _write_all(path, new.fd, chunks)
        yield
        with _telling(path):
            new.replace()


def check_writable(path: str) -> None:
    """Raise now what `write_atomic` would raise before its first byte, so that no work is lost.

    Raises:
        InputError: no file can be made or replaced there.
        EdgeError: the disk is full or fails.
    """
    target = _target(path)
    if target is not None:
        with _telling(path), Temporary(target):
            pass


def write_stdout(chunks: Iterable[bytes]) -> bool:
    """Write the chunks to standard output; False if its reader went away, which is no error.

    Raises:
        EdgeError: it is closed, or what is behind it is full.
    """
    if sys.stdout is None or sys.stdout.closed:
        raise EdgeError("<stdout>: is closed")
    return all(map(_put, _blocks(chunks)))


def same_file(a: str, b: str) -> bool:
    """Whether two names lead to one file, over links and hard links, also to one that does not exist yet.

    `-` is a stream, so never the same as anything.
    """
    if "-" in {a, b} or "\0" in a + b:
        return False
    try:
        return Path(a).samefile(b)
    except OSError:
        return os.path.realpath(a) == os.path.realpath(b)


def _target(path: str) -> Path | None:
    """The file that the path leads to, or the place for one; None for what is written through."""
    if not path or "\0" in path:
        raise InputError(f"the file name {path!r} cannot be used")
    mode = _mode(path)
    if path.endswith("/") or (mode is not None and stat.S_ISDIR(mode)):
        raise InputError(Fault("cannot be written: it is a directory", path))
    if (mode is not None and not stat.S_ISREG(mode)) or _descriptor(path) is not None:
        return None
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(Fault(f"cannot be written: there is no directory {target.parent}", path))
    if mode is not None and not os.access(target, os.W_OK, effective_ids=True):
        raise InputError(Fault("cannot be written: it is write-protected", path))
    return target


def _mode(path: str) -> int | None:
    with _telling(path):
        try:
            return Path(path).stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None


def _descriptor(path: str) -> int | None:
    """Which descriptor of this process the path names, as `/dev/stdout` and `/dev/fd/3` do."""
    descriptors = os.path.realpath("/proc/self/fd")
    link = Path(path)
    for _ in range(_MOST_LINKS):
        directory = os.path.realpath(link.parent)
        if directory == descriptors and link.name.isdecimal():
            return int(link.name)
        if not link.is_symlink():
            return None
        link = Path(directory) / link.readlink()
    return None


def _write_through(path: str, chunks: Iterable[bytes]) -> None:
    number = _descriptor(path)
    with _telling(path):
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC) if number is None else os.dup(number)
    try:
        _write_all(path, fd, chunks)
    finally:
        os.close(fd)


def _write_all(path: str, fd: int, chunks: Iterable[bytes]) -> None:
    for block in _blocks(chunks):
        rest = memoryview(block)
        with _telling(path):
            while rest:
                rest = rest[os.write(fd, rest) :]


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of 256 KiB or more, so that few calls write them."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= _BLOCK:
            yield b"".join(held)
            held, size = [], 0
    if size:
        yield b"".join(held)


@contextmanager
def _telling(path: str) -> Iterator[None]:
    """Say what failed and where, on one line: EdgeError for what the machine lacks, else InputError."""
    try:
        yield
    except OSError as error:
        fault = Fault(f"cannot be written: {error.strerror or error}", path)
        if error.errno in _MACHINE:
            raise EdgeError(str(fault)) from error
        raise InputError(fault) from error


def _put(block: bytes) -> bool:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(block)
        sys.stdout.buffer.flush()
    except OSError as error:
        _mute_stdout()
        if isinstance(error, BrokenPipeError):
            return False
        raise EdgeError(f"<stdout>: cannot be written: {error.strerror or error}") from error
    return True


def _mute_stdout() -> None:
    """Let the flush at the end of the process have nowhere to fail."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
