# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel cache: one folder an entry, found by a key over everything that decides its content.

An entry is written to a folder beside its place and published by one rename, so a reader sees all
of it or nothing. Its manifest holds a hash of every file; whatever does not match is a miss and is
replaced. Publishers need no lock: the second finds a whole entry and drops its own.

Looking up an entry imports neither the front end nor the native module.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from weft import __version__, cache_folder
from weft.cache_folder import MANIFEST, building, folder
from weft.diagnostics import RunError

__all__ = ["Entry", "building", "find", "folder", "key_of", "publish", "workspace"]

SETTLED = 2 * 10**9  # ns after which a file's time is its own
FORMAT = 2  # of entries; part of every key
# What a full or read-only disk says, quotas and limits of the process included.
CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)


@dataclass(frozen=True)
class Entry:
    """A whole entry: its folder, and what its publisher noted."""

    folder: Path
    notes: dict[str, Any]

    def path(self, name: str) -> Path:
        return self.folder / name


@cache
def build_identity() -> str:
    """Changes whenever Weft itself does: the native module's bytes and every Python source's.

    To read them takes as long as all else in a process that finds its kernel: the cache keeps what
    was made of files that are as long, and of the same moment, as these.
    """
    files = sorted(_own_files())
    seen = [(str(path), *_moment(path)) for path in files]
    key = hashlib.sha256(json.dumps(["identity", FORMAT, __version__, seen]).encode()).hexdigest()
    known = find(key)
    if known is not None and isinstance(known.notes.get("identity"), str):
        return str(known.notes["identity"])
    digest = hashlib.sha256(__version__.encode())
    for path in files:
        digest.update(path.name.encode() + b"\0")
        digest.update(path.read_bytes())
    # Files of this moment may yet be written again at it. Whoever writes the kernel tells of a
    # cache that cannot be written.
    newest = max((max(moments) for _, _, *moments in seen), default=0)
    if newest > time.time_ns() - SETTLED:
        return digest.hexdigest()
    with contextlib.suppress(OSError, RunError), workspace() as work:
        publish(key, work, [], {"identity": digest.hexdigest()}, kind="identity")
    return digest.hexdigest()


def _moment(path: Path) -> tuple[int, int, int]:
    """Of another file at the same place at least one differs; no copy has the last."""
    about = path.stat()
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns


def _own_files() -> set[Path]:
    package = Path(__file__).resolve().parent
    files = {path for suffix in ("*.py", "*.lark") for path in package.rglob(suffix)}
    # An editable install keeps the native module elsewhere than the Python sources.
    from importlib.util import find_spec

    native = find_spec("weft.native._compiler")
    if native is not None and native.origin is not None:
        files.update(Path(native.origin).parent.glob("*.so"))
    return files


def key_of(parts: Mapping[str, object]) -> str:
    """The key of an entry; `parts` is everything that decides its content, Weft's build apart.

    All use of the cache begins here: a limit that is no size is told now, not after a build.
    """
    cache_folder.limit()
    whole = {"format": FORMAT, "weft": build_identity(), **parts}
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def find(key: str) -> Entry | None:
    """The entry under `key`, or None where there is none or it is not whole."""
    entry = _whole(cache_folder.place(key))
    if entry is not None:
        cache_folder.touch(entry.folder)
    return entry


def _whole(place: Path) -> Entry | None:
    try:
        manifest = json.loads((place / MANIFEST).read_bytes())
        for name, expected in manifest["files"].items():
            if _hash(place / name) != expected:
                return None
        notes = manifest["notes"]
        return Entry(place, notes) if isinstance(notes, dict) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


@contextlib.contextmanager
def workspace() -> Iterator[Path]:
    """A fresh folder to build an entry in; a disk that is full meanwhile is told as such."""
    with cache_folder.workspace() as work:
        try:
            yield work
        except OSError as error:
            if error.errno not in CANNOT_WRITE:
                raise
            raise cache_folder.cannot_write(error) from None


def publish(
    key: str, work: Path, names: list[str], notes: dict[str, Any], kind: str = "kernel"
) -> Entry:
    """Makes the files `names` of `work` the entry under `key`, by one rename."""
    for path in list(work.iterdir()):
        if path.name not in names:
            path.unlink()
    files = {name: _hash(work / name) for name in names}
    manifest = {"kind": kind, "created": time.time(), "files": files, "notes": notes}
    (work / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    place = cache_folder.place(key)
    for _ in range(100):
        try:
            # Again each time: the last entry that left it took the folder along.
            place.parent.mkdir(parents=True, exist_ok=True)
            work.rename(place)
        except OSError as error:
            if error.errno in (*CANNOT_WRITE, errno.EACCES):
                raise cache_folder.cannot_write(error) from None
            # Somebody else's entry is there: whole, then it is as good as ours; or damaged.
            there = find(key)
            if there is not None:
                return there
            if place.exists():
                cache_folder.remove(place)
        else:
            cache_folder.grown(place)
            return Entry(place, notes)
    raise RunError(
        f"the kernel cache cannot be written: {place} cannot be replaced",
        help="remove that folder, or set WEFT_CACHE_DIR to a folder of yours",
    )


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
