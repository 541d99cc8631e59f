# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad, tiles and untile compiled: the very elements, on both targets, of every type."""

from __future__ import annotations

import numpy as np
import pytest

import weft

DTYPES = {
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
    "i32": "int32",
    "i64": "int64",
    "bool": "bool",
}
SOURCE = """\
kernel f[n: size, h: size, w: size](x: T[n, h, w]) -> (
    y: T[n, h+1, w+5], t: T[n, (h+1)//4, (w+1)//4, 6, 6], u: T[n, h-2, w-2]):
    y = pad(x, [1, 2], [0, 3])
    t = tiles(x, size=[6, 6], step=[4, 4])
    u = untile(t[:, :, :, 1:5, 1:5], step=[4, 4], crop=[h-2, w-2])
"""


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("extents", [(2, 6, 6), (3, 12, 35), (1, 3, 21)], ids=str)
def test_elements_in_other_places(target: str, element: str, extents: tuple[int, ...]) -> None:
    sizes = dict(zip(("n", "h", "w"), extents, strict=True))
    kernel = weft.compile(SOURCE.replace("T[", f"{element}["), target=target, **sizes)
    x = np.arange(1, 1 + np.prod(extents)).reshape(extents)
    x = x % 3 == 1 if element == "bool" else x.astype(DTYPES[element])
    y, t, u = kernel(x)
    n, h, w = extents
    assert np.array_equal(y, np.pad(x, [(0, 0), (1, 0), (2, 3)]))
    assert np.array_equal(u, x[:, 1 : h - 1, 1 : w - 1])
    for a, b in np.ndindex(t.shape[1:3]):
        part = x[:, 4 * a : 4 * a + 6, 4 * b : 4 * b + 6]
        expected = np.zeros((n, 6, 6), x.dtype)
        expected[:, : part.shape[1], : part.shape[2]] = part
        assert np.array_equal(t[:, a, b], expected)
