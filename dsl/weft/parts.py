# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel in two parts: what inputs that stay the same give, and what each call computes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fixed:
    """Which part of a kernel is wanted, and the inputs that stay the same from call to call.

    Attributes:
        part: `prepare`, what is computed of these inputs alone, or `run`, the rest.
        names: The inputs, in the order of the signature.
    """

    part: str
    names: tuple[str, ...]
