"""A file beside its target, which takes the target's place at once or vanishes.

Its writer holds a lock on it (flock) for as long as it lives. What a killed run has left is locked by nobody, and
is removed by the next run for the same target. Where locks do not work, nothing is removed.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

_OPEN = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_LONGEST_NAME = 100
_TRIES = 100


class Temporary:
    """An empty, locked file beside `target`, with the mode and the owner that the target has or would get.

    `fd` is open for writing until the `with` block ends; then the file is gone, or in place.

    Raises:
        OSError: no file can be made there.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._is_in_place = False
        sweep(target)
        old = _stat(target)
        for _ in range(_TRIES):
            self.path = target.with_name(_prefix(target) + secrets.token_hex(8))
            # Never readable by more people than the old file was, not even before its mode is set.
            self.fd = os.open(self.path, _OPEN, 0o644 if old is None else 0o600)
            if _is_ours(self.fd):
                break
            os.close(self.fd)
        else:
            raise OSError(errno.EEXIST, "no temporary file can be kept")
        if old is not None:
            _resemble(self.fd, old)

    def replace(self) -> None:
        """Put the file in the place of its target, safe from a power cut."""
        os.fsync(self.fd)
        self.path.replace(self._target)
        self._is_in_place = True
        with suppress(OSError):
            directory = os.open(self._target.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)

    def __enter__(self) -> Temporary:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, and remove it unless it is in place."""
        if not self._is_in_place:
            with suppress(OSError):
                self.path.unlink()
        os.close(self.fd)


def sweep(target: Path) -> None:
    """Remove what killed runs have left beside `target`: this user's files for it that nobody has locked."""
    ours = re.compile(re.escape(_prefix(target)) + "[0-9a-f]{16}")
    with suppress(OSError), os.scandir(target.parent) as entries:
        for name in [entry.name for entry in entries if ours.fullmatch(entry.name)]:
            with suppress(OSError):
                _remove_if_stray(target.with_name(name))


def _remove_if_stray(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(fd)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    finally:
        os.close(fd)


def _is_ours(fd: int) -> bool:
    """Lock a new file; False if another run took it for a stray one first."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return os.fstat(fd).st_nlink > 0


def _resemble(fd: int, old: os.stat_result) -> None:
    new = os.fstat(fd)
    for uid, gid in ((old.st_uid, -1), (-1, old.st_gid)):
        if (uid, gid) not in {(new.st_uid, -1), (-1, new.st_gid)}:
            with suppress(PermissionError):
                os.fchown(fd, uid, gid)
    with suppress(PermissionError):
        os.fchmod(fd, stat.S_IMODE(old.st_mode))


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _prefix(target: Path) -> str:
    name = os.fsencode(target.name)
    shown = target.name if len(name) <= _LONGEST_NAME else hashlib.sha256(name).hexdigest()
    return f".voxint-tmp-{shown}-"
