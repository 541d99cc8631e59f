# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scratch memory for kernel calls: aligned, in huge pages where large, kept between calls."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from weft.diagnostics import RunError
from weft.native import _call


class ScratchPool:
    """Blocks of one size. Each call has one to itself; those given back are used again."""

    def __init__(self, size: int) -> None:
        self.blocks = _call.ScratchPool(size)

    @contextlib.contextmanager
    def lend(self) -> Iterator[int | None]:
        """The address of a block that nobody else uses; None for a kernel without scratch."""
        try:
            block = self.blocks.take()
        except MemoryError:
            raise RunError(
                "no memory for the kernel's scratch", expected=f"{self.blocks.size} bytes"
            ) from None
        try:
            yield block
        finally:
            self.blocks.give(block)
