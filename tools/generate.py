"""Makes models, protos and pages from contracts/schema: `python -m tools.generate [--check]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools._contracts import outputs
from tools._contracts.faults import ContractFaultsError

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when everything is as the contracts make it; 1 on drift, or when the contracts cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; name every file that differs")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to work on")
    options = parser.parse_args(arguments)
    try:
        files = outputs.desired(options.root)
    except ContractFaultsError as error:
        print(error, file=sys.stderr)
        return 1
    if not options.check:
        print(f"{len(files)} files, {outputs.write(options.root, files)} changed")
        return 0
    faults = list(outputs.drift(options.root, files))
    for fault in faults:
        print(fault)
    if faults:
        print("run `make generate` and commit what it changes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
