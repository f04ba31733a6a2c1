"""Several documents of one flag: read in order, and the faults of all at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_harness_attribution_report import METRICS

from voxint.cli.catalog import SPECS
from voxint.cli.inputs import open_input
from voxint.cli.progress import Progress
from voxint.errors import ContractError, InputError
from voxint.io import canonical

(RUN,) = [each for each in SPECS[("attribution", "report")].parameters if each.name == "run"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_bytes(canonical.encode(METRICS))


def test_each_file_is_a_model() -> None:
    with Progress() as progress:
        assert open_input(RUN, ("a.json", "a.json"), progress).value == (METRICS, METRICS)


def test_the_faults_of_all_files_are_told() -> None:
    Path("b.json").write_text("{", encoding="utf-8")
    Path("c.json").write_bytes(canonical.encode(METRICS.model_copy(update={"n_review": 7})))
    with Progress() as progress, pytest.raises(ContractError) as caught:
        open_input(RUN, ("b.json", "a.json", "c.json"), progress)
    assert [fault.file for fault in caught.value.faults] == ["b.json", "c.json"]


def test_a_file_that_is_not_there_is_named() -> None:
    with Progress() as progress, pytest.raises(InputError, match=r"lost\.json"):
        open_input(RUN, ("a.json", "lost.json"), progress)
