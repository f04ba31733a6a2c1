"""RTTM: what is read, in exact numbers, and what is refused, by line and column."""

from __future__ import annotations

import gzip
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.corpus import Timeline
from voxint.errors import ContractError, InputError
from voxint.io.rttm import files, folder, recordings, select

GOOD = "SPEAKER m1 1 0.000 3.000 <NA> <NA> A <NA> <NA>"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, *lines: str) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return name


def refused(*lines: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        recordings(write("x.rttm", *lines))
    return list(caught.value.lines())


def in_seconds(timeline: Timeline) -> list[tuple[str, Fraction, Fraction]]:
    unit = timeline.unit
    return [(name, Fraction(s, unit), Fraction(e, unit)) for name, spans in timeline.spans.items() for s, e in spans]


def test_comments_other_types_tabs_and_both_lengths_of_line() -> None:
    """Case 31: three turns of two speakers; the dotted id is kept whole."""
    text = (
        ";; a comment line\r\n"
        "SPKR-INFO ES2004a.Mix 1 <NA> <NA> <NA> unknown A <NA>\r\n"
        "SPEAKER\tES2004a.Mix\t1\t0.000\t3.000\t<NA>\t<NA>\tA\t<NA>\r\n"
        "LEXEME ES2004a.Mix 1 0.100 0.200 hello lex A 0.9\n"
        "NON-SPEECH ES2004a.Mix 1 3.000 1.000 <NA> noise <NA> <NA>\n"
        "\n"
        "SPEAKER ES2004a.Mix 1 4 2 <NA> <NA> B <NA> <NA>\n"
        "SPEAKER  ES2004a.Mix  1  6.0  1e0  <NA>  <NA>  B  0.87  <NA>\n"
    )
    Path("ok.rttm").write_bytes(text.encode())
    found = recordings("ok.rttm")
    assert list(found) == ["ES2004a.Mix"]
    assert in_seconds(found["ES2004a.Mix"]) == [("A", 0, 3), ("B", 4, 6), ("B", 6, 7)]


def test_a_file_without_a_turn_is_refused() -> None:
    said = refused(";; nothing here", "SPKR-INFO m1 1 <NA> <NA> <NA> unknown A <NA>")
    assert said == ["x.rttm: has no SPEAKER line, so that nobody speaks in it"]


def test_recordings_of_one_file_are_never_mixed() -> None:
    name = write("two.rttm", GOOD, GOOD.replace("m1", "m2"))
    found = recordings(name)
    assert list(found) == ["m1", "m2"]
    assert select(found, "m2", name) is found["m2"]
    with pytest.raises(InputError, match=r'^two.rttm: holds 2 recordings, and none is "m3": "m1", "m2"$'):
        select(found, "m3", name)


def test_a_file_of_one_recording_need_not_have_the_meetings_id() -> None:
    name = write("one.rttm", GOOD)
    assert in_seconds(select(recordings(name), "another", name)) == [("A", 0, 3)]


@pytest.mark.parametrize(
    ("line", "place", "said"),
    [
        ("SPEAKER m1 1 6.500 -1.500 <NA> <NA> A <NA> <NA>", "2:20", 'the duration must not be negative, not "-1.500"'),
        ("SPEAKER m1 1 0.0 nan <NA> <NA> A <NA> <NA>", "2:18", "the duration must be a finite number of seconds"),
        ("SPEAKER m1 1 0.0 inf <NA> <NA> A <NA> <NA>", "2:18", "the duration must be a finite number of seconds"),
        ("SPEAKER m1 1 -1.0 2.0 <NA> <NA> A <NA> <NA>", "2:14", 'the onset must not be negative, not "-1.0"'),
        ("SPEAKER m1 1 3.000 0.000 <NA> <NA> A <NA> <NA>", "2:20", "the duration must be above 0 s"),
        ("SPEAKER mono vocals 1 3.200 5.000 <NA> <NA> A <NA> <NA>", "2:1", "9 or 10 fields, not 11; is there a space"),
        (
            "SPEAKER mono vocals 1 3.200 5.000 <NA> <NA> A <NA>",
            "2:40",
            "the speaker must have a name, not <NA>; is there a",
        ),
        ("SPEAKER m1 1 3.200 5.000 <NA> <NA> Dana Fox <NA> <NA>", "2:1", "9 or 10 fields, not 11"),
        (
            "SPEAKER m1 1 3.200 5.000 <NA> <NA> Dana Fox <NA>",
            "2:41",
            'the confidence must be a number or <NA>, not "Fox"',
        ),
        (
            "SPEAKER m1 1 3.200 5.000 <NA> <NA> A\u200b <NA> <NA>",
            "2:36",
            'the speaker has a character in its name that cannot be seen: "A\\u200b"',
        ),
        (
            "SPEAKER m1\u2069 1 3.200 5.000 <NA> <NA> A <NA> <NA>",
            "2:9",
            'the recording has a character in its name that cannot be seen: "m1\\u2069"',
        ),
        ("SPEAKER m1 1 3.200 5.000 <NA> <NA>", "2:1", "9 or 10 fields, not 7"),
        (
            "SPEAKER m1 1 3,200 5,000 <NA> <NA> A <NA> <NA>",
            "2:14",
            'the onset must be a finite number of seconds, not "3,',
        ),
        ("SPEAKER m1 1 3.200 5.000 <NA> <NA> <NA> <NA> <NA>", "2:36", "the speaker must have a name, not <NA>"),
        ("  SPEKAER m1 1 3.200 5.000 <NA> <NA> A <NA> <NA>", "2:3", "must begin with SPEAKER or another record type"),
        ("SPEAKER é 1 1_0 5 <NA> <NA> A <NA> <NA>", "2:13", "the onset must be a finite number"),
        ("SPEAKER m1 1 . 5 <NA> <NA> A <NA> <NA>", "2:14", "the onset must be a finite number"),
        ("SPEAKER m1 1 1e400 5 <NA> <NA> A <NA> <NA>", "2:14", "the onset must be at most 10^9 s"),
        ("SPEAKER m1 1 0 1000000000.1 <NA> <NA> A <NA> <NA>", "2:16", "the duration must be at most 10^9 s"),
        ("SPEAKER m1 1 1e-9999 5 <NA> <NA> A <NA> <NA>", "2:14", "the onset has more than 400 decimals"),
        ("SPEAKER m1 1 ٣ 5 <NA> <NA> A <NA> <NA>", "2:14", "the onset must be a finite number"),
    ],
)
def test_bad_lines_are_named_by_line_and_column(line: str, place: str, said: str) -> None:
    """Case 30, and what else would shift or bend a field."""
    (fault,) = refused(GOOD, line, GOOD)
    assert fault.startswith(f"x.rttm:{place}: ")
    assert said in fault


def test_all_faults_are_reported_at_once_and_the_first_twenty_in_full() -> None:
    said = refused(*["SPEAKER m1 1 x 1 <NA> <NA> A <NA>"] * 23, GOOD)
    assert len(said) == 21
    assert said[19].startswith("x.rttm:20:14: ")
    assert said[20] == "x.rttm: 3 more faults not shown"


def test_another_encoding_is_one_fault() -> None:
    Path("x.rttm").write_bytes(
        f"{GOOD}\n".encode() * 2000 + "SPEAKER m1 1 0 1 <NA> <NA> José <NA>\n".encode("latin-1") * 2
    )
    with pytest.raises(ContractError, match=r"^x.rttm:2001:31: byte 0xe9 is not UTF-8: it looks like Latin-1"):
        recordings("x.rttm")


def test_packed_files_are_read_and_damaged_ones_refused() -> None:
    packed = gzip.compress(f"{GOOD}\n".encode())
    Path("x.rttm.gz").write_bytes(packed)
    assert in_seconds(recordings("x.rttm.gz")["m1"]) == [("A", 0, 3)]
    Path("x.rttm.gz").write_bytes(packed[:-5])
    with pytest.raises(ContractError, match=r"^x.rttm.gz:"):
        recordings("x.rttm.gz")


TIMES = st.tuples(st.integers(0, 10**9), st.integers(-3, 30)).filter(
    lambda t: Fraction(t[0]) / Fraction(10) ** t[1] <= 10**9
)


def spelt(digits: int, decimals: int) -> str:
    return f"{digits}e{-decimals}"


@given(st.lists(st.tuples(TIMES, TIMES.filter(lambda t: t[0] > 0)), min_size=1, max_size=5))
def test_times_are_exact(turns: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    lines = [f"SPEAKER m 1 {spelt(*onset)} {spelt(*lasts)} <NA> <NA> A <NA>" for onset, lasts in turns]
    (timeline,) = recordings(write("x.rttm", *lines)).values()
    expected = [
        ("A", Fraction(spelt(*onset)), Fraction(spelt(*onset)) + Fraction(spelt(*lasts))) for onset, lasts in turns
    ]
    assert in_seconds(timeline) == expected


def test_a_folder_is_meetings_by_name() -> None:
    write("gold/ES2002b.rttm", GOOD)
    write("gold/ES2002a.rttm", GOOD.replace(" A ", " B "))
    write("gold/more.rttm", GOOD, GOOD.replace("m1", "m2"))
    write("gold/notes.txt", "not read")
    write("gold/._ES2002a.rttm", "not read either")
    found = folder("gold")
    assert list(found) == ["ES2002a", "ES2002b", "m1", "m2"]
    assert list(found["ES2002a"].spans) == ["B"]
    assert files("gold") == ["gold/ES2002a.rttm", "gold/ES2002b.rttm", "gold/more.rttm"]


def test_the_faults_of_all_files_of_a_folder_come_at_once() -> None:
    write("gold/a.rttm", "nonsense")
    write("gold/b.rttm", GOOD)
    write("gold/c.rttm", GOOD, "SPEAKER m1")
    with pytest.raises(ContractError) as caught:
        folder("gold")
    assert [str(fault).split(":")[:3] for fault in caught.value.faults] == [
        ["gold/a.rttm", "1", "1"],
        ["gold/c.rttm", "2", "1"],
    ]


def test_a_meeting_in_two_files_is_refused() -> None:
    write("gold/a.rttm", GOOD, GOOD.replace("m1", "b"))
    write("gold/b.rttm", GOOD)
    with pytest.raises(ContractError, match=r'^gold/b.rttm: holds meeting "b", as gold/a.rttm does$'):
        folder("gold")


@pytest.mark.parametrize(
    ("name", "said"), [("x.rttm", "Not a directory"), ("nowhere", "No such file"), ("a\0", "null")]
)
def test_what_is_no_folder_is_refused(name: str, said: str) -> None:
    write("x.rttm", GOOD)
    with pytest.raises(InputError, match=f"cannot be read as a folder: .*{said}"):
        folder(name)


def test_a_folder_without_rttm_is_refused() -> None:
    Path("gold").mkdir()
    with pytest.raises(InputError, match=r"^gold: holds no .rttm file$"):
        folder("gold")
