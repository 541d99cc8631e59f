# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `weft.compile` is given wrongly is told as such, by the argument's name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.diagnostics import RunError

SOURCE = """
kernel k[n: size, m: size](x: f64[n], y: f64[m]) -> (z: f64[n]):
    z = x * 2
"""


@pytest.mark.parametrize("value", [0, -1, "5", True, None, 5.0, 2**60])
def test_size_is_no_extent(value: Any) -> None:
    with pytest.raises(RunError, match="the size 'n' is no extent") as caught:
        weft.compile(SOURCE, n=value)
    assert caught.value.found == repr(value)


def test_sizes_of_numpy() -> None:
    kernel = weft.compile(SOURCE, target="portable", n=np.int64(5), m=np.int32(1))
    assert kernel(np.ones(5), np.ones(1)).tolist() == [2.0] * 5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((None,), "the source is no program"),
        ((5,), "the source is no program"),
        ((b"kernel",), "the source is no program"),
        (("a\0.weft",), "cannot read"),
        ((SOURCE, 3), "the kernel is no name"),
        ((SOURCE, "k", 3), "the target is no name"),
    ],
)
def test_told_by_name(arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(RunError, match=told):
        weft.compile(*arguments)


@pytest.mark.parametrize(
    ("x", "y", "declared"), [((0,), (3,), "x: f64[n]"), ((3,), (0,), "y: f64[m]")]
)
def test_an_empty_array_is_named(x: tuple[int, ...], y: tuple[int, ...], declared: str) -> None:
    with pytest.raises(RunError, match="is empty") as caught:
        weft.compile(SOURCE, mode="interpret")(np.ones(x), np.ones(y))
    assert caught.value.argument == declared[0]
    assert caught.value.expected == f"{declared}, extents of 1 or more"
