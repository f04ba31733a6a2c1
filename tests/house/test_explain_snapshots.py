"""The table of changed snapshots, against small hand-made versions."""

from __future__ import annotations

from tools.explain_snapshots import changes, leaves, table


def test_leaves_are_pointers_to_scalars() -> None:
    value = {"a/b": {"~": [1, 2.5]}, "empty": {}, "none": None}
    assert dict(leaves(value)) == {"/a~1b/~0/0": "1", "/a~1b/~0/1": "2.5", "/empty": "{}", "/none": "None"}


def test_changes_name_the_pointer_and_both_values() -> None:
    before, after = '{"n": 1, "gone": true, "same": 0}', '{"n": 2, "same": 0, "new": [3]}'
    assert list(changes("x.json", before, after)) == [
        ("/n", "1", "2"),
        ("/gone", "True", "(absent)"),
        ("/new/0", "(absent)", "3"),
    ]


def test_text_changes_by_line_and_new_files_have_no_before() -> None:
    assert list(changes("x.txt", "a\nb\n", "a\nc\n")) == [("line 2", "b", "c")]
    assert list(changes("x.txt", None, "a\n")) == [("line 1", "(absent)", "a")]


def test_a_table_is_markdown_and_bounded() -> None:
    assert table([("c", "/p", "a|b", "2")]).splitlines()[2] == "| c | /p | a\\|b | 2 |"
    assert table([("c", "/p", "1", "2")] * 203).endswith("3 more values changed.")
