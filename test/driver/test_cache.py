# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache: keys, whole entries only, concurrent and killed publishers."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

import weft
from weft import cache, cache_folder
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


def entries(folder: Path) -> list[str]:
    """What is in the cache's folder, its own books apart."""
    books = (".locks", ".grown", ".sweep")
    return sorted(p.name for p in folder.iterdir() if not p.name.startswith(books))


KEY = "ab" * 32


def test_published_entry_is_found_whole(folder: Path) -> None:
    assert cache.find(KEY) is None
    publish(KEY)
    entry = cache.find(KEY)
    assert entry is not None
    assert entry.notes == {"n": 1}
    assert entry.path("a.txt").read_text() == "text"
    assert not entry.path("left-over").exists()
    assert entries(folder) == [KEY[:2]], "no work folder is left"


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
    assert entries(folder) == [KEY[:2]]


def test_second_publisher_keeps_the_first_entry(folder: Path) -> None:
    publish(KEY, "first")
    assert publish(KEY, "second").path("a.txt").read_text() == "first"
    assert entries(folder) == [KEY[:2]]


def test_key_depends_on_every_part() -> None:
    parts = {"source": "x", "sizes": [["n", 1]], "flags": ["-O3"]}
    keys = {cache.key_of(parts)} | {cache.key_of({**parts, name: None}) for name in parts}
    assert len(keys) == 4
    assert cache.key_of(dict(reversed(parts.items()))) == cache.key_of(parts)


def test_identity_is_kept_and_follows_the_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [tmp_path / "a.py", tmp_path / "b.so"]
    monkeypatch.setattr(cache, "_own_files", lambda: set(own))
    for path in own:
        path.write_text("text")
    assert cache.build_identity.__wrapped__()
    assert not cache_folder.items(), "files of this moment may be written again at it"
    monkeypatch.setattr(cache, "SETTLED", 0)
    identity = cache.build_identity.__wrapped__
    first = identity()
    assert [item.kind for item in cache_folder.items()] == ["identity"]
    # Nothing is read the second time: what was kept is the answer.
    with monkeypatch.context() as patch:
        patch.setattr(cache.hashlib, "sha256", _only_of_short_texts)
        assert identity() == first
    about = own[0].stat()
    own[0].write_text("next")  # as long, and said to be of the same moment
    os.utime(own[0], ns=(about.st_atime_ns, about.st_mtime_ns))
    assert identity() != first
    own[0].write_text("text")
    assert identity() == first, "it is of what files are, not of when they were written"
    cache_folder.clear()
    assert identity() == first


def _only_of_short_texts(given: bytes = b"") -> object:
    assert given, "a digest of files begins with the version"
    assert given != weft.__version__.encode()
    return hashlib.new("sha256", given)


def test_folder_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    for place in ("file", "file/below"):
        monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / place))
        with pytest.raises(RunError, match="not to a file") as caught, cache.workspace():
            pass
        assert "free some space" not in str(caught.value)


@pytest.mark.parametrize(
    ("number", "way_out"),
    [
        (errno.ENOSPC, "free some space there, or set WEFT_CACHE_DIR to a folder on another disk"),
        (errno.EROFS, "set WEFT_CACHE_DIR to a folder that is not on a read-only file system"),
        (errno.EACCES, "set WEFT_CACHE_DIR to a folder that you may write"),
        (errno.ENAMETOOLONG, "set WEFT_CACHE_DIR to a folder of yours"),
    ],
)
def test_way_out_fits_what_is_wrong(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, way_out: str
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(RunError) as caught, cache.workspace():
        pass
    assert str(folder) in caught.value.message
    assert caught.value.help == way_out


def test_work_folder_of_a_killed_publisher_is_cleared(folder: Path) -> None:
    old, new = folder / ".work-1-old", folder / ".work-1-new"
    for work in (old, new):
        work.mkdir(parents=True)
    long_ago = time.time() - 2 * cache_folder.ABANDONED_AFTER
    os.utime(old, (long_ago, long_ago))
    with cache.workspace() as busy:
        os.utime(busy, (long_ago, long_ago))
        publish(KEY)
        assert busy.exists(), "somebody is at work in it, however long it takes"
    assert not old.exists()
    assert new.exists(), "another publisher may be about to lock it"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 2 << 30), ("1000", 1000), ("3K", 3072), ("1.5M", 3 << 19), ("2GiB", 2 << 31 >> 1)],
)
def test_size_limit_in_words(monkeypatch: pytest.MonkeyPatch, text: str, expected: int) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", text)
    assert cache_folder.limit() == expected


