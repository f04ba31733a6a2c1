"""Prints what changed in the snapshots since a commit, as a Markdown table for the pull request."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ABSENT = "(absent)"
MOST_ROWS = 200


def leaves(value: object, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every scalar of a JSON value by its JSON pointer (RFC 6901)."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from leaves(value[key], f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list) and value:
        for number, element in enumerate(value):
            yield from leaves(element, f"{pointer}/{number}")
    else:
        yield pointer or "/", repr(value) if isinstance(value, float) else str(value)


def parts(path: str, text: str | None) -> dict[str, str]:
    """A snapshot as named values: JSON by pointer, other text by line; nothing for a file that is not there."""
    if text is None:
        return {}
    if path.endswith(".json"):
        return dict(leaves(json.loads(text)))
    return {f"line {number}": line for number, line in enumerate(text.splitlines(), 1)}


def changes(path: str, before: str | None, after: str | None) -> Iterator[tuple[str, str, str]]:
    """(place, before, after) for everything that differs between two versions of one snapshot."""
    old, new = parts(path, before), parts(path, after)
    for place in sorted(old.keys() | new.keys(), key=lambda name: (len(name), name)):
        if old.get(place) != new.get(place):
            yield place, old.get(place, ABSENT), new.get(place, ABSENT)


def table(rows: list[tuple[str, str, str, str]]) -> str:
    """The rows as Markdown, the first 200 of them and then a count."""
    shown = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows[:MOST_ROWS]]
    lines = ["| case | pointer | before | after |", "|---|---|---|---|", *shown]
    if len(rows) > MOST_ROWS:
        lines.append(f"\n{len(rows) - MOST_ROWS} more values changed.")
    return "\n".join(lines)


def main() -> int:
    """Prints the table against a commit (HEAD unless one is named)."""
    base = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    touched = _git("diff", "--name-only", "-z", base, "--", "tests") + _git(
        "ls-files", "-oz", "--exclude-standard", "tests"
    )
    changed = sorted(path for path in touched.split("\0") if "__snapshots__" in path)
    rows = []
    for path in changed:
        file = ROOT / path
        after = file.read_text(encoding="utf-8") if file.exists() else None
        before = _git("show", f"{base}:{path}") if _has(base, path) else None
        rows += [(Path(path).name, *change) for change in changes(path, before, after)]
    print(table(rows) if rows else f"No snapshot differs from {base}.")
    return 0


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout.decode()


def _has(base: str, path: str) -> bool:
    return bool(_git("ls-tree", "-z", "--name-only", base, "--", path))


if __name__ == "__main__":
    sys.exit(main())
