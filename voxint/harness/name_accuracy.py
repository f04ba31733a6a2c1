"""How often the name shown beside a voice is the right person: verdict, tally, report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le
from voxint_contracts.name_accuracy import v1 as contract

from voxint.errors import InputError
from voxint.harness.joins import check_distinct
from voxint.harness.name_library import clustered_bootstrap_delta, risk_coverage
from voxint.harness.name_pairs import Pairs, pair
from voxint.harness.name_tally import CODES, VERDICTS, Judge, NameTally, slot_verdict, tally
from voxint.harness.names import AliasIndex, curated_hits, is_overnaming, person_name_match
from voxint.harness.outcome import Outcome, Part
from voxint.harness.packed import Runs, unpack_labels
from voxint.stats import rates
from voxint.stats.durations import microseconds
from voxint.stats.exact import ratio
from voxint.stats.mcnemar import mcnemar
from voxint.stats.resampling import clustered_bootstrap
from voxint.stats.selective import combine_confidences
from voxint.stats.selective import risk_coverage as curve_of
from voxint.stats.wilson import wilson_ci, wilson_upper_one_sided
from voxint.text import norm_channel

__all__ = [
    "aggregate",
    "clustered_bootstrap_delta",
    "combine_confidences",
    "curated_hits",
    "is_overnaming",
    "mcnemar",
    "norm_channel",
    "outcome",
    "person_name_match",
    "risk_coverage",
    "score",
    "slot_verdict",
    "wilson_ci",
    "wilson_upper_one_sided",
]

LARGEST_COUNT = 2**31 - 1
_REMEMBERED = 1 << 14
BOOTSTRAP_CONFIDENCE = 0.95

Target = Annotated[float, Gt(0), Le(1)]
Replicates = Annotated[int, Ge(1), Le(100_000)]
Seed = Annotated[int, Ge(0), Le(2**32 - 1)]


def score(
    items: Iterable[contract.NameAccuracyItem],
    *,
    baseline: Iterable[contract.NameAccuracyItem] | None = None,
    aliases: contract.AliasTable | None = None,
    target_accuracy: Target = 0.95,
    n_boot: Replicates = 1000,
    seed: Seed = 0,
) -> contract.NameAccuracyReport:
    """Scores display names against truth, and this run against a baseline.

    The report counts a slot once, weighs it by its seconds of speech (1.0 without a duration), and holds a 95 % Wilson
    interval of the accuracy. With a baseline of the same slots it adds McNemar's exact test and a bootstrap interval
    that resamples whole recordings. No items give counts of 0, rates of 0.0 and the interval [0, 1].

    Args:
        items: Recordings to score, one a line; item_id is unique.
        baseline: An earlier run over the same recordings, slots and truth.
        aliases: Other names of the same people.
        target_accuracy: Accuracy that the risk-coverage curve should reach.
        n_boot: Bootstrap replicates.
        seed: Seed of the bootstrap.

    Example:
        voxint score name-accuracy items.jsonl --baseline last-week.jsonl --aliases people.json --out report.json

    Raises:
        RecordError: An item_id stands twice, a truth cannot be one, or the two runs do not cover the same slots with
            the same truth.
        InputError: A count passes 2^31 - 1.
        ValueError: A setting is out of its range.
    """
    return outcome(
        items, baseline=baseline, aliases=aliases, target_accuracy=target_accuracy, n_boot=n_boot, seed=seed
    ).whole()


def outcome(
    items: Iterable[contract.NameAccuracyItem],
    *,
    baseline: Iterable[contract.NameAccuracyItem] | None = None,
    aliases: contract.AliasTable | None = None,
    target_accuracy: float = 0.95,
    n_boot: int = 1000,
    seed: int = 0,
) -> Outcome[contract.NameAccuracyReport]:
    """The report of `score` with `per_item` produced one item at a time: a million items fit in 400 MiB."""
    _check_settings(target_accuracy, n_boot, seed)
    index = AliasIndex.of(aliases) if aliases is not None else None
    judge = Judge(index, paired=baseline is not None)
    candidate = tally(items, judge)
    base = tally(baseline, judge, "baseline") if baseline is not None else None
    paired = None
    if base is None:
        check_distinct(candidate.runs, "items")
    else:
        paired = _paired(pair(candidate.runs, base.runs), n_boot, seed)
    head = _head(candidate, paired, target_accuracy)
    return Outcome(head, {"per_item": Part(contract.ItemVerdicts, _per_item(candidate.runs))})


def _check_settings(target_accuracy: float, n_boot: int, seed: int) -> None:
    if not 0 < target_accuracy <= 1:
        raise ValueError(f"target_accuracy must be in (0, 1], not {target_accuracy}")
    if type(n_boot) is not int or not 1 <= n_boot <= 100_000:
        raise ValueError(f"n_boot must be a whole number in [1, 100000], not {n_boot}")
    if type(seed) is not int or not 0 <= seed < 2**32:
        raise ValueError(f"seed must be a whole number in [0, 4294967295], not {seed}")


def _head(
    counted: NameTally, paired: contract.PairedComparison | None, target_accuracy: float
) -> contract.NameAccuracyReport:
    counts = aggregate_counts(counted.counts, counted.microseconds)
    correct, scored = counts.tp + counts.tn, _scored(counted.counts)
    lo, hi = wilson_ci(correct, scored)
    return contract.NameAccuracyReport(
        schema_version=1,
        kind="name_accuracy_report",
        n_items=_counted(counted.n_items, "items"),
        n_slots_scored=_counted(scored, "slots"),
        aggregate=counts,
        accuracy=ratio(correct, scored),
        accuracy_ci95=[lo, hi],
        per_item=[],
        risk_coverage=_risk_coverage(counted, correct, scored, target_accuracy),
        paired=paired,
    )


def _scored(counts: tuple[int, ...]) -> int:
    return sum(counts) - counts[CODES[contract.SlotVerdict.EXCLUDED]]


def _counted(count: int, what: str) -> int:
    """The count, if a contract can hold it."""
    if count > LARGEST_COUNT:
        raise InputError(f"{count} {what} are more than a report can count (2^31 - 1): split the run")
    return count


def aggregate(
    verdicts: Iterable[contract.SlotVerdict], durations: Iterable[float | None] | None = None
) -> contract.NameAggregate:
    """Counts and rates of slot verdicts, plain and weighted by their durations in seconds.

    A duration of None weighs 1.0, and so does every slot when no durations are given. The two must have one length.
    Nothing at all gives counts of 0 and rates of 0.0.
    """
    kept = list(verdicts)
    seconds = [None] * len(kept) if durations is None else list(durations)
    counts, weights = [0] * len(VERDICTS), [0] * len(VERDICTS)
    for verdict, duration in zip(kept, seconds, strict=True):
        counts[CODES[verdict]] += 1
        weights[CODES[verdict]] += microseconds(1.0 if duration is None else duration)
    return aggregate_counts(counts, weights)


def aggregate_counts(counts: Iterable[int], weights: Iterable[int]) -> contract.NameAggregate:
    """Counts and rates from the count and the total weight in microseconds of each verdict, in the enum's order."""
    tp, fp_wrong, fp_overname, fn, tn, excluded = (_counted(count, "slots") for count in counts)
    w_tp, w_wrong, w_overname, w_fn, *_ = weights
    return contract.NameAggregate(
        tp=tp,
        fp_wrong=fp_wrong,
        fp_overname=fp_overname,
        fn=fn,
        tn=tn,
        excluded=excluded,
        precision=rates.precision(tp, fp_wrong + fp_overname),
        recall=rates.recall(tp, fn),
        f1=rates.f1(tp, fp_wrong + fp_overname, fn),
        named_recall=rates.named_recall(tp, fp_wrong, fn),
        weighted_precision=rates.precision(w_tp, w_wrong + w_overname),
        weighted_recall=rates.recall(w_tp, w_fn),
        weighted_f1=rates.f1(w_tp, w_wrong + w_overname, w_fn),
        weighted_named_recall=rates.named_recall(w_tp, w_wrong, w_fn),
        confusion=contract.NameConfusion(
            true_name=contract.TrueName(named_correct=tp, named_wrong=fp_wrong, abstained=fn),
            true_abstain=contract.TrueAbstain(named=fp_overname, abstained=tn),
        ),
    )


