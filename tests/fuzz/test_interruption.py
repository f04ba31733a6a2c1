"""Every command of the examples, killed, out of disk space, or with nobody reading: the old output or the new one."""

from __future__ import annotations

import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import OLD, OUT, command_lines, copied

ROOT = Path(__file__).resolve().parents[2]
N_KILLS = int(os.environ.get("VOXINT_KILLS", "5"))
DONE, KILLED = (0, 1), -signal.SIGKILL


def start(here: Path, line: str, limit: Callable[[], None] | None = None, **streams: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "voxint", *shlex.split(line)]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    return subprocess.Popen(words, cwd=here, env=env, preexec_fn=limit, **streams)  # noqa: PLW1509


@pytest.mark.parametrize(("folder", "line"), command_lines())
def test_killed_at_any_moment_it_leaves_the_old_output_or_the_new(folder: str, line: str, tmp_path: Path) -> None:
    here = copied(tmp_path) / folder
    began = time.monotonic()
    assert start(here, f"{line} --out {OUT}").wait() in DONE
    whole = time.monotonic() - began
    new = (here / OUT).read_bytes()
    rng, codes = random.Random(line), []
    for _ in range(N_KILLS):
        (here / OUT).write_bytes(OLD)
        child = start(here, f"{line} --out {OUT}")
        time.sleep(whole * rng.uniform(0.2, 1.1))
        child.kill()
        codes.append(child.wait())
        assert (here / OUT).read_bytes() in (OLD, new)
    assert KILLED in codes
    assert start(here, f"{line} --out {OUT}").wait() in DONE
    assert (here / OUT).read_bytes() == new
    assert list(here.glob(".voxint-tmp-*")) == []


@pytest.mark.parametrize(("folder", "line"), command_lines())
def test_a_full_disk_is_one_line(folder: str, line: str, tmp_path: Path) -> None:
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    here = copied(tmp_path) / folder
    (here / OUT).write_bytes(OLD)
    child = start(here, f"{line} --out {OUT}", full, stderr=subprocess.PIPE)
    said = child.communicate()[1].decode()
    assert (child.returncode, (here / OUT).read_bytes()) == (2, OLD)
    assert said == f"{OUT}: cannot be written: File too large\n"
    assert list(here.glob(".voxint-tmp-*")) == []


@pytest.mark.parametrize(("folder", "line"), command_lines())
def test_a_closed_pipe_ends_it_in_silence(folder: str, line: str, tmp_path: Path) -> None:
    """A gate's no is a no whoever reads it; a report that nobody reads is no success."""
    here = copied(tmp_path) / folder
    code = start(here, line, stdout=subprocess.DEVNULL).wait()
    reading, writing = os.pipe()
    os.close(reading)
    child = start(here, line, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (child.communicate()[1], child.returncode) == (b"", code or 2)
