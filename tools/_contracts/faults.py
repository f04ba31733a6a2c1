"""Collects everything that is wrong with the contracts, so that all of it can be said at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


class ContractFaultsError(Exception):
    """The contracts cannot be used; `faults` holds one line for each reason."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


@dataclass(frozen=True)
class Place:
    """A spot in a schema file that can be complained about."""

    file: str
    faults: list[str]
    path: str = "$"

    def at(self, *steps: str | int) -> Place:
        """The same file, further in."""
        tail = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
        return replace(self, path=self.path + tail)

    def refuse(self, message: str) -> None:
        """Write down that this spot is outside the profile, and why."""
        self.faults.append(f"{self.file}: {self.path}: {message}")

    def expect(self, *, fits: bool, message: str) -> bool:
        """Refuse unless it fits; says which."""
        if not fits:
            self.refuse(message)
        return fits

    def only(self, node: dict[str, Any], allowed: frozenset[str]) -> None:
        """Refuse every keyword that is not allowed here."""
        for keyword in node:
            if keyword not in allowed:
                self.refuse(f"keyword {keyword!r} is outside the profile here")
