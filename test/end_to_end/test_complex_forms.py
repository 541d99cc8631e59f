# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The three forms of complex arithmetic in vectors of a core group: what they compute, the C that a
person reads, and what they take by the emulator's listing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft

TARGET = "sw26010"
FORMS = ("interleaved", "six_shuffle", "split")
GOLDEN = Path(__file__).parent / "complex_forms"
# NPB's butterfly: u[i] does not vary in the inner loops.
BUTTERFLY = """\
kernel fftz2[li: size, lk: size, ny: size](
    x: {type}[2, li, lk, ny], u: {type}[li]) -> (y: {type}[li, 2, lk, ny]):
    for i in 0:li:
        for k in 0:lk, j in 0:ny:
            y[i, 0, k, j] = x[0, i, k, j] + x[1, i, k, j]
            y[i, 1, k, j] = u[i] * (x[0, i, k, j] - x[1, i, k, j])
"""
PRODUCTS = """\
kernel products[n: size, m: size](
    a: {type}[n, m], b: {type}[n, m], c: {type}[m]) -> (y: {type}[n, m]):
    y = conj(a) * b * (2 - 1j) + c * a * 1j - b * a
"""
LINES = """\
kernel lines[b: size, n: size](x: {type}[b, n]) -> (y: {type}[b, n]):
    y = dft(x, axis=1)
"""
NAMES = {"c64": np.complex64, "c128": np.complex128}


def compiled(
    source: str,
    kernel: str,
    form: str,
    unroll: int = 0,
    without: Sequence[str] = (),
    **sizes: Any,
) -> weft.Kernel:
    schedule = f"\nschedule {kernel} on {TARGET}:\n    complex {form}\n" if form else ""
    if form and unroll:
        schedule += f"    unroll {unroll}\n"
    return weft.compile(source + schedule, kernel, TARGET, without=without, **sizes)


def noise(kind: str, *shape: int) -> np.ndarray:
    random = np.random.default_rng(sum(shape))
    return (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(NAMES[kind])


def check(y: np.ndarray, expected: np.ndarray) -> None:
    rounding = np.finfo(y.dtype).eps
    assert np.abs(y - expected).max() < 16 * rounding * np.abs(expected).max()


@pytest.mark.parametrize("form", [*FORMS, ""])
@pytest.mark.parametrize(("kind", "ny"), [("c128", 32), ("c128", 7), ("c64", 13), ("c64", 3)])
def test_butterflies(form: str, kind: str, ny: int) -> None:
    x, u = noise(kind, 2, 3, 5, ny), noise(kind, 3)
    y = compiled(BUTTERFLY.format(type=kind), "fftz2", form, li=3, lk=5, ny=ny)(x, u)
    check(y, np.stack([x[0] + x[1], u[:, None, None] * (x[0] - x[1])], axis=1))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("kind", "m"), [("c128", 30), ("c64", 21), ("c128", 2)])
def test_products_of_what_varies(form: str, kind: str, m: int) -> None:
    a, b, c = noise(kind, 70, m), noise(kind, 70, m + 1)[:, 1:], noise(kind, m)
    y = compiled(PRODUCTS.format(type=kind), "products", form, n=70, m=m)(a, b, c)
    wide = [array.astype(np.complex128) for array in (a, b, c)]
    check(y, np.conj(wide[0]) * wide[1] * (2 - 1j) + wide[2] * wide[0] * 1j - wide[1] * wide[0])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [12, 36, 60, 100])
def test_transforms(form: str, n: int) -> None:
    x = noise("c128", 64, n)
    check(compiled(LINES.format(type="c128"), "lines", form, b=64, n=n)(x), np.fft.fft(x, axis=1))


def inner_loop(kernel: weft.Kernel) -> str:
    """The loop over j, as the compute cores have it."""
    text = kernel.asm["slave.c"]
    start = text.index("      for (ptrdiff_t j = ")
    found = text[start : text.index("\n      }\n", start) + len("\n      }\n")]
    return re.sub(r"/\* .*?:(\d+):(\d+) \*/", r"/* \1:\2 */", found)


@pytest.mark.parametrize("form", FORMS)
def test_the_inner_loop_can_be_read(form: str) -> None:
    source = BUTTERFLY.format(type="c128")
    kernel = compiled(source, "fftz2", form, 1, ["schedule-dual-issue"], li=4, lk=64, ny=32)
    assert inner_loop(kernel) == (GOLDEN / f"{form}.c").read_text()


def listed(form: str) -> tuple[int, int]:
    """Cycles of a turn of the inner loop, and its shuffles, for 8 iterations."""
    unroll = 4 if form == "interleaved" else 2
    kernel = compiled(BUTTERFLY.format(type="c128"), "fftz2", form, unroll, li=4, lk=64, ny=32)
    blocks = kernel.asm["s"].split("#<loop> ")
    (block,) = [block for block in blocks if "vaddd" in block and "a turn" in block]
    return int(block.split()[0]), block.count("vshff")


def test_the_paper_s_form_takes_the_fewest_cycles() -> None:
    """FT paper, 4.2: one shuffle a product of two numbers instead of six for four."""
    cycles, shuffles = zip(*map(listed, FORMS), strict=True)
    assert shuffles == (4, 12, 24)
    assert cycles[0] < cycles[1] < cycles[2]
    kernel = compiled(BUTTERFLY.format(type="c128"), "fftz2", "", li=4, lk=64, ny=32)
    assert inner_loop(kernel) == inner_loop(
        compiled(BUTTERFLY.format(type="c128"), "fftz2", "interleaved", li=4, lk=64, ny=32)
    )


def turns(kernel: weft.Kernel) -> list[int]:
    """Cycles of a turn of each loop that computes, by the emulator's listing."""
    blocks = kernel.asm["s"].split("#<loop> ")
    return [int(block.split()[0]) for block in blocks if "vmad" in block and "a turn" in block]


AXPY = "kernel axpy[n: size](a: f64[n], b: f64[n]) -> (y: f64[n]):\n    y = 3*a + b*b - a*b\n"
ORDERED = [
    ("fftz2", BUTTERFLY.format(type="c128"), {"li": 4, "lk": 64, "ny": 32}),
    ("axpy", AXPY, {"n": 65536}),
]


@pytest.mark.parametrize(("kernel", "source", "sizes"), ORDERED)
def test_a_turn_takes_the_cycles_that_its_order_says(
    kernel: str, source: str, sizes: dict[str, int], tmp_path: Path
) -> None:
    """And butterflies at most 1/0.85 of what the pipes issue; the C compiler's order takes far
    more."""
    listed = turns(compiled(source, kernel, "", **sizes))
    before = turns(compiled(source, kernel, "", without=["schedule-dual-issue"], **sizes))
    weft.compile(source, kernel, TARGET, dump_dir=tmp_path, **sizes)
    notes = (tmp_path / "80-notes.txt").read_text()
    said = re.search(r"(\d+) cycles a turn instead of \d+, (\d+) at least", notes)
    assert said
    assert listed == [int(said[1])]
    # A taken branch is no instruction of a pipe.
    assert kernel != "fftz2" or 0.85 * (listed[0] - 1) <= int(said[2])
    assert listed[0] * 1.26 < before[0]
