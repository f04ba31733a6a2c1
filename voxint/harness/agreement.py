"""Is this host's voice in this recording? One embedding space's verdict, made to abstain where it is not sure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from voxint_contracts.agreement import v1 as contract

from voxint.harness.agreement_block import verdicts
from voxint.harness.agreement_gallery import Gallery
from voxint.harness.agreement_intake import Intake

__all__ = ["far_frr_at", "score", "verdict"]

RECORDS_AT_ONCE = 256
VALUES_AT_ONCE = 1 << 15
"""Numbers of a block's embeddings, as much as a processor's cache holds: larger blocks were slower."""


def score(
    *,
    slots: Iterable[contract.SlotsRecord],
    enrollment: contract.Enrollment,
    thresholds: contract.Thresholds,
) -> Iterable[contract.VerdictRecord]:
    """Says whether each recording's host is heard in it, or that no enrolled host is.

    A curated item is compared with its host's voiceprint, a negative control with every voiceprint. A verdict is
    given only where all gates are passed, else ABSTAIN with the first that was not: leakage, a weak voiceprint, no
    embeddings, the cosine, the speech, the distance to the runner-up. A contradiction marks voices that speak
    against what the recording was filed as. One line per recording, in the order of the input.

    Args:
        slots: Recordings with an embedding per voice, one a line; item_id is unique.
        enrollment: Voiceprints of one embedding space.
        thresholds: The gates, calibrated for that space.

    Example:
        voxint score agreement --slots slots.jsonl --enrollment enrollment.json --thresholds thresholds.json

    Raises:
        RecordError: An item_id stands twice, in one spelling or in two; a record is of another space or length than
            the enrollment, or names a host that is not enrolled. It is raised at the end and holds all faults; after
            the first one no more verdicts come.
        ValueError: The enrollment or the thresholds break a rule of their contract.
    """
    return _scored(slots, Gallery.of(enrollment, thresholds))


def _scored(slots: Iterable[contract.SlotsRecord], gallery: Gallery) -> Iterator[contract.VerdictRecord]:
    intake = Intake(gallery)
    block: list[contract.SlotsRecord] = []
    n_values = 0
    for record in slots:
        if not intake.admits(record):
            continue
        block.append(record)
        n_values += len(record.slots) * gallery.dims
        if len(block) >= RECORDS_AT_ONCE or n_values >= VALUES_AT_ONCE:
            yield from verdicts(block, gallery)
            block, n_values = [], 0
    yield from verdicts(block, gallery)
    intake.close()


def verdict(
    record: contract.SlotsRecord, *, enrollment: contract.Enrollment, thresholds: contract.Thresholds
) -> contract.VerdictRecord:
    """The verdict on one recording: the same, to the last bit, as `score` gives it in any file.

    Raises:
        RecordError: the record does not fit the enrollment.
        ValueError: the enrollment or the thresholds break a rule of their contract.
    """
    (found,) = score(slots=[record], enrollment=enrollment, thresholds=thresholds)
    return found


def far_frr_at(genuine: Iterable[float], impostor: Iterable[float], tau: float) -> tuple[int, int, int, int]:
    """False accepts, false rejects, genuine trials and impostor trials at a threshold; a trial at tau is accepted.

    `genuine` are cosines of a host's own voice, `impostor` of other people's. Trials of one person move together:
    a bound on the rate counts people, not trials (`voxint.stats.wilson`). No trials give zeros.

    Raises:
        ValueError: a number is NaN or infinite.

    >>> far_frr_at([0.7, 0.6999999999999998, 0.9], [0.7, 0.2], 0.7)
    (1, 1, 3, 2)
    """
    own, others = list(genuine), list(impostor)
    if not all(map(math.isfinite, (tau, *own, *others))):
        raise ValueError("cosines and tau: expected finite numbers")
    accepts = sum(cosine >= tau for cosine in others)
    rejects = sum(cosine < tau for cosine in own)
    return accepts, rejects, len(own), len(others)
