"""Checks the contracts: `python -m tools.check_contracts`; releases versions with `--freeze [family/vN ...]`.

Profile, parity of schema and proto, vocabulary, rules, vectors, frozen bytes, additive changes. Works offline.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from tools._contracts import buf, outputs, parity, released, vectors, vocabulary
from tools._contracts.additive import additive_faults
from tools._contracts.faults import ContractFaultsError

ROOT = Path(__file__).resolve().parent.parent


def faults(root: Path, rules: Collection[str]) -> Iterator[str]:
    """Everything that is wrong with the contracts of a checkout, a line each; `rules` are those implemented."""
    contracts = outputs.read_contracts(root)
    words = vocabulary.parse_vocabulary((root / "contracts/vocabulary.toml").read_text(encoding="utf-8"))
    yield from parity.parity_faults(contracts, buf.image_json(root))
    yield from (f"contracts/vocabulary.toml: {each}" for each in vocabulary.vocabulary_faults(words, contracts))
    yield from vectors.rule_faults(contracts, rules)
    yield from vectors.vector_faults(root, contracts)
    yield from released.frozen_faults(root)
    yield from released.draft_faults(root, contracts)
    yield from additive_faults(released.baseline(root), contracts)


def freeze(root: Path, versions: Collection[str]) -> Iterator[str]:
    """Freeze versions, all where none is named; a line for each file that is frozen anew."""
    contracts = outputs.read_contracts(root)
    stale = list(outputs.drift(root, outputs.desired(root)))
    if stale:
        raise ContractFaultsError([*stale, "run `make generate` before a release"])
    chosen = versions or contracts.versions()
    yield from (f"frozen: {path}" for path in released.freeze(root, contracts, list(chosen)))


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when nothing is wrong, else 1 and a line for each fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--freeze", nargs="*", metavar="family/vN", help="release versions; all if none is named")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to work on")
    options = parser.parse_args(arguments)
    try:
        if options.freeze is not None:
            fresh = list(freeze(options.root, options.freeze))
            print(*(fresh or ["nothing is new since the last release"]), sep="\n")
            return 0
        found = list(faults(options.root, _implemented_rules()))
    except ContractFaultsError as error:
        found = error.faults
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


def _implemented_rules() -> Collection[str]:
    from voxint.semantics import RULES

    return RULES.keys()


if __name__ == "__main__":
    sys.exit(main())
