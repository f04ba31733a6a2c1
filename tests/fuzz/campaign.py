"""A long fuzzing run over every reader, in several processes: `python tests/fuzz/campaign.py --inputs 1000000`.

Prints one line for each reader: inputs, how many were taken, seconds. Ends with exit code 1 and the seeds if any broke.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "contracts"), str(HERE.parents[1]), str(HERE.parents[1] / "generated")]

from targets import BrokenError, run, targets  # noqa: E402


def some(name: str, first: int, n_inputs: int) -> tuple[str, int, float, list[str]]:
    """The reader, how many of the inputs it took, the seconds, and what broke it."""
    target = next(each for each in targets() if each.name == name)
    taken, broken, start = 0, [], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + n_inputs):
            try:
                taken += run(target, seed, Path(folder))
            except BrokenError as error:
                broken.append(str(error))
    return name, taken, time.monotonic() - start, broken


def main() -> int:
    """The exit code: 0 all readers held, 1 one broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="inputs in all")
    parser.add_argument("--first", type=int, default=10_000, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    names = [each.name for each in targets()]
    share = -(-options.inputs // len(names))
    failed = False
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, taken, seconds, broken in pool.map(some, names, [options.first] * len(names), [share] * len(names)):
            print(f"{name:40} {share:8} inputs, {taken:8} taken, {seconds:7.1f} s, {len(broken)} broken", flush=True)
            for line in broken[:20]:
                print(f"  {line[:600]}")
            failed = failed or bool(broken)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
