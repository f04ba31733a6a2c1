"""Every field and value has its word, every word is used, and units and ranges agree with the schemas."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
from contract_support import CONTRACTS, ROOT

from tools._contracts.shapes import List, Map, Nested, Ref, Scalar, Type, range_of
from tools._contracts.vocabulary import Vocabulary, Word, parse_vocabulary, vocabulary_faults

TEXT = (ROOT / "contracts/vocabulary.toml").read_text(encoding="utf-8")
WORDS = parse_vocabulary(TEXT)


def _with(**words: Word | None) -> Vocabulary:
    fields = {name: word for name, word in (WORDS.fields | words).items() if word is not None}
    return replace(WORDS, fields=fields)


def _faults(vocabulary: Vocabulary) -> list[str]:
    return list(vocabulary_faults(vocabulary, CONTRACTS))


def test_the_vocabulary_fits() -> None:
    assert _faults(WORDS) == []


def test_meanings_are_sentences() -> None:
    tables = tomllib.loads(TEXT)
    meanings = [each["meaning"] for table in ("terms", "fields") for each in tables[table].values()]
    meanings += [meaning for values in tables["values"].values() for meaning in values.values()]
    assert [each for each in meanings if not each.endswith(".") or "\n" in each] == []


def test_a_field_that_is_not_listed() -> None:
    assert "field NameSlot.duration is not listed" in _faults(_with(duration=None))


def test_a_field_that_no_contract_has() -> None:
    found = _faults(_with(tempo=Word("s", ">= 0", "d")))
    assert found == ["field tempo is listed, but no contract has it"]


def test_a_word_of_its_own_goes_before_the_common_one() -> None:
    own = {"NameSlot.duration": Word("s", "any", "d")}
    assert "in its schema" in _faults(replace(WORDS, fields=WORDS.fields | own))[0]
    exact = {"name_accuracy/v1/NameSlot.duration": WORDS.fields["duration"]}
    both = replace(WORDS, fields=WORDS.fields | own | exact)
    assert "field NameSlot.duration is listed, but no contract has it" in _faults(both)


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        (Word("s", ">= 1", "d"), "has the range '>= 1' here, and '>= 0' in its schema"),
        (Word("hours", ">= 0", "d"), "has the unit 'hours', which is not listed"),
        (Word("count", ">= 0", "d"), "has the unit 'count', which is for integer, not for number"),
        (Word("share", ">= 0", "d"), "has the unit 'share', and its schema allows more than the unit: >= 0"),
    ],
)
def test_a_word_that_disagrees_with_its_schema(word: Word, fault: str) -> None:
    assert f"field NameSlot.duration {fault}" in _faults(_with(duration=word))


@pytest.mark.parametrize("unit", ["s", "score"])
@pytest.mark.parametrize(
    ("name", "where"), [("recall", "NameAggregate.recall"), ("accuracy_ci95", "NameAccuracyReport.accuracy_ci95")]
)
def test_a_unit_without_ends_on_a_number_with_two(unit: str, name: str, where: str) -> None:
    (fault,) = _faults(_with(**{name: replace(WORDS.fields[name], unit=unit)}))
    assert (
        fault == f"field {where} has the unit {unit!r}, which has no such ends as [0, 1]; "
        "it is a share or a difference or a cosine"
    )


@pytest.mark.parametrize("meaning", ["", " "])
def test_a_meaning_that_says_nothing(meaning: str) -> None:
    fields = WORDS.fields | {"tp": replace(WORDS.fields["tp"], meaning=meaning)}
    units = WORDS.units | {"s": replace(WORDS.units["s"], meaning=meaning)}
    values = WORDS.values | {"SlotVerdict": WORDS.values["SlotVerdict"] | {"TP": meaning}}
    silent = replace(
        WORDS, terms=WORDS.terms | {"item": {"meaning": meaning}}, units=units, fields=fields, values=values
    )
    assert _faults(silent) == [
        "term item has no meaning",
        "unit s has no meaning",
        "field tp has no meaning",
        "value SlotVerdict.TP has no meaning",
    ]


def test_values_that_are_not_listed_or_not_used() -> None:
    verdicts = {name: text for name, text in WORDS.values["SlotVerdict"].items() if name != "TP"}
    changed = replace(WORDS, values=WORDS.values | {"SlotVerdict": verdicts | {"MAYBE": "d"}, "Mood": {"calm": "d"}})
    assert _faults(changed) == [
        "value Mood.calm is listed, but no contract has it",
        "value SlotVerdict.TP is not listed",
        "value SlotVerdict.MAYBE is listed, but no contract has it",
    ]


def test_a_unit_that_no_field_has() -> None:
    units = WORDS.units | {"ms": WORDS.units["s"]}
    assert _faults(replace(WORDS, units=units)) == ["unit ms is listed, but no contract has it"]


@pytest.mark.parametrize("text", ["", '[terms]\n[units]\n[values]\n[fields]\na = {unit = "s", meaning = "d"}\n'])
def test_an_entry_with_the_wrong_keys_is_refused(text: str) -> None:
    with pytest.raises((KeyError, TypeError)):
        parse_vocabulary(text)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Scalar("number"), "finite"),
        (Scalar("number", 0, 1), "[0, 1]"),
        (Scalar("number", 0, 1, low_open=True, high_open=True), "(0, 1)"),
        (Scalar("number", 0), ">= 0"),
        (Scalar("number", None, 2.5, high_open=True), "< 2.5"),
        (Scalar("integer", 0, 2**31 - 1), ">= 0"),
        (Scalar("integer", -(2**31), 2**31 - 1), "any"),
        (Scalar("integer", 1, 1), "1"),
        (Scalar("integer", 0, 2**32 - 1), "[0, 4294967295]"),
        (Scalar("string"), "any text"),
        (Scalar("string", 1), "non-empty"),
        (Scalar("string", 64, 64), "length 64"),
        (Scalar("string", 1, 9), "length [1, 9]"),
        (Scalar("string", const="pet"), "pet"),
        (Scalar("boolean"), "true or false"),
        (Scalar("boolean", const=False), "false"),
        (Ref("zoo/v1", "Tag"), "Tag"),
        (List(Scalar("number", 0, 1), 2, 2), "list of [0, 1], length 2"),
        (List(Ref("zoo/v1", "Tag")), "list of Tag"),
        (Map(Ref("zoo/v1", "Tag"), 1), "map of Tag, length >= 1"),
        (Nested("array", "list of (list of (number finite))"), "list of (list of (number finite))"),
    ],
)
def test_ranges_as_the_glossary_writes_them(shape: Type, text: str) -> None:
    assert range_of(shape) == text
