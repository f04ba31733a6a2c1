"""Precision, recall and F1 from counts, or from durations in whole microseconds; each lies in [0, 1].

Every rate is one correctly rounded quotient of integers, so equal counts give equal bytes. An empty
denominator gives 0.0; a negative count, a bool or a non-int raises ValueError. Source: van Rijsbergen (1974),
Foundation of evaluation, doi:10.1108/eb026584.
"""

from voxint.stats.exact import check_counts, ratio


def precision(tp: int, fp: int) -> float:
    """Share of the positive calls that are right.

    >>> precision(31, 1)  # 31 / 32
    0.96875
    """
    check_counts(tp=tp, fp=fp)
    return ratio(tp, tp + fp)


def recall(tp: int, fn: int) -> float:
    """Share of the positives that were found.

    >>> recall(3, 1)  # 3 / 4
    0.75
    """
    check_counts(tp=tp, fn=fn)
    return ratio(tp, tp + fn)


def named_recall(tp: int, fp_wrong: int, fn: int) -> float:
    """Share of the named people shown under their own name: one given another's name was missed as well.

    >>> named_recall(3, 1, 1)  # 3 / 5
    0.6
    """
    check_counts(tp=tp, fp_wrong=fp_wrong, fn=fn)
    return ratio(tp, tp + fp_wrong + fn)


def f1(tp: int, fp: int, fn: int) -> float:
    """Harmonic mean of precision and recall: 2pr / (p + r) in exact fractions, rounded once.

    >>> f1(31, 1, 1)  # 62 / 64
    0.96875
    """
    check_counts(tp=tp, fp=fp, fn=fn)
    return ratio(2 * tp, 2 * tp + fp + fn)
