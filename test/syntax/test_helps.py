# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a message says of the way out, where the sentence of the grammar alone would not tell."""

from __future__ import annotations

import pytest

from weft.diagnostics import SourceError
from weft.syntax.parser import parse

HEAD = "kernel f(x: f64[8]) -> (y: f64[8]):"


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        (f"{HEAD} y = x\n", "begins on the next line"),
        (f"{HEAD}\n    for i in 0:8: y[i] = x[i]\n", "begins on the next line"),
        (f"{HEAD}\n    y = x\nschedule f on avx-512:\n    unroll y by 2\n", "one word, as avx512"),
        (f"{HEAD}\n    y = x\nschedule f-g on avx512:\n    unroll y by 2\n", ""),
        (f"{HEAD}\n    y = x\ny = 2\n", "a kernel begins with 'kernel'"),
        (f"{HEAD}\n    y = pad(x, [(1, 2), (0, n)])\n", "pad(x, [1, 0], [2, n])"),
        (f"{HEAD}\n    y = pad(x, pad_width=((1, 1),))\n", "pad(x, [1], [1])"),
        (f"{HEAD}\n    y = pad(x, [(1, 1), (0, 2)]) + max(x, x)\n", "pad(x, [1, 0], [1, 2])"),
        (f"{HEAD}\n    y = pad(x, [(n-2, 1), (n*2, 2)])\n", "a list has square brackets"),
        (f"{HEAD}\n    y = pad(x, [(1, 1)], value=2)\n", "a list has square brackets"),
        (f"{HEAD}\n    y = dft(x, axes=(0, 1))\n", "a list has square brackets"),
    ],
)
def test_way_out(text: str, way_out: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(text, "f.weft")
    way = caught.value.diagnostics[0].help
    assert way_out in way if way_out else "one word" not in way
