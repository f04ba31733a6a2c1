"""Breaks twenty chosen lines, one at a time in a copy of the checkout, and checks that the tests named for each go red.

    python -m tools.sabotage            every line, in two processes
    python -m tools.sabotage clamp      the lines whose name holds the word

A sabotage that no test notices ends in exit code 1: then a test is missing, not a line to be taken off the list.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".mypy_cache", ".ruff_cache", ".hypothesis")


@dataclass(frozen=True)
class Sabotage:
    """One line to break, what it becomes, and the tests that must notice."""

    name: str
    file: str
    line: str
    broken: str
    tests: str


SABOTAGES = (
    Sabotage("gate: a bound made exclusive", "voxint/harness/agreement_gates.py",
             "if ranking.top < thresholds.tau:", "if ranking.top <= thresholds.tau:", "tests/unit -k agreement_gates"),
    Sabotage("gate: the margin forgotten", "voxint/harness/agreement_gates.py",
             "ranking.margin is not None and ranking.margin < thresholds.margin", "False",
             "tests/unit -k agreement_gates"),
    Sabotage("gate: unknown speech is enough", "voxint/harness/agreement_gates.py",
             "record.total_speech is not None and record.total_speech >=", "(record.total_speech or 1e9) >=",
             "tests/unit -k agreement_gates"),
    Sabotage("gate: a ceiling made exclusive", "voxint/harness/gate_metrics.py",
             "getattr(metrics, name)) > ceiling", "getattr(metrics, name)) >= ceiling", "tests/unit -k gate_metrics"),
    Sabotage("gate: the grounded gates skipped", "voxint/speakers/policy.py",
             "if failed is None:", "if True:", "tests/unit -k speakers_policy"),
    Sabotage("exit code: a no is a yes", "voxint/cli/deliver.py",
             "return code if product.passed() else GATE_SAID_NO", "return code", "tests/unit -k cli_deliver"),
    Sabotage("clamp: a cosine above one", "voxint/stats/cosines.py",
             "return np.clip(_tree_sums(left * right), -1.0, 1.0) + 0.0", "return _tree_sums(left * right) + 0.0",
             "tests/unit -k stats_cosines"),
    Sabotage("clamp: an upper bound below its share", "voxint/stats/wilson.py",
             "return lower, max(upper, share)", "return lower, upper", "tests/unit -k stats_wilson"),
    Sabotage("statistic: one tail for two", "voxint/stats/mcnemar.py",
             "return tail / half if half else 0.0", "return tail / (2 * half) if half else 0.0",
             "tests/unit -k stats_mcnemar"),
    Sabotage("sort: hosts in the file's order", "voxint/harness/agreement_gallery.py",
             "hosts = tuple(sorted(enrollment.voiceprints))", "hosts = tuple(enrollment.voiceprints)",
             "tests/unit -k agreement"),
    Sabotage("sort: keys in the model's order", "voxint/io/canonical.py",
             "for name in sorted(model.model_fields)]", "for name in model.model_fields]",
             "tests/unit -k io_canonical"),
    Sabotage("sort: open meetings by name, not by hash", "voxint/harness/attribution_protocol.py",
             'key=lambda meeting_id: spread_key(f"{split_seed}:{meeting_id}")', "key=str",
             "tests/unit -k attribution_protocol"),
    Sabotage("lock: a living writer's file is a stray", "voxint/io/temporary.py",
             "            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)\n            path.unlink()",
             "            path.unlink()", "tests/unit -k io_temporary"),
    Sabotage("spaces: vectors of two models meet", "voxint/harness/vectors.py",
             "if identity_form(left.embedding_space) != identity_form(right.embedding_space):", "if False:",
             "tests/unit -k harness_vectors"),
    Sabotage("join: a repeated id counts twice", "voxint/harness/joins.py",
             "return None if first == place else (repeated(text, raw, self._what), first)", "return None",
             "tests/unit -k harness_joins"),
    Sabotage("reader: a repeated key passes", "voxint/io/keys.py",
             """return sum(part.rstrip(b" \\t\\r\\n").endswith(b'"') for part in before) == n_keys""", "return True",
             "tests/unit -k io_keys"),
    Sabotage("reader: any depth", "voxint/io/locate.py", "MAX_DEPTH = 200", "MAX_DEPTH = 10**9",
             "tests/unit -k io_locate"),
    Sabotage("import rule: fusion may see vectors", "voxint/harness/ensemble.py",
             "from voxint.errors import", "from voxint.harness import vectors as _vectors\nfrom voxint.errors import",
             "tests/house/test_imports.py"),
    Sabotage("contract: a field loses its lower bound", "contracts/schema/name_accuracy/v1/items.schema.json",
             '"minimum": 0', '"minimum": -1000000000', "tests/contracts/test_conformance_vectors.py"),
    Sabotage("reject vector: turned into a good document",
             "contracts/vectors/attribution/v1/reject/metrics.rule-rates_follow_their_counts.far.json",
             '"far": 0.0625', '"far": 0.3333333333333333', "tests/contracts/test_conformance_vectors.py"),
)  # fmt: skip


def attempt(sabotage: Sabotage, run: Callable[[Path, str], int]) -> bool:
    """Whether the tests of a sabotage noticed it: `run` gets a broken copy of the checkout and the words for pytest.

    Raises:
        ValueError: the line is not in its file.
    """
    text = (ROOT / sabotage.file).read_text(encoding="utf-8")
    if sabotage.line not in text:
        raise ValueError(f"{sabotage.name}: {sabotage.file} has no such line any more: {sabotage.line}")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(ROOT, Path(folder) / "copy", ignore=LEFT_OUT))
        (copy / sabotage.file).write_text(text.replace(sabotage.line, sabotage.broken, 1), encoding="utf-8")
        return run(copy, sabotage.tests) == 1


def pytest(copy: Path, words: str) -> int:
    """The exit code of the tests in a copy: 0 green, 1 red."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-p", "no:randomly", *words.split(" ")]
    return subprocess.run(command, cwd=copy, capture_output=True, check=False).returncode


def main(argv: list[str]) -> int:
    """The exit code: 0 every sabotage was noticed, 1 one was not, or the tests fail without any."""
    chosen = [each for each in SABOTAGES if all(word in each.name for word in argv)]
    with ThreadPoolExecutor(2) as pool:
        tests = list(dict.fromkeys(each.tests for each in chosen))
        sick = [
            words for words, code in zip(tests, pool.map(lambda words: pytest(ROOT, words), tests), strict=True) if code
        ]
        if sick:
            sys.stdout.write("".join(f"fails without any sabotage: {words}\n" for words in sick))
            return 1
        noticed = list(pool.map(lambda each: attempt(each, pytest), chosen))
    for each, red in zip(chosen, noticed, strict=True):
        sys.stdout.write(f"{'red  ' if red else 'GREEN'} {each.name} ({each.tests})\n")
    sys.stdout.write(f"{sum(noticed)} of {len(chosen)} noticed\n")
    return 0 if all(noticed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
