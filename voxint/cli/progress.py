"""How far the reading is: on stderr, only where a person looks, only when it takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

_PATIENCE = 1.0


class Progress:
    """One bar per input, drawn after a second of work and gone at the end; nothing when stderr is no terminal."""

    def __init__(self) -> None:
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._bars: Bars | None = None

    def of(self, source: str) -> Callable[[int], None] | None:
        """What the reader of `source` calls with the bytes it has read since the last call; None when not wanted."""
        if not self._wanted:
            return None
        total = Path(source).stat().st_size if source != "-" and Path(source).is_file() else None
        done, task = 0, None

        def advance(count: int) -> None:
            nonlocal done, task
            done += count
            if time.monotonic() - self._started < _PATIENCE:
                return
            bars = self._drawn()
            if task is None:
                task = bars.add_task(source, total=total)
            bars.update(task, completed=done)

        return advance

    def steps(self, label: str) -> Callable[[int, int], None] | None:
        """What a command calls with the steps it has done and how many there are; None when not wanted."""
        if not self._wanted:
            return None
        bars = self._drawn()
        task = bars.add_task(label, total=None)
        return lambda done, total: bars.update(task, completed=done, total=total)

    def _drawn(self) -> Bars:
        if self._bars is None:
            from rich.console import Console
            from rich.progress import Progress as Bars

            self._bars = Bars(console=Console(stderr=True), transient=True)
            self._bars.start()
        return self._bars

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Takes the bars off the screen; they do not come back."""
        self._wanted = False
        if self._bars is not None:
            self._bars.stop()
