"""The spread order is ascending SHA-256 of the ids, whatever the order they come in."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.stats.spread import spread_key, spread_order

ids = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=20)


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        # FIPS 180-4 examples: the empty message and "abc".
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("é", hashlib.sha256(b"\xc3\xa9").hexdigest()),
    ],
)
def test_the_key_is_the_published_digest(text: str, digest: str) -> None:
    assert spread_key(text) == digest


def test_half_a_surrogate_pair_has_no_key() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        spread_key("\ud800")


@given(ids)
def test_no_order_of_the_input_matters(names: list[str]) -> None:
    found = spread_order(names)
    assert found == [name for _, name in sorted((hashlib.sha256(n.encode()).digest(), n) for n in set(names))]
    assert spread_order(reversed([*names, *names])) == found


def test_no_hash_seed_matters() -> None:
    code = "from voxint.stats.spread import spread_order; print(spread_order(f'item-{k}' for k in range(50)))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
        ).stdout
        for seed in ("1", "4242")
    }
    assert len(outputs) == 1
    assert outputs != {b""}
