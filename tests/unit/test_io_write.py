from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from voxint.errors import EdgeError, InputError
from voxint.io.write import check_writable, same_file, write_atomic, write_stdout

ROOT = Path(__file__).parents[2]
OLD = b"old report\n"


def run(code: str, *argv: str) -> subprocess.CompletedProcess[bytes]:
    program = [sys.executable, "-c", f"import sys\nfrom voxint.io.write import *\n{code}", *argv]
    return subprocess.run(program, cwd=ROOT, check=False, capture_output=True, timeout=60)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    file = tmp_path / "report.json"
    file.write_bytes(OLD)
    return file


def only(target: Path) -> bool:
    return [entry.name for entry in target.parent.iterdir()] == [target.name]


def said(path: str) -> str:
    """What both the early check and the writing say, which must not take a chunk."""

    def never() -> Iterator[bytes]:
        raise AssertionError("asked for a chunk")
        yield b""

    with pytest.raises(InputError) as early:
        check_writable(path)
    with pytest.raises(InputError) as late:
        write_atomic(path, never())
    assert str(early.value) == str(late.value)
    return str(early.value)


def test_all_chunks_are_written_in_order(target: Path) -> None:
    chunks = [b"a" * n for n in (0, 1, 300_000, 5)] + [b"", b"\n"] * 1000
    write_atomic(str(target), iter(chunks))
    assert target.read_bytes() == b"".join(chunks)
    write_atomic(str(target), [])
    assert target.read_bytes() == b""
    assert only(target)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GeneratorExit, OSError])
def test_what_a_chunk_raises_leaves_the_old_file(error: type[BaseException], target: Path) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"x" * 1_000_000
        raise error("stop")

    with pytest.raises(error, match=r"^stop$"):
        write_atomic(str(target), chunks())
    assert target.read_bytes() == OLD
    assert only(target)


def test_killed_run_leaves_the_old_file_and_the_next_one_cleans_up(target: Path) -> None:
    code = (
        "import os, signal\n"
        "def chunks():\n"
        "    yield b'x' * 1_000_000\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_atomic(sys.argv[1], chunks())"
    )
    assert run(code, str(target)).returncode == -signal.SIGKILL
    assert target.read_bytes() == OLD
    assert not only(target)
    check_writable(str(target))
    assert only(target)


def test_file_too_large_keeps_the_old_one(target: Path) -> None:
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "write_atomic(sys.argv[1], [b'x' * 1000] * 1000)"
    )
    done = run(code, str(target))
    assert done.stderr.decode().splitlines()[-1] == (
        f"voxint.errors.EdgeError: {target}: cannot be written: File too large"
    )
    assert target.read_bytes() == OLD
    assert only(target)


def test_full_device_is_an_edge_error() -> None:
    with pytest.raises(EdgeError, match=r"^/dev/full: cannot be written: No space left on device$") as caught:
        write_atomic("/dev/full", [b"x"])
    assert isinstance(caught.value.__cause__, OSError)


def test_links_are_written_through(target: Path) -> None:
    link, chain = target.with_name("link"), target.with_name("chain")
    link.symlink_to("report.json")
    chain.symlink_to(link)
    write_atomic(str(chain), [b"new"])
    assert target.read_bytes() == b"new"
    assert chain.is_symlink()
    assert link.is_symlink()


