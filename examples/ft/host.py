# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT around the kernels: the random field, the rate, the verification.

The field comes from NPB's generator x -> a*x mod 2^46, exactly: x fastest, then y, then z, the real
part of an element before its imaginary part.
"""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from weft.hosting import Case, Verdict

EXPECTED: dict[str, Any] = json.loads(
    Path(__file__).with_name("expected.json").read_text(encoding="utf-8")
)
SEED: int = EXPECTED["random"]["seed"]
MULTIPLIER: int = EXPECTED["random"]["multiplier"]
BITS: int = EXPECTED["random"]["modulus_bits"]
# Numbers made at a time: a block of them stays in cache.
BLOCK = 1 << 15


def states(count: int, first: int = 1) -> np.ndarray:
    """States first, first+1, ... of the generator, the seed being state 0.

    Products wrap modulo 2^64, which 2^46 divides: no digit that counts is lost.
    """
    mask = np.uint64((1 << BITS) - 1)
    found = np.empty(count, dtype=np.uint64)
    if count:
        found[0] = SEED * pow(MULTIPLIER, first, 1 << BITS) % (1 << BITS)
    done = 1
    while done < count:
        # The states so far, jumped over all at once.
        jump = np.uint64(pow(MULTIPLIER, done, 1 << BITS))
        more = min(done, count - done)
        found[done : done + more] = found[:more] * jump & mask
        done += more
    return found


def field(shape: tuple[int, ...]) -> np.ndarray:
    """A complex field with both parts in (0, 1)."""
    result = np.empty(shape, dtype=np.complex128)
    numbers = result.reshape(-1).view(np.float64)
    mask = np.uint64((1 << BITS) - 1)
    block = states(min(BLOCK, numbers.size))
    jump = np.uint64(pow(MULTIPLIER, len(block), 1 << BITS))
    for start in range(0, numbers.size, len(block)):
        part = numbers[start : start + len(block)]
        np.multiply(block[: len(part)], 2.0**-BITS, out=part)
        block = block * jump & mask
    return result


def inputs(case: Case) -> dict[str, np.ndarray]:
    sizes = _sizes(case)
    return {"u": field((sizes["nz"], sizes["ny"], sizes["nx"]))}


def check(case: Case, outputs: dict[str, np.ndarray]) -> Verdict:
    """NPB's rule: every checksum within epsilon of the reference, relative; NaN fails."""
    sums = outputs["sums"]
    expected = EXPECTED["cases"].get(str(case))
    if expected is None or _sizes(case) != _known_sizes(expected):
        known = ", ".join(EXPECTED["cases"])
        lines = [f"no reference for these sizes, only for the cases {known}"]
        return Verdict(None, [*_shown(sums, None), *lines])
    reference = np.array([complex(*pair) for pair in expected["checksums"]])
    if sums.shape != reference.shape:
        return Verdict(False, [f"{sums.size} checksums: expected {reference.size}"])
    error = np.abs(sums - reference) / np.abs(reference)
    epsilon = EXPECTED["epsilon"]
    holds = bool(np.all(error <= epsilon))
    largest = f"largest relative error {np.max(error):.2e}, allowed {epsilon:.0e}"
    return Verdict(holds, [*_shown(sums, reference), largest])


def report(case: Case, outputs: dict[str, np.ndarray], seconds: float) -> list[str]:
    """The rate of the timed part: forward transform and iterations, without making the field."""
    del outputs
    return [f"{operations(_sizes(case)) / seconds * 1e-6:.1f} Mop/s"]


def operations(sizes: dict[str, int]) -> float:
    """NPB's count of floating-point operations."""
    n = sizes["nx"] * sizes["ny"] * sizes["nz"]
    once = 14.8157 + 7.19641 * log(n)
    return n * (once + (5.23518 + 7.21113 * log(n)) * sizes["niter"])


def _sizes(case: Case) -> dict[str, int]:
    """Of the case as it runs; a bare name stands for NPB's class."""
    given = getattr(case, "sizes", None)
    return dict(given) if given else _known_sizes(EXPECTED["cases"][str(case)])


def _known_sizes(expected: dict[str, Any]) -> dict[str, int]:
    return {name: expected[name] for name in ("nx", "ny", "nz", "niter")}


def _shown(sums: np.ndarray, reference: np.ndarray | None) -> list[str]:
    lines = []
    for step, value in enumerate(sums):
        line = f"T = {step + 1:3d}  checksum {value.real:.12e} {value.imag:.12e}"
        if reference is not None:
            line += f"  reference {reference[step].real:.12e} {reference[step].imag:.12e}"
        lines.append(line)
    return lines
