"""Many documents, one at a time: every good one first, then the faults of all the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from voxint_contracts.name_accuracy.v1 import AliasTable

from voxint.errors import ContractError, RecordError, RecordFault
from voxint.io.documents import Documents


def files(folder: Path, *texts: str) -> list[str]:
    found = []
    for place, text in enumerate(texts):
        path = folder / f"{place}.json"
        path.write_text(text)
        found.append(str(path))
    return found


GOOD = '{"schema_version": 1, "aliases": {"Dana Fox": ["D. Fox"]}}'


def test_good_ones_come_first_and_the_faults_of_all_at_the_end(tmp_path: Path) -> None:
    names = files(tmp_path, "[]", GOOD, "{", GOOD)
    documents = Documents(names, AliasTable)
    assert len(documents) == 4
    taken: list[AliasTable] = []

    def take() -> None:
        for document in documents:
            taken.append(document)  # noqa: PERF402 - an error in the middle must leave what was taken

    with pytest.raises(ContractError) as caught:
        take()
    assert len(taken) == 2
    assert [line.split(":")[0] for line in str(caught.value).splitlines()] == [names[0], names[2]]


def test_what_a_taker_refuses_is_placed_in_its_file(tmp_path: Path) -> None:
    names = files(tmp_path, GOOD, GOOD)
    documents = Documents(names, AliasTable)

    def take() -> None:
        for place, _ in enumerate(documents):
            if place == 1:
                documents.refuse(RecordError([RecordFault("tables", 1, "is known", ("aliases", "Dana Fox"))]))

    with pytest.raises(ContractError) as caught:
        take()
    assert str(caught.value).startswith(f"{names[1]}:1:")
    assert str(caught.value).endswith('$.aliases["Dana Fox"]: is known')
