"""Many meetings at once: what a document of trials holds, what is refused, and all 34 real hypotheses."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive_alignment as naive
import pytest
from voxint_contracts.attribution.v1 import AlignInput, TrialsDocument

from voxint.cli import main
from voxint.cli.align_files import align_files
from voxint.errors import RecordError
from voxint.harness.attribution_meetings import AlignFiles, score
from voxint.io import read, rttm
from voxint.semantics import rules_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "attribution"
AMI = ROOT.parent / "shared" / "data" / "ami"


def example(**changes: Any) -> AlignFiles:
    """The example's input with top-level fields replaced."""
    files, _ = align_files("manifest", str(EXAMPLE / "align-input.json"))
    text = json.loads((EXAMPLE / "align-input.json").read_text(encoding="utf-8")) | changes
    document = AlignInput.model_validate_json(json.dumps(text))
    return AlignFiles(document, files.protocol, files.gold, files.hypotheses)


def plain() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLE / "align-input.json").read_text(encoding="utf-8"))
    return found


def refused(manifest: AlignFiles) -> list[tuple[Any, str]]:
    with pytest.raises(RecordError) as caught:
        score(manifest=manifest)
    return [(record.path, record.message) for record in caught.value.records]


def test_the_example_is_what_its_page_works_out() -> None:
    document = score(manifest=example())
    assert [(t.meeting_id, t.slot_label, t.slot_classification, t.detail) for t in document.trials] == [
        ("TA1002a", "SPEAKER_00", "genuine", "genuine"),
        ("TA1002a", "SPEAKER_01", "unscoreable_eligibility", "unscoreable"),
        ("TA1003a", "SPEAKER_00", "genuine", "impostor_closed"),
        ("TA1003a", "SPEAKER_01", "genuine", "impostor_open"),
        ("TA1003a", "SPEAKER_02", "unscoreable_purity", "unscoreable"),
        ("TA1004a", "SPEAKER_00", "unscoreable_margin", "unscoreable"),
        ("TA1004a", "SPEAKER_01", "no_gold_overlap", "unscoreable"),
        ("TA1004a", "SPEAKER_02", "unscoreable_coverage", "unscoreable"),
        ("TA1005a", "SPEAKER_00", "unscoreable_eligibility", "unscoreable"),
        ("TA1005a", "SPEAKER_01", "mixed", "unscoreable"),
    ]
    first, mixed = document.trials[0], document.trials[-1]
    assert (first.slot_purity, first.slot_coverage, first.slot_duration) == (13 / 14.2, 1.0, 14.2)
    assert (mixed.slot_purity, mixed.slot_margin) == (11.5 / 15, 8.75 / 15)
    assert document.alignment["TA1003a"].classes == {"genuine": 2, "unscoreable_purity": 1}
    assert document.alignment["TA1003a"].model_dump(exclude={"classes"}) == {
        "collar": 0.25,
        "gold_speakers": 2,
        "slots": 3,
    }
    assert (document.warnings, document.environment) == ([], {})
    assert document.protocol_summary.n_meetings == 6


def test_turn_counts_come_from_the_evidence() -> None:
    evidence = plain()["match_evidence"]
    evidence["TA1002a"]["SPEAKER_00"]["eligible_turns"] = 1
    assert score(manifest=example(match_evidence=evidence)).trials[0].slot_classification == "unscoreable_eligibility"
    evidence["TA1002a"]["SPEAKER_00"]["eligible_turns"] = None
    assert score(manifest=example(match_evidence=evidence)).trials[0].slot_classification == "genuine"


def test_warnings_say_what_is_missing_or_left_over() -> None:
    evidence = plain()["match_evidence"]
    del evidence["TA1004a"]
    evidence["TA1005a"] = {}
    evidence["TA1002a"]["SPEAKER_09"] = evidence["TA1002a"]["SPEAKER_00"]
    evidence["TA9999a"] = {}
    files = example(match_evidence=evidence)
    heard = dict(files.gold) | {"TA1003a": files.gold["TA1002a"]}
    assert score(manifest=AlignFiles(files.document, files.protocol, heard, files.hypotheses)).warnings == [
        'meeting "TA1002a": evidence for "SPEAKER_09", no voice of the hypothesis',
        'meeting "TA1003a": gold speakers who take no part by the protocol: "ANA", "DAN"',
        'meeting "TA1004a": no match evidence',
        'meeting "TA1005a": no match evidence',
        'meeting "TA9999a": evidence, but the meeting is not among those to align',
    ]


def test_role_and_split_are_the_protocols() -> None:
    meetings = plain()["meetings"]
    meetings["TA1002a"]["split"] = "confirm"
    meetings["TA1003a"]["role"] = "test_open"
    meetings["TB1000a"] = meetings["TA1004a"]
    files = example()
    document = AlignInput.model_validate_json(json.dumps(plain() | {"meetings": meetings}))
    assert refused(AlignFiles(document, files.protocol, files.gold, files.hypotheses)) == [
        (("meetings", "TA1002a", "split"), "must be dev, as in the protocol, not confirm"),
        (("meetings", "TA1003a", "role"), "must be test_genuine, as in the protocol, not test_open"),
        (("meetings", "TB1000a"), 'meeting "TB1000a" is not in the protocol'),
    ]


