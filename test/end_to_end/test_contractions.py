# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products and Winograd convolutions, in panels and with remainders, equal NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

PRODUCT = """
kernel product[n: size, m: size, k: size](a: {t}[n, k], b: {t}[k, m]) -> (c: {t}[n, m]):
    c = a @ b
"""

# Rows and columns below, at and beyond a panel; terms beyond what the first cache holds.
SIZES = [(4, 16, 128), (5, 19, 200), (64, 65, 600), (37, 130, 1100), (100, 9, 33), (3, 100, 40)]

WINOGRAD = """
kernel conv3x3[N: size, C: size, K: size, H: size, W: size](x: f32[N, C, H, W], g: f32[K, C, 3, 3])
        -> (y: f32[N, K, H-2, W-2]):
    t = winograd(m=4, r=3)
    v = t.BT @ tiles(x, size=[6, 6], step=[4, 4], cover=[H-2, W-2]) @ t.B
    u = t.G @ g @ t.GT
    p[n, k, a, b, i, j] = sum(u[k, c, i, j] * v[n, c, a, b, i, j] for c in 0:C)
    y = untile(t.AT @ p @ t.A, step=[4, 4], crop=[H-2, W-2])
""".replace("\n        ->", " ->")


def _numbers(shape: tuple[int, ...], element: str, seed: int) -> np.ndarray:
    kind = {"f32": np.float32, "f64": np.float64}[element]
    return np.random.default_rng(seed).standard_normal(shape).astype(kind)


def _close(found: np.ndarray, expected: np.ndarray, terms: int) -> None:
    """Within the rounding of a sum of so many terms."""
    unit = float(np.finfo(found.dtype).eps)
    assert np.abs(found - expected).max() < 4 * np.sqrt(terms) * unit * np.abs(expected).max()


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: "x".join(map(str, sizes)))
def test_product(target: str, element: str, sizes: tuple[int, int, int]) -> None:
    n, m, k = sizes
    a, b = _numbers((n, k), element, 0), _numbers((k, m), element, 1)
    kernel = weft.compile(PRODUCT.format(t=element), target=target, n=n, m=m, k=k)
    _close(kernel(a, b), a.astype(np.float64) @ b.astype(np.float64), k)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_products_of_any_shape(target: str, data: st.DataObject) -> None:
    n, m = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 60))
    k = data.draw(st.integers(1, 150 if target == "sw26010" else 3000))
    element = data.draw(st.sampled_from(["f32", "f64"]))
    a, b = _numbers((n, k), element, 0), _numbers((k, m), element, 1)
    kernel = weft.compile(PRODUCT.format(t=element), target=target, n=n, m=m, k=k)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    largest = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)
    assert np.abs(kernel(a, b) - exact).max() < k * float(np.finfo(a.dtype).eps) * largest.max()


INDICES = {
    "rows_transposed": ("a: f32[k, n], b: f32[k, m]", "a[p, i] * b[p, j]", "pi,pj->ij"),
    "columns_transposed": ("a: f32[n, k], b: f32[m, k]", "a[i, p] * b[j, p]", "ip,jp->ij"),
    "two_terms": ("a: f32[n, k, 3], b: f32[3, k, m]", "a[i, p, q] * b[q, p, j]", "ipq,qpj->ij"),
}


@pytest.mark.parametrize("name", INDICES)
def test_indices(target: str, name: str) -> None:
    arguments, product, subscripts = INDICES[name]
    ranges = "p in 0:k, q in 0:3" if name == "two_terms" else "p in 0:k"
    source = (
        f"kernel f[n: size, m: size, k: size]({arguments}) -> (c: f32[n, m]):\n"
        f"    c[i, j] = sum({product} for {ranges})\n"
    )
    size = {"i": 45, "j": 50, "p": 70, "q": 3}
    a, b = (
        _numbers(tuple(size[letter] for letter in side), "f32", seed)
        for seed, side in enumerate(subscripts.split("->")[0].split(","))
    )
    kernel = weft.compile(source, target=target, n=45, m=50, k=70)
    exact = np.einsum(subscripts, a.astype(np.float64), b.astype(np.float64))
    _close(kernel(a, b), exact, 210)


