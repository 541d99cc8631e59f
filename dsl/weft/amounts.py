# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers as people read them."""

from __future__ import annotations


def seconds(value: float) -> str:
    """`12.3 us`, in the unit that leaves at least one digit before the point."""
    for unit, length in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= length:
            return f"{value / length:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
