# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trials are kept, read again by the same build, and survive what cuts a line short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from weft.diagnostics import RunError
from weft.tuning.journal import Entry, Journal, place

ENTRY = Entry({"f": ["factor a into 8, 8"]}, 1.0, {"f": ["factor a into 64"]}, 2.0)


def journal(folder: Path, build: str = "one") -> Journal:
    return Journal(folder / "tuning" / "f.jsonl", {"kernel": "f", "sizes": {"n": 64}}, build)


def test_what_is_added_is_read(tmp_path: Path) -> None:
    assert list(journal(tmp_path).read()) == []
    failed = Entry({"f": ["unroll 64"]}, 0.0, {}, 0.0, "refused")
    journal(tmp_path).add(ENTRY)
    journal(tmp_path).add(failed)
    assert list(journal(tmp_path).read()) == [ENTRY, failed]
    assert (ENTRY.ratio, failed.ratio) == (0.5, float("inf"))
    first = json.loads(journal(tmp_path).file.read_text().splitlines()[0])
    assert (first["kernel"], first["sizes"], first["build"]) == ("f", {"n": 64}, "one")


def test_of_another_build_is_kept_and_does_not_count(tmp_path: Path) -> None:
    journal(tmp_path, "one").add(ENTRY)
    journal(tmp_path, "two").add(ENTRY)
    assert list(journal(tmp_path, "two").read()) == [ENTRY]
    assert len(journal(tmp_path).file.read_text().splitlines()) == 2


@pytest.mark.parametrize("rest", ['{"build": "one", "seco', "[]", "null", '{"build": "one"}', "5"])
def test_a_line_cut_short_is_none_and_the_next_is_whole(tmp_path: Path, rest: str) -> None:
    journal(tmp_path).add(ENTRY)
    with journal(tmp_path).file.open("a") as out:
        out.write(rest)
    journal(tmp_path).add(ENTRY)
    assert list(journal(tmp_path).read()) == [ENTRY, ENTRY]


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    journal(tmp_path).add(ENTRY)
    journal(tmp_path).file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RunError, match="cannot read the trials") as told:
        list(journal(tmp_path).read())
    assert "remove that file" in told.value.help


def test_what_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "tuning").write_text("a file where a folder should be")
    with pytest.raises(RunError, match="cannot keep a trial"):
        journal(tmp_path).add(ENTRY)


def test_places_differ_by_all_that_is_known() -> None:
    about = {"kernel": "f", "sizes": {"n": 64}, "cpu": "one"}
    assert place("f", about) == place("f", dict(about))
    assert place("f", about) != place("f", {**about, "cpu": "two"})
    assert place("../f", about).parent == place("f", about).parent
