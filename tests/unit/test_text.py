import hashlib
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.text import (
    ABSTAIN,
    NEITHER,
    agrees,
    is_abstention,
    norm_channel,
    normal_form,
    outline,
    truth_fault,
    without_tags,
    words,
)

# DerivedCoreProperties.txt, Unicode 17.0, Default_Ignorable_Code_Point, first and last of each range.
IGNORABLE = [
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
]
WHITE_SPACE = [*range(0x9, 0xE), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)]
WHITE_SPACE += [0x2028, 0x2029, 0x202F, 0x205F, 0x3000]


def wide(text: str) -> str:
    """The full-width forms of ASCII text."""
    return "".join("\u3000" if char == " " else chr(ord(char) + 0xFEE0) for char in text)


anything = st.text(st.characters(exclude_categories=[]))
# Where normalization steps meet: letters, marks of several classes, ignorables, spaces, jamo, dotted i.
meeting = st.text(
    st.sampled_from("iIa\u0130\u0131\u1fb3\u0307\u0301\u0323\u0327\u0345\u034f\u200d\xad \xa8\xb4'\u2019-\u2010가각ﬁẞ")
)
texts = anything | meeting
steady = settings(deadline=None)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", ""),
        ("  Mara \t Quill\n", "mara quill"),
        ("Zoe\u0301 Lefe\u0300vre", "zoé lefèvre"),
        ("Th\u1ecb H\u01b0\u01a1ng", "thị hương"),
        ("ELKE WEIẞ", "elke weiss"),
        ("Elke Weiß", "elke weiss"),
        ("ﬂora Reeve", "flora reeve"),
        (wide("Mara Quill"), "mara quill"),
        ("ΣΟΦΊΑ ΔΟΎΚΑΣ", normal_form("Σοφία Δούκας")),
        ("İlker", "ilker"),
        ("I\u0307lker", "ilker"),
        ("i\u0307\u0307", "i"),
        ("İ\u0301", "í"),
        ("Ilg\u0131n", "ilg\u0131n"),
        ("M\u200ba\u200cr\u200da\u200e\u202a\u2066 Q\u00adui\u2060ll\ufeff", "mara quill"),
        ("Mara\u0085Quill", "mara quill"),
        ("Mara\u2028\u2029\u00a0Quill", "mara quill"),
        ("O\u2019Dea O\u02bcDea O\uff07Dea", "o'dea o'dea o'dea"),
        ("A\u2010B\u2011C\u2012D\u2013E\uff0dF", "a-b-c-d-e-f"),
        ("A\u2014B", "a\u2014b"),
        ("\u200b\u3164\ufeff", ""),
        ("🎧\ufe0f", "🎧"),
        ("रीना", "रीना"),
    ],
)
def test_normal_form(text: str, form: str) -> None:
    assert normal_form(text) == form


@pytest.mark.parametrize(
    ("one", "other"),
    [("José", "Jose"), ("Müller", "Mueller"), ("M\u0430ra", "Mara"), ("Łucja", "Lucja"), ("\u0131", "i"), ("ö", "o")],
)
def test_diacritics_and_scripts_stay_significant(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


def test_every_default_ignorable_goes_and_no_other_format_character() -> None:
    kept = [c for first, last in IGNORABLE for c in range(first, last + 1) if normal_form(f"a{chr(c)}b") != "ab"]
    assert kept == []
    visible = [0x600, 0x6DD, 0x70F, 0x8E2, 0xFFF9, 0x110BD, 0x13430, 0x3165, 0x180A, 0xFE10, 0xE1000]
    assert [c for c in visible if normal_form(f"a{chr(c)}b") == "ab"] == []


def test_every_white_space_folds() -> None:
    assert [c for c in WHITE_SPACE if normal_form(f"{chr(c)}a{chr(c)}{chr(c)}b{chr(c)}") != "a b"] == []


@steady
@given(texts)
def test_normal_form_is_idempotent(text: str) -> None:
    form = normal_form(text)
    assert normal_form(form) == form


@steady
@given(texts, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_normal_form_ignores_normalization(text: str, form: str) -> None:
    assert normal_form(normalize(form, text)) == normal_form(text)  # type: ignore[arg-type]


@steady
@given(texts, st.integers(0, 99), st.sampled_from(IGNORABLE))
def test_normal_form_ignores_ignorables_anywhere(text: str, at: int, span: tuple[int, int]) -> None:
    assert normal_form(text[:at] + chr(span[0]) + chr(span[1]) + text[at:]) == normal_form(text)


@steady
@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_takes_no_other_way(text: str) -> None:
    assert normal_form(text) == normal_form(text + "\u200b")


@steady
@given(st.text(st.sampled_from("abzéßøčĳ\u03b1βωάς\u0431жяåñ ğçŀ")))
def test_case_does_not_matter(text: str) -> None:
    assert normal_form(text.upper()) == normal_form(text.lower()) == normal_form(text)


def test_results_do_not_depend_on_the_python() -> None:
    digest = hashlib.sha256()
    for code in range(0x20000):
        form = normal_form(f"a{chr(code)}")
        digest.update(f"{form}\0{outline(form)}\0".encode("utf-8", "surrogatepass"))
    assert digest.hexdigest() == "3ca75f783d0e06a9c670a8568db890064e1fdefcd194d8e0925b233feaeab5ab"
    assert {outline(chr(code)) for code in range(0x20000, 0x40000)} == {"h"}


def test_outline() -> None:
    assert outline("mara o'dea-2, jr. (x) & y/z;") == "llll l'lll-d, ll. (l) & l/l/"
    assert outline("李김あァㄅ") == "hhhhh"
    assert outline("री①🎧_@\u2014\ud800") == "lmd     "
    assert outline("【x】<y>") == "(l)(l)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mara quill", ["mara", "quill"]),
        ("o'dea 'quill' rock'n'roll", ["o'dea", "quill", "rock'n'roll"]),
        ("smith-jones - x -y", ["smith-jones", "x", "y"]),
        ("ph.d. j. r.quill", ["ph.d", "j", "r.quill"]),
        ("रीना कोहली", ["रीना", "कोहली"]),
        ("สมชาย ใจดี", ["สมชาย", "ใจดี"]),
        ("e\u0331'x e\u0331-x", ["e\u0331'x", "e\u0331-x"]),
        ("2'x x-2 a_b", ["2", "x", "x", "2", "a", "b"]),
        ("\u0301x 🎧 \u0301 ! _", ["\u0301x"]),
        ("", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text, outline(text)) == found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("mara quill (host)", "mara quill"),
        ("mara quill [guest] {x} <m@q.org>", "mara quill"),
        ("mara quill (host (main) [x])", "mara quill"),
        ("mara quill (host).", "mara quill       ."),
        ("mara quill (host", "mara quill"),
        ("mara quill (host], phd", "mara quill       , phd"),
        ("mara 【司会】", "mara"),
        ("quill (host), mara", "quill       , mara"),
        ("mara (mo) quill", "mara (mo) quill"),
        ("(mara quill)", "(mara quill)"),
        ("mara quill :)", "mara quill :)"),
        ("🎧 (host)", "🎧 (host)"),
    ],
)
def test_tags_at_the_end_go(text: str, left: str) -> None:
    plain, shape = without_tags(text, outline(text))
    assert plain.rstrip() == left
    assert len(plain) == len(shape) == len(text)
    assert words(plain, shape) == words(left, outline(left))


