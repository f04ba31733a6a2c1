"""Exact quotients against rational arithmetic."""

import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import voxint
from voxint.stats.exact import check_counts, ratio


@given(st.integers(-(10**40), 10**40), st.integers(1, 10**40))
def test_ratio_is_correctly_rounded(numerator: int, denominator: int) -> None:
    assert ratio(numerator, denominator) == float(Fraction(numerator, denominator))


def test_ratio_at_the_edges() -> None:
    assert ratio(2, 3) == 0.6666666666666666
    assert ratio(7, 0) == 0.0
    assert ratio(10**400, 10**399) == 10.0
    assert math.copysign(1.0, ratio(-1, 10**400)) == 1.0
    with pytest.raises(ValueError, match="quotient"):
        ratio(10**400, 1)
    with pytest.raises(ValueError, match="denominator"):
        ratio(1, -2)


@pytest.mark.parametrize("bad", [-1, True, 1.0, "1", None])
def test_check_counts_names_the_offender(bad: object) -> None:
    with pytest.raises(ValueError, match="fn: expected"):
        check_counts(tp=1, fn=bad)  # type: ignore[arg-type]


def test_plain_statistics_load_neither_numpy_nor_scipy() -> None:
    program = (
        "import sys\n"
        "from voxint.stats import exact, mcnemar, rates, resampling, selective, wilson\n"
        "sys.exit(bool({'numpy', 'scipy'} & set(sys.modules)))"
    )
    root = Path(voxint.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", program], cwd=root, check=False).returncode == 0
