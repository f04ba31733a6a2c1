"""The rules of pipeline runs and of what the matcher says of them. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from voxint.errors import Violation, quoted, respelt
from voxint.text import identity_form

if TYPE_CHECKING:
    from voxint_contracts.pipeline_run.v1 import PipelineRun
    from voxint_contracts.speaker_match.v1 import MatchCandidate

OVERLAP_SLACK = 0.000001
"""Seconds by which an overlap may exceed its turn: the difference of two doubles is not the decimal that was meant."""

FIRST_YEAR, LAST_YEAR = 1900, 9998
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def run_texts_can_be_seen(run: PipelineRun) -> Iterator[Violation]:
    """Ids, tags and reasons are not blank and hold no invisible character."""
    for name in ("run_id", "recording"):
        if fault := text_fault(getattr(run, name)):
            yield Violation((name,), fault)
    for place, turn in enumerate(run.turns):
        texts = (("label", turn.label), ("skip_reason", turn.skip_reason), ("embedding_space", turn.embedding_space))
        for name, text in texts:
            if text is not None and (fault := text_fault(text)):
                yield Violation(("turns", place, name), fault)


@lru_cache(maxsize=1 << 12)
def text_fault(text: str) -> str:
    """What is wrong with a text that people must be able to read and repeat; empty for a good one."""
    if not text.strip():
        return "must not be blank"
    return "" if text.strip().isprintable() else f"has a character that cannot be seen: {quoted(text)}"


def turn_labels_have_one_spelling(run: PipelineRun) -> Iterator[Violation]:
    """No two labels of a run are one label in two spellings (`voxint.text.identity_form`)."""
    spellings: dict[str, str] = {}
    for place, turn in enumerate(run.turns):
        known = spellings.setdefault(identity_form(turn.label), turn.label)
        if known != turn.label:
            yield Violation(("turns", place, "label"), respelt(turn.label, known, "label"))


def run_is_dated(run: PipelineRun) -> Iterator[Violation]:
    """A run says when it was made: a moment of RFC 3339 with its zone."""
    if not is_moment(run.created_at):
        wanted = "must be a moment of RFC 3339 with its zone, as 2026-03-01T09:30:00Z"
        yield Violation(("created_at",), f"{wanted}, not {quoted(run.created_at)}")


def is_moment(text: str) -> bool:
    """Whether a text is a moment: date, T, time, Z or an offset. Leap seconds, which no database keeps, are none.

    Source: RFC 3339, section 5.6, with T and Z in capitals, 1 to 9 decimals of a second, and years 1900 to 9998.
    """
    clock, zone = (text[:-1], "+00:00") if text.endswith("Z") else (text[:-6], text[-6:])
    whole, dot, decimals = clock.partition(".")
    if dot and not (_is_digits(decimals) and len(decimals) <= 9):
        return False
    if zone[:1] not in ("+", "-") or not _is_time(zone[1:], 2):
        return False
    date, capital, time = whole.partition("T")
    return bool(capital) and _is_date(date) and _is_time(time, 3)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_date(text: str) -> bool:
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(map(_is_digits, parts)):
        return False
    year, month, day = map(int, parts)
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12 and 1 <= day <= _MONTH_DAYS[month - 1]):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return leap or (month, day) != (2, 29)


def _is_time(text: str, n_parts: int) -> bool:
    parts = text.split(":")
    if [len(part) for part in parts] != [2] * n_parts or not all(map(_is_digits, parts)):
        return False
    return all(int(part) < bound for part, bound in zip(parts, (24, 60, 60), strict=False))


def turn_indexes_are_unique(run: PipelineRun) -> Iterator[Violation]:
    """No two turns of a run have one place."""
    seen: dict[int, int] = {}
    for place, turn in enumerate(run.turns):
        first = seen.setdefault(turn.turn_index, place)
        if first != place:
            yield Violation(("turns", place, "turn_index"), f"is the turn_index of turns[{first}] too")


def turns_are_intervals(run: PipelineRun) -> Iterator[Violation]:
    """A turn ends after it starts, and overlaps others for no longer than it lasts."""
    for place, turn in enumerate(run.turns):
        if not turn.end > turn.start:
            yield Violation(("turns", place, "end"), f"must be after start, {turn.start:.15g}, not {turn.end:.15g}")
        elif turn.overlap_seconds > turn.end - turn.start + OVERLAP_SLACK:
            message = (
                f"must be at most the turn's duration, {turn.end - turn.start:.6g}, not {turn.overlap_seconds:.15g}"
            )
            yield Violation(("turns", place, "overlap_seconds"), message)


def turn_has_embedding_or_reason(run: PipelineRun) -> Iterator[Violation]:
    """A turn has an embedding and its space, or the reason why it has none; never both, never neither."""
    for place, turn in enumerate(run.turns):
        if bool(turn.embedding) == (turn.skip_reason is not None):
            message = "must have an embedding or a skip_reason, and not both"
            yield Violation(("turns", place), message)
        elif bool(turn.embedding) != (turn.embedding_space is not None):
            named = "must name the model of the embedding"
            message = named if turn.embedding else "must be absent: the turn has no embedding"
            yield Violation(("turns", place, "embedding_space"), message)


def run_vectors_fit_their_space(run: PipelineRun) -> Iterator[Violation]:
    """The embeddings of one space are of one length, the first one's."""
    lengths: dict[str, tuple[int, int]] = {}
    for place, turn in enumerate(run.turns):
        if not turn.embedding or turn.embedding_space is None:
            continue
        n, first = lengths.setdefault(identity_form(turn.embedding_space), (len(turn.embedding), place))
        if len(turn.embedding) != n:
            message = f"must have {n} numbers, as turns[{first}] has in this space, not {len(turn.embedding)}"
            yield Violation(("turns", place, "embedding"), message)


_BEFORE_COMPARING = frozenset(
    {"no_eligible_turns", "too_few_turns", "too_little_speech", "no_roster", "degenerate_centroid"}
)


def match_fits_its_decision(match: MatchCandidate) -> Iterator[Violation]:
    """An ineligible label has no candidate and no numbers, a compared one has both; a grounded one is accepted."""
    decision = match.decision.value
    yield from _numbers_fit(match, decision)
    if (match.reason is None) != (decision == "accepted"):
        yield Violation(("reason",), "must be null exactly where the decision is accepted")
    elif match.reason is not None and (match.reason.value in _BEFORE_COMPARING) != (decision == "ineligible"):
        yield Violation(("reason",), f"{match.reason.value} is no reason of the decision {decision}")
    for name in ("grounded", "proposed"):
        if getattr(match, name) and decision != "accepted":
            yield Violation((name,), "must be false unless the decision is accepted")


def _numbers_fit(match: MatchCandidate, decision: str) -> Iterator[Violation]:
    compared = decision != "ineligible"
    for name in ("top_speaker_id", "similarity", "vote_agreement"):
        if (getattr(match, name) is not None) != compared:
            yield Violation((name,), f"must {'not ' if compared else ''}be null where the decision is {decision}")
    if match.margin is not None and not compared:
        yield Violation(("margin",), "must be null where the decision is ineligible")
    if compared and (match.margin is None) != (match.roster_size == 1):
        yield Violation(("margin",), "must be null exactly where the roster has one speaker")
    if compared and match.embedding_space is None:
        yield Violation(("embedding_space",), f"must not be null where the decision is {decision}")
