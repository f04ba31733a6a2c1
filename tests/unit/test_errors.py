"""One shape for every message: file:line:col: path: what is wrong."""

from __future__ import annotations

import pytest

from voxint.errors import ContractError, Fault, InputError, RecordError, RecordFault, json_path, listed, quoted


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ((), "$"),
        (("slots", "SPK 0", "embedding", 2), '$.slots["SPK 0"].embedding[2]'),
        (("a.b", 'q"\\', "\n\u2028", "é"), '$["a.b"]["q\\"\\\\"]["\\u000a\\u2028"].é'),
    ],
)
def test_json_path(path: tuple[str | int, ...], shown: str) -> None:
    assert json_path(path) == shown


@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        (Fault("is empty"), "is empty"),
        (Fault("is empty", "a.json"), "a.json: is empty"),
        (Fault("bad", "a.json", 3), "a.json:3: bad"),
        (Fault("bad", "evil\nname\x1b[0m.json", 3), "evil\\nname\\x1b[0m.json:3: bad"),
        (Fault("bad", "a.json", 3, 5, ("x",)), "a.json:3:5: $.x: bad"),
    ],
)
def test_a_fault_is_one_line(fault: Fault, shown: str) -> None:
    assert str(fault) == shown


def test_quoted_is_one_short_line() -> None:
    assert quoted('say "hi"\n\U0001f600\u200b') == '"say \\"hi\\"\\u000a\U0001f600\\u200b"'
    assert quoted("x" * 70) == '"' + "x" * 59 + '…"'


def test_twenty_faults_are_shown_and_the_rest_counted() -> None:
    error = ContractError([Fault(f"f{k}", "a.json") for k in range(20)], 22)
    shown = str(error).splitlines()
    assert shown[:20] == [f"a.json: f{k}" for k in range(20)]
    assert shown[20:] == ["a.json: 2 more faults not shown"]
    assert str(InputError([Fault("x")], 2)).splitlines()[1] == "1 more fault not shown"


def test_the_count_names_a_file_only_if_there_is_one() -> None:
    assert str(ContractError([Fault("x", "a"), Fault("y", "b")], 5)).splitlines()[-1] == "3 more faults not shown"


def test_an_input_error_can_be_one_text() -> None:
    assert InputError("just this").n_faults == 1
    assert list(InputError("just this").lines()) == ["just this"]


def test_a_record_error_speaks_of_parameters_until_somebody_knows_the_file() -> None:
    error = RecordError(
        [RecordFault("items", 3, "duplicate", ("item_id",)), RecordFault("baseline", None, "lacks one")]
    )
    assert str(error).splitlines() == ["items[3]: $.item_id: duplicate", "baseline: lacks one"]


def test_a_long_key_is_cut() -> None:
    assert json_path(("k" * 120, 3)) == "$." + "k" * 120 + "[3]"
    assert json_path(("k" * 5000, 3)) == '$["' + "k" * 120 + '…"][3]'


def test_a_list_is_cut_at_five() -> None:
    assert listed("abcdefg") == '"a", "b", "c", "d", "e" and 2 more'
    assert listed("a") == '"a"'
