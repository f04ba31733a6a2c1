"""meetings.xml: who takes part, whatever the namespace; entities and faults by line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from voxint.corpus import Participant
from voxint.errors import ContractError, InputError
from voxint.io.ami_xml import meetings

ROOT = Path(__file__).resolve().parents[2]


def write(folder: Path, text: str, encoding: str = "utf-8") -> str:
    path = folder / "m.xml"
    path.write_bytes(text.encode(encoding))
    return str(path)


def refused(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        meetings(write(folder, text))
    return [line.removeprefix(f"{folder}/") for line in caught.value.lines()]


@pytest.mark.parametrize(
    "text",
    [
        '<r><meeting observation="M1"><speaker nxt_agent="A" channel="0" global_name="P"/></meeting></r>',
        (
            '<n:r xmlns:n="urn:n"><n:meeting n:observation="M1">'
            '<n:speaker n:nxt_agent="A" n:channel="0" n:global_name="P"/></n:meeting></n:r>'
        ),
        (
            '<r xmlns="urn:d"><other/><meeting observation="M1"><x>'
            '<speaker nxt_agent="A" channel="0" global_name="P"/></x></meeting></r>'
        ),
        (
            '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE r><r><meeting observation="M1">'
            '<speaker nxt_agent="A" channel="0" global_name="P"/></meeting></r>'
        ),
    ],
)
def test_names_count_and_namespaces_do_not(tmp_path: Path, text: str) -> None:
    assert meetings(write(tmp_path, text)) == {"M1": (Participant("A", "P", "0"),)}


def test_the_example_has_six_meetings() -> None:
    found = meetings(str(ROOT / "examples/attribution/meetings.xml"))
    assert {name: [person.global_name for person in people] for name, people in found.items()} == {
        "TA1001a": ["ANA", "BEN", "CLEO"],
        "TA1001e": ["ANA", "BEN"],
        "TA1002a": ["ANA", "DAN"],
        "TA1003a": ["BEN", "IDA"],
        "TA1004a": ["EVE", "FAY"],
        "TA1005a": ["GUS", "HAL"],
    }


def test_a_declared_encoding_is_kept_and_a_channel_may_be_absent(tmp_path: Path) -> None:
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    text = head + '<r><meeting observation="M"><speaker nxt_agent="A" global_name="Zoë"/></meeting></r>'
    assert meetings(write(tmp_path, text, "latin-1")) == {"M": (Participant("A", "Zoë", None),)}


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">\n' for n in range(1, 9))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f'<!DOCTYPE r [\n<!ENTITY e0 "lol">\n{BOMB}]>\n<r>&e8;</r>', "2:"),
        ('<!DOCTYPE r [\n\n  <!ENTITY x SYSTEM "file:///etc/hostname">\n]>\n<r>&x;</r>', "3:"),
        ('<!DOCTYPE r [\n<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;\n]>\n<r/>', "2:"),
        ('\n<!DOCTYPE r SYSTEM "file:///etc/hostname">\n<r/>', "2:"),
    ],
)
def test_entities_are_refused_where_they_stand(tmp_path: Path, text: str, place: str) -> None:
    (said,) = refused(tmp_path, text)
    assert said.startswith(f"m.xml:{place}")
    assert "declares or asks for an XML entity, which is refused" in said


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    text = """<r>
<meeting/>
<meeting observation="a"><speaker nxt_agent="A"/></meeting>
<meeting observation="b"/>
<speaker/>
<meeting observation="c"><speaker nxt_agent="A" global_name="P"/>
  <speaker nxt_agent="B" global_name="P"/><speaker nxt_agent="A" global_name="Q"/></meeting>
<meeting observation="c"><speaker nxt_agent="A" global_name="P"/></meeting>
</x></r>"""
    assert [": ".join(line.split(": ")[:2]) for line in refused(tmp_path, text)] == [
        "m.xml:2:1: a meeting must have an observation, which is its id",
        "m.xml:3:26: a speaker must have global_name",
        'm.xml:4:27: meeting "b" has no speaker',
        'm.xml:7:3: global_name "P" stands twice in meeting "c"',
        'm.xml:7:43: nxt_agent "A" stands twice in meeting "c"',
        'm.xml:8:1: meeting "c" stands twice (see line 6)',
        "m.xml:9:3: is not well-formed XML",
    ]


def test_ids_that_look_like_others_and_are_none_are_refused(tmp_path: Path) -> None:
    text = """<r><meeting observation="a&#x200b;"><speaker nxt_agent="A" global_name="P"/></meeting>
<meeting observation="b"><speaker nxt_agent="A" global_name="P&#xad;"/></meeting></r>"""
    assert [line for line in refused(tmp_path, text) if "cannot be seen" in line] == [
        'm.xml:1:4: observation has a character that cannot be seen: "a\\u200b"',
        'm.xml:2:26: global_name has a character that cannot be seen: "P\\u00ad"',
    ]


@pytest.mark.parametrize(("text", "said"), [("<r/>", "m.xml: has no meeting"), ("", "m.xml:1:1: is not well-formed")])
def test_nothing_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert refused(tmp_path, text)[0].startswith(said)


def test_many_faults_are_counted(tmp_path: Path) -> None:
    said = refused(tmp_path, "<r>" + "<meeting/>\n" * 25 + "</r>")
    assert len(said) == 21
    assert said[-1].endswith("5 more faults not shown")


def test_utf_16_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="looks like UTF-16") as caught:
        meetings(write(tmp_path, "<r/>", "utf-16"))
    assert not isinstance(caught.value, ContractError)
