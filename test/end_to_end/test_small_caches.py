# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for a CPU whose caches hold next to nothing: all that is done for arrays that no cache
holds is done for small ones of odd shapes, too."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import weft
from conftest import runnable
from weft import machine

ENTRY = '[{0}]\nvalue = {1}\nunit = "bytes"\nsource = "a test"\nconfidence = "convention"\n'
CACHES = {
    "l1d_bytes": 512,
    "l2_bytes": 8192,
    "l3_bytes": 8192,
    "l3_kept_bytes": 8192,
    "ahead_bytes": 64,
    "short_line_bytes": 16,
    "four_step_double_bytes": 1024,
    "four_step_single_bytes": 1024,
}
# Where rows are asked for in order, and blocks of columns had better stay in the first cache.
IN_ORDER = {"ahead_in_order_bytes": 64, "column_block_bytes": 1024}
# Where columns of 96 points go past the caches in their place.
PAST = {"l2_bytes": 262144, "l2_ways": 1, "past_in_place_bytes": 8192, "results_ask": "true"}

SHAPES = {
    "space": (9, 32, 16),
    "crooked_space": (9, 10, 24),
    "tall_space": (96, 16, 64),
    "weighted": (12, 18, 20),
    "sheet": (33, 32),
    "lines": (37, 64),
    "odd_lines": (21, 45),
    "long_lines": (3, 768),
    "long_rows": (1, 1280),
    "columns": (48, 20),
    "turned": (40, 36),
    "plain": (3001,),
}
SOURCE = """
kernel space[A: size, B: size, C: size](x: T[A, B, C]) -> (y: T[A, B, C]):
    y = dft(x, axes=[2, 1, 0])

kernel crooked_space[A: size, B: size, C: size](x: T[A, B, C]) -> (y: T[A, B, C]):
    y = dft(x, axes=[1, 2, 0])

kernel tall_space[A: size, B: size, C: size](x: T[A, B, C]) -> (y: T[A, B, C]):
    y = dft(x, axes=[2, 1, 0])

kernel weighted[A: size, B: size, C: size](x: T[A, B, C], w: T[A, B, C]) -> (
        y: T[A, B, C], s: T[A, B, C]):
    s = x * w
    y = idft(s, axes=[2, 1, 0])

kernel sheet[A: size, B: size](x: T[A, B]) -> (y: T[A, B]):
    y = dft(x, axes=[0, 1])

kernel lines[A: size, B: size](x: T[A, B]) -> (y: T[A, B]):
    y = dft(x, axis=1)

kernel odd_lines[A: size, B: size](x: T[A, B]) -> (y: T[A, B]):
    y = 2 * dft(x, axis=1)

kernel long_lines[A: size, B: size](x: T[A, B]) -> (y: T[A, B]):
    y = idft(dft(x, axis=1) * x, axis=1)

kernel long_rows[A: size, B: size](x: T[A, B]) -> (y: T[A, B]):
    y = dft(x - 1, axes=[0, 1])

kernel columns[A: size, B: size](x: T[A, B]) -> (y: T[A, B]):
    y = dft(x, axis=0)

kernel turned[A: size, B: size](x: T[A, B]) -> (y: T[B, A]):
    y[i, j] = x[j, i] + 1

kernel plain[A: size](x: T[A], z: T[A]) -> (y: T[A]):
    y = 2 * x + z * x
"""


def _forward(x: np.ndarray, *axes: int) -> np.ndarray:
    return np.fft.fftn(x, axes=axes)


WANTED = {
    "space": lambda x: [_forward(x, 0, 1, 2)],
    "crooked_space": lambda x: [_forward(x, 0, 1, 2)],
    "tall_space": lambda x: [_forward(x, 0, 1, 2)],
    "weighted": lambda x, w: [np.fft.ifftn(x * w), x * w],
    "sheet": lambda x: [_forward(x, 0, 1)],
    "lines": lambda x: [_forward(x, 1)],
    "odd_lines": lambda x: [2 * _forward(x, 1)],
    "long_lines": lambda x: [np.fft.ifft(_forward(x, 1) * x, axis=1)],
    "long_rows": lambda x: [_forward(x - 1, 0, 1)],
    "columns": lambda x: [_forward(x, 0)],
    "turned": lambda x: [x.T + 1],
    "plain": lambda x, z: [2 * x + z * x],
}


def behind_a_line(shape: tuple[int, ...], dtype: type, offset: int) -> tuple[np.ndarray, ...]:
    """An array, `offset` bytes behind a line of the cache, and the bytes around it."""
    nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    block = np.full(nbytes + 256, 7, np.uint8)
    start = -block.ctypes.data % 64 + 64 + offset
    inside = block[start : start + nbytes].view(dtype).reshape(shape)
    return inside, block[:start], block[start + nbytes :]


def give(name: str, numbers: dict[str, int | str]) -> Path:
    """An overlay of a target with these numbers."""
    overlay = machine.overlay_file(name)
    overlay.parent.mkdir(parents=True, exist_ok=True)
    overlay.write_text("".join(ENTRY.format(*entry) for entry in numbers.items()))
    return overlay


