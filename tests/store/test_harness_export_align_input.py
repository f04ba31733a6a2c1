"""The map of enrolled speakers, as it is read back; the input itself is tested with the programs of the corpora."""

from __future__ import annotations

from pathlib import Path

import pytest

from voxint.errors import InputError
from voxint.harness_export.align_input import read_speaker_map


@pytest.mark.parametrize("text", ["[]", "{", '{"a": 1}', '{"a": ""}', '{" ": "s"}', '{"a": null}'])
def test_a_speaker_map_is_a_map_of_texts(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(InputError, match=r"m\.json: "):
        read_speaker_map(str(tmp_path / "m.json"))


def test_a_speaker_map_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"MEE009": "spk_1", "FEO010": "spk_2"}')
    assert read_speaker_map(str(tmp_path / "m.json")) == {"MEE009": "spk_1", "FEO010": "spk_2"}
