# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel cache: one folder an entry, found by a key over everything that decides its content.

An entry is written to a folder beside its place and published by one rename, so a reader sees all
of it or nothing. Its manifest holds a hash of every file; whatever does not match is a miss and is
replaced. Publishers need no lock: the second finds a whole entry and drops its own.

Looking up an entry imports neither the front end nor the native module.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from weft import __version__
from weft.diagnostics import RunError

FORMAT = 1  # of entries; part of every key
MANIFEST = "manifest.json"
ABANDONED_AFTER = 24 * 3600  # seconds; a folder that a killed publisher left


@dataclass(frozen=True)
class Entry:
    """A whole entry: its folder, and what its publisher noted."""

    folder: Path
    notes: dict[str, Any]

    def path(self, name: str) -> Path:
        return self.folder / name


def folder() -> Path:
    """WEFT_CACHE_DIR, else `weft` in the XDG cache folder."""
    named = os.environ.get("WEFT_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "weft"


@cache
def build_identity() -> str:
    """Changes whenever Weft itself does: the native module's bytes and every Python source's."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(_own_files()):
        digest.update(path.name.encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()


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
    """The key of an entry; `parts` is everything that decides its content, Weft's build apart."""
    whole = {"format": FORMAT, "weft": build_identity(), **parts}
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def find(key: str) -> Entry | None:
    """The entry under `key`, or None where there is none or it is not whole."""
    place = _place(key)
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
def workspace() -> Any:
    """A fresh folder on the cache's file system to build an entry in; removed if not published."""
    parent = folder()
    _clear_abandoned(parent)
    work = parent / f".work-{os.getpid()}-{os.urandom(6).hex()}"
    try:
        work.mkdir(parents=True)
    except OSError as error:
        raise RunError(
            f"the kernel cache cannot be written: {error}",
            help="set WEFT_CACHE_DIR to a folder of yours",
        ) from None
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def publish(key: str, work: Path, names: list[str], notes: dict[str, Any]) -> Entry:
    """Makes the files `names` of `work` the entry under `key`, by one rename."""
    for path in list(work.iterdir()):
        if path.name not in names:
            path.unlink()
    manifest = {"files": {name: _hash(work / name) for name in names}, "notes": notes}
    (work / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    place = _place(key)
    place.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(100):
        try:
            work.rename(place)
            return Entry(place, notes)
        except OSError:
            # Somebody else's entry is there: whole, then it is as good as ours; or damaged.
            there = find(key)
            if there is not None:
                return there
            with contextlib.suppress(OSError):
                damaged = work.with_name(work.name + "-damaged")
                place.rename(damaged)
                shutil.rmtree(damaged, ignore_errors=True)
    raise RunError(
        f"the kernel cache cannot be written: {place} cannot be replaced",
        help="remove that folder, or set WEFT_CACHE_DIR to a folder of yours",
    )


def _place(key: str) -> Path:
    return folder() / key[:2] / key


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _clear_abandoned(parent: Path) -> None:
    now = time.time()
    for work in parent.glob(".work-*"):
        with contextlib.suppress(OSError):
            if now - work.stat().st_mtime > ABANDONED_AFTER:
                shutil.rmtree(work, ignore_errors=True)