def test_batch_with_sums_used_further(target: str) -> None:
    source = """
kernel f[h: size, n: size, m: size, k: size](a: f64[n, h, k], b: f64[h, k, m], d: f64[m])
        -> (c: f64[n, m, h]):
    c[i, j, l] = 2 * sum(a[i, l, p] * b[l, p, j] for p in 0:k) - d[j]
""".replace("\n        ->", " ->")
    a, b, d = (_numbers(s, "f64", i) for i, s in enumerate([(21, 3, 40), (3, 40, 33), (33,)]))
    kernel = weft.compile(source, target=target, h=3, n=21, m=33, k=40)
    exact = 2 * np.einsum("ilp,lpj->ijl", a, b) - d[None, :, None]
    _close(kernel(a, b, d), exact, 40)


BOTH_FACTORS = {
    "gram": "transpose(c, [0, 2, 1]) @ c",
    "rows": "c @ transpose(c, [0, 2, 1])",
    "inputs": "4 * (x @ transpose(x, [0, 2, 1]))",
}


@pytest.mark.parametrize("shape", [(1, 200, 40), (3, 37, 50), (64, 12, 20)], ids=str)
@pytest.mark.parametrize("name", BOTH_FACTORS)
def test_what_is_both_factors(target: str, name: str, shape: tuple[int, int, int]) -> None:
    """Computed here, once for each factor or as it is, and inputs."""
    result = "m, m" if name == "gram" else "n, n"
    source = (
        f"kernel f[b: size, n: size, m: size](x: f64[b, n, m]) -> (y: f64[b, {result}]):\n"
        f"    c = x * 2\n"
        f"    y = {BOTH_FACTORS[name]}\n"
    )
    x = _numbers(shape, "f64", 0)
    turned = x.transpose(0, 2, 1)
    exact = 4 * (turned @ x if name == "gram" else x @ turned)
    kernel = weft.compile(source, target=target)
    _close(kernel(x), exact, shape[1] if name == "gram" else shape[2])


def test_threads_change_nothing(target: str) -> None:
    a, b = _numbers((200, 150), "f32", 0), _numbers((150, 100), "f32", 1)
    kernel = weft.compile(PRODUCT.format(t="f32"), target=target, n=200, m=100, k=150)
    one, two = kernel(a, b, threads=1), kernel(a, b, threads=2)
    assert np.array_equal(one, two)


def test_infinities_stay_in_their_columns(target: str) -> None:
    """What fills up the last vector of columns reaches no result."""
    a, b = _numbers((20, 64), "f32", 0), _numbers((64, 19), "f32", 1)
    b[3, 18] = np.inf
    result = weft.compile(PRODUCT.format(t="f32"), target=target, n=20, m=19, k=64)(a, b)
    assert np.isfinite(result[:, :18]).all()
    assert np.isinf(result[:, 18]).all()


@pytest.mark.parametrize(
    "sizes",
    [(1, 16, 32, 18, 18), (2, 20, 19, 13, 11), (1, 3, 16, 10, 30), (1, 32, 16, 8, 8)],
    ids=lambda sizes: "x".join(map(str, sizes)),
)
def test_winograd(target: str, sizes: tuple[int, ...]) -> None:
    n, c, k, h, w = sizes
    x, g = _numbers((n, c, h, w), "f32", 0), _numbers((k, c, 3, 3), "f32", 1)
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (3, 3), axis=(2, 3))
    exact = np.einsum("nchwrs,kcrs->nkhw", windows, g.astype(np.float64))
    kernel = weft.compile(WINOGRAD, target=target, N=n, C=c, K=k, H=h, W=w)
    error = np.abs(kernel(x, g) - exact).max() / np.sqrt((exact**2).mean())
    assert error < 1e-4


@pytest.mark.parametrize("rows", [1, 11, 20, 37])
def test_tiles_of_which_nothing_is_taken(target: str, rows: int) -> None:
    """Strips of tiles of which the last ones lie beyond the crop: their copies had no rows."""
    x, g = _numbers((1, 64, 42, 42), "f32", 0), _numbers((64, 64, 3, 3), "f32", 1)
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (3, 3), axis=(2, 3))
    exact = np.einsum("nchwrs,kcrs->nkhw", windows, g.astype(np.float64))[:, :, :rows]
    text = WINOGRAD.replace("y: f32[N, K, H-2,", f"y: f32[N, K, {rows},")
    text = text.replace("crop=[H-2,", f"crop=[{rows},")
    found = weft.compile(text, target=target, N=1, C=64, K=64, H=42, W=42)(x, g)
    assert np.abs(found - exact).max() / np.sqrt((exact**2).mean()) < 1e-4
