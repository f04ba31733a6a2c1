"""Protocols: who enrols where, which half a session is in, that no leak gets out; by hand and on the whole corpus."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxint_contracts.attribution_protocol.v2 import ProtocolManifest

from voxint.corpus import Meetings, Participant, Recordings, Timeline
from voxint.errors import ContractError, InputError, RecordError, UsageError, VersionError
from voxint.harness.ami_recurrence import cross_session_speakers, sessions_by_speaker
from voxint.harness.attribution_protocol import generate, inspect_manifest, parse_manifest, serialize_manifest
from voxint.io.ami_xml import meetings
from voxint.io.rttm import folder

AMI = Path(__file__).resolve().parents[3] / "shared" / "data" / "ami"


def index(**people: str) -> Meetings:
    return {name: tuple(Participant(chr(65 + n), each) for n, each in enumerate(who)) for name, who in people.items()}


def gold(corpus: Meetings) -> Recordings:
    return {name: Timeline(1, {each.global_name: [(0, 1)] for each in who}) for name, who in corpus.items()}


def uses(manifest: ProtocolManifest) -> dict[str, str]:
    return {row.meeting_id: f"{row.role}/{row.split}" for row in manifest.rows}


SMALL = index(M1a="PQ", M1b="PX", M2a="PQ", M3="P", M4a="QY", M5a="Z", M6a="W", M6b="W")


def test_everyone_enrols_where_they_are_most_and_ties_go_to_the_first_session() -> None:
    """P: M1 twice, M2 and M3 once, so M1. Q: M1, M2, M4 once each, so M1. Tests: M2, M3, M4, linked by P and Q."""
    manifest = generate(meetings_xml=SMALL)
    halves = {split for name, use in uses(manifest).items() for split in [use.split("/")[1]] if name >= "M2"}
    assert {name: use.split("/")[0] for name, use in uses(manifest).items()} == {
        "M1a": "enrollment",
        "M1b": "enrollment",
        "M2a": "test_genuine",
        "M3": "test_genuine",
        "M4a": "test_genuine",
    }
    assert halves == {"dev"}
    assert [row.host_global_name for row in manifest.rows if row.meeting_id == "M1b"] == ["P", "X"]


def test_components_alternate_in_the_order_of_their_hashes() -> None:
    corpus = index(A1a="PQRS", A1b="PQRS", B2="P", B3="Q", B4="R", B5="S")
    manifest = generate(meetings_xml=corpus, split_seed="x")
    order = sorted(["B2", "B3", "B4", "B5"], key=lambda each: hashlib.sha256(f"x:{each}".encode()).hexdigest())
    found = uses(manifest)
    assert [found[each] for each in order] == ["test_genuine/dev", "test_genuine/confirm"] * 2


@pytest.mark.parametrize("seed", ["ami-attribution-split-v1", "x", "y"])
def test_the_open_set_is_taken_by_hash_and_split_by_session(seed: str) -> None:
    """By the seed x the first meeting by name comes last, and by y the last one first."""
    manifest = generate(meetings_xml=SMALL, gold_rttm_dir=gold(SMALL), open_set=2, split_seed=seed)
    order = sorted(["M5a", "M6a", "M6b"], key=lambda each: hashlib.sha256(f"{seed}:{each}".encode()).hexdigest())
    assert {name for name, use in uses(manifest).items() if "open" in use} == set(order[:2])
    chosen = manifest.open_set_selection
    assert (chosen.requested, chosen.selected, chosen.candidates) == (2, 2, 3)
    everything = generate(meetings_xml=SMALL, gold_rttm_dir=gold(SMALL), open_set=99)
    assert everything.open_set_selection.selected == 3
    halves = uses(everything)
    assert halves["M6a"] == halves["M6b"] != halves["M5a"]


def test_an_open_meeting_needs_gold() -> None:
    heard = {name: timeline for name, timeline in gold(SMALL).items() if name != "M5a"}
    assert generate(meetings_xml=SMALL, gold_rttm_dir=heard, open_set=9).open_set_selection.candidates == 2
    with pytest.raises(UsageError, match="--open-set needs --gold-rttm-dir"):
        generate(meetings_xml=SMALL, open_set=1)


def test_a_meeting_left_out_counts_nowhere() -> None:
    manifest = generate(meetings_xml=SMALL, exclude_meetings="M1b, M4a")
    assert [(each.meeting_id, each.reason) for each in manifest.exclusions] == [
        ("M1b", "left out on request"),
        ("M4a", "left out on request"),
    ]
    assert manifest.recurrence_report.n_meetings == 6
    assert manifest.recurrence_report.n_participants == 4
    with pytest.raises(UsageError, match='--exclude-meetings: no such meeting: "", "M9"'):
        generate(meetings_xml=SMALL, exclude_meetings="M1b,,M9")


@pytest.mark.parametrize(
    ("corpus", "said"),
    [({}, "give one"), (index(M1a="PQ", M1b="P"), "nobody takes part in two base sessions")],
)
def test_a_corpus_without_recurrence_has_no_protocol(corpus: Meetings, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        generate(meetings_xml=corpus)


def test_a_leak_fails_the_generation_and_is_named() -> None:
    """X is in the session where P enrols, and alone in another meeting of that session: no open-set meeting."""
    corpus = index(M1a="PX", M1b="X", M2a="P")
    with pytest.raises(InputError, match="^the protocol would leak: ") as caught:
        generate(meetings_xml=corpus, gold_rttm_dir=gold(corpus), open_set=1)
    assert 'speaker "X" is enrolled from and tested in base session "M1"' in str(caught.value)


CORPORA = st.dictionaries(
    st.builds("{}{}".format, st.integers(1, 5), st.sampled_from("abe")),
    st.frozensets(st.sampled_from("PQRSTUV"), min_size=1),
).map(lambda drawn: {**drawn, "8a": frozenset("P"), "9a": frozenset("PQ")})


@given(CORPORA, st.sampled_from(["any", "abcd"]), st.integers(0, 4), st.text("ab ,:\u00e9", min_size=1, max_size=3))
def test_a_protocol_that_comes_out_is_honest(
    drawn: dict[str, frozenset[str]], suffixes: str, n_open: int, seed: str
) -> None:
    corpus = index(**{name: "".join(sorted(who)) for name, who in drawn.items()})
    try:
        manifest = generate(
            meetings_xml=corpus,
            gold_rttm_dir=gold(corpus),
            open_set=n_open,
            session_suffixes=suffixes,
            split_seed=seed,
        )
    except InputError as error:
        assert str(error).startswith("the protocol would leak: ")  # noqa: PT017
        return
    assert parse_manifest(serialize_manifest(manifest)) == manifest
    inspected = inspect_manifest(manifest=manifest)
    assert sum(use.n_rows for use in inspected.uses) == inspected.n_rows == len(manifest.rows)
    sessions = sessions_by_speaker(corpus, suffixes)
    by_role = Counter((row.host_global_name, row.role) for row in manifest.rows)
    for name in cross_session_speakers(corpus, suffixes):
        assert by_role[name, "enrollment"] >= max(sessions[name].values())
        assert not by_role[name, "test_open"]
    shuffled = dict(reversed([(name, tuple(reversed(people))) for name, people in corpus.items()]))
    again = generate(
        meetings_xml=shuffled, gold_rttm_dir=gold(corpus), open_set=n_open, session_suffixes=suffixes, split_seed=seed
    )
    assert again == manifest


def test_schema_1_is_told_how_to_be_regenerated() -> None:
    with pytest.raises(VersionError, match="must be 2, not 1; schema 1 has no roles and splits: regenerate"):
        parse_manifest('{"schema_version": 1, "rows": []}')
    with pytest.raises(VersionError, match="must be 2, not 3$"):
        parse_manifest('{"schema_version": 3}')


def test_a_text_that_is_no_manifest_is_refused() -> None:
    with pytest.raises(ContractError, match="corpus"):
        parse_manifest('{"schema_version": 2}')
    with pytest.raises(ContractError, match="JSON"):
        parse_manifest("{")
    broken = serialize_manifest(generate(meetings_xml=SMALL)).replace('"split":"dev"', '"split":"enrollment"')
    with pytest.raises(ContractError, match="is no split of a meeting with the role test_genuine"):
        parse_manifest(broken)


def test_an_inspection_names_a_leak() -> None:
    manifest = generate(meetings_xml=SMALL)
    rows = [row.model_copy(update={"base_session_id": "M1"}) for row in manifest.rows]
    with pytest.raises(RecordError, match='must be "M2" by the session suffixes "any"'):
        inspect_manifest(manifest=manifest.model_copy(update={"rows": rows}))
    hidden = manifest.model_copy(update={"rows": rows, "session_suffixes": None})
    with pytest.raises(RecordError, match="is enrolled from and tested in"):
        inspect_manifest(manifest=hidden)


@pytest.mark.shared
@pytest.mark.parametrize(("suffixes", "roles"), [("abcd", (44, 10, 116)), ("any", (41, 9, 120))])
def test_the_whole_corpus(suffixes: str, roles: tuple[int, int, int]) -> None:
    if not AMI.is_dir():
        pytest.skip("needs the shared data folder beside the repository")
    corpus, heard = meetings(str(AMI / "meetings-derived-from-rttm.xml")), folder(str(AMI / "gold"))
    manifest = generate(meetings_xml=corpus, gold_rttm_dir=heard, open_set=170, session_suffixes=suffixes)
    found = Counter(use.split("/")[0] for use in uses(manifest).values())
    assert (found["enrollment"], found["test_genuine"], found["test_open"]) == roles
    assert len(inspect_manifest(manifest=manifest).uses) == 5
    assert manifest == generate(
        meetings_xml={name: corpus[name] for name in reversed(corpus)},
        gold_rttm_dir=heard,
        open_set=170,
        session_suffixes=suffixes,
    )


@pytest.mark.shared
def test_the_published_session_rule_leaks_by_the_right_one() -> None:
    """With a-d alone EN2001e is another day: the protocol tests people there who are enrolled from EN2001."""
    if not AMI.is_dir():
        pytest.skip("needs the shared data folder beside the repository")
    heard = folder(str(AMI / "gold"))
    manifest = generate(gold_rttm_dir=heard, open_set=170, session_suffixes="abcd")
    rows = [
        row.model_copy(update={"base_session_id": "EN2001"}) if row.meeting_id.startswith("EN2001") else row
        for row in manifest.rows
    ]
    with pytest.raises(RecordError, match='is enrolled from and tested in base session "EN2001"'):
        inspect_manifest(manifest=manifest.model_copy(update={"rows": rows, "session_suffixes": None}))
