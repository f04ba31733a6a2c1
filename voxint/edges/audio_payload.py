"""A recording as a service takes it inline: FLAC, or MP3 where FLAC is too large or not spoken. Holds soundfile.

Sound goes through in blocks of a second: libsndfile has been seen to crash on long writes in one call.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from voxint.errors import Fault, InputError, MissingExtraError
from voxint.ports import Recording

_HOW = "python -m pip install soundfile, or in a checkout python -m pip install --editable '.[audio]'"
MOST_BYTES = 14_000_000
"""Largest encoded recording: in base64 (4/3), with the text, it is below the 20 MB of an inline request."""

_FORMS = {"google": ("FLAC", "MP3"), "openai": ("MP3",)}
_MEDIA_TYPES = {"FLAC": "audio/flac", "MP3": "audio/mpeg"}


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording on disk: its length in seconds, and its bytes as a digest."""

    path: str
    seconds: float
    sha256: str


def check_installed() -> None:
    """Nothing happens where sound can be read.

    Raises:
        MissingExtraError: soundfile is not installed; the message says how to get it.
    """
    if find_spec("soundfile") is None:
        raise MissingExtraError(f"recordings need soundfile, the extra `audio`: {_HOW}")


def measured(path: str) -> Sound:
    """The length and the digest of a recording.

    Raises:
        InputError: it cannot be read, is no sound that soundfile knows, or holds none.
        MissingExtraError: soundfile cannot be loaded.
    """
    soundfile = _load()
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", path)) from error
    try:
        info = soundfile.info(io.BytesIO(data))
    except soundfile.SoundFileError as error:
        raise InputError(Fault("is no recording that can be read (WAV, FLAC, MP3, Ogg)", path)) from error
    if not info.frames:
        raise InputError(Fault("holds no sound", path))
    return Sound(path, info.frames / info.samplerate, hashlib.sha256(data).hexdigest())


def encoded(sound: Sound, provider: str, most_bytes: int = MOST_BYTES) -> Recording:
    """The recording in the first form that the service takes and that is small enough.

    A file that already has that form goes as it is.

    Raises:
        InputError: it is too large in every form, or cannot be encoded.
    """
    sizes = []
    for form in _FORMS[provider]:
        data = _as(sound.path, form)
        if len(data) <= most_bytes:
            return Recording(_MEDIA_TYPES[form], data)
        sizes.append(f"{len(data) / 1e6:.1f} MB as {form}")
    message = f"is too large to be sent inline: {', '.join(sizes)}, and at most {most_bytes / 1e6:.1f} MB: cut it"
    raise InputError(Fault(message, sound.path))


def _as(path: str, form: str) -> bytes:
    soundfile = _load()
    try:
        with soundfile.SoundFile(path) as source:
            if source.format == form or (form == "MP3" and source.format == "MPEG"):
                return Path(path).read_bytes()
            target = io.BytesIO()
            subtype = {"FLAC": "PCM_16", "MP3": "MPEG_LAYER_III"}[form]
            with soundfile.SoundFile(target, "w", source.samplerate, source.channels, subtype, format=form) as sink:
                for block in source.blocks(source.samplerate, dtype="float32"):
                    sink.write(block)
            return target.getvalue()
    except (soundfile.SoundFileError, OSError) as error:
        raise InputError(Fault(f"cannot be encoded as {form}", path)) from error


def _load() -> Any:
    try:
        import soundfile
    except (ImportError, OSError) as error:
        raise MissingExtraError(f"soundfile is installed and cannot be loaded; repair it: {_HOW}") from error
    return soundfile
