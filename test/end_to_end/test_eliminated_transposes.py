# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposed copies that are read in another shape: folded or not, results are equal."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import weft

TEXT = """\
kernel turned[a: size, b: size, c: size, d: size](x: c128[a, b, c, d]) -> (y: c128[{shape}]):
    t = reshape(transpose(x, {perm}), [{shape}])
    y = dft(t, axis=1)
"""
NAMES, TURNS = "abcd", "eliminate-transposes"
# All that keep rows together and move something.
PERMUTATIONS = [(*p, 3) for p in permutations(range(3)) if p != (0, 1, 2)]


@pytest.mark.parametrize("perm", PERMUTATIONS)
@pytest.mark.parametrize("sizes", [(4, 2, 3, 8), (16, 8, 4, 16)])
def test_rows_at_other_distances(perm: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    first, second, third, row = (NAMES[n] for n in perm)
    text = TEXT.format(shape=f"{first}, {second}*{third}, {row}", perm=list(perm))
    given = dict(zip(NAMES, sizes, strict=True))
    random = np.random.default_rng(7)
    x = random.standard_normal(sizes) + 1j * random.standard_normal(sizes)
    turned = x.transpose(perm)
    expected = np.fft.fft(turned.reshape(turned.shape[0], -1, sizes[3]), axis=1)
    kernel = weft.compile(text, target="sw26010", **given)
    kept = weft.compile(text, target="sw26010", without=[TURNS], **given)
    scale = float(np.abs(expected).max())
    np.testing.assert_allclose(kernel(x), expected, atol=1e-14 * scale)
    np.testing.assert_array_equal(kernel(x), kept(x))
    assert kernel.report["run"]["hazards"] == []
    before, after = (kernel.ir[f"after:{one}"] for one in ("simplify-butterflies", TURNS))
    assert "weft.reshape" in before
    assert "weft.reshape" not in after


def test_columns_stay_copies() -> None:
    """Where rows become columns the copy remains, and is right."""
    text = TEXT.format(shape="d, c*b, a", perm=[3, 2, 1, 0])
    x = np.arange(8 * 2 * 3 * 4) * (1 + 0.5j)
    x = x.reshape(8, 2, 3, 4)
    kernel = weft.compile(text, target="sw26010", a=8, b=2, c=3, d=4)
    expected = np.fft.fft(x.transpose(3, 2, 1, 0).reshape(4, 6, 8), axis=1)
    np.testing.assert_allclose(kernel(x), expected, atol=1e-14 * float(np.abs(expected).max()))
