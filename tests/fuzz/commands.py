"""Every command of the examples with one of its files spoilt: done, a no, or refused with the old output kept."""

from __future__ import annotations

import io
import json
import os
import random
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hostile import document, lines
from targets import BrokenError

from voxint.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OUT = "fuzzed.out"
OLD = b"what stood here before\n"


def command_lines() -> list[tuple[str, str]]:
    """Folder and words of every example."""
    return [
        (folder.name, line)
        for folder in sorted(EXAMPLES.iterdir())
        if (folder / "command").is_file()
        for line in (folder / "command").read_text(encoding="utf-8").splitlines()
    ]


def run(folder: str, line: str, seed: int, place: Path) -> int:
    """The exit code of the command in a copy of the examples in `place`; BrokenError for what no command may do."""
    words = shlex.split(line)
    here = place / folder
    files = [path for word in words for path in _files(here / word)]
    rng = random.Random(f"{line}:{seed}")
    victim = rng.choice(files)
    good = victim.read_bytes()
    victim.write_bytes(_spoilt(rng, victim, good))
    (here / OUT).write_bytes(OLD)
    try:
        code, said = _call(here, [*words, "--format", "json", "--out", OUT])
        _check(code, said, (here / OUT).read_bytes(), f"{line} seed {seed} ({victim.name})")
        stray = [path.name for path in here.iterdir() if path.name.startswith(".voxint-tmp")]
        if stray:
            raise BrokenError(f"{line} seed {seed}: left {stray}")
    finally:
        victim.write_bytes(good)
    return code


def copied(place: Path) -> Path:
    """A copy of the examples that may be spoilt."""
    return Path(shutil.copytree(EXAMPLES, place / "examples"))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(each for each in path.iterdir() if each.is_file())
    elif path.is_file():
        yield path


def _spoilt(rng: random.Random, path: Path, good: bytes) -> bytes:
    if path.suffix == ".jsonl":
        rows = good.splitlines()
        at = rng.randrange(len(rows))
        rows[at] = document(rng, json.loads(rows[at]))
        return b"\n".join(rows) + b"\n"
    if path.suffix == ".json" and rng.random() < 0.9:
        return document(rng, json.loads(good))
    return lines(rng, good)


@contextmanager
def _in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _call(folder: Path, words: list[str]) -> tuple[int, str]:
    said, out, err = io.BytesIO(), sys.stdout, sys.stderr
    try:
        sys.stderr = io.TextIOWrapper(said, encoding="utf-8", write_through=True)
        sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with _in(folder):
            code = main(words)
        sys.stderr.flush()
        return code, said.getvalue().decode()
    finally:
        sys.stdout, sys.stderr = out, err


def _check(code: int, said: str, written: bytes, which: str) -> None:
    if code not in (0, 1, 2):
        raise BrokenError(f"{which}: exit code {code}: {said[-600:]}")
    if code == 2 and (written != OLD or not said.strip()):
        raise BrokenError(f"{which}: refused, but wrote {written[:80]!r} and said {said[:200]!r}")
    if code != 2:
        try:
            _parse(written)
        except (ValueError, ZeroDivisionError) as error:
            raise BrokenError(f"{which}: wrote no JSON: {written[:200]!r}") from error


def _parse(data: bytes) -> None:
    """ValueError or ZeroDivisionError unless it is one finite JSON document or lines of them."""
    for text in data.splitlines() if data.count(b"\n{") else [data]:
        json.loads(text, parse_constant=lambda _: 1 / 0)
