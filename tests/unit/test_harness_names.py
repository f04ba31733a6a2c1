import itertools
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from voxint_contracts.common.v1 import MatchStrength
from voxint_contracts.name_accuracy.v1 import AliasTable

from voxint.harness import names as matcher
from voxint.harness.names import (
    AliasIndex,
    curated_hits,
    is_match,
    is_overnaming,
    name_form,
    person_name_match,
)
from voxint.text import normal_form, outline

GIVEN = ["Mara", "M.", "É.", "Élise", "Anne-Lise", "Anne Lise", "D'Arcy", "राधा", "रा.", "Dr. Mara", "李", "A.-L."]
MIDDLE = ["", "T.", "Tess", "van der", "v. d.", "(Mo)", "and Omar", "& Ines"]
SURNAME = ["Quill", "O'Dea", "ODea", "Reed-Okafor", "Reed Okafor", "Ma", "Ba", "Weiß", "कोहली", "丽"]
ENDS = ["", " Jr.", ", Sr.", ", PhD", " M.D.", ", MA", " (host)", " [she/her]", ", host", " 🎧", " (host"]

steady = settings(deadline=None, max_examples=300)
plain_names = st.builds(
    lambda *parts: " ".join(parts[:3]) + parts[3],
    *(st.sampled_from(parts) for parts in (GIVEN, MIDDLE, SURNAME, ENDS)),
)
inverted_names = st.builds("{}, {} {}{}".format, *(st.sampled_from(parts) for parts in (SURNAME, GIVEN, MIDDLE, ENDS)))
crooked = st.text(st.sampled_from("ab .,'-&/()[é\u0301李_PhdJr"), max_size=14)
names = plain_names | inverted_names | st.sampled_from(GIVEN + SURNAME) | crooked | st.text(max_size=12)
small_names = st.sampled_from(["Mara Quill", "M. Quill", "Mo", "mo (host)", "Quill, Mara", "Omar", "", "Ines"])
tables = st.dictionaries(small_names, st.lists(small_names, max_size=3), max_size=6)


@steady
@given(names, names)
def test_a_match_is_symmetric(a: str, b: str) -> None:
    assert person_name_match(a, b) is person_name_match(b, a)


@steady
@given(names)
def test_a_name_matches_itself_exactly_unless_blank(name: str) -> None:
    strength = MatchStrength.EXACT if normal_form(name) else MatchStrength.NONE
    assert person_name_match(name, name) is strength


@steady
@given(names, names)
def test_equal_normal_forms_are_exact_and_exact_ones_have_equal_tokens(a: str, b: str) -> None:
    strength = person_name_match(a, b)
    if normal_form(a) == normal_form(b) != "":
        assert strength is MatchStrength.EXACT
    if strength is MatchStrength.EXACT:
        short, long = sorted((name_form(a).tokens, name_form(b).tokens), key=len)
        assert long[: len(short)] == short
        # "Anne Lise Ba" ends in what may be a degree; "Ba, Anne Lise" says that it is the surname.
        assert set(long[len(short) :]) <= {"ba", "kc", "ma"}


def test_a_surname_that_may_be_a_degree_is_exact_once_a_comma_sets_it_first() -> None:
    assert person_name_match("Anne Lise Ba", "Ba, Anne Lise") is MatchStrength.EXACT
    assert person_name_match("Anne Lise", "Ba, Anne Lise") is not MatchStrength.EXACT


@steady
@given(names, names, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.sampled_from(["", "\u200b", "\u202e", "\xad"]))
def test_a_strength_survives_respelling(a: str, b: str, form: str, invisible: str) -> None:
    respelt = invisible.join(normalize(form, a))  # type: ignore[arg-type]
    assert person_name_match(respelt, b) is person_name_match(a, b)


@steady
@given(plain_names | inverted_names, plain_names | inverted_names)
def test_a_strength_survives_case_and_space(a: str, b: str) -> None:
    strength = person_name_match(a, b)
    assert person_name_match(a.upper(), b) is strength
    assert person_name_match(a.lower(), b) is strength
    assert person_name_match(f"\u2028{a.replace(' ', chr(0xA0) + ' ')} ", b) is strength


