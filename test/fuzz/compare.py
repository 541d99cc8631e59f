# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels against the reference, many of them in one C file.

python -m fuzz.compare 0:4000                  seeds, in batches (from the folder test/)
python -m fuzz.compare 4711 --target portable  one seed: its source and what differs
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import weft
from fuzz.kernels import Program, of_seed
from weft.call import Parameter

BATCH = 40
CPU_TARGETS = ("portable", "avx2", "avx512")
TARGETS = (*CPU_TARGETS, "sw26010")


def threads_of(target: str) -> tuple[int | None, ...]:
    """A core group has cores, not threads: two runs must agree all the same."""
    return (None, None) if target == "sw26010" else (1, 2)


# The bounds of fuzz.terms are for each of the two that are compared.
ROOM = 2.0


@dataclass(frozen=True)
class Wrong:
    """What a seed shows."""

    seed: int
    target: str
    what: str
    text: str

    def __str__(self) -> str:
        command = f"cd test && python -m fuzz.compare {self.seed} --target {self.target}"
        return f"{self.what}\n{self.text}\nreproduce: {command}"


def inputs_of(program: Program, parameters: Sequence[Parameter]) -> list[np.ndarray]:
    """The arguments: the seed is that of the program."""
    random = np.random.default_rng(program.seed)
    return [_array(random, p.shape, p.dtype, program.inputs[p.name]) for p in parameters]


def _array(
    random: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any], whole: bool
) -> np.ndarray:
    def part() -> np.ndarray:
        if dtype.kind == "b":
            return random.integers(0, 2, shape)
        return random.integers(-4, 5, shape) if whole else random.uniform(-2, 2, shape)

    if dtype.kind == "c":
        return np.asarray(part() + 1j * part()).astype(dtype)
    return np.asarray(part()).astype(dtype)


def expected_of(program: Program) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Inputs, and the outputs of the reference."""
    reference = weft.compile(program.text, program.kernel, mode="interpret", **program.sizes)
    inputs = inputs_of(program, reference.inputs)
    return inputs, _tuple(reference(*inputs))


def _tuple(outputs: Any) -> list[np.ndarray]:
    return [np.asarray(o) for o in (outputs if isinstance(outputs, tuple) else (outputs,))]


def differences(
    program: Program, found: Sequence[np.ndarray], expected: Sequence[np.ndarray]
) -> list[str]:
    """One line an output that is not what it should be."""
    lines = []
    for (name, error), one, other in zip(program.errors.items(), found, expected, strict=True):
        if one.dtype != other.dtype or one.shape != other.shape:
            lines.append(f"{name} is {one.dtype}{one.shape}, not {other.dtype}{other.shape}")
        elif error == 0 or one.dtype.kind in "bi":
            wrong = np.argwhere(np.asarray(one != other))
            if len(wrong):
                at = tuple(wrong[0])
                where = f"{name}{list(map(int, at))}: {one[at]} is not {other[at]}"
                lines.append(f"{where} ({len(wrong)} of {one.size} elements; exact)")
        else:
            apart = np.nan_to_num(np.abs(one - other), nan=np.inf)
            if float(apart.max()) > ROOM * error:
                at = np.unravel_index(int(apart.argmax()), apart.shape)
                where = f"{name}{list(map(int, at))}: {one[at]} is not {other[at]}"
                lines.append(f"{where} (apart {apart[at]:.3g}, allowed {ROOM * error:.3g})")
    return lines


def judge(program: Program, kernel: weft.Kernel, target: str) -> list[Wrong]:
    """Calls with one and two threads, which agree to the bit; memory ends where arrays end."""
    inputs, expected = expected_of(program)
    runs = []
    for threads in threads_of(target):
        out = [np.empty(e.shape, e.dtype) for e in expected]
        kernel(*(a.copy() for a in inputs), out=out, threads=threads)
        runs.append(out)
    lines = differences(program, runs[0], expected)
    for one, other in zip(*runs, strict=True):
        if one.tobytes() != other.tobytes():
            lines.append("one thread and two (or two runs) do not give the same bits")
    if not lines:
        return []
    return [Wrong(program.seed, target, "; ".join(lines), f"{program.text}# {program.sizes}")]


def batch(seeds: Sequence[int], target: str) -> list[Wrong]:
    """Compiled together; one by one where that fails, so that the culprit is named."""
    programs = [of_seed(seed) for seed in seeds]
    try:
        kernels = weft.compile_many([(p.text, p.kernel, p.sizes) for p in programs], target)
    except weft.WeftError as error:
        if len(seeds) == 1:
            shown = f"{programs[0].text}# {programs[0].sizes}"
            return [Wrong(seeds[0], target, f"not compiled: {error}", shown)]
        half = len(seeds) // 2
        return batch(seeds[:half], target) + batch(seeds[half:], target)
    return [w for p, k in zip(programs, kernels, strict=True) for w in judge(p, k, target)]


def sweep(seeds: range, targets: Sequence[str], said: bool = False) -> list[Wrong]:
    found: list[Wrong] = []
    for start in range(seeds.start, seeds.stop, BATCH):
        part = range(start, min(start + BATCH, seeds.stop))
        for target in targets:
            wrong = batch(part, target)
            for one in wrong if said else ():
                print(one, flush=True)
            found += wrong
        if said:
            print(f"to {part.stop}: {len(found)} wrong", file=sys.stderr, flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz.compare")
    parser.add_argument("seeds")
    parser.add_argument("--target", choices=TARGETS, action="append")
    given = parser.parse_args()
    first, _, last = given.seeds.partition(":")
    seeds = range(int(first), int(last) if last else int(first) + 1)
    if not last:
        print(of_seed(seeds[0]).text)
    return 1 if sweep(seeds, given.target or TARGETS, said=True) else 0


if __name__ == "__main__":
    sys.exit(main())
