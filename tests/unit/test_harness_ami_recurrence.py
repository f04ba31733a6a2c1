"""Base sessions, cross-session speakers and pairs: by hand, by plain counting, and on the whole corpus."""

from __future__ import annotations

import doctest
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.corpus import Participant, Timeline
from voxint.errors import UsageError
from voxint.harness import ami_recurrence
from voxint.harness.ami_recurrence import (
    base_session_id,
    check_kill_criterion,
    cross_session_speakers,
    meetings_of,
    recurrence,
    score,
)
from voxint.io.ami_xml import meetings
from voxint.io.rttm import folder

AMI = Path(__file__).resolve().parents[3] / "shared" / "data" / "ami"


def index(**people: str) -> dict[str, tuple[Participant, ...]]:
    return {name: tuple(Participant(each, each) for each in who) for name, who in people.items()}


def test_the_examples_hold() -> None:
    assert doctest.testmod(ami_recurrence).failed == 0


@pytest.mark.parametrize(
    ("meeting", "suffixes", "session"),
    [
        ("ES2004a", "any", "ES2004"),
        ("EN2001e", "any", "EN2001"),
        ("EN2001e", "abcd", "EN2001e"),
        ("EN2001d", "abcd", "EN2001"),
        ("EN2001A", "any", "EN2001"),
        ("EN2001A", "abcd", "EN2001A"),
        ("IB4005", "any", "IB4005"),
        ("ES2004ab", "any", "ES2004ab"),
        ("a", "any", "a"),
        ("1a", "any", "1"),
        ("", "any", ""),
        ("ES2004a.Mix", "any", "ES2004a.Mix"),
        ("ES٣a", "any", "ES٣a"),
        ("ES2004é", "any", "ES2004é"),
    ],
)
def test_one_letter_after_a_digit_is_left_out(meeting: str, suffixes: str, session: str) -> None:
    assert base_session_id(meeting, suffixes) == session


@pytest.mark.parametrize("suffixes", ["", "ab1", "a b", "é"])
def test_suffixes_are_letters(suffixes: str) -> None:
    with pytest.raises(UsageError, match="the session suffixes must be letters, such as abcd, or any"):
        base_session_id("ES2004a", suffixes)


def test_a_small_corpus_by_hand() -> None:
    """P is in three sessions, Q in two, R and S in one: C(3,2) + C(2,2) pairs; P and Q meet in M1 and M2."""
    corpus = index(M1a="PQR", M1b="P", M2a="PQ", M3="PS")
    report = recurrence(corpus)
    assert (report.n_meetings, report.n_base_sessions, report.n_participants) == (4, 3, 4)
    assert (report.n_cross_session_speakers, report.n_genuine_pairs, report.n_impostor_pairs) == (2, 4, 2)
    assert cross_session_speakers(corpus) == {"P", "Q"}


def test_nobody_gives_zeros() -> None:
    report = recurrence({})
    assert set(report.model_dump(exclude={"schema_version", "kind"}).values()) == {0}


@pytest.mark.parametrize(
    ("speakers", "pairs", "baseline", "calibration"),
    [(8, 50, True, False), (7, 50, False, False), (8, 49, False, False), (50, 50, True, True), (50, 49, False, True)],
)
def test_the_floors_are_reached_when_they_are_met(speakers: int, pairs: int, baseline: bool, calibration: bool) -> None:
    assert check_kill_criterion(speakers, pairs) == (baseline, calibration)


CORPORA = st.dictionaries(
    st.builds("{}{}{}".format, st.sampled_from(["ES", "IB"]), st.integers(1, 3), st.sampled_from(["", "a", "b", "e"])),
    st.frozensets(st.sampled_from("PQRST"), min_size=1),
    max_size=8,
)


@given(CORPORA, st.sampled_from(["any", "abcd"]))
def test_pairs_are_what_plain_counting_finds(corpus: dict[str, frozenset[str]], suffixes: str) -> None:
    sessions: dict[str, set[str]] = {}
    for name, who in corpus.items():
        sessions.setdefault(base_session_id(name, suffixes), set()).update(who)
    report = recurrence(index(**{name: "".join(sorted(who)) for name, who in corpus.items()}), suffixes)
    people = set().union(*sessions.values())
    cross = {each for each in people if sum(each in who for who in sessions.values()) > 1}
    genuine = sum(len(sessions[a] & sessions[b]) for a, b in combinations(sessions, 2))
    impostor = sum(1 for who in sessions.values() for _ in combinations(who & cross, 2))
    assert (report.n_base_sessions, report.n_participants) == (len(sessions), len(people))
    assert (report.n_cross_session_speakers, report.n_genuine_pairs) == (len(cross), genuine)
    assert report.n_impostor_pairs == impostor


def test_agents_of_recordings_are_letters_in_order_of_names() -> None:
    names = {f"P{n:02}": [(0, 1)] for n in range(28)}
    (people,) = meetings_of({"M": Timeline(1, names)}).values()
    assert [person.nxt_agent for person in people][:2] == ["A", "B"]
    assert [person.nxt_agent for person in people][25:] == ["Z", "AA", "AB"]
    assert {person.channel for person in people} == {None}


def test_the_meetings_come_from_one_place() -> None:
    with pytest.raises(UsageError, match="one of the two: --meetings-xml or --gold-rttm-dir"):
        score()
    with pytest.raises(UsageError, match="one of the two"):
        score(meetings_xml={}, gold_rttm_dir={})


@pytest.mark.shared
@pytest.mark.parametrize(
    ("suffixes", "counts"),
    [("abcd", (170, 59, 189, 35, 64, 104)), ("any", (170, 58, 189, 30, 59, 84))],
)
def test_the_whole_corpus(suffixes: str, counts: tuple[int, ...]) -> None:
    if not AMI.is_dir():
        pytest.skip("needs the shared data folder beside the repository")
    by_sound = score(gold_rttm_dir=folder(str(AMI / "gold")), session_suffixes=suffixes)
    by_paper = score(meetings_xml=meetings(str(AMI / "meetings-derived-from-rttm.xml")), session_suffixes=suffixes)
    assert by_sound == by_paper
    found = by_sound
    assert (
        found.n_meetings,
        found.n_base_sessions,
        found.n_participants,
        found.n_cross_session_speakers,
        found.n_genuine_pairs,
        found.n_impostor_pairs,
    ) == counts
    assert (found.baseline_viable, found.calibration_viable) == (True, False)