def _risk_coverage(
    counted: NameTally, correct: int, scored: int, target_accuracy: float
) -> contract.RiskCoverage | None:
    groups = counted.confidences
    if not groups.n.size:
        return None
    unranked = (scored - int(groups.n.sum()), correct - int(groups.n_correct.sum()))
    curve = curve_of(groups, unranked=unranked, target=target_accuracy)
    return contract.RiskCoverage(
        points=[list(point) for point in curve.points],
        chow_coverage=curve.chow_coverage,
        aurc=curve.aurc,
        descriptive=True,
        calibrated=False,
    )


def _paired(pairs: Pairs, n_boot: int, seed: int) -> contract.PairedComparison:
    test = mcnemar(pairs.lost, pairs.gained)
    interval = clustered_bootstrap(pairs.clusters, seed=seed, n_boot=n_boot, confidence=BOOTSTRAP_CONFIDENCE)
    return contract.PairedComparison(
        n_slots=pairs.n_slots,
        n_items=pairs.clusters.total(),
        mcnemar=contract.McNemarTest(
            baseline_correct_candidate_wrong=pairs.lost,
            baseline_wrong_candidate_correct=pairs.gained,
            n_discordant=test.n_discordant,
            net=test.net,
            p_value=test.p_value,
        ),
        bootstrap=contract.ClusteredBootstrap(
            point=interval.point,
            lo=interval.lo,
            hi=interval.hi,
            n_boot=n_boot,
            seed=seed,
            confidence=BOOTSTRAP_CONFIDENCE,
        ),
    )


def _per_item(runs: Runs) -> Callable[[], Iterator[dict[str, Any]]]:
    """Item by item, sorted by id: the id and the verdict of each slot."""

    def values() -> Iterator[dict[str, Any]]:
        known: dict[tuple[bytes, bytes], dict[str, contract.SlotVerdict]] = {}
        last, labels = b"", tuple[str, ...]()
        for key, _, packed, payload in runs.merged():
            if packed != last:
                last, labels = packed, unpack_labels(packed)
            codes = payload[: len(labels)]
            verdicts = known.get((packed, codes))
            if verdicts is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                verdicts = {label: VERDICTS[code] for label, code in zip(labels, codes, strict=True)}
                known[packed, codes] = verdicts
            yield {"item_id": key.decode(), "verdicts": verdicts}

    return values
