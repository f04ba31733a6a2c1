"""A parameter knows how it is typed and whether it names a file that is read."""

from __future__ import annotations

from voxint.cli.spec import DOCUMENT, FORMATS, PAGES, SEVERAL, STREAM, TEXT, Parameter, Spec


def test_words_are_shouted_and_flags_are_hyphenated() -> None:
    assert Parameter("items", STREAM, "", positional=True).shown == "ITEMS"
    assert Parameter("target_accuracy", TEXT, "").shown == "--target-accuracy"


def test_only_streams_and_documents_are_inputs() -> None:
    kinds = {kind: Parameter("x", kind, "").is_input for kind in (STREAM, DOCUMENT, SEVERAL, TEXT)}
    assert kinds == {STREAM: True, DOCUMENT: True, SEVERAL: True, TEXT: False}


def test_a_command_with_a_report_can_write_it_somewhere_in_some_form() -> None:
    spec = Spec(("a", "b"), "m:f", "", "", (), "family/v1/report", "")
    assert [p.name for p in spec.all_parameters()] == ["out", "format"]
    assert spec.all_parameters()[1].choices == FORMATS
    assert Spec(("a", "b"), "m:f", "", "", (), TEXT, "").all_parameters() == ()


def test_a_report_for_people_is_written_in_their_form_first() -> None:
    (name,) = PAGES
    spec = Spec(("a", "b"), "m:f", "", "", (), name, "")
    out, form = spec.all_parameters()
    assert (spec.forms[0], form.choices) == ("md", PAGES[name])
    assert "a file or a pipe gets md by default" in form.help
    assert "a pipe gets the report" in out.help
    assert set(FORMATS) | {"html"} == set(PAGES[name])