def test_a_speaker_id_belongs_to_one_gold_speaker() -> None:
    assert refused(example(enrolled_speaker_map={"ANA": "id-ana", "BEN": "id-ana"})) == [
        (("enrolled_speaker_map", "BEN"), '"id-ana" is the speaker id of "ANA" too')
    ]


def test_a_roster_that_holds_an_open_set_speaker_is_a_leak() -> None:
    assert refused(example(enrolled_speaker_map={"ANA": "id-ana", "EVE": "id-eve"})) == [
        (("protocol_path",), 'the protocol leaks: enrolled speaker "EVE" is in the open-set meeting "TA1004a"')
    ]


def test_facts_are_kept_where_they_are_asked_for() -> None:
    kept = score(manifest=example(), environment=["git_sha = 0123abc", "note=a=b"]).environment
    assert kept == {"git_sha": "0123abc", "note": "a=b"}
    for line in ("git_sha", "=x"):
        with pytest.raises(RecordError, match="each line must be name=value"):
            score(manifest=example(), environment=[line])
    with pytest.raises(RecordError, match="with a name of its own"):
        score(manifest=example(), environment=["a=1", "a=2"])


def real_input(folder: Path, hypotheses: list[Path]) -> Path:
    """An align input in which every meeting is open-set, alternately dev and confirm, and a made-up matcher."""
    rows, meetings, evidence = [], {}, {}
    for place, path in enumerate(hypotheses):
        name, split = path.stem, ("dev", "confirm")[place % 2]
        gold = AMI / "gold" / path.name
        (people,) = rttm.recordings(str(gold)).values()
        (voices,) = rttm.recordings(str(path)).values()
        use = {"role": "test_open", "split": split}
        rows += [
            {
                "meeting_id": name,
                "nxt_agent": str(number),
                # One person per meeting: this protocol is about files, not about people.
                "host_global_name": f"{name} {person}",
                "base_session_id": name,
                **use,
            }
            for number, person in enumerate(sorted(people.spans))
        ]
        meetings[name] = {"gold_rttm": str(gold), "hypothesis_rttm": str(path), **use}
        evidence[name] = {label: _evidence(len(spans)) for label, spans in voices.spans.items()}
    manifest = json.loads((EXAMPLE / "protocol.json").read_text(encoding="utf-8")) | {"rows": rows}
    del manifest["session_suffixes"]
    n = len(hypotheses)
    manifest["open_set_selection"] = {"requested": n, "selected": n, "candidates": n}
    (folder / "protocol.json").write_text(json.dumps(manifest), encoding="utf-8")
    document = plain() | {"meetings": meetings, "match_evidence": evidence, "enrolled_speaker_map": {}}
    (folder / "in.json").write_text(json.dumps(document), encoding="utf-8")
    return folder / "in.json"


def _evidence(turns: int) -> dict[str, Any]:
    numbers = {"similarity": 0.5, "margin": 0.1, "vote_agreement": 0.9, "eligible_seconds": 9.0, "roster_size": 9}
    return {"top_speaker_id": "id-x", "eligible_turns": turns, "run_id": "run-1", **numbers}


@pytest.mark.shared
def test_all_real_hypotheses_in_one_go_against_all_pairs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each of the VBx system's slots has the class, purity and coverage that the plain aligner finds."""
    hypotheses = sorted((AMI / "hyp-vbx").glob("*.rttm"))
    if not hypotheses:
        pytest.skip("needs the shared data folder beside the repository")
    source = real_input(tmp_path, hypotheses)
    outputs = []
    for name in ("one.json", "two.json"):
        assert main(["attribution", "align", "--manifest", str(source), "--out", str(tmp_path / name)]) == 0
        outputs.append((tmp_path / name).read_bytes())
    assert outputs[0] == outputs[1]
    assert capfd.readouterr().err.count("gold speakers who take no part by the protocol") == 2 * len(hypotheses)
    rules = rules_of(("trial_detail_fits_its_kind", "trial_class_fits_its_kind"))
    document = read.document(str(tmp_path / "one.json"), TrialsDocument, rules=rules)
    assert len(document.alignment) == len(hypotheses) == 34
    found = {(t.meeting_id, t.slot_label): t.slot_classification.value for t in document.trials}
    expected: dict[tuple[str, str], str] = {}
    for path in hypotheses:
        (gold,) = rttm.recordings(str(AMI / "gold" / path.name)).values()
        (heard,) = rttm.recordings(str(path)).values()
        turns = {label: len(spans) for label, spans in heard.spans.items()}
        speakers, slots = naive.collared(naive.touching(gold), Fraction(1, 4)), naive.touching(heard)
        expected |= {(path.stem, label): each for label, each in naive.classes(speakers, slots, turns).items()}
    assert found == expected
    counts = Counter(found.values())
    assert counts.total() == len(document.trials)
    assert counts["genuine"] > counts.total() / 2
