"""A render as a command takes it: its manifest, and where the files that it names are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from voxint_contracts.audio_eval.v1 import RenderManifest


@dataclass(frozen=True, slots=True)
class Render:
    """A manifest, the name of its file for messages, and its folder, from which relative paths start."""

    manifest: RenderManifest
    file: str
    folder: PurePath

    @property
    def audio(self) -> str:
        """The path of the recording."""
        return str(self.folder / self.manifest.audio_path)
