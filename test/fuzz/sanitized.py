# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python in which emitted C runs under the Address and UndefinedBehavior sanitizers of gcc.

python -m fuzz.sanitized -m fuzz.compare 0:400      (from the folder test/)

Weft takes its C compiler from WEFT_CC: here one that adds the sanitizers. Their runtime comes first
in the process, so that the memory of NumPy's arrays has its fences too. A finding ends the process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

TEST = Path(__file__).parents[1]
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -O1"
LIBRARIES = ("libasan.so", "libubsan.so", "libstdc++.so")
SEEN = ("AddressSanitizer", "runtime error:")


def available() -> bool:
    """Whether gcc has the runtimes."""
    return shutil.which("gcc") is not None and all(map(os.path.isabs, _libraries()))


def _libraries() -> list[str]:
    """Their paths; gcc answers with the bare name where it has none."""
    return [
        subprocess.run(
            ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in LIBRARIES
    ]


def run(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """`python words` in the folder of the tests; `folder` takes the compiler and the cache."""
    compiler = folder / "sanitizing-gcc"
    # gcc itself runs without the runtimes.
    compiler.write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec gcc "$@" {FLAGS}\n')
    compiler.chmod(0o755)
    environment = {
        **os.environ,
        "WEFT_CC": str(compiler),
        "WEFT_CACHE_DIR": str(folder / "cache"),
        "LD_PRELOAD": " ".join(_libraries()),
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return subprocess.run(
        [sys.executable, *words],
        cwd=TEST,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        done = run(sys.argv[1:], Path(folder))
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
