# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurements that are kept, so that a run goes on where one was stopped: a line of JSON each."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from weft import cache


def file_of(variable: str, name: str) -> Path:
    """The file that `variable` names, or one in Weft's cache, for this build of Weft."""
    named = os.environ.get(variable)
    if named:
        return Path(named)
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "weft-bench" / f"{name}-{cache.build_identity()[:16]}.jsonl"


def read(file: Path) -> list[dict[str, Any]]:
    """What is kept; a line that was cut short is not."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    found = []
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):
            found.append(json.loads(line))
    return found


def append(file: Path, entry: dict[str, Any]) -> None:
    """Written at once: a run may be stopped at any time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+b") as stream:
        # Behind a line that was cut short begins another.
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 1))
        cut_short = stream.read(1) not in (b"", b"\n")
        stream.write(b"\n" * cut_short + json.dumps(entry).encode() + b"\n")
