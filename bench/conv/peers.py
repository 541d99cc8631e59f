# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The convolutions beside Weft, as far as their libraries are installed.

oneDNN (WEFT_BENCH_ONEDNN=path, else pip's, else Debian's), XNNPACK (Debian's) and ncnn (pip's).
"""

from __future__ import annotations

import contextlib
import ctypes.util
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from weft import module_files
from weft.diagnostics import RunError

HERE = Path(__file__).resolve().parent
onednn = module_files.load(HERE / "onednn.py")
xnnpack = module_files.load(HERE / "xnnpack.py")
ncnn_layer = module_files.load(HERE / "ncnn_layer.py")

# What is done before the call, from everything to nothing.
OWN, PREPARED, WHOLE = MODES = ("own layout", "filters prepared", "all in the call")


class Way(NamedTuple):
    """`run` convolves; `fetch` brings the result to y, where it is not there yet."""

    name: str
    mode: str
    run: Callable[[], None]
    fetch: Callable[[], None]


def ways(
    steps: tuple[int, int], x: np.ndarray, g: np.ndarray, y: np.ndarray, threads: int
) -> Iterator[Way]:
    """`steps` are the border and the stride, both ways."""
    library = find_onednn()
    if library is not None:
        library.set_threads(threads)
        for algorithm, layer in onednn.convolutions(library, steps, x, g, y):
            name = f"{library.name} {algorithm}"
            yield Way(name, OWN, layer.own_layout, layer.fetch)
            yield Way(name, PREPARED, layer.prepared, _nothing)
            yield Way(name, WHOLE, layer.whole, _nothing)
    by_channel = g.shape[1] < x.shape[1]
    if g.shape[2:] != (3, 3) or (steps[1] != 1 and not by_channel):
        return  # the others are asked for 3x3 filters only
    direct = _xnnpack()
    if direct is not None:
        yield Way(xnnpack.NAME, OWN, *direct.convolution(steps, x, g, y, threads))
    with contextlib.suppress(ImportError):
        yield Way(ncnn_layer.NAME, PREPARED, *ncnn_layer.convolution(steps, x, g, y, threads))


def _nothing() -> None:
    pass


@cache
def find_onednn() -> Any:
    pip = sorted((Path(sys.prefix) / "lib").glob("libdnnl.so.*"))
    path = (
        os.environ.get("WEFT_BENCH_ONEDNN")
        or (str(pip[0]) if pip else None)
        or ctypes.util.find_library("dnnl")
    )
    if path is None:
        return None
    try:
        return onednn.Library(path)
    except (OSError, onednn.Unavailable) as error:
        raise RunError(
            f"oneDNN cannot be used: {error}",
            help=f"add the folder of what it needs to LD_LIBRARY_PATH, such as {Path(path).parent};"
            " WEFT_BENCH_ONEDNN=path names another one",
        ) from None


@cache
def _xnnpack() -> Any:
    paths = [ctypes.util.find_library(name) for name in ("XNNPACK", "pthreadpool")]
    with contextlib.suppress(OSError):
        return None if None in paths else xnnpack.Library(*paths)
    return None
