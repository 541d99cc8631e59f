# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`order` in a schedule for a core group: what instructions are ordered by."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError

TARGET = "sw26010"
LINES = """\
kernel lines[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)
"""
SCALED = """\
kernel scaled[n: size](x: f64[n], z: f64[n]) -> (y: f64[n]):
    y = x * 2 + z * z
"""


def made(source: str, order: str, **sizes: int) -> weft.driver.Compiled:
    name = source.split("[")[0].removeprefix("kernel ")
    asked = f"\nschedule {name} on {TARGET}:\n    order {order}\n" if order else ""
    return weft.compile(source + asked, name, target=TARGET, **sizes)


def scheduled(kernel: weft.driver.Compiled) -> int:
    return int(kernel.report["run"]["counters"]["scheduled"])


def is_ordered(kernel: weft.driver.Compiled) -> bool:
    return "WEFT_ORDERED\nvoid" in kernel.asm["slave.c"]


def test_turns_that_overlap_by_default_and_only_where_they_may() -> None:
    """Of sums and products each order gives the same, in other cycles."""
    random = np.random.default_rng(3)
    x, z = random.standard_normal((2, 1 << 14))
    cycles = {}
    for order in ("", "latency", "pressure", "source"):
        kernel = made(SCALED, order, n=1 << 14)
        np.testing.assert_allclose(kernel(x, z), x * 2 + z * z, rtol=1e-15)
        assert is_ordered(kernel) == (order != "source")
        said = {"scaled": [f"order {order}"]} if order else {}
        assert kernel.report["schedule"] == said
        cycles[order] = scheduled(kernel)
    assert cycles[""] == cycles["latency"] < cycles["source"] < cycles["pressure"]


def test_an_order_is_kept_whatever_it_spills() -> None:
    """Left to itself, the C compiler orders what needs more than the registers."""
    random = np.random.default_rng(4)
    x = random.standard_normal((64, 256)) + 1j * random.standard_normal((64, 256))
    assert not is_ordered(made(LINES, "", b=64, n=256))
    for order in ("latency", "pressure"):
        kernel = made(LINES, order, b=64, n=256)
        np.testing.assert_allclose(kernel(x), np.fft.fft(x, axis=1), atol=1e-12)
        assert is_ordered(kernel)


@pytest.mark.parametrize("order", ["latency", "pressure"])
def test_without_cores_there_is_nothing_to_order(order: str) -> None:
    with pytest.raises(RunError, match=f"'order {order}' cannot be kept") as caught:
        made(SCALED, order, n=8)
    assert "expected: source" in str(caught.value)
    assert "nothing of the kernel runs on the compute cores" in str(caught.value)
    assert not is_ordered(made(SCALED, "source", n=8))
