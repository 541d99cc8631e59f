# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft cache: what it shows and what it removes."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path

import pytest

import weft
from weft.cli import Exit, main

SOURCE = "kernel twice[n: size, m: size](x: f64[n, m]) -> (y: f64[n, m]):\n    y = 2 * x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_CACHE_SIZE", "1G")
    return tmp_path / "cache"


def test_empty_cache(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "ls"]) == Exit.OK
    assert capsys.readouterr().out == f"0 kernels, 0 B of 1.0 GB in {folder}\n"
    assert main(["cache", "ls", "--json"]) == Exit.OK
    assert json.loads(capsys.readouterr().out) == []
    assert main(["cache", "clear"]) == Exit.OK
    assert capsys.readouterr().out == "removed 0 entries, 0 B\n"


def test_kernels_are_listed_the_last_used_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for m in (3, 4):
        weft.compile(SOURCE, target="portable", n=8, m=m)
    kernels = [path.parent for path in folder.rglob("kernel.so")]
    for path in kernels:
        ours = '"m": 3' in (path / "manifest.json").read_text()
        then = time.time() - (3 * 3600 if ours else 2 * 86400)
        os.utime(path / "manifest.json", (then, then))
    assert main(["cache", "ls"]) == Exit.OK
    head, first, second, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["kernel", "target", "sizes", "bytes", "made", "used"]
    assert first.split()[:4] == ["twice", "portable", "n=8", "m=3"]
    assert first.split()[-1] == "3h"
    assert second.split()[:4] == ["twice", "portable", "n=8", "m=4"]
    assert second.split()[-1] == "2d"
    assert last.startswith("2 kernels, ")
    assert main(["cache", "ls", "--json"]) == Exit.OK
    records = [r for r in json.loads(capsys.readouterr().out) if r["kind"] == "kernel"]
    assert [r["sizes"] for r in records] == [{"n": 8, "m": 3}, {"n": 8, "m": 4}]
    assert {r["folder"] for r in records} == set(map(str, kernels))
    assert all(r["bytes"] > 1000 for r in records)

    assert main(["cache", "clear", "--older-than", "1d"]) == Exit.OK
    assert capsys.readouterr().out.startswith("removed 1 entries, ")
    assert len(list(folder.rglob("kernel.so"))) == 1
    assert main(["cache", "clear"]) == Exit.OK
    assert not list(folder.rglob("manifest.json"))


def test_entries_that_cannot_be_removed_are_a_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    weft.compile(SOURCE, target="portable", n=8, m=4)
    entries = len(list(folder.rglob("manifest.json")))

    def refuse(path: Path, to: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "rename", refuse)
    assert main(["cache", "clear"]) == Exit.FAULT
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"error: removed 0 of {entries} entries")
    assert len(list(folder.rglob("manifest.json"))) == entries


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("text", ["abc", "-5", "5Z"])
def test_a_limit_that_is_no_size_is_told_at_once(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    known: bool,
    text: str,
) -> None:
    del folder
    source = tmp_path / "k.weft"
    source.write_text(SOURCE)
    words = ["compile", str(source), "-D", "n=8,m=4", "--target", "portable", "-o", str(tmp_path)]
    if known:
        assert main(words) == Exit.OK
        capsys.readouterr()
    monkeypatch.setenv("WEFT_CACHE_SIZE", text)
    monkeypatch.setattr("weft.building._build", None)
    assert main(words) == Exit.FAULT
    assert capsys.readouterr().err.startswith("error: WEFT_CACHE_SIZE is no size\n")
    assert main(["--help"]) == Exit.OK


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1y", "nand", ""])
def test_age_that_is_none(folder: Path, age: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "clear", "--older-than", age]) == Exit.USAGE
    assert "such as 30d" in "".join(c for c in capsys.readouterr().err if c not in "│\n")
