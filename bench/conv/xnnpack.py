# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""XNNPACK through its C interface (Debian: libxnnpack0): direct sums, channels last."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

NAME = "XNNPACK direct"


class Library:
    def __init__(self, path: str, threads_path: str) -> None:
        self.native = ctypes.CDLL(path)
        if self.native.xnn_initialize(None) != 0:
            raise OSError("XNNPACK knows no such processor")
        self._pools = ctypes.CDLL(threads_path)
        self._pools.pthreadpool_create.restype = ctypes.c_void_p
        self._pool: dict[int, Any] = {1: None}

    def pool(self, threads: int) -> Any:
        if threads not in self._pool:
            made = self._pools.pthreadpool_create(ctypes.c_size_t(threads))
            self._pool[threads] = ctypes.c_void_p(made)
        return self._pool[threads]

    def convolution(
        self, steps: tuple[int, int], x: np.ndarray, g: np.ndarray, y: np.ndarray, threads: int
    ) -> tuple[Callable[[], None], Callable[[], None]]:
        """What is timed, filters packed and channels last before; what fetches the result.
        `steps` are the border and the stride."""
        pad, stride = steps
        images = np.ascontiguousarray(x.transpose(0, 2, 3, 1))
        result = np.empty(tuple(y.shape[i] for i in (0, 2, 3, 1)), np.float32)
        filters = np.ascontiguousarray(g.transpose(0, 2, 3, 1))
        k, _, _, c = filters.shape
        groups = x.shape[1] // c
        size, number = ctypes.c_size_t, ctypes.c_uint32
        operator, infinite = ctypes.c_void_p(), float("inf")
        status = self.native.xnn_create_convolution2d_nhwc_f32(
            *(number(pad) for _ in range(4)),
            *(number(value) for value in (3, 3, stride, stride, 1, 1, groups)),
            *(size(value) for value in (c, k // groups, x.shape[1], k)),
            *(_pointer(filters), None, ctypes.c_float(-infinite), ctypes.c_float(infinite)),
            *(number(0), ctypes.byref(operator)),
        )
        pool, kept = self.pool(threads), (images, result)
        if status == 0:
            status = self.native.xnn_setup_convolution2d_nhwc_f32(
                *(operator, *(size(value) for value in images.shape[:3])),
                *(_pointer(images), _pointer(result), pool),
            )
        if status != 0:
            raise RuntimeError(f"XNNPACK: status {status}")

        def run() -> None:
            assert kept  # as long as this is
            if self.native.xnn_run_operator(operator, pool) != 0:
                raise RuntimeError("XNNPACK failed")

        def fetch() -> None:
            y[...] = result.transpose(0, 3, 1, 2)

        return run, fetch


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
