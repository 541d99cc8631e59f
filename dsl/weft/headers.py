# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C compiler's own headers, read once for all kernels.

GCC takes 0.15 s to read <immintrin.h>, most of what it takes for a small kernel. What emitted C
includes first is therefore precompiled, an entry of the kernel cache for each set of flags (25 MB),
and given to the compiler in front of the source, whose own `#include`s then have nothing to add:
the assembly is the same to the byte. Nothing depends on it. Where it cannot be made or is not taken
the source is read as it stands.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from weft import cache, cache_folder, events
from weft.diagnostics import RunError

# What is worth it: the header that takes long.
LONG = "#include <immintrin.h>"
NAME = "headers.h"
PRECOMPILED = f"{NAME}.gch"  # where GCC looks for what `-include headers.h` asks for
# A cache that is to stay smaller is for kernels.
SMALLEST_CACHE = 1 << 28

_known: set[Path] = set()  # entries seen whole by this process


def leading(source: Path) -> str:
    """The `#include`s in front of everything else of a C file, line by line."""
    found = []
    in_comment = False
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            text = line.strip()
            if in_comment or text.startswith("/*"):
                in_comment = "*/" not in text
                if not in_comment and not text.endswith("*/"):
                    break
            elif text.startswith("#include <"):
                found.append(text)
            elif text:
                break
    return "".join(f"{line}\n" for line in found)


def precompiled(
    compiler: str,
    identity: str,
    flags: Sequence[str],
    source: Path,
    subject: events.Subject = events.NOBODY,
) -> list[str]:
    """The option by which this compiler need not read the source's headers, or no option.

    `identity` changes whenever the compiler does. Makes what is not there, in half a second.
    """
    if "gcc" not in Path(compiler).resolve().name or cache_folder.limit() < SMALLEST_CACHE:
        return []
    text = leading(source)
    if LONG not in text:
        return []
    key = cache.key_of({"headers": text, "compiler": identity, "flags": list(flags)})
    place = cache_folder.place(key)
    if place not in _known or not (place / PRECOMPILED).exists():
        try:
            found = cache.find(key) or _made(key, [compiler, *flags], text, subject)
        except (OSError, RunError):
            return []  # Whoever writes the kernel tells of a cache that cannot be written.
        if found is None:
            return []
        _known.add(place)
    return ["-include", str(place / NAME)]


def _made(
    key: str, compiler: Sequence[str], text: str, subject: events.Subject
) -> cache.Entry | None:
    with cache.workspace() as work:
        (work / NAME).write_text(text, encoding="utf-8")
        command = [*compiler, "-x", "c-header", NAME, "-o", PRECOMPILED]
        with events.timed("cc", subject, shlex.join(command)):
            done = subprocess.run(
                command, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        if done.returncode != 0 or not (work / PRECOMPILED).exists():
            return None
        return cache.publish(key, work, [NAME, PRECOMPILED], {}, kind="headers")
