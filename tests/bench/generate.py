"""Seeded inputs of any size for the benchmarks: the same arguments give the same bytes."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

GIVEN = ["Dana", "Jonas", "Mei", "Ana", "Priya", "Tomas", "Lucía", "Oluwaseun", "Ingrid", "Rafael"]
FAMILY = ["Fox", "Okafor", "Lindqvist", "Silva", "Nair", "Novák", "Ferreira", "Haddad", "O'Brien", "van den Berg"]


def person(number: int) -> str:
    """One of as many people as there are numbers; the first hundred have plain names."""
    name = f"{GIVEN[number % 10]} {FAMILY[number // 10 % 10]}"
    return name if number < 100 else f"{GIVEN[number % 10]} {FAMILY[number // 10 % 10]}{number // 100}"


def name_items(
    n_items: int, *, n_slots: int = 4, people: int = 400, seed: int = 0, error: float = 0.1
) -> Iterator[bytes]:
    """Lines of name_accuracy/v1/items: truth and durations depend on `people` alone, what is shown also on `seed`."""
    truths, shown = random.Random(f"truth {people}"), random.Random(f"shown {people} {seed}")
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for number in range(n_items):
        slots = {f"SPEAKER_{k:02}": _slot(truths, shown, people, error) for k in range(n_slots)}
        yield encode({"item_id": f"item-{number:08}", "slots": slots}).encode() + b"\n"


def _slot(truths: random.Random, shown: random.Random, people: int, error: float) -> dict[str, object]:
    kind, who = truths.random(), truths.randrange(people)
    truth = person(who) if kind < 0.75 else "__ABSTAIN__" if kind < 0.95 else "__NEITHER_DETERMINABLE__"
    roll = shown.random()
    name: str | None = person(who) if kind < 0.75 else None
    if roll < error:
        name = person(shown.randrange(people)) if roll < error / 2 else None
    return {
        "assigned_name": name,
        "confidence": round(shown.random(), 4),
        "duration": round(truths.random() * 900, 2),
        "truth": truth,
    }


def alias_table(n_entries: int) -> bytes:
    """A name_accuracy/v1/aliases document with this many entries."""
    entries = {person(k): [f"{GIVEN[k % 10][0]}. of {k}", f"Nick{k}"] for k in range(n_entries)}
    return json.dumps({"schema_version": 1, "aliases": entries}, ensure_ascii=False).encode() + b"\n"


def write(path: Path, lines: Iterator[bytes]) -> Path:
    """The file, written once: an existing one is kept."""
    if not path.exists():
        with path.open("wb") as file:
            file.writelines(lines)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    write(chosen.out, name_items(chosen.items, n_slots=chosen.slots, people=chosen.people, seed=chosen.seed))
