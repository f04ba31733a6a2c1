"""Calls of the buf command. None of them uses the network."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools._contracts.faults import ContractFaultsError


def image_json(root: Path) -> dict[str, Any]:
    """The compiled protos of a checkout: a FileDescriptorSet in its JSON form."""
    out = _buf(root, "build", "--as-file-descriptor-set", "-o", "-#format=json")
    image: dict[str, Any] = json.loads(out)
    return image


def build(root: Path, output: Path, versions: Iterable[str]) -> None:
    """Compile some versions into the image that `buf breaking` compares with."""
    paths = [part for each in versions for part in ("--path", f"contracts/proto/voxint/{each}")]
    _buf(root, "build", "-o", str(output), *paths)


def breaking(root: Path, against: Path) -> list[str]:
    """One line for each change that breaks those who hold the image `against`."""
    try:
        _buf(root, "breaking", "--against", str(against))
    except ContractFaultsError as error:
        return error.faults
    return []


def _buf(root: Path, *arguments: str) -> bytes:
    beside = Path(sys.executable).with_name("buf")
    command = str(beside) if beside.is_file() else shutil.which("buf") or "buf"
    run = subprocess.run([command, *arguments], cwd=root, capture_output=True, check=False)
    if run.returncode:
        lines = (run.stdout + run.stderr).decode("utf-8", "replace").splitlines()
        raise ContractFaultsError([f"buf {arguments[0]}: {line}" for line in lines if line.strip()])
    return run.stdout
