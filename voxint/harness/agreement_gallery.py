"""An enrollment made ready: unit vectors, and which voiceprint may judge which recording."""

from __future__ import annotations

from dataclasses import dataclass

from voxint_contracts.agreement import v1 as contract

from voxint.errors import json_path
from voxint.harness.vectors import TaggedMatrix
from voxint.semantics import RULES
from voxint.text import identity_form

Reason = contract.AgreementReason


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """The voiceprints of an enrollment in the order of their host ids, and the thresholds. Made by `of`."""

    embedding_space: str
    dims: int
    thresholds: contract.Thresholds
    hosts: tuple[str, ...]
    numbers: dict[str, int]
    """Host id, as `identity_form` spells it, to its place in `hosts`."""
    faults: tuple[contract.AgreementReason | None, ...]
    """Why a voiceprint judges no recording at all; None for one that may."""
    sources: dict[str, tuple[int, ...]]
    """Recording, as `identity_form` spells it, to the voiceprints that were built from it."""
    matrix: TaggedMatrix
    usable: tuple[int, ...]
    """The voiceprints without a fault."""
    usable_matrix: TaggedMatrix

    @classmethod
    def of(cls, enrollment: contract.Enrollment, thresholds: contract.Thresholds) -> Gallery:
        """The gallery of an enrollment under these thresholds.

        Raises:
            ValueError: one of the two breaks a rule of its contract, which a reader would have refused.
        """
        _check(
            enrollment,
            "embedding_space_is_not_blank",
            "hosts_have_one_spelling",
            "voiceprints_fit_dims",
            "source_items_have_one_spelling",
        )
        _check(thresholds, "low_band_is_at_most_tau")
        hosts = tuple(sorted(enrollment.voiceprints))
        voiceprints = [enrollment.voiceprints[host] for host in hosts]
        matrix = TaggedMatrix.of(enrollment.embedding_space, [each.embedding for each in voiceprints], enrollment.dims)
        faults = tuple(_fault(each, thresholds) for each in voiceprints)
        usable = tuple(number for number, fault in enumerate(faults) if fault is None)
        return cls(
            embedding_space=enrollment.embedding_space,
            dims=enrollment.dims,
            thresholds=thresholds,
            hosts=hosts,
            numbers={identity_form(host): number for number, host in enumerate(hosts)},
            faults=faults,
            sources=_sources(voiceprints),
            matrix=matrix,
            usable=usable,
            usable_matrix=matrix.take(usable),
        )

    def number(self, host_id: str | None) -> int | None:
        """The place of a host in `hosts`, whichever way the id is spelt; None for one without a voiceprint."""
        return None if host_id is None else self.numbers.get(identity_form(host_id))

    def fault(self, host: int, item_id: str) -> contract.AgreementReason | None:
        """Why this voiceprint must not judge this recording, leakage before weakness; None if it may."""
        if host in self.leaking(item_id):
            return Reason.SESSION_LEAKAGE_RISK
        return self.faults[host]

    def leaking(self, item_id: str) -> tuple[int, ...]:
        """The voiceprints that were built from this recording, whichever way its id is spelt."""
        return self.sources.get(identity_form(item_id), ())


def _check(document: contract.Enrollment | contract.Thresholds, *rules: str) -> None:
    for rule in rules:
        for violation in RULES[rule](document):
            raise ValueError(f"{json_path(violation.path)}: {violation.message}")


def _fault(voiceprint: contract.Voiceprint, thresholds: contract.Thresholds) -> contract.AgreementReason | None:
    if not voiceprint.held_out:
        return Reason.SESSION_LEAKAGE_RISK
    if voiceprint.enrollment_items < thresholds.min_enrollment_items:
        return Reason.WEAK_ENROLLMENT
    return None


def _sources(voiceprints: list[contract.Voiceprint]) -> dict[str, tuple[int, ...]]:
    found: dict[str, dict[int, None]] = {}
    for number, voiceprint in enumerate(voiceprints):
        for item_id in voiceprint.source_item_ids:
            found.setdefault(identity_form(item_id), {})[number] = None
    return {item: tuple(numbers) for item, numbers in found.items()}
