"""Records that contradict the enrollment or one another, each named once, at its place."""

from __future__ import annotations

from typing import Any

import pytest
from naive_agreement import enrollment, item, records, slot, thresholds, voiceprint
from voxint_contracts.agreement import v1 as contract

from voxint.errors import RecordError
from voxint.harness import packed
from voxint.harness.agreement_gallery import Gallery
from voxint.harness.agreement_intake import Intake

GALLERY = Gallery.of(enrollment(a=voiceprint(1, 0)), thresholds())


def intake(*items: Any) -> tuple[list[bool], RecordError | None]:
    looker = Intake(GALLERY)
    admitted = [looker.admits(each) for each in items]
    try:
        looker.close()
    except RecordError as error:
        return admitted, error
    return admitted, None


def fault(*items: dict[str, Any]) -> tuple[int | None, Any, str]:
    _, error = intake(*records(*items))
    assert error is not None
    (found,) = error.records
    assert found.parameter == "slots"
    return found.index, found.path, found.message


FINE = item("fine", "a", S0=slot(1, 0))


def test_records_without_fault_are_admitted() -> None:
    admitted, error = intake(*records(FINE, item("none"), item("x", "a", S0=slot(-1, 0), S1=slot(0, 5e-324))))
    assert (admitted, error) == ([True] * 3, None)


@pytest.mark.parametrize(
    ("changed", "path", "message"),
    [
        ({"host_id": "A"}, ("host_id",), 'must be a host of the enrollment: "A" has no voiceprint'),
        ({"host_id": None}, ("host_id",), "must name the host of a curated item"),
        (
            {"embedding_space": "toy-v2"},
            ("embedding_space",),
            'must be "toy-v1", the space of the enrollment, not "toy-v2"',
        ),
        (
            {"slots": {"S 0": slot(1, 2, 3)}},
            ("slots", "S 0", "embedding"),
            "must have 2 numbers (dims of the enrollment), not 3",
        ),
        ({"slots": {"S0": slot(1, 0), "S1": slot(1)}}, ("slots", "S1", "embedding"), "must have 2 numbers"),
        ({"slots": {"S0": slot(0, -0.0)}}, ("slots", "S0", "embedding"), "must not be all zero"),
    ],
)
def test_a_record_that_does_not_fit_the_enrollment(changed: Any, path: Any, message: str) -> None:
    index, where, said = fault(FINE, {**item("bad", "a"), **changed})
    assert (index, where) == (1, path)
    assert said.startswith(message)


def test_a_record_of_another_space_has_one_fault() -> None:
    assert fault({**item("bad", "nobody", S0=slot(1, 2, 3)), "embedding_space": "toy-v2"})[1] == ("embedding_space",)


def test_a_space_is_spelt_in_one_way_within_a_file() -> None:
    first, second = ({**item(f"i{n}", "a"), "embedding_space": space} for n, space in enumerate(["toy-v1 ", "toy-v1"]))
    assert intake(*records(first, {**first, "item_id": "z"})) == ([True, True], None)
    index, path, message = fault(first, second)
    assert (index, path) == (1, ("embedding_space",))
    assert message == '"toy-v1" is another spelling of "toy-v1 ": one space is spelt one way'


@pytest.mark.parametrize("length", [1, 2, 100])
@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("x", "x", 'duplicate item_id "x"'),
        ("x ", "x ", 'duplicate item_id "x "'),
        ("x", "x ", 'item_id "x " is another spelling of "x": one id is spelt one way'),
        ("x\t", "x", 'item_id "x" is another spelling of "x\\u0009": one id is spelt one way'),
        ("\u00e9", "e\u0301", r'item_id "e\u0301" is another spelling of "\u00e9": one id is spelt one way'),
    ],
)
def test_an_item_stands_once_in_one_spelling(
    one: str, other: str, message: str, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "RUN_LENGTH", length)
    admitted, error = intake(*records(item("a", "a"), item(one, "a"), item("b", "a"), item(other, "a")))
    assert admitted == [True] * 4
    assert error is not None
    (found,) = error.records
    assert (found.index, found.path, found.other) == (3, ("item_id",), ("slots", 1))
    assert found.message == message


def test_after_the_first_fault_nothing_is_admitted_and_all_are_counted() -> None:
    bad = [item(f"i{n}", "nobody") for n in range(30)]
    admitted, error = intake(*records(FINE, *bad, item("fine", "a")))
    assert admitted == [True] + [False] * 31
    assert error is not None
    assert (error.n_faults, [found.index for found in error.records]) == (31, list(range(1, 21)))


def test_a_model_that_no_reader_made_is_looked_at_too() -> None:
    zero = contract.SlotsRecord.model_validate_json(records(FINE)[0].model_dump_json().replace("[1.0,0.0]", "[0,0]"))
    assert intake(zero)[0] == [False]
