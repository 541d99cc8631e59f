# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Room on Python's stack for walks over nested expressions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Expressions nest 200 deep at most, and a level takes several frames.
RECURSION = 20000


@contextmanager
def deep_recursion() -> Iterator[None]:
    """A limit that no legal program reaches, while it lasts."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
