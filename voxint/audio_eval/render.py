"""A render as a command takes it: its manifest, and where the files that it names are."""

from __future__ import annotations

from dataclasses import dataclass

from voxint_contracts.audio_eval.v1 import RenderManifest


@dataclass(frozen=True, slots=True)
class Render:
    """A manifest, and the path of its recording from where the command runs."""

    manifest: RenderManifest
    audio: str
