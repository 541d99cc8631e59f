# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which CPU this is: what is measured on one model says nothing of another."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

INFO = Path("/proc/cpuinfo")
# What tells models apart, on x86 and on ARM.
FIELDS = (("vendor_id", "cpu family", "model"), ("CPU implementer", "CPU variant", "CPU part"))


@cache
def model() -> str:
    """`GenuineIntel-6-207`: equal on two machines only where their cores are; fit for a file name.

    Where the kernel does not say, the architecture alone.
    """
    about = _first_core()
    for names in FIELDS:
        if all(about.get(name) for name in names):
            return re.sub(r"[^A-Za-z0-9]+", "-", "-".join(about[name] for name in names))
    import platform

    return platform.machine() or "unknown"


@cache
def name() -> str:
    """As the vendor calls it, for people; else the model."""
    return about if (about := _first_core().get("model name", "")) else model()


@cache
def _first_core() -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        with INFO.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if not line.strip():
                    break
                key, _, value = line.partition(":")
                found[key.strip()] = value.strip()
    except OSError:
        pass
    return found
