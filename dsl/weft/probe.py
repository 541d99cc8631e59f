# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was found out by running the C compiler, kept in the cache: finding out takes its time."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from weft import cache as kept
from weft import cache_folder, toolchain
from weft.toolchain import Compiler


@cache
def has_openmp(compiler: Compiler) -> bool:
    """Whether a shared object with OpenMP can be made and linked.

    Only a yes is kept, with the library that it rests on: one installed later is seen at once, and
    so is one that was removed.
    """
    key = kept.key_of({"probe": "openmp", "compiler": compiler.identity})
    if _known(key):
        return True
    with kept.building(key):
        if _known(key):
            return True
        if not toolchain.has_openmp(compiler):
            return False
        library = toolchain.openmp_library(compiler)
        if library is not None:
            _keep(key, library)
        return True


def _known(key: str) -> bool:
    entry = kept.find(key)
    if entry is None:
        return False
    if entry.notes.get("library") == _identity(entry.notes.get("path")):
        return True
    cache_folder.remove(entry.folder)
    return False


def _keep(key: str, library: Path) -> None:
    notes = {"name": "openmp", "path": str(library), "library": _identity(str(library))}
    with kept.workspace() as work:
        kept.publish(key, work, [], notes, kind="probe")


def _identity(path: object) -> list[int]:
    try:
        status = Path(str(path)).stat()
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns]