@steady
@given(plain_names, st.sampled_from([" (host)", " [guest] (x)", " 【x】", " (a (b))", " 🎧", " (she/her) {y}"]))
def test_a_tag_or_pictograph_never_costs_a_match(name: str, tag: str) -> None:
    assert is_match(person_name_match(name + tag, name)) or name_form(name).is_joint or name_form(name).is_titled


@steady
@given(st.sampled_from(["Mara", "M.", "Anne-Lise", "Élise", "Dr. Mara", "李", "Quill, Jr."]), names)
def test_a_bare_name_matches_no_fuller_one(bare: str, other: str) -> None:
    assert len(name_form(bare).tokens) == 1
    assert len(name_form(other).tokens) < 2 or not is_match(person_name_match(bare, other))


@steady
@given(st.text(st.sampled_from("abj .md"), max_size=16))
def test_the_short_cut_for_simple_names_is_the_general_way(text: str) -> None:
    normal = normal_form(text)
    assert name_form(text) == matcher._by_commas(normal, normal, outline(normal))


@pytest.mark.parametrize(
    ("a", "b", "strength"),
    [
        ("p-1", "p-1", "id"),
        ("p-1", "p-2", "none"),
        ("p-1", "P-1", "none"),
        ("p-1", None, "none"),
        ("", "", "none"),
        (None, None, "none"),
    ],
)
def test_equal_ids_decide_and_nothing_else_about_ids_does(a: str | None, b: str | None, strength: str) -> None:
    assert person_name_match("Mara Quill", "Omar Reeve", id_a=a, id_b=b) is MatchStrength(strength)
    same = MatchStrength.ID if strength == "id" else MatchStrength.EXACT
    assert person_name_match("Mara Quill", "Mara Quill", id_a=a, id_b=b) is same


@pytest.mark.parametrize(
    ("a", "b", "strength"),
    [
        ("Daniela Quill", "Dani Quill", "alias"),
        ("DANI  quill", "DQ", "alias"),
        ("Dani Quill", "Dani Quill", "alias"),
        ("Dani Quill (host)", "Daniela Quill", "alias"),
        ("Quill, Dani", "Daniela Quill", "alias"),
        ("Dr. Dani Quill", "Daniela Quill", "none"),
        ("DQ", "Omar Reeve", "alias"),
        ("Dani Quill", "Omar Reeve", "none"),
        ("Jun Ho Tan", "Tan Jun Ho", "alias"),
        ("박 서연", "박서연", "alias"),
        ("D. Quill", "Dani Quill", "surname_given"),
        ("DQ", "Mara Cole", "none"),
        ("Mo", "Moses Okafor", "alias"),
        ("", "Moses Okafor", "none"),
    ],
)
def test_alias(a: str, b: str, strength: str) -> None:
    entries = {
        "Daniela Quill": ["Dani Quill", "DQ"],
        "Omar Reeve": ["dq"],
        "Tan Jun Ho": ["Jun Ho Tan"],
        "박서연": ["박 서연"],
        "Moses Okafor (guest)": ["Mo", "", "\u200b"],
    }
    table = AliasTable(schema_version=1, aliases=entries)
    for aliases in (table, entries, AliasIndex.of(table)):
        assert person_name_match(a, b, aliases=aliases) is MatchStrength(strength)
        assert person_name_match(b, a, aliases=aliases) is MatchStrength(strength)


@steady
@given(tables, small_names, small_names)
def test_an_index_finds_what_a_search_of_the_table_finds(table: dict[str, list[str]], a: str, b: str) -> None:
    def holds(members: list[str], name: str) -> bool:
        spellings = set(name_form(name).spellings)
        return any(spellings & set(name_form(member).spellings) for member in members if member)

    found = any(holds([key, *others], a) and holds([key, *others], b) for key, others in table.items())
    assert (person_name_match(a, b, aliases=table) is MatchStrength.ALIAS) is (found and bool(a and b))


def test_an_index_keeps_entries_apart_and_returns_itself() -> None:
    index = AliasIndex.of({"Mara Quill": ["Mo"], "Omar Reeve": ["Mo", "Quill (x)"], "": "Ines"})
    assert AliasIndex.of(index) is index
    assert index.entries(name_form("MO")) == {0, 1}
    assert index.entries(name_form("Quill")) == {1}
    assert index.entries(name_form("Ines")) == {2}
    assert index.entries(name_form("I")) == index.entries(name_form("")) == frozenset()