@pytest.fixture(
    params=[("avx2", {}), ("avx512", {}), ("avx512", IN_ORDER), ("avx512", PAST)],
    ids=lambda one: "-".join((one[0], *one[1])),
)
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name, more = request.param
    if not runnable(name):
        pytest.skip(f"this CPU has no {name}")
    overlay = give(name, CACHES | more)
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    # The same code on every CPU: none of the numbers that come with Weft for the one at hand.
    monkeypatch.setattr(machine, "known_file", lambda _: None)
    yield name
    overlay.unlink()


@pytest.mark.parametrize("element", ["c64", "c128"])
@pytest.mark.parametrize("name", WANTED)
def test_kernel(small: str, name: str, element: str) -> None:
    dtype = np.complex64 if element == "c64" else np.complex128
    kernel = weft.compile(SOURCE.replace("T[", f"{element}["), name, small)
    random = np.random.default_rng(23)
    inputs = [
        random.standard_normal((*SHAPES[name], 2)) @ [1, 1j]
        for _ in inspect.signature(WANTED[name]).parameters
    ]
    inputs = [x.astype(dtype) for x in inputs]
    wanted = WANTED[name](*[x.astype(np.complex128) for x in inputs])
    for offset in (0, 16):
        for threads in (1, 2):
            places = [behind_a_line(y.shape, dtype, offset) for y in wanted]
            results = tuple(y for y, _, _ in places)
            kernel(*inputs, out=results if len(results) > 1 else results[0], threads=threads)
            for (y, before, behind), exact in zip(places, wanted, strict=True):
                assert np.linalg.norm(y - exact) <= 8 * np.finfo(dtype).eps * np.linalg.norm(exact)
                assert np.all(before == 7)
                assert np.all(behind == 7)
    if name in (
        "space",
        "crooked_space",
        "tall_space",
        "sheet",
        "lines",
        "odd_lines",
        "long_rows",
        "columns",
        "plain",
    ):
        x = inputs[0].copy()
        kernel(x, *inputs[1:], out=x)  # in place
        assert np.linalg.norm(x - wanted[0]) <= 8 * np.finfo(dtype).eps * np.linalg.norm(wanted[0])


def test_the_caches_are_small(small: str) -> None:
    """Else the others would test nothing."""
    sizes = dict(zip("ABC", SHAPES["space"], strict=True))
    space = weft.compile(SOURCE.replace("T[", "c64["), "space", small, **sizes)
    assert "weft_load_ahead(" in space.asm["c"]
    sizes = dict(zip("AB", SHAPES["long_lines"], strict=True))
    lines = weft.compile(SOURCE.replace("T[", "c64["), "long_lines", small, **sizes)
    assert lines.ir["after:four-step"].count("weft.transpose") == 2
    sizes = dict(zip("AB", SHAPES["lines"], strict=True))
    lines = weft.compile(SOURCE.replace("T[", "c128["), "lines", small, **sizes)
    line_bytes = sizes["B"] * 16
    least = machine.load(small).values.get("ahead_in_order_bytes", line_bytes + 1)
    assert ("weft_row_ahead(" in lines.asm["c"]) == (line_bytes >= least)
    sizes = dict(zip("ABC", SHAPES["tall_space"], strict=True))
    tall = weft.compile(SOURCE.replace("T[", "c128["), "tall_space", small, **sizes)
    past = re.search(r"_store_past_pd\(&y\[.*\n *weft_load_ahead\(&y\[", tall.asm["c"])
    assert bool(past) == ("past_in_place_bytes" in machine.load(small).values)
    if small == "avx512":
        assert "weft.slice" in space.ir["after:keep-slices"]
        assert "weft_store_past_ps(" in space.asm["c"]


@pytest.mark.skipif(not runnable("avx512"), reason="this CPU has no avx512")
@pytest.mark.parametrize(
    ("name", "shape", "asks"),
    [
        ("lines", (384, 640), True),
        ("lines", (60, 640), False),  # the second cache holds them
        ("lines", (3000, 64), False),  # lines of 1024 bytes
        ("columns", (384, 640), False),  # the last cache holds both arrays
        ("columns", (512, 640), True),  # either, but not both
    ],
)
def test_arrays_of_the_last_cache(
    name: str, shape: tuple[int, int], asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their lines are asked for, too, where the machine's table says so."""
    numbers = {"ahead_array_bytes": 1 << 20, "l3_bytes": 8 << 20, "ahead_in_order_bytes": 1 << 40}
    overlay = give("avx512", numbers)
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    kernel = weft.compile(
        SOURCE.replace("T[", "c128["), name, "avx512", **dict(zip("AB", shape, strict=True))
    )
    overlay.unlink()
    assert ("weft_load_ahead(" in kernel.asm["c"]) == asks
    x = np.random.default_rng(29).standard_normal((*shape, 2)).view(np.complex128)[..., 0]
    (wanted,) = WANTED[name](x)
    assert np.linalg.norm(kernel(x) - wanted) <= 1e-14 * np.linalg.norm(wanted)
