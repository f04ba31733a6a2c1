"""A private PostgreSQL server on the loopback: made in a temporary folder, gone at the end of the tests.

The server never outlives the tests: a watcher in its own session stops it when this process ends, however it ends.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "a secret: 100% @/?&"
"""Password of the tests' superuser, with all that a URL must encode."""

# Reads a pipe that this process holds open; at its end it stops the server and removes its folder.
_WATCHER = """
import shutil, subprocess, sys
sys.stdin.read()
folder, user, *stop = sys.argv[1:]
as_user = {"user": user, "group": user} if user else {}
subprocess.run(stop, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **as_user)
shutil.rmtree(folder, ignore_errors=True)
"""


def server_programs() -> Path | None:
    """The folder with initdb and pg_ctl; None where no server is installed."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


@contextmanager
def private_server() -> Iterator[int]:
    """The port of a server that listens on 127.0.0.1 alone, with a password for its superuser `voxint`."""
    programs = server_programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="voxint-pg-"))
    # A server refuses to run as root.
    as_user: dict[str, str] = {}
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        as_user = {"user": "postgres", "group": "postgres"}
    (folder / "password").write_text(PASSWORD)
    os.chmod(folder / "password", 0o644)
    data = folder / "data"
    how = ["-E", "UTF8", "--locale=C.UTF-8", "-A", "scram-sha-256", "--no-sync", f"--pwfile={folder / 'password'}"]
    _run([programs / "initdb", "-D", data, "-U", "voxint", *how], as_user)
    port = _free_port()
    # Durability is the server's business, not of these tests: nothing here cuts the power.
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    stop = [str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop"]
    _run([programs / "pg_ctl", "-D", data, "-w", "-t", "60", "-l", folder / "log", "-o", options, "start"], as_user)
    watcher = subprocess.Popen(
        [sys.executable, "-c", _WATCHER, str(folder), as_user.get("user", ""), *stop],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield port
    finally:
        watcher.stdin.close()
        watcher.wait(60)


def _run(command: list[object], as_user: dict[str, str]) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        cwd="/",
        **as_user,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, done.stderr


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