def test_ids_come_before_aliases_and_those_before_the_spelling() -> None:
    table = {"Mara Quill": ["M. Quill"]}
    assert person_name_match("Mara Quill", "M. Quill", aliases=table, id_a="1", id_b="1") is MatchStrength.ID
    assert person_name_match("Mara Quill", "M. Quill", aliases=table) is MatchStrength.ALIAS
    assert person_name_match("Mara Quill", "Mara Quill", aliases={}) is MatchStrength.EXACT


def test_four_strengths_are_matches() -> None:
    assert [strength.value for strength in MatchStrength if is_match(strength)] == [
        "id",
        "alias",
        "exact",
        "surname_given",
    ]


def test_only_a_name_put_right_has_a_second_spelling() -> None:
    assert name_form("Mara Quill").spellings == ("mara quill",)
    assert name_form("Quill, Mara (host)").spellings == ("quill, mara (host)", "mara quill")
    assert name_form("Mara Quill, PhD").spellings == ("mara quill, phd",)
    assert name_form("Quill, Omar, Jr.").spellings == ("quill, omar, jr.",)


def test_curated_hits_are_hosts_in_host_order() -> None:
    hosts = ["Omar Reeve", "Mara Quill", "Ines Cole", "Mara Quill"]
    shown = ["M. Quill", None, "speaker_1", "Reeve, Omar", "Ines", " "]
    assert curated_hits(shown, hosts) == ["Omar Reeve", "Mara Quill"]
    assert curated_hits(iter(shown), iter(hosts), aliases={"Ines Cole": ["Ines"]}) == hosts[:3]
    assert curated_hits(["unknown"], ["unknown"]) == []
    assert curated_hits([], hosts) == curated_hits(shown, []) == []


@pytest.mark.parametrize(
    ("host", "channel", "flagged"),
    [
        ("Mara Quill", "Cooking Daily", True),
        ("MARA  QUILL", "Cooking Daily", True),
        ("Mara Quill", "the quill-hour!", False),
        ("Mara Quill", "Quill Extra", False),
        ("Omar Reeve", "The Quill Hour", True),
        ("Omar Reeve", "reeve fm", False),
        ("Ines Cole", "The Quill Hour", True),
        ("Guest Person", "Cooking Daily", False),
        *(("Mara Quill", channel, False) for channel in [None, "", " \u200b", "?!", "unknown", "Unknown channel"]),
        *((host, "Cooking Daily", False) for host in [None, "", "speaker_1"]),
    ],
)
def test_overnaming_is_a_curated_host_off_the_home_channels(
    host: str | None, channel: str | None, *, flagged: bool
) -> None:
    homes = {"Mara Quill": ["The Quill Hour", "Quill Extra"], "Omar Reeve": "Reeve FM", "Ines Cole": []}
    assert is_overnaming(host, channel, homes) is flagged


def test_home_channels_may_be_those_of_the_one_host() -> None:
    for homes in (["The Quill Hour"], {"the quill hour"}, "THE QUILL HOUR", iter(["The Quill-Hour"])):
        assert not is_overnaming("Mara Quill", "The Quill Hour", homes)
    for homes in (["The Quill Hour"], {"the quill hour"}, "THE QUILL HOUR", []):
        assert is_overnaming("Mara Quill", "Cooking Daily", homes)
        assert not is_overnaming(None, "Cooking Daily", homes)


def test_of_one_family_only_what_does_not_contradict_matches() -> None:
    omars = ["Omar Quill", "Omar B. Quill", "Omar A. Quill", "Omar Quill Jr.", "Omar Quill Sr."]
    others = ["Mara Quill", "Ines Reed-Quill", "Dr. Quill", "Quill", "Mara and Omar Quill", "Quill, Ines"]
    pairs = itertools.combinations(omars + others, 2)
    matched = {pair for pair in pairs if is_match(person_name_match(*pair))}
    assert matched == set(itertools.combinations(omars, 2)) - {(omars[1], omars[2]), (omars[3], omars[4])}
