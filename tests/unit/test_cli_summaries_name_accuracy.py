"""What a person reads: the sentence depends on what the numbers show."""

from __future__ import annotations

import pytest
from voxint_contracts.name_accuracy import v1 as contract

from voxint.cli.summaries import Grid, summary_of
from voxint.harness.name_accuracy import score

DANA = ("Dana Fox", "Dana Fox")
MISS = (None, "Dana Fox")


def run(
    n: int, *slots: tuple[str | None, str | None], confidence: float | None = None
) -> list[contract.NameAccuracyItem]:
    named = {
        f"s{k}": contract.NameSlot(assigned_name=a, truth=t, confidence=confidence) for k, (a, t) in enumerate(slots)
    }
    return [contract.NameAccuracyItem(item_id=f"i{k}", slots=named) for k in range(n)]


def sentences(report: contract.NameAccuracyReport) -> str:
    return "\n".join(block for block in summary_of(report).blocks if isinstance(block, str))


def test_counts_stand_by_truth_and_by_what_was_shown() -> None:
    summary = summary_of(score(run(1, DANA, MISS, ("Dana", "Dana Fox"), (None, "__ABSTAIN__"), (None, None))))
    assert summary.title == "Name accuracy: 1 item, 4 slots scored, 1 excluded"
    counts = summary.blocks[0]
    assert isinstance(counts, Grid)
    assert [row[1:] for row in counts.rows] == [("1", "1", "1"), ("-", "0", "1")]


def test_nothing_scored_is_said_in_words() -> None:
    assert "no slot could be scored" in sentences(score([]))


@pytest.mark.parametrize(
    ("candidate", "baseline", "said"),
    [
        (DANA, MISS, "This run is better: the whole interval lies above zero."),
        (MISS, DANA, "This run is worse: the whole interval lies below zero."),
        (DANA, DANA, "No difference is shown: the interval holds zero."),
    ],
)
def test_the_paired_result_is_read_out(
    candidate: tuple[str | None, str | None], baseline: tuple[str | None, str | None], said: str
) -> None:
    text = sentences(score(run(20, candidate), baseline=run(20, baseline)))
    assert said in text
    assert "20 slots of 20 items" in text


def test_small_p_values_are_not_rounded_to_zero() -> None:
    assert "p = 1.9e-06" in sentences(score(run(20, DANA), baseline=run(20, MISS)))


def test_the_confidence_sentence_says_whether_the_target_is_reached() -> None:
    assert "the surest 100.00% of the slots reach" in sentences(score(run(1, DANA, confidence=0.5)))
    assert "no threshold reaches the target" in sentences(score(run(1, MISS, confidence=0.5)))
