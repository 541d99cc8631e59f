# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder of the kernel cache: what is in it, what it may weigh, how entries leave it.

    ab/<key>/manifest.json ...   an entry; the manifest's time of change is when it was last used
    .work-*                      an entry in the making, or on its way out
    .locks/ab                    held while an entry whose key starts so is being built
    .grown-<limit>               one byte for every block published since the last look at the whole
    .sweep                       held while old entries are removed; not empty if that was cut short

An entry leaves as it came, by one rename: a reader sees all of it or nothing. Whoever holds a
loaded kernel keeps it; the file lives until it is closed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft import events
from weft.diagnostics import RunError

MANIFEST = "manifest.json"
DEFAULT_LIMIT = 2 << 30
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
BLOCK = 4096
# Entries used as lately as this stay, whatever the limit: somebody is about to load them.
GRACE = 30
# The time of last use is written again only after this many seconds: a hit costs no write then.
USE_GRAIN = 10
# A work folder that nobody holds and that is as old as this was left by a killed process.
ABANDONED_AFTER = 60
# Where locks tell nothing, as on some network file systems, only age does.
ABANDONED_UNLOCKED = 24 * 3600


def folder() -> Path:
    """WEFT_CACHE_DIR, else `weft` in the XDG cache folder."""
    named = os.environ.get("WEFT_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "weft"


def limit() -> int:
    """WEFT_CACHE_SIZE in bytes: `500M`, `2G`, `2GiB`; 2 GiB where it is not set."""
    text = os.environ.get("WEFT_CACHE_SIZE", "").strip()
    if not text:
        return DEFAULT_LIMIT
    number = text.upper().removesuffix("B").removesuffix("I")
    unit = number[-1:] if number[-1:] in UNITS else ""
    try:
        value = float(number.removesuffix(unit)) * UNITS[unit]
        if not 0 <= value < 1 << 62:
            raise ValueError
    except ValueError:
        raise RunError(
            "WEFT_CACHE_SIZE is no size", expected="bytes, or such as 500M or 2G", found=repr(text)
        ) from None
    return int(value)


def place(key: str) -> Path:
    return folder() / key[:2] / key


# ---- what is there -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Item:
    """An entry as `weft cache ls` shows it."""

    place: Path
    kind: str
    notes: dict[str, Any]
    bytes: int
    created: float
    used: float


def items() -> list[Item]:
    """Every entry whose manifest can be read, the one used last first."""
    found = []
    for used, size, entry in _entries():
        try:
            manifest = json.loads((entry / MANIFEST).read_bytes())
            kind, created = str(manifest["kind"]), float(manifest["created"])
            notes = dict(manifest["notes"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        found.append(Item(entry, kind, notes, size, created, used))
    return sorted(found, key=lambda item: -item.used)


def _entries() -> Iterator[tuple[float, int, Path]]:
    """Time of last use, bytes on disk and place of each entry; one that goes meanwhile is none."""
    with contextlib.suppress(OSError):
        for shard in list(os.scandir(folder())):
            if len(shard.name) != 2:
                continue
            with contextlib.suppress(OSError):
                for entry in list(os.scandir(shard)):
                    with contextlib.suppress(OSError):
                        yield _weighed(Path(entry.path))


def _weighed(entry: Path) -> tuple[float, int, Path]:
    size, used = 0, entry.stat().st_mtime
    for file in os.scandir(entry):
        status = file.stat()
        size += status.st_blocks * 512
        if file.name == MANIFEST:
            used = status.st_mtime
    return used, size, entry


def touch(entry: Path) -> None:
    """Notes that the entry is used now; a cache that cannot be written is used without."""
    manifest = entry / MANIFEST
    with contextlib.suppress(OSError):
        if time.time() - manifest.stat().st_mtime > USE_GRAIN:
            os.utime(manifest)


# ---- work folders --------------------------------------------------------------------------------


@contextlib.contextmanager
def workspace() -> Iterator[Path]:
    """A fresh folder on the cache's file system to build an entry in; removed if not published.

    It is locked as long as this process lives: that is how others know that it is not abandoned.
    """
    parent = folder()
    _clear_abandoned(parent)
    work = _work_name(parent)
    descriptor = None
    try:
        try:
            work.mkdir(parents=True)
            descriptor = os.open(work, os.O_RDONLY)
            _try_lock(descriptor)
        except OSError as error:
            raise cannot_write(error) from None
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if descriptor is not None:
            os.close(descriptor)


ELSEWHERE = "set WEFT_CACHE_DIR to a folder"
WAYS_OUT = {
    errno.ENOSPC: f"free some space there, or {ELSEWHERE} on another disk",
    errno.EDQUOT: f"remove files of yours there, or {ELSEWHERE} on another disk",
    errno.EFBIG: "raise the limit of the size of files: ulimit -f",
    errno.EROFS: f"{ELSEWHERE} that is not on a read-only file system",
    errno.EACCES: f"{ELSEWHERE} that you may write",
    errno.EPERM: f"{ELSEWHERE} that you may write",
    errno.ENOTDIR: f"{ELSEWHERE}, not to a file or what lies below one",
}


def cannot_write(error: OSError) -> RunError:
    help_ = WAYS_OUT.get(error.errno or 0, f"{ELSEWHERE} of yours")
    place = f"{error.filename}: " if error.filename else ""
    told = f"the kernel cache cannot be written: {place}{error.strerror or error}"
    return RunError(told, help=help_)


def _work_name(parent: Path) -> Path:
    return parent / f".work-{os.getpid()}-{os.urandom(6).hex()}"


def _try_lock(descriptor: int) -> bool | None:
    """Whether this process holds the lock now; None where the file system has no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _clear_abandoned(parent: Path) -> None:
    now = time.time()
    for work in parent.glob(".work-*"):
        with contextlib.suppress(OSError):
            age = now - work.stat().st_mtime
            if age > ABANDONED_AFTER and (age > ABANDONED_UNLOCKED or _is_abandoned(work)):
                shutil.rmtree(work, ignore_errors=True)


def _is_abandoned(work: Path) -> bool:
    descriptor = os.open(work, os.O_RDONLY)
    try:
        return _try_lock(descriptor) is True
    finally:
        os.close(descriptor)


# ---- one builds, the others wait -----------------------------------------------------------------

WAIT_AT_MOST = 300  # seconds; then it is built twice rather than waited for a stopped process
POLL = 0.02


@contextlib.contextmanager
def building(key: str) -> Iterator[None]:
    """Held while an entry is built.

    Look for the entry again inside: another process may have published it since the last look,
    whether or not this one had to wait.

    Only a saving. Without it, or after a kill, entries are as whole as with it.
    """
    locks = folder() / ".locks"
    descriptor = None
    try:
        with contextlib.suppress(OSError):
            locks.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(locks / key[:2], os.O_RDWR | os.O_CREAT, 0o666)
            _wait_for(descriptor)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _wait_for(descriptor: int) -> None:
    start = time.monotonic()
    waited = False
    while _try_lock(descriptor) is False and time.monotonic() - start < WAIT_AT_MOST:
        waited = True
        time.sleep(POLL)
    if waited:
        events.tell("cache_wait", detail="another process", seconds=time.monotonic() - start)


# ---- how entries leave ---------------------------------------------------------------------------


def remove(entry: Path) -> bool:
    """Takes an entry out by one rename, then deletes it; False where it stays or has gone."""
    try:
        _remove(entry)
    except OSError:
        return False
    return True


def _remove(entry: Path) -> None:
    away = _work_name(folder())
    entry.rename(away)
    # The folder is as old as the entry was; it is abandoned only from now on.
    with contextlib.suppress(OSError):
        os.utime(away)
    shutil.rmtree(away, ignore_errors=True)
    with contextlib.suppress(OSError):
        entry.parent.rmdir()


def clear(older_than: float | None = None) -> tuple[int, int]:
    """Removes entries, those not used for `older_than` seconds; how many and their bytes.

    RunError where some had to stay, once all others are removed.
    """
    now = time.time()
    count = freed = 0
    stayed: list[OSError] = []
    for used, size, entry in list(_entries()):
        if older_than is None or now - used > older_than:
            try:
                _remove(entry)
            except FileNotFoundError:
                continue  # somebody else has removed it
            except OSError as error:
                stayed.append(error)
            else:
                count, freed = count + 1, freed + size
    if stayed:
        raise RunError(
            f"removed {count} of {count + len(stayed)} entries, and cannot remove the others in"
            f" {folder()}: {stayed[0].strerror}"
        )
    return count, freed


def grown(entry: Path) -> None:
    """An entry is new: adds its weight, and removes old entries once that is a part of the limit.

    Looking at every entry for each new one would take longer with every entry; so a file grows by
    one byte a block, and the whole is looked at once it stands for an eighth of the limit. What is
    kept then is seven eighths, so that both together stay below the limit.
    """
    allowed = limit()
    with contextlib.suppress(OSError):
        ledger = folder() / f".grown-{allowed}"
        new = not ledger.exists()
        blocks = max(1, _weighed(entry)[1] // BLOCK)
        with ledger.open("ab") as out:
            out.write(b"." * blocks)
        wanted = new or _was_cut_short()
        # Again after each sweep: who published meanwhile found it going on and left it to us.
        while wanted or ledger.stat().st_size * BLOCK * 8 >= max(1, allowed):
            if not _sweep(allowed, ledger):
                return
            wanted = False


def _was_cut_short() -> bool:
    with contextlib.suppress(OSError):
        return (folder() / ".sweep").stat().st_size > 0
    return False


def _sweep(allowed: int, ledger: Path) -> bool:
    """Removes the entries used longest ago until seven eighths of the limit are left.

    False where another process is at it.
    """
    descriptor = os.open(folder() / ".sweep", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if _try_lock(descriptor) is False:
            return False
        os.write(descriptor, b".")
        for other in folder().glob(".grown-*"):
            if other != ledger:
                other.unlink(missing_ok=True)
        ledger.write_bytes(b"")
        _remove_oldest(allowed)
        os.ftruncate(descriptor, 0)
        return True
    finally:
        os.close(descriptor)


def _remove_oldest(allowed: int) -> None:
    start = time.perf_counter()
    entries = sorted(_entries())
    total = sum(size for _, size, _ in entries)
    if total * 8 <= allowed * 7:
        return
    now = time.time()
    count = freed = 0
    for used, size, entry in entries:
        if (total - freed) * 8 <= allowed * 7 or now - used < GRACE:
            break
        if remove(entry):
            count, freed = count + 1, freed + size
    if count:
        told = f"entries={count} bytes={freed} kept={total - freed} limit={allowed}"
        events.tell("cache_evict", detail=told, seconds=time.perf_counter() - start)
