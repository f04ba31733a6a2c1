import pytest

from voxint.cli.programs import run_program

VERBS = {"list": ("contract", "list"), "show": ("contract", "show")}


def test_a_verb_is_its_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_program("p.py", VERBS, ["show", "no/such/contract"]) == 2
    assert "no/such/contract" in capfd.readouterr().err


@pytest.mark.parametrize(("argv", "code"), [([], 2), (["lists"], 2), (["-h"], 0), (["--help"], 0)])
def test_without_a_verb_the_verbs_are_named(argv: list[str], code: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_program("p.py", VERBS, argv) == code
    printed = capfd.readouterr()
    assert (printed.err if code else printed.out) == "usage: p.py list|show [arguments]; VERB --help shows them\n"
    assert (printed.out if code else printed.err) == ""
