from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from voxint.io.temporary import Temporary, sweep

ROOT = Path(__file__).parents[2]


def stray_for(target: Path, token: str = "0123456789abcdef") -> Path:
    stray = target.with_name(f".voxint-tmp-{target.name}-{token}")
    stray.write_bytes(b"left over")
    return stray


def names(directory: Path) -> set[str]:
    return {entry.name for entry in directory.iterdir()}


def test_file_is_in_place_after_replace_and_gone_without(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    with Temporary(target) as new:
        os.write(new.fd, b"new")
        assert not target.exists()
        new.replace()
    assert target.read_bytes() == b"new"
    with Temporary(target) as new:
        os.write(new.fd, b"newer")
    assert target.read_bytes() == b"new"
    assert names(tmp_path) == {"report.json"}


def test_descriptor_is_closed(tmp_path: Path) -> None:
    with Temporary(tmp_path / "a") as new:
        pass
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(new.fd)


def test_strays_of_this_target_go_and_others_stay(tmp_path: Path) -> None:
    target = tmp_path / "a"
    stray_for(target)
    kept = {
        stray_for(tmp_path / "a-b").name,
        stray_for(tmp_path / "a", "0123456789abcdeX").name,
        stray_for(tmp_path / "b").name,
        stray_for(tmp_path / "a-0123456789abcdef").name,
    }
    (tmp_path / ".voxint-tmp-a-00000000000000ff").symlink_to(tmp_path / "b")
    (tmp_path / ".voxint-tmp-a-00000000000000fe").mkdir()
    sweep(target)
    assert names(tmp_path) == kept | {".voxint-tmp-a-00000000000000ff", ".voxint-tmp-a-00000000000000fe"}


def test_name_of_the_target_is_no_pattern(tmp_path: Path) -> None:
    kept = stray_for(tmp_path / "abc")
    sweep(tmp_path / "a.c")
    assert kept.exists()


def test_a_living_writer_keeps_its_file(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with Temporary(target) as first, Temporary(target) as second:
        sweep(target)
        assert first.path.exists()
        os.write(first.fd, b"first")
        first.replace()
        os.write(second.fd, b"second")
        second.replace()
    assert target.read_bytes() == b"second"
    assert names(tmp_path) == {"a"}


def test_what_a_killed_run_left_is_swept_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_bytes(b"old")
    code = (
        "import sys, pathlib; from voxint.io.temporary import Temporary\n"
        "new = Temporary(pathlib.Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(target)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"open\n"
        assert len(names(tmp_path)) == 2
        sweep(target)
        assert len(names(tmp_path)) == 2
        run.send_signal(signal.SIGKILL)
    assert len(names(tmp_path)) == 2
    with Temporary(target) as new:
        assert names(tmp_path) == {"report.json", new.path.name}
    assert target.read_bytes() == b"old"


def test_a_file_that_a_sweeper_took_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a"
    taken: list[int] = []
    lock = fcntl.flock

    def lock_after_sweeper(fd: int, how: int) -> None:
        if not taken:
            taken.append(fd)
            os.unlink(os.readlink(f"/proc/self/fd/{fd}"))
        elif len(taken) == 1:
            taken.append(fd)
            raise BlockingIOError
        lock(fd, how)

    monkeypatch.setattr(fcntl, "flock", lock_after_sweeper)
    with Temporary(target) as new:
        assert len(taken) == 2
        os.write(new.fd, b"third")
        new.replace()
    assert target.read_bytes() == b"third"


def test_without_locks_files_are_written_and_nothing_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(fd: int, how: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    target = tmp_path / "a"
    stray = stray_for(target)
    with Temporary(target) as new:
        new.replace()
    assert names(tmp_path) == {"a", stray.name}


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o644), (0, 0o644)])
def test_new_file_has_0644_less_the_umask(umask: int, mode: int, tmp_path: Path) -> None:
    old = os.umask(umask)
    try:
        with Temporary(tmp_path / "a") as new:
            new.replace()
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_replaced_file_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.touch()
    target.chmod(mode)
    with Temporary(target) as new:
        assert stat.S_IMODE(os.fstat(new.fd).st_mode) == mode
        new.replace()
    assert stat.S_IMODE(target.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.touch()
    os.chown(target, 65534, 65533)
    with Temporary(target) as new:
        new.replace()
    assert (target.stat().st_uid, target.stat().st_gid) == (65534, 65533)


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "x" * 101])
def test_long_names_have_room(name: str, tmp_path: Path) -> None:
    target = tmp_path / name
    with Temporary(target) as new:
        os.write(new.fd, b"long")
        new.replace()
    assert target.read_bytes() == b"long"