def test_commas_and_brackets_inside_a_name_lose_their_meaning() -> None:
    assert without_tags("mara (mo, m) quill", "llll (ll, l) lllll")[1] == "llll  ll  l  lllll"


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("mara", "mara", True),
        ("m", "mara", True),
        ("é", "élise", True),
        ("e", "élise", False),
        ("e", "e\u0331lise", False),
        ("e\u0331", "e\u0331lise", True),
        ("र", "राम", False),
        ("रा", "राम", True),
        ("ma", "mara", False),
        ("2", "22", False),
        ("林", "林田", False),
        ("김", "김수", False),
    ],
)
def test_agrees(one: str, other: str, *, agree: bool) -> None:
    assert agrees(one, other) is agrees(other, one) is agree


@pytest.mark.parametrize(
    ("text", "channel"),
    [
        ("The Quill-Hour!", "thequillhour"),
        (wide("THE") + " quill\u00a0hour", "thequillhour"),
        ("@quill_hour 2", "quill_hour2"),
        ("रीना FM", "रीनाfm"),
        ("e \u0301", "é"),
        ("🎧 -- !", ""),
        ("", ""),
    ],
)
def test_norm_channel(text: str, channel: str) -> None:
    assert norm_channel(text) == channel


@steady
@given(texts)
def test_norm_channel_is_idempotent(text: str) -> None:
    assert norm_channel(norm_channel(text)) == norm_channel(text)


@pytest.mark.parametrize(
    "name",
    [
        *(None, "", " \u200b\u3164 ", ABSTAIN, "SPEAKER_01", " speaker_x", "Auto_7", "UNKNOWN", "unknown guest"),
        *("Unknown Hinsdale", wide("SPEAKER_01"), "\ufeffunknown", "S\u00adpeaker_2", "\u2028auto_1"),
    ],
)
def test_abstentions(name: str | None) -> None:
    assert is_abstention(name)


@pytest.mark.parametrize(
    "name",
    ["Automne Roy", "Speaker", "Speakman", "The Unknown", "auto", "__abstain__", "__ABSTAIN__ ", NEITHER, "?", "🎧"],
)
def test_names_are_no_abstentions(name: str) -> None:
    assert not is_abstention(name)


@pytest.mark.parametrize("truth", [ABSTAIN, NEITHER, "Mara Quill", "_x_", "__x", "x__", "Unknown Hinsdale", "🎧", "李"])
def test_sound_truths(truth: str) -> None:
    assert truth_fault(truth) is None


@pytest.mark.parametrize(
    ("truth", "fault"),
    [
        *((blank, "blank") for blank in ["", "  ", "\u200b", "\u3164\u00a0"]),
        *((text, "misspelt") for text in ["__abstain__", f"{ABSTAIN} ", f"\t{NEITHER}", "__ABSTIAN__", "____", "__"]),
        *(
            (text, "misspelt")
            for text in ["__Neither_Determinable__", "\u200b__ABSTAIN__", wide("__ABSTAIN__"), "__x__"]
        ),
        *((text, "placeholder") for text in ["SPEAKER_00", "auto_3", "Unknown", "UNKNOWN_SPEAKER", "unknown 3"]),
        *(
            (text, "placeholder")
            for text in ["Unknown Speaker 2", "unknown (guest)", "Unknown_Hinsdale", wide("unknown")]
        ),
    ],
)
def test_truth_faults_say_what_is_wrong(truth: str, fault: str) -> None:
    message = truth_fault(truth)
    assert message is not None
    assert message.startswith("truth is ")
    assert fault in message
    assert "\n" not in message
