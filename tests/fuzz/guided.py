"""Coverage-guided fuzzing of one reader with atheris: `python tests/fuzz/guided.py rttm -runs=100000`.

Starts from the conformance vectors, and keeps what reaches new code in the folder given by --corpus, if one is.
Ends with the input that broke the reader, or with exit code 0.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "contracts"), str(HERE.parents[1]), str(HERE.parents[1] / "generated")]

with atheris.instrument_imports(include=["voxint"]):
    import voxint.cli.located
    import voxint.io.ami_xml
    import voxint.io.check
    import voxint.io.locate
    import voxint.io.read
    import voxint.io.rttm
    import voxint.semantics  # noqa: F401

from contract_support import VECTORS  # noqa: E402
from targets import GOLD, MEETINGS, Target, offer, targets  # noqa: E402


def corpus(target: Target, folder: Path) -> None:
    """Good and bad inputs to start from, as files."""
    seeds = {"rttm": GOLD, "meetings-xml": [MEETINGS]}.get(target.name)
    paths = seeds or [vector.path for vector in VECTORS if vector.document == target.name]
    for number, path in enumerate(paths):
        (folder / str(number)).write_bytes(path.read_bytes()[:20_000])


def main(argv: list[str]) -> None:
    """Fuzzes until atheris ends, which it does itself."""
    target = next(each for each in targets() if each.name == argv[1])
    work = Path(tempfile.mkdtemp())
    kept = next(
        (Path(word.removeprefix("--corpus=")) for word in argv if word.startswith("--corpus=")), work / "corpus"
    )
    kept.mkdir(parents=True, exist_ok=True)
    corpus(target, kept)
    path = work / f"input{target.ending}"
    flags = [word for word in argv[2:] if not word.startswith("--")]
    atheris.Setup([argv[0], *flags, str(kept)], lambda data: offer(target, data, path, target.name))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
