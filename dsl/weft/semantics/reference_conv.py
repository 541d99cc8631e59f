# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution and Winograd's transforms by their definition, in double precision, rounded once.

A convolution is the sum over the places of its filter of a matrix product over the channels: a
direct sum, whatever the algorithm that a program names.
"""

from __future__ import annotations

import numpy as np

from weft.semantics import typed
from weft.semantics.conv_layouts import BLOCK, LAYOUTS

# Elements of the double-precision product that exist at a time.
ELEMENTS_AT_ONCE = 1 << 24


def conv(node: typed.Conv, x: np.ndarray, g: np.ndarray) -> np.ndarray:
    return in_layout(_sums(node, channels_first(x, node.layout), g), node.out_layout)


def channels_first(x: np.ndarray, layout: str) -> np.ndarray:
    """Images of a layout as planes."""
    order = LAYOUTS[layout].order
    if order == "last":
        return np.moveaxis(x, -1, 1)
    if order == "blocks":
        n, blocks, *pixel, block = x.shape
        return np.moveaxis(x, -1, 2).reshape(n, blocks * block, *pixel)
    return x


def in_layout(y: np.ndarray, layout: str) -> np.ndarray:
    """Images by planes as another layout."""
    order = LAYOUTS[layout].order
    if order == "last":
        return np.ascontiguousarray(np.moveaxis(y, 1, -1))
    if order == "blocks":
        n, channels, *pixel = y.shape
        blocks = y.reshape(n, channels // BLOCK, BLOCK, *pixel)
        return np.ascontiguousarray(np.moveaxis(blocks, 2, -1))
    return y


def _sums(node: typed.Conv, x: np.ndarray, g: np.ndarray) -> np.ndarray:
    wide = np.result_type(x.dtype, np.float64)
    filters, channels, *window = g.shape
    padded = np.pad(x, [(0, 0), (0, 0), *((border, border) for border in node.pad)])
    pixel = [
        (extent - own) // step + 1
        for extent, own, step in zip(padded.shape[2:], window, node.stride, strict=True)
    ]
    result = np.empty((len(x), filters, *pixel), x.dtype)
    share = filters // node.groups
    # Bands along the first dimension, so that the wide copies stay small.
    rest = int(np.prod(pixel[1:]))
    band = max(1, ELEMENTS_AT_ONCE // (max(share, channels) * rest))
    for image in range(len(x)):
        for group in range(node.groups):
            own = padded[image, group * channels : (group + 1) * channels]
            taken = g[group * share : (group + 1) * share].astype(wide)
            for first in range(0, pixel[0], band):
                counts = [min(band, pixel[0] - first), *pixel[1:]]
                total = np.zeros((share, counts[0] * rest), wide)
                for place in np.ndindex(*window):
                    starts = first * node.stride[0] + place[0], *place[1:]
                    seen = (slice(None), *map(_every, starts, counts, node.stride))
                    factors = (slice(None), slice(None), *place)
                    part = own[seen]
                    total += taken[factors] @ part.reshape(channels, -1).astype(wide)
                own_filters = slice(group * share, (group + 1) * share)
                found = total.reshape(share, *counts)
                result[image, own_filters, first : first + counts[0]] = found
    return result


def _every(start: int, count: int, step: int) -> slice:
    return slice(start, start + (count - 1) * step + 1, step)


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
