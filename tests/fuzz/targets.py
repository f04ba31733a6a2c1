"""What is fuzzed: every reader, each as a function of a seed, and what must hold of it whatever it reads."""

from __future__ import annotations

import importlib
import json
import random
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from contract_support import BY_NAME, VECTORS, inlined_schema, records
from hostile import document, lines, wrapped
from jsonschema import Draft202012Validator

from voxint.errors import InputError
from voxint.io import ami_xml, read, rttm
from voxint.io.canonical import encode
from voxint.semantics import rules_of

ROOT = Path(__file__).resolve().parents[2]
SECONDS, SECONDS_PER_BYTE = 2.0, 1e-5
"""A reading may take 1 s per 100 kB, and 2 s more: another process may hold the core."""
MEMORY = 1 << 20
"""KiB that the process may hold at its peak."""
GOLD = sorted((ROOT / "examples" / "attribution" / "gold").glob("*.rttm"))
MEETINGS = ROOT / "examples" / "attribution" / "meetings.xml"


@dataclass(frozen=True)
class Target:
    """A reader, how its input is made from a random source, and the ending of its file."""

    name: str
    make: Callable[[random.Random], bytes]
    read: Callable[[str], Any]
    ending: str


class BrokenError(AssertionError):
    """A reader did what no reader may do; the message names the seed."""


def run(target: Target, seed: int, folder: Path) -> bool:
    """Whether the seed's input was taken; BrokenError where the reader crashed, dawdled, grew or spoke in riddles."""
    rng = random.Random(f"{target.name}:{seed}")
    more, data = wrapped(rng, target.make(rng))
    return offer(target, data, folder / f"input{target.ending}{more}", f"{target.name} seed {seed}")


def offer(target: Target, data: bytes, path: Path, which: str) -> bool:
    """Whether the bytes, as a file, were taken; BrokenError as `run`."""
    path.write_bytes(data)
    start = time.process_time()
    try:
        target.read(str(path))
        taken = True
    except InputError as error:
        _check_message(str(error), path, which)
        taken = False
    except BaseException as error:
        raise BrokenError(f"{which}: {type(error).__name__}: {error}") from error
    finally:
        path.unlink()
    spent = time.process_time() - start
    if spent > SECONDS + SECONDS_PER_BYTE * len(data):
        raise BrokenError(f"{which}: took {spent:.1f} s for {len(data)} bytes")
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > MEMORY:
        raise BrokenError(f"{which}: the process holds more than {MEMORY} KiB")
    return taken


def _check_message(text: str, path: Path, which: str) -> None:
    for line in text.split("\n"):
        if not line.startswith((str(path), "and ")) and "more fault" not in line:
            raise BrokenError(f"{which}: a message without its file: {line!r}")
        if not line.isprintable() or len(line) > 2000:
            raise BrokenError(f"{which}: a message that a terminal cannot show: {line[:300]!r}")


@cache
def _seeds(name: str, kind: str) -> tuple[Any, ...]:
    found = []
    for vector in VECTORS:
        if vector.document == name and vector.path.parent.name == kind:
            for record in records(vector):
                try:
                    found.append(json.loads(record))
                except (ValueError, RecursionError):
                    continue
    return tuple(found)


def _json_target(name: str) -> Target:
    entry = BY_NAME[name]
    model = getattr(importlib.import_module(entry.module), entry.model)
    rules = rules_of(entry.rules)
    schema = Draft202012Validator(inlined_schema(name))

    def make(rng: random.Random) -> bytes:
        kinds = rng.choices(("accept", "reject"), (4, 1), k=rng.choice((1, 1, 3)) if entry.stream else 1)
        texts = [document(rng, rng.choice(_seeds(name, kind))) for kind in kinds]
        data = b"\n".join(texts)
        return lines(rng, data) if rng.random() < 0.3 else data

    def check(found: Any) -> None:
        text = encode(found)
        if not schema.is_valid(json.loads(text)):
            raise BrokenError(f"{name}: the reader took what the schema refuses: {text[:300]!r}")
        if encode(model.model_validate_json(text)) != text:
            raise BrokenError(f"{name}: its canonical form is not one: {text[:300]!r}")

    def read_one(path: str) -> None:
        if entry.stream:
            for each in read.rows(path, model, rules=rules):
                check(each)
        else:
            check(read.document(path, model, rules=rules))

    return Target(name, make, read_one, ".jsonl" if entry.stream else ".json")


def _rttm(rng: random.Random) -> bytes:
    return lines(rng, rng.choice(GOLD).read_bytes()[: rng.choice((200, 2000))])


def _xml(rng: random.Random) -> bytes:
    return lines(rng, MEETINGS.read_bytes()[:4000] + rng.choice((b"", b"</nite:root>")))


def targets() -> Iterator[Target]:
    """All readers: one for each contract, RTTM and meetings.xml."""
    for name in sorted(BY_NAME):
        if _seeds(name, "accept") and _seeds(name, "reject"):
            yield _json_target(name)
    yield Target("rttm", _rttm, rttm.recordings, ".rttm")
    yield Target("meetings-xml", _xml, ami_xml.meetings, ".xml")