def test_dangling_link_makes_its_file(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link = tmp_path / "link"
    link.symlink_to("far/new.json")
    check_writable(str(link))
    assert not link.exists()
    write_atomic(str(link), [b"new"])
    assert (tmp_path / "far" / "new.json").read_bytes() == b"new"
    assert link.is_symlink()


def test_other_names_of_the_file_keep_the_old_content(target: Path) -> None:
    other = target.with_name("other")
    other.hardlink_to(target)
    write_atomic(str(target), [b"new"])
    assert (target.read_bytes(), other.read_bytes()) == (b"new", OLD)


def test_what_cannot_be_written_is_said_before_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dir").mkdir()
    Path("file").touch()
    Path("loop").symlink_to("loop")
    Path("lost").symlink_to("nowhere/a")
    assert said("dir") == "dir: cannot be written: it is a directory"
    assert said("new/") == "new/: cannot be written: it is a directory"
    assert said("nowhere/a") == f"nowhere/a: cannot be written: there is no directory {tmp_path}/nowhere"
    assert said("file/a") == f"file/a: cannot be written: there is no directory {tmp_path}/file"
    assert said("loop") == "loop: cannot be written: Too many levels of symbolic links"
    assert said("lost") == f"lost: cannot be written: there is no directory {tmp_path}/nowhere"
    assert said("x" * 300).endswith("cannot be written: File name too long")
    assert said("") == "the file name '' cannot be used"
    assert said("a\0b") == "the file name 'a\\x00b' cannot be used"
    assert {entry.name for entry in tmp_path.iterdir()} == {"dir", "file", "loop", "lost"}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user to be")
@pytest.mark.parametrize(
    ("mode", "file_mode", "reason"),
    [(0o755, 0o666, "Permission denied"), (0o777, 0o444, "it is write-protected"), (0o000, 0o666, "Permission denied")],
)
def test_missing_rights_are_said(mode: int, file_mode: int, reason: str) -> None:
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        place = Path(top) / "place"
        place.mkdir()
        file = place / "a"
        file.write_bytes(OLD)
        file.chmod(file_mode)
        place.chmod(mode)
        code = (
            "import os\nfrom voxint.errors import InputError\nos.setuid(65534)\n"
            "for act in (check_writable, lambda path: write_atomic(path, [b'new'])):\n"
            "    try: act(sys.argv[1])\n"
            "    except InputError as error: print(error)\n"
        )
        done = run(code, str(file))
        assert done.stdout.decode().splitlines() == [f"{file}: cannot be written: {reason}"] * 2
        assert file.read_bytes() == OLD


def test_fifo_is_written_through(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    check_writable(str(fifo))
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()))
    reader.start()
    write_atomic(str(fifo), [b"a", b"b"])
    reader.join()
    assert got == [b"ab"]
    assert fifo.is_fifo()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_dev_stdout_is_standard_output_also_in_a_file(name: str, target: Path) -> None:
    code = "import os\nos.write(1, b'before ')\nwrite_atomic(sys.argv[1], [b'report'])\nos.write(1, b' after')"
    assert run(code, name).stdout == b"before report after"
    with target.open("ab") as file:
        program = [sys.executable, "-c", f"import sys\nfrom voxint.io.write import *\n{code}", name]
        subprocess.run(program, cwd=ROOT, stdout=file, check=True, timeout=60)
    assert target.read_bytes() == OLD + b"before report after"
    assert only(target)


def test_stdout_takes_bytes_whatever_the_locale() -> None:
    code = "print('text', end=' '); print(write_stdout([b'Jos\\xc3\\xa9\\n'] * 3), file=sys.stderr)"
    environment = {"PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    program = [sys.executable, "-c", f"import sys\nfrom voxint.io.write import *\n{code}"]
    done = subprocess.run(program, check=False, env=environment, capture_output=True, timeout=60)
    assert done.stdout == b"text " + "José\n".encode() * 3
    assert done.stderr == b"True\n"


def test_stdout_without_reader_is_told_quietly() -> None:
    code = "print(write_stdout([b'x' * 1000] * 10_000), file=sys.stderr)"
    program = [sys.executable, "-c", f"import sys\nfrom voxint.io.write import *\n{code}"]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b"False\n"
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">/dev/full", "<stdout>: cannot be written: No space left on device"), (">&-", "<stdout>: is closed")],
)
def test_stdout_that_cannot_be_written_is_one_line(redirection: str, reason: str) -> None:
    code = (
        "import sys; from voxint.io.write import write_stdout; from voxint.errors import EdgeError\n"
        "try: write_stdout([b'x'])\n"
        "except EdgeError as error: print(error, file=sys.stderr)"
    )
    program = ["sh", "-c", f'exec "$0" -c "$1" {redirection}', sys.executable, code]
    done = subprocess.run(program, check=False, cwd=ROOT, capture_output=True, timeout=60)
    assert done.stderr.decode() == f"{reason}\n"
    assert done.returncode == 0


def test_stdout_of_a_test_harness_needs_no_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", held)
    assert write_stdout([b"a", b"b"])
    assert held.buffer.getvalue() == b"ab"


def test_same_file_sees_through_names(target: Path) -> None:
    link, other = target.with_name("link"), target.with_name("other")
    link.symlink_to(target)
    other.hardlink_to(target)
    assert same_file(str(target), str(link))
    assert same_file(str(target), str(other))
    assert same_file(str(target), f"{target.parent}/./report.json")
    assert not same_file(str(target), str(target.parent))
    missing = target.with_name("missing")
    assert same_file(str(missing), f"{missing.parent}/x/../missing")
    assert not same_file(str(missing), str(target))
    assert not same_file("-", str(target))
    assert not same_file("a\0", str(target))