@pytest.mark.parametrize("text", ["x", "-1", "1X", "nan", "G", "inf"])
def test_size_limit_that_is_none(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", text)
    with pytest.raises(RunError, match="WEFT_CACHE_SIZE is no size"):
        cache_folder.limit()
    with pytest.raises(RunError, match="WEFT_CACHE_SIZE is no size"):
        cache.key_of({})


def key(number: int) -> str:
    return f"{number:02x}" * 32


def used(number: int, seconds_ago: float) -> None:
    """As if the entry had been used last that long ago."""
    then = time.time() - seconds_ago
    os.utime(cache_folder.place(key(number)) / cache.MANIFEST, (then, then))


def test_entries_used_longest_ago_leave_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", "1M")
    for number in range(8):
        publish(key(number), "x" * 100_000)
        used(number, 10_000 - number)
    used(0, 100)
    for number in range(8, 14):
        publish(key(number), "x" * 100_000)
    kept = [number for number in range(14) if cache.find(key(number)) is not None]
    assert 0 in kept, "it was used after the others"
    assert set(range(8, 14)) <= set(kept), "used a moment ago"
    assert 1 not in kept
    assert kept == [0, *range(kept[1], 14)]
    assert sum(size for _, size, _ in cache_folder._entries()) <= 1 << 20


def test_hit_is_a_use(folder: Path) -> None:
    publish(KEY)
    manifest = cache_folder.place(KEY) / cache.MANIFEST
    os.utime(manifest, (1, 1))
    assert cache.find(KEY) is not None
    assert time.time() - manifest.stat().st_mtime < 60


def test_sweep_that_was_killed_is_done_by_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", "1M")

    def killed(_: int) -> None:
        raise KeyboardInterrupt

    for number in range(12):
        publish(key(number), "x" * 50_000)
        used(number, 1000)
    with monkeypatch.context() as patch:
        patch.setattr(cache_folder, "_remove_oldest", killed)
        with pytest.raises(KeyboardInterrupt):
            publish(key(12), "x" * 600_000)
    publish(key(13), "x")
    assert cache.find(key(0)) is None
    assert cache.find(key(12)) is not None


def test_clear_takes_what_is_old_enough(folder: Path) -> None:
    for number in range(4):
        publish(key(number))
    used(0, 5000)
    used(1, 500)
    count, freed = cache_folder.clear(older_than=1000)
    assert count == 1
    assert freed > 0
    assert [cache.find(key(n)) is not None for n in range(4)] == [False, True, True, True]
    assert cache_folder.clear()[0] == 3
    assert entries(folder) == []


def test_entries_that_have_to_stay_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        publish(key(number))
    rename = Path.rename

    def refuse(path: Path, to: Path) -> Path:
        if path.name == key(1):
            return rename(path, to)
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "rename", refuse)
    told = rf"removed 1 of 3 entries, and cannot remove .* in {folder}: Read-only file system"
    with pytest.raises(RunError, match=told):
        cache_folder.clear()
    assert [cache.find(key(n)) is not None for n in range(3)] == [True, False, True]
    assert not cache_folder.remove(cache_folder.place(key(0)))


def test_full_disk_is_told_and_leaves_nothing(folder: Path) -> None:
    code = (
        "import resource\nfrom weft import cache\n"
        "from weft.diagnostics import RunError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    with cache.workspace() as work:\n"
        "        (work / 'a').write_text('x' * 2000)\n"
        "        cache.publish('ab' * 32, work, ['a'], {})\n"
        "except RunError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "the kernel cache cannot be written" in done.stdout
    assert "[Errno" not in done.stdout
    assert "ulimit -f" in done.stdout
    assert entries(folder) == []


def test_one_builds_and_the_others_wait(folder: Path) -> None:
    code = (
        "import time\nfrom weft import cache\n"
        "key = 'ab' * 32\n"
        "with cache.building(key):\n"
        "    if cache.find(key) is None:\n"
        "        with cache.workspace() as work:\n"
        "            time.sleep(0.2)\n"
        "            (work / 'a').write_text('a')\n"
        "            cache.publish(key, work, ['a'], {})\n"
        "        print('built')\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    assert "".join(process.communicate()[0] for process in running) == "built\n"


PUBLISHER = """
import os, sys
from weft import cache, cache_folder
first, rounds = int(sys.argv[1]), int(sys.argv[2])
cache_folder.GRACE = 0
print("ready", flush=True)
for i in range(rounds):
    key = f"{(first + i) % 20:02x}" * 32
    content = key.encode() * 2000
    entry = cache.find(key)
    if entry is None:
        with cache.building(key), cache.workspace() as work:
            for name in "abc":
                (work / name).write_bytes(content)
            entry = cache.publish(key, work, ["a", "b", "c"], {"by": os.getpid()})
    try:
        assert (entry.folder / "c").read_bytes() == content
    except FileNotFoundError:
        assert os.environ.get("WEFT_CACHE_SIZE"), "nobody removes entries"
"""


def spawn(first: int, rounds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PUBLISHER, str(first), str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        process.communicate(timeout=300)
    assert [process.returncode for process in processes] == [0] * len(processes)


def assert_whole(keys: range) -> int:
    """Every entry has all of its content or is a miss; how many there are."""
    present = 0
    for number in keys:
        place = cache_folder.place(key(number))
        entry = cache.find(key(number))
        # A folder that is there is whole: half an entry never has its name.
        assert (entry is not None) == place.exists()
        if entry is not None:
            present += 1
            for name in "abc":
                assert entry.path(name).read_bytes() == key(number).encode() * 2000
    return present


@pytest.mark.parametrize("limit", ["", "4M"])
def test_sixty_four_processes_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", limit)
    finish([spawn(number % 20, 40) for number in range(64)])
    present = assert_whole(range(20))
    if not limit:
        assert present == 20
    else:
        assert 0 < present < 20
        assert sum(size for _, size, _ in cache_folder._entries()) <= 4 << 20
    assert all(len(name) == 2 for name in entries(folder)), "no work folder is left"


def test_publishers_killed_at_any_moment(folder: Path) -> None:
    random = Random(3)
    deadline = time.monotonic() + 6
    killed = 0
    while time.monotonic() < deadline:
        # Misses only, so that a victim dies publishing rather than reading.
        cache_folder.clear()
        doomed = spawn(killed % 20, 100_000)
        assert doomed.stdout is not None
        assert doomed.stdout.readline() == "ready\n"
        time.sleep(random.uniform(0, 0.03))
        doomed.send_signal(signal.SIGKILL)
        doomed.communicate()
        killed += 1
        assert_whole(range(20))
    assert killed > 10
    finish([spawn(0, 20)])
    assert assert_whole(range(20)) == 20
    for work in folder.glob(".work-*"):
        os.utime(work, (1, 1))
    cache_folder._clear_abandoned(folder)
    assert not list(folder.glob(".work-*")), "what killed publishers left is theirs no more"
