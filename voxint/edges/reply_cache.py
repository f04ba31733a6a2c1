"""Replies kept by what was asked: one file each, a contract document, validated whenever it is read.

A file is named by the SHA-256 of all that decides the reply. Failed replies are never kept, and a file that is damaged,
edited or of another version is as good as none: the judge is asked again, and the file is replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voxint_contracts.base import Contract
from voxint_contracts.catalog import document_of

from voxint.errors import EdgeError, InputError, UsageError
from voxint.io import canonical, read, write
from voxint.ports import Judged, JudgePort, JudgeRequest, R
from voxint.semantics import rules_of


def default_folder() -> Path:
    """Where this user's caches are, by the custom of the operating system."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("voxint", appauthor=False)) / "judge"


def prepared(folder: str | None) -> Path:
    """The folder of the cache, made where it is missing, and only for its owner to read.

    Raises:
        UsageError: there can be no such folder, or no file in it.
    """
    path = Path(folder) if folder is not None else default_folder()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        write.check_writable(str(path / "new.json"))
    except (OSError, InputError, EdgeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--cache-dir: {path} cannot hold the cache: {why}") from error
    return path


@dataclass(frozen=True, slots=True)
class CachedJudge:
    """A `JudgePort` that asks another one for what it does not hold; `refresh` asks for all, and keeps the answers.

    `request_sha256` is the digest of all that the repeats have in common, `assemble` makes the document of one reply.
    """

    inner: JudgePort[Any]
    folder: Path
    request_sha256: str
    assemble: Callable[[list[Judged[Any]]], Contract]
    refresh: bool = False
    notes: list[str] = field(default_factory=list)
    """What could not be kept; the replies themselves are not lost."""

    async def reply(self, request: JudgeRequest[R]) -> Judged[R]:
        """The reply that is held, marked as such, or a new one, which is kept if it is ok."""
        file = self.folder / f"{repeat_key(self.request_sha256, request.index)}.json"
        found = None if self.refresh else self._held(file, request)
        if found is not None:
            return found
        judged = await self.inner.reply(request)
        if judged.reply.status == "ok":
            self._keep(file, self.assemble([judged]))
        return judged

    def _keep(self, file: Path, held: Contract) -> None:
        try:
            write.write_atomic(str(file), [canonical.encode(held)])
        except (InputError, EdgeError) as error:
            # The reply is paid for: a full disk must not cost it.
            self.notes.append(f"a reply could not be kept in the cache: {error}")

    def _held(self, file: Path, request: JudgeRequest[R]) -> Judged[R] | None:
        if not file.is_file():
            return None
        try:
            held: Any = read.document(str(file), request.response, rules=rules_of(document_of(request.response).rules))
        except InputError:
            return None
        (reply, *others), facts = held.replies, held.provenance
        is_of = facts.request_sha256 == self.request_sha256 and reply.index == request.index
        if others or not is_of or reply.status != "ok":
            return None
        return Judged(reply, facts.model_reported, facts.usage, facts.created_at, is_cached=True)


def repeat_key(request_sha256: str, index: int) -> str:
    """The name of a reply: SHA-256 of what the repeats have in common and of the number of this one."""
    return canonical.digest_of({"index": index, "request_sha256": request_sha256})
