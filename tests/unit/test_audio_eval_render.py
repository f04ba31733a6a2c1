"""Where the recording of a render is."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from judge_support import DIGEST
from voxint_contracts.audio_eval.v1 import RenderManifest

from voxint.audio_eval.render import Render


@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [("", "a.wav", "a.wav"), ("x/y", "a.wav", "x/y/a.wav"), ("x", "../a.wav", "x/../a.wav"), ("x", "/a.wav", "/a.wav")],
)
def test_a_relative_path_starts_at_the_manifests_folder(folder: str, name: str, expected: str) -> None:
    manifest = RenderManifest(
        schema_version=1, audio_path=name, audio_sha256=DIGEST, sample_rate=16000, script_sha256=DIGEST, chunks=[]
    )
    assert Render(manifest, "m.json", PurePosixPath(folder)).audio == expected
