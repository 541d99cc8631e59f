# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dump folders and reproducers."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from weft import artifacts
from weft.diagnostics import RunError


def test_passes_are_numbered_as_they_ran(tmp_path: Path) -> None:
    dump = artifacts.Dump(tmp_path / "new" / "dump")
    dump.stage(artifacts.SOURCE, "x")
    for flag in ("inline", "cse", "cse"):
        dump.after_pass(flag, flag)
    assert sorted(p.name for p in (tmp_path / "new" / "dump").iterdir()) == [
        "00-source.weft",
        "20-01-inline.mlir",
        "20-02-cse.mlir",
        "20-03-cse.mlir",
    ]


def test_nothing_is_written_without_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    artifacts.Dump(None).stage(artifacts.SOURCE, "x")
    assert list(tmp_path.iterdir()) == []


def test_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "out.c"
    artifacts.write_whole(place, "old")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RunError, match=r"cannot write .*out\.c: No space left"):
        artifacts.write_whole(place, "new")
    assert place.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.c"]


def test_where_no_file_can_be_another_place_is_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, data: bytes) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "write_bytes", refused)
    with pytest.raises(RunError, match=r"cannot write .*out\.c: Read-only") as caught:
        artifacts.write_whole(tmp_path / "out.c", "new")
    assert caught.value.help == f"choose a folder in which files can be made: {tmp_path} is none"


def test_one_fault_has_one_reproducer() -> None:
    first = artifacts.keep_reproducer({"a.mlir": "x", "message.txt": "m"})
    assert artifacts.keep_reproducer({"message.txt": "m", "a.mlir": "x"}) == first
    assert artifacts.keep_reproducer({"a.mlir": "y", "message.txt": "m"}) != first
    assert (first / "a.mlir").read_text() == "x"


@pytest.mark.parametrize(
    ("flags", "told"), [(os.ST_RDONLY, "Read-only file system"), (0, "Permission denied")]
)
def test_why_a_file_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: int, told: str
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=flags))
    with pytest.raises(RunError, match=f"cannot write .*: {told}"):
        artifacts.require_writable(tmp_path / "y.npz")
