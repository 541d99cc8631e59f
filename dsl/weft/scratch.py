# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scratch memory for kernel calls: aligned, in huge pages where large, kept between calls."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import threading
from collections.abc import Iterator

from weft.diagnostics import RunError

ALIGNMENT = 64
HUGE_PAGE = 2 << 20


class _Block:
    """Memory of its own, starting at a multiple of the alignment."""

    def __init__(self, size: int) -> None:
        alignment = HUGE_PAGE if size >= HUGE_PAGE else ALIGNMENT
        try:
            self._memory = mmap.mmap(-1, size + alignment)
        except (OSError, ValueError, OverflowError) as error:
            raise RunError(
                f"no memory for the kernel's scratch: {error}", expected=f"{size} bytes"
            ) from None
        if alignment == HUGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
            # Only a hint: a kernel without huge pages is slower, not wrong.
            with contextlib.suppress(OSError):
                self._memory.madvise(mmap.MADV_HUGEPAGE)
        self._view = ctypes.c_char.from_buffer(self._memory)
        start = ctypes.addressof(self._view)
        self.address = -(-start // alignment) * alignment


class ScratchPool:
    """Blocks of one size. Each call has one to itself; those given back are used again."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._free: list[_Block] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def lend(self) -> Iterator[int | None]:
        """The address of a block that nobody else uses; None for a kernel without scratch."""
        if self.size == 0:
            yield None
            return
        with self._lock:
            block = self._free.pop() if self._free else None
        block = block or _Block(self.size)
        try:
            yield block.address
        finally:
            with self._lock:
                self._free.append(block)
