# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations of vectors are made of: their types, and meanings lane by lane."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Meaning = Callable[..., Array]

#: letter: (C type, element, lanes); capital letters are scalars
TYPES: dict[str, tuple[str, Any, int]] = {
    "d": ("doublev4", np.float64, 4),
    "s": ("floatv4", np.float32, 4),
    "w": ("intv8", np.int32, 8),
    "u": ("uintv8", np.uint32, 8),
    "l": ("int256", np.int64, 4),
    "q": ("uint256", np.uint64, 4),
    "D": ("double", np.float64, 1),
    "S": ("float", np.float32, 1),
    "W": ("int", np.int32, 1),
    "U": ("unsigned int", np.uint32, 1),
}


@dataclass(frozen=True)
class Operation:
    """`call` is the C expression over a, b, c; `instruction` what the slave compiler marks, "" of a
    plain operation; `moves` where bits pass unchanged, NaN and all."""

    call: str
    operands: str
    result: str
    meaning: Meaning
    instruction: str = ""
    moves: bool = False


def bits(values: Array) -> Array:
    """The same bits as unsigned integers of the same width."""
    return values.view(f"u{values.dtype.itemsize}")


# ---- fused products, exactly ----


def _rounded(exact: Fraction, single: bool) -> float:
    try:
        double = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
    if not single or Fraction(double) == exact:
        return double
    # To odd in double first, so that rounding to single afterwards is the only rounding.
    if abs(Fraction(double)) > abs(exact):
        double = math.nextafter(double, 0.0)
    odd = np.array(double).view(np.uint64) | np.uint64(1)
    return float(odd.view(np.float64))


def _fused(a: float, b: float, c: float, single: bool) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    product = Fraction(a) * Fraction(b)
    exact = product + Fraction(c)
    if exact == 0:
        return 0.0 if product != 0 else a * b + c
    return math.copysign(_rounded(exact, single), 1 if exact > 0 else -1)


def fused(sign: int, summand: int) -> Meaning:
    def meaning(a: Array, b: Array, c: Array) -> Array:
        single = a.dtype == np.float32
        lanes = [
            _fused(sign * float(x), float(y), summand * float(z), single)
            for x, y, z in zip(a.ravel(), b.ravel(), c.ravel(), strict=True)
        ]
        with np.errstate(all="ignore"):
            return np.array(lanes).astype(a.dtype).reshape(a.shape)

    return meaning


# ---- floating point ----


def compared(holds: Callable[[Array, Array], Array]) -> Meaning:
    return lambda a, b: np.where(holds(a, b), a.dtype.type(2.0), a.dtype.type(0.0))


def selected(holds: Callable[[Array], Array]) -> Meaning:
    return lambda a, b, c: np.where(holds(a), b, c)


def sign_copied(invert: bool, with_exponent: bool) -> Meaning:
    def meaning(a: Array, b: Array) -> Array:
        width = a.dtype.itemsize * 8
        fraction = 52 if width == 64 else 23
        taken = (1 << width) - (1 << (fraction if with_exponent else width - 1))
        kind = bits(a).dtype.type
        source = ~bits(a) if invert else bits(a)
        return ((source & kind(taken)) | (bits(b) & kind((1 << width) - 1 - taken))).view(a.dtype)

    return meaning


def extracted(lane: int) -> Meaning:
    return lambda a: a[:, lane : lane + 1]


def inserted(lane: int) -> Meaning:
    def meaning(a: Array, b: Array) -> Array:
        result = b.copy()
        result[:, lane] = a[:, 0]
        return result

    return meaning


def shuffled(mask: int) -> Meaning:
    """Lanes 3 and 2 from a, 1 and 0 from b, two bits of the mask each, highest lane first."""
    high, low = [mask >> 6 & 3, mask >> 4 & 3], [mask >> 2 & 3, mask & 3]
    return lambda a, b: np.stack([b[:, low[1]], b[:, low[0]], a[:, high[1]], a[:, high[0]]], axis=1)


def words_shuffled(mask: int) -> Meaning:
    digits = [int(digit, 16) % 8 for digit in f"{mask:08x}"]  # word 7 first

    def meaning(a: Array, b: Array) -> Array:
        high = [a[:, digit] for digit in digits[:4]]
        low = [b[:, digit] for digit in digits[4:]]
        return np.stack((high + low)[::-1], axis=1)

    return meaning


# ---- integers ----


def saturated(width: int, subtract: bool) -> Meaning:
    def meaning(a: Array, b: Array) -> Array:
        parts = np.dtype(f"i{width}")
        left, right = (np.ascontiguousarray(v).view(parts).astype(np.int64) for v in (a, b))
        exact = left - right if subtract else left + right
        limit = 1 << (8 * width - 1)
        return np.clip(exact, -limit, limit - 1).astype(parts).view(a.dtype)

    return meaning


def truth(table: int, *operands: Array) -> Array:
    """The bit of `table` at the number that the operands' bits form, the first one's highest."""
    result = np.zeros_like(operands[0])
    width = result.dtype.itemsize * 8
    for bit in range(width):
        index = np.zeros(result.shape, dtype=int)
        for operand in operands:
            index = index * 2 + (bits(operand) >> bits(operand).dtype.type(bit) & 1).astype(int)
        chosen = (table >> index & 1).astype(bits(result).dtype) << bits(result).dtype.type(bit)
        result = (bits(result) | chosen).view(result.dtype)
    return result


def signed(values: Array) -> Array:
    return values.view(f"i{values.dtype.itemsize}")


# ---- 256 bits ----


def number(lanes: Array) -> int:
    """One vector as an unsigned integer, lane 0 lowest."""
    return sum(int(lane) % (1 << 64) << (64 * index) for index, lane in enumerate(lanes))


def lanes_of(value: int, kind: Any) -> Array:
    parts = [value >> (64 * index) & ((1 << 64) - 1) for index in range(4)]
    return np.array(parts, dtype=np.uint64).view(kind)


def each(function: Callable[..., int]) -> Meaning:
    """A function of 256-bit integers, vector by vector."""

    def meaning(*operands: Array) -> Array:
        rows = zip(*operands, strict=True)
        kind = operands[0].dtype
        return np.stack([lanes_of(function(*map(number, row)), kind) for row in rows])

    return meaning


def counted(function: Callable[[int], int]) -> Meaning:
    return lambda a: np.array([[function(number(row))] for row in a], dtype=np.int32)
