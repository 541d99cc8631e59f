# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `align-arrays` marks is seen in the C, and no result depends on it."""

from __future__ import annotations

from typing import Any

import numpy as np

import weft

LINES = """\
kernel lines[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)
"""
MOVING = """\
kernel moving[n: size](x: f64[n]) -> (y: f64[n-2]):
    y = x[0:n-2] + 2*x[1:n-1] + x[2:n]
"""


def made(source: str, target: str, without: tuple[str, ...] = (), **sizes: int) -> Any:
    return weft.compile(source, target=target, without=without, **sizes)


def test_vectors_of_a_core_are_loaded_by_one_instruction() -> None:
    random = np.random.default_rng(6)
    x = random.standard_normal((128, 64)) + 1j * random.standard_normal((128, 64))
    whole = made(LINES, "sw26010", b=128, n=64)
    anywhere = made(LINES, "sw26010", ("align-arrays",), b=128, n=64)
    for kernel in (whole, anywhere):
        np.testing.assert_allclose(kernel(x), np.fft.fft(x, axis=1), atol=1e-12)
        assert kernel.report["run"]["hazards"] == []
    assert "weft_loadu" not in whole.asm["slave.c"]
    assert "weft_load_v4d" not in anywhere.asm["slave.c"]
    assert "weft.aligned" in whole.ir["after:align-arrays"]


def test_what_does_not_lie_well_is_loaded_as_it_lies() -> None:
    x = np.random.default_rng(7).standard_normal(1 << 14)
    kernel = made(MOVING, "sw26010", n=1 << 14)
    np.testing.assert_allclose(kernel(x), x[:-2] + 2 * x[1:-1] + x[2:], rtol=1e-13, atol=1e-13)
    assert "weft_loadu" in kernel.asm["slave.c"]
    assert kernel.report["run"]["hazards"] == []


def test_scratch_and_tables_without_it(target: str) -> None:
    random = np.random.default_rng(8)
    x = random.standard_normal((64, 240)) + 1j * random.standard_normal((64, 240))
    for without in ((), ("align-arrays",)):
        kernel = made(LINES, target, without, b=64, n=240)
        np.testing.assert_allclose(kernel(x), np.fft.fft(x, axis=1), atol=1e-11)
        assert ("_Alignas(64)" in kernel.asm["c"]) == (not without)
