# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Windows that were read wrongly."""

from __future__ import annotations

import numpy as np
import pytest

import weft


@pytest.mark.parametrize("pad", ["[0, 0, 1]", "[0, 1, 1]", "[1, 1, 1]"])
def test_volumes_with_a_border_beside_planes_alone(pad: str) -> None:
    """Cores folded the border of one plane where windows reach over three."""
    before, rows, columns = (int(one) for one in pad.strip("[]").split(","))
    shape = (3 + 2 * before, 3 + 2 * rows, 3 + 2 * columns)
    result = ", ".join(map(str, (1, 4, *shape)))
    source = f"""
kernel k(x: f32[1, 4, 5, 5, 5], g: f32[4, 4, 3, 3, 3]) -> (y: f32[{result}]):
    y = conv(x, g, pad={pad}, algorithm=direct)
"""
    random = np.random.default_rng(3)
    x = random.uniform(-1, 1, (1, 4, 5, 5, 5)).astype(np.float32)
    g = random.uniform(-1, 1, (4, 4, 3, 3, 3)).astype(np.float32)
    border = [(0, 0), (0, 0), (before, before), (rows, rows), (columns, columns)]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, border), (3, 3, 3), (2, 3, 4))
    wanted = np.einsum("ncdhwrst,kcrst->nkdhw", windows, g)
    np.testing.assert_allclose(weft.compile(source, target="sw26010")(x, g), wanted, atol=1e-4)
