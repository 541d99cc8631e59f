# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache: keys, whole entries only, concurrent and killed publishers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from weft import cache
from weft.diagnostics import RunError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def publish(key: str, content: str = "text") -> cache.Entry:
    with cache.workspace() as work:
        (work / "a.txt").write_text(content)
        (work / "left-over").write_text("")
        return cache.publish(key, work, ["a.txt"], {"n": 1})


KEY = "ab" * 32


def test_published_entry_is_found_whole(folder: Path) -> None:
    assert cache.find(KEY) is None
    publish(KEY)
    entry = cache.find(KEY)
    assert entry is not None
    assert entry.notes == {"n": 1}
    assert entry.path("a.txt").read_text() == "text"
    assert not entry.path("left-over").exists()
    assert [p.name for p in folder.iterdir()] == [KEY[:2]], "no work folder is left"


@pytest.mark.parametrize(
    "harm",
    [
        lambda e: e.path("a.txt").write_text("tex"),
        lambda e: e.path("a.txt").unlink(),
        lambda e: e.path(cache.MANIFEST).unlink(),
        lambda e: e.path(cache.MANIFEST).write_text("{"),
        lambda e: e.path(cache.MANIFEST).write_text("[]"),
        lambda e: e.path(cache.MANIFEST).write_bytes(b"\xff\xfe"),
        lambda e: e.path(cache.MANIFEST).write_text('{"files": {"a.txt": 3}, "notes": {}}'),
    ],
)
def test_damaged_entry_is_a_miss_and_is_replaced(folder: Path, harm: object) -> None:
    harm(publish(KEY))  # type: ignore[operator]
    assert cache.find(KEY) is None
    publish(KEY, "again")
    entry = cache.find(KEY)
    assert entry is not None
    assert entry.path("a.txt").read_text() == "again"
    assert [p.name for p in folder.iterdir()] == [KEY[:2]]


def test_second_publisher_keeps_the_first_entry(folder: Path) -> None:
    publish(KEY, "first")
    assert publish(KEY, "second").path("a.txt").read_text() == "first"
    assert [p.name for p in folder.iterdir()] == [KEY[:2]]


def test_key_depends_on_every_part() -> None:
    parts = {"source": "x", "sizes": [["n", 1]], "flags": ["-O3"]}
    keys = {cache.key_of(parts)} | {cache.key_of({**parts, name: None}) for name in parts}
    assert len(keys) == 4
    assert cache.key_of(dict(reversed(parts.items()))) == cache.key_of(parts)


def test_folder_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(RunError, match="WEFT_CACHE_DIR"), cache.workspace():
        pass


def test_work_folder_of_a_killed_publisher_is_cleared(folder: Path) -> None:
    old, new = folder / ".work-1-old", folder / ".work-1-new"
    for work in (old, new):
        work.mkdir(parents=True)
    long_ago = time.time() - 2 * cache.ABANDONED_AFTER
    os.utime(old, (long_ago, long_ago))
    publish(KEY)
    assert not old.exists()
    assert new.exists(), "another publisher may be at work in it"


PUBLISHER = """
import os, sys
from weft import cache
key, rounds = sys.argv[1], int(sys.argv[2])
cache.build_identity = lambda: "test"
print("ready", flush=True)
for i in range(rounds):
    with cache.workspace() as work:
        for name in "abc":
            (work / name).write_bytes(key.encode() * 2000)
        cache.publish(key + f"{i % 5}", work, ["a", "b", "c"], {"by": os.getpid()})
    entry = cache.find(key + f"{i % 5}")
    assert entry is not None
    assert (entry.folder / "c").read_bytes() == key.encode() * 2000
"""


def spawn(key: str, rounds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PUBLISHER, key, str(rounds)], stdout=subprocess.PIPE, text=True
    )


def test_publishers_at_once_and_killed_ones(folder: Path) -> None:
    steady = [spawn(KEY, 60) for _ in range(4)]
    doomed = [spawn(KEY, 100_000) for _ in range(3)]
    for process in (*steady, *doomed):
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    for process in doomed:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    for process in steady:
        process.communicate(timeout=120)
        assert process.returncode == 0
    for i in range(5):
        entry = cache.find(KEY + str(i))
        assert entry is not None
        assert entry.path("a").read_bytes() == KEY.encode() * 2000
