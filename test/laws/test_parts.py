# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements a few apart, parts of tensors in products, and lines made of reals, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft

RANDOM = np.random.default_rng(11)
DTYPES = {"f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}


def numbers(shape: tuple[int, ...], element: str) -> np.ndarray:
    x = RANDOM.standard_normal(shape)
    if element[0] == "c":
        x = x + 1j * RANDOM.standard_normal(shape)
    return x.astype(DTYPES[element])


def check(source: str, target: str, exact: np.ndarray, *inputs: np.ndarray) -> None:
    found: Any = weft.compile(source, target=target)(*inputs)
    bound = 2e-5 if inputs[0].dtype.itemsize // (1 + np.iscomplexobj(inputs[0])) == 4 else 1e-12
    np.testing.assert_allclose(found, exact, rtol=bound, atol=bound * np.abs(exact).max())


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("step", [2, 3, 4, 5])
def test_every_few(target: str, element: str, step: int) -> None:
    """Up to the last element of the array, forwards, backwards, and several side by side."""
    n, rows = 37, 3
    length = step * (n - 1) + 1
    x = numbers((rows, length), element)
    head = f"kernel k(x: {element}[{rows}, {length}]) -> (y: {element}[{rows}, {n}]):\n"
    check(f"{head}    y = x[:, ::{step}]\n", target, x[:, ::step], x)
    back = f"{head}    y[r, i in 0:{n}] = 2*x[r, {length - 1} - {step}*i]\n"
    check(back, target, 2 * x[:, ::-step], x)
    total = f"kernel k(x: {element}[{rows}, {length}]) -> (y: {element}[{rows}]):\n"
    check(f"{total}    y = sum(x[:, ::{step}], axis=1)\n", target, x[:, ::step].sum(1), x)
    wide = numbers((rows, length + step), element)
    both = (
        f"kernel k(x: {element}[{rows}, {length + step}]) -> (y: {element}[{rows}, {n}]):\n"
        f"    y[r, i in 0:{n}] = x[r, {step}*i] - x[r, {step}*i + 1] + 3*x[r, {step}*i + {step}]\n"
    )
    exact = wide[:, :length:step] - wide[:, 1 : length + 1 : step] + 3 * wide[:, step::step]
    check(both, target, exact, wide)


@pytest.mark.parametrize("element", DTYPES)
def test_in_turn(target: str, element: str) -> None:
    """What is stored to even and to odd places, also from the end."""
    a, b = numbers((3, 41), element), numbers((3, 41), element)
    head = f"kernel k(a: {element}[3, 41], b: {element}[3, 41]) -> (y: {element}[3, 82]):\n"
    exact = np.stack([a + b, a - b], axis=2).reshape(3, 82)
    body = (
        "    for r in 0:3, i in 0:41:\n"
        "        y[r, 2*i] = a[r, i] + b[r, i]\n"
        "        y[r, 2*i + 1] = a[r, i] - b[r, i]\n"
    )
    check(head + body, target, exact, a, b)
    body = (
        "    for r in 0:3, i in 0:41:\n"
        "        y[r, 81 - 2*i] = a[r, 40 - i] - b[r, 40 - i]\n"
        "        y[r, 80 - 2*i] = a[r, 40 - i] + b[r, 40 - i]\n"
    )
    check(head + body, target, exact[:, ::-1].copy()[:, ::-1], a, b)


@pytest.mark.parametrize("element", DTYPES)
def test_products_of_parts_of_tensors(target: str, element: str) -> None:
    """Once a crash: sums over the first terms, and products of what lies in padded panels."""
    x, z = numbers((64, 50), element), numbers((50, 40), element)
    check(
        f"kernel k(x: {element}[64, 50], z: {element}[50, 40]) -> (y: {element}[64, 33]):\n"
        "    y[i, j in 0:33] = sum(x[i, k]*z[k, j] for k in 0:45)\n",
        target,
        x[:, :45] @ z[:45, :33],
        x,
        z,
    )
    v, c = numbers((30, 24, 24), element), numbers((24, 24), element)
    check(
        f"kernel k(x: {element}[30, 24, 24], c: {element}[24, 24]) -> (y: {element}[30, 24, 24]):\n"
        "    u = c @ x\n    y = u @ c\n",
        target,
        c @ v @ c,
        v,
        c,
    )


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("columns", [3, 6, 8, 12, 16, 20, 30, 40])
def test_products_of_few_columns(target: str, element: str, columns: int) -> None:
    """A part of a vector, one, and two of which the last begins earlier; with work on the sums."""
    x, z = numbers((301, 20), element), numbers((20, columns), element)
    head = f"kernel k(x: {element}[301, 20], z: {element}[20, {columns}])"
    out = f" -> (y: {element}[301, {columns}]):\n"
    check(f"{head}{out}    y = x @ z\n", target, x @ z, x, z)
    check(f"{head}{out}    y = max(x @ z, 0) + 1\n", target, np.maximum(x @ z, 0) + 1, x, z)
    large = numbers((9000, 20), element)
    head = f"kernel k(x: {element}[9000, 20], z: {element}[20, {columns}])"
    out = f" -> (y: {element}[9000, {columns}]):\n"
    check(f"{head}{out}    y = x @ z\n", target, large @ z, large, z)


def test_a_flipped_copy_is_no_border() -> None:
    """Once wrong on a core group: the window read what is not flipped."""
    source = """
kernel k(x: f32[1, 16, 27, 16], g: f32[16, 16, 3, 3]) -> (y: f32[1, 16, 14, 14]):
    p[n in 0:1, c in 0:16, h in 0:2, w in 0:16] = f32(0)
    for n in 0:1, c in 0:16, h in 0:14, w in 0:16:
        p[n, c, 15 - h, w] = x[n, c, h + 13, w]
    y = conv(p, g, algorithm=direct)
"""
    x, g = numbers((1, 16, 27, 16), "f32"), numbers((16, 16, 3, 3), "f32")
    exact = weft.compile(source, mode="interpret")(x, g)
    found = weft.compile(source, target="sw26010")(x, g)
    np.testing.assert_allclose(found, exact, atol=2e-4)


def test_rows_stored_directly_and_through_a_view(target: str) -> None:
    """Once a crash of keep-slices."""
    x = numbers((64, 128), "c128")
    source = """
kernel k(x: c128[64, 128]) -> (y: c128[64, 128]):
    w = reshape(x*2, [64, 8, 16])
    y = dft(reshape(dft(w, axis=2), [64, 128]), axis=1)
"""
    inner = np.fft.fft(2 * x.reshape(64, 8, 16), axis=2)
    check(source, target, np.fft.fft(inner.reshape(64, 128), axis=1), x)


@pytest.mark.parametrize(
    ("shape", "element", "index"),
    [
        ((16, 2), "c128", "i, 1"),
        ((16, 2, 2), "f64", "i, 1, 1"),
        ((16, 3, 1), "f64", "i, 1, 0"),
        ((16, 2, 2), "f32", "i, 1, 0"),
    ],
)
def test_places_in_rows_after_every_pass(
    target: str, shape: tuple[int, ...], element: str, index: str
) -> None:
    """What is picked is read at indices that exist: the interpreter checks each stage."""
    x = numbers(shape, element)
    extents = ", ".join(map(str, shape))
    source = (
        f"kernel k(x: {element}[{extents}]) -> (y: {element}[16]):\n"
        f"    y[i in 0:16] = 2*x[{index}]\n"
    )
    kernel: Any = weft.compile(source, target=target, verify_each=True)
    places = tuple(slice(None) if part == "i" else int(part) for part in index.split(", "))
    np.testing.assert_allclose(kernel(x), 2 * x[places])


@pytest.mark.parametrize("n", [64, 240, 1024])
def test_lines_made_of_reals(target: str, n: int) -> None:
    """Windows in front of transforms, and transforms of reals, line by line."""
    window = np.cos(np.pi * np.arange(n) / n)
    const = f"    const w[k in 0:{n}] = cos(pi*k/{n})\n"
    for rows in (1, 40):
        x, z = numbers((rows, n), "f64"), numbers((rows, n), "c128")
        head = f"kernel k(x: f64[{rows}, {n}]) -> (y: c128[{rows}, {n // 2 + 1}]):\n{const}"
        check(f"{head}    y = rfft(x*w, axis=1)\n", target, np.fft.rfft(x * window), x)
        head = f"kernel k(x: c128[{rows}, {n}]) -> (y: c128[{rows}, {n}]):\n{const}"
        check(f"{head}    y = dft(x*w, axis=1)\n", target, np.fft.fft(z * window), z)
        head = f"kernel k(x: f64[{rows}, {n}]) -> (y: c128[{rows}, {n}]):\n"
        check(f"{head}    y = dft(c128(x), axis=1)\n", target, np.fft.fft(x), x)
