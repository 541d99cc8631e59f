# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution and Winograd's transforms by their definition, in double precision, rounded once.

A convolution is the sum over the places of its filter of a matrix product over the channels: a
direct sum, whatever the algorithm that a program names.
"""

from __future__ import annotations

import numpy as np

from weft.semantics import typed
from weft.semantics.conv_layouts import BLOCK

# Elements of the double-precision product that exist at a time.
ELEMENTS_AT_ONCE = 1 << 24


def conv(node: typed.Conv, x: np.ndarray, g: np.ndarray) -> np.ndarray:
    return in_layout(_sums(node, channels_first(x, node.layout), g), node.out_layout)


def channels_first(x: np.ndarray, layout: str) -> np.ndarray:
    """Images of a layout as nchw."""
    if layout == "nhwc":
        return np.moveaxis(x, 3, 1)
    if layout == "nchw16c":
        n, blocks, h, w, block = x.shape
        return np.moveaxis(x, 4, 2).reshape(n, blocks * block, h, w)
    return x


def in_layout(y: np.ndarray, layout: str) -> np.ndarray:
    """Images of nchw as another layout."""
    if layout == "nhwc":
        return np.ascontiguousarray(np.moveaxis(y, 1, 3))
    if layout == "nchw16c":
        n, channels, h, w = y.shape
        blocks = y.reshape(n, channels // BLOCK, BLOCK, h, w)
        return np.ascontiguousarray(np.moveaxis(blocks, 2, 4))
    return y


def _sums(node: typed.Conv, x: np.ndarray, g: np.ndarray) -> np.ndarray:
    wide = np.result_type(x.dtype, np.float64)
    filters, channels, rows, columns = g.shape
    (above, left), (down, right) = node.pad, node.stride
    padded = np.pad(x, ((0, 0), (0, 0), (above, above), (left, left)))
    height = (padded.shape[2] - rows) // down + 1
    width = (padded.shape[3] - columns) // right + 1
    result = np.empty((len(x), filters, height, width), x.dtype)
    share = filters // node.groups
    # Bands of rows, so that the wide copies stay small.
    band = max(1, ELEMENTS_AT_ONCE // (max(share, channels) * width))
    for image in range(len(x)):
        for group in range(node.groups):
            own = padded[image, group * channels : (group + 1) * channels]
            taken = g[group * share : (group + 1) * share].astype(wide)
            for first in range(0, height, band):
                count = min(band, height - first)
                total = np.zeros((share, count * width), wide)
                for r in range(rows):
                    for s in range(columns):
                        start = first * down + r
                        part = own[
                            :,
                            start : start + (count - 1) * down + 1 : down,
                            s : s + (width - 1) * right + 1 : right,
                        ]
                        total += taken[:, :, r, s] @ part.reshape(channels, -1).astype(wide)
                place = slice(group * share, (group + 1) * share)
                result[image, place, first : first + count] = total.reshape(share, count, width)
    return result


def winograd_transform(matrix: np.ndarray, x: np.ndarray, axis: int) -> np.ndarray:
    """y[.., i, ..] = sum(matrix[i, j] * x[.., j, ..] for j), zero entries left out."""
    wide = np.result_type(x.dtype, np.float64)
    lines = np.moveaxis(x, axis, 0).astype(wide)
    result = np.zeros((len(matrix), *lines.shape[1:]), wide)
    for i, row in enumerate(matrix.astype(np.float64)):
        for line, entry in zip(lines, row, strict=True):
            if entry == 0:
                continue
            if np.iscomplexobj(result):
                # Both parts are multiplied: no product with a zero imaginary part.
                result.real[i] += entry * line.real
                result.imag[i] += entry * line.imag
            else:
                result[i] += entry * line
    return np.moveaxis(result, 0, axis)
