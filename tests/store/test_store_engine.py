"""From a URL to a database: what is refused, and that a password is never repeated."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from backends import Backend, PostgresBackend

from voxint.errors import InputError, UsageError
from voxint.store.engine import make_engine, parse_url
from voxint.store.sessions import open_store

ROOT = Path(__file__).resolve().parents[2]
SECRET = "s3cr3t-w0rd"


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://ann:{SECRET}@host/db",
        f"{SECRET}",
        f"postgresql+asyncpg://ann:{SECRET}@host/db",
        "sqlite://",
        "sqlite:///:memory:",
        f"sqlite://ann:{SECRET}@host/x.db",
        f"sqlite:///x.db?password={SECRET}",
        f"postgresql://ann:half@{SECRET}@host/db",
    ],
)
def test_what_is_no_url_of_ours_is_refused_unrepeated(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_engine(parse_url(url))
    assert str(caught.value).startswith("VOXINT_DATABASE_URL ")
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        make_engine(parse_url(f"sqlite:///{tmp_path}/no/such.db"))
    with (
        pytest.raises(InputError, match="there is no such file: voxint store init makes it"),
        open_store(f"sqlite:///{tmp_path}/none.db"),
    ):
        pass


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{SECRET}@127.0.0.1:PORT/db",
        f"postgresql://ann:{SECRET}@no-such-host.invalid/db",
        f"postgresql://ann:{SECRET}@127.0.0.1:PORT/db?sslpassword={SECRET}",
        f"postgresql://ann:{SECRET}@127.0.0.1:99999/db",
        f"postgresql://ann:{SECRET}@127.0.0.1:PORT/db?{SECRET}=1",
    ],
)
def test_a_server_that_is_not_there_is_one_line_without_the_password(url: str) -> None:
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    env["VOXINT_DATABASE_URL"] = url.replace("PORT", str(closed_port()))
    done = subprocess.run(
        [sys.executable, "-m", "voxint", "store", "speakers"], env=env, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert SECRET not in done.stderr


def test_a_wrong_password_is_not_repeated(backend: Backend) -> None:
    if not isinstance(backend, PostgresBackend):
        with pytest.raises(UsageError, match="says more than a file"):
            parse_url(f"sqlite://ann:{SECRET}@host/x.db")
        return
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    env["VOXINT_DATABASE_URL"] = backend.url("postgres", SECRET)
    done = subprocess.run([sys.executable, "-m", "voxint", "store", "init"], env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert "password authentication failed" in done.stderr
    assert SECRET not in done.stderr
