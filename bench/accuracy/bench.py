# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of transforms: Weft beside every FFT library that is installed.

The relative error in the L2 norm of random lines, 16 or as many as have 4096 numbers, against
transforms in 128-bit floating point (reference.py), both directions, both precisions; the inverse
is 1/n times the sum, and where a library leaves that to its users, they divide. `ratio` is Weft's
error over the least of the libraries', to be 1.5 at most. NumPy is no peer in single precision: its
forward transform computes in double.

What was measured is kept, so that a run goes on where one was stopped: in
WEFT_BENCH_ACCURACY_FILE=errors.jsonl, by default in Weft's cache, a file for each build of Weft.
`bench/accuracy/plot.py errors.jsonl errors.svg` draws it.

WEFT_BENCH_LENGTHS="1..64 251 4096" measures these lengths (default 1..1024 and powers of two to
2^22), WEFT_BENCH_TARGET=portable that target instead of the machine's best.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from weft import driver, module_files, toolchain

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "accuracy.weft"
LENGTHS = "1..1024 " + " ".join(str(1 << k) for k in range(11, 23))
GOAL = 1.5
LINES = 16  # whole vectors on every target
LEAST_POINTS = 1 << 12  # of all lines: what few numbers err by is chance
MOST_POINTS = 1 << 17  # of all lines, where there is more than one
TOGETHER = 8  # lengths in one C file
KINDS = {"c128": np.complex128, "c64": np.complex64}
DIRECTIONS = {"forward": -1, "inverse": +1}


reference = module_files.load(HERE / "reference.py")
peers = module_files.load(HERE.parent / "fft" / "peers.py")
keeping = module_files.load(HERE.parent / "keeping.py")


def records() -> Iterator[dict[str, Any]]:
    """One record a length, precision and direction, against the best of the libraries."""
    target = os.environ.get("WEFT_BENCH_TARGET") or toolchain.default_target()
    lengths = lengths_of(os.environ.get("WEFT_BENCH_LENGTHS") or LENGTHS)
    file = keeping.file_of("WEFT_BENCH_ACCURACY_FILE", f"accuracy-{target}")
    kept = {(entry["n"], entry["kind"]): entry for entry in keeping.read(file)}
    libraries = list(peers.guru_libraries())
    for library in libraries:
        library.effort = peers.EFFORT["estimate"]
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        exact = reference.Reference(
            reference.build(Path(folder), toolchain.find_compiler().path), reference.find_quad()
        )
        for first in range(0, len(lengths), TOGETHER):
            some = lengths[first : first + TOGETHER]
            for kind in KINDS:
                missing = [n for n in some if (n, kind) not in kept]
                for entry in measure(missing, kind, target, exact, libraries):
                    keeping.append(file, entry)
                    kept[entry["n"], kind] = entry
            for n in some:
                for kind in KINDS:
                    yield from to_records(kept[n, kind])


def lengths_of(text: str) -> list[int]:
    """`1..4 8` is 1, 2, 3, 4, 8."""
    found = []
    for word in text.split():
        first, _, last = word.partition("..")
        found += range(int(first), int(last or first) + 1)
    return found


def measure(
    lengths: list[int], kind: str, target: str, exact: Any, libraries: list[Any]
) -> Iterator[dict[str, Any]]:
    """`errors` by direction and contestant, Weft among them."""
    if not lengths:
        return
    requests = [(SOURCE, f"lines_{kind}", {"b": _lines(n), "n": n}) for n in lengths]
    kernels = driver.compile_many(requests, target)
    for n, kernel in zip(lengths, kernels, strict=True):
        random = np.random.default_rng(n)
        x = random.uniform(-1, 1, (_lines(n), n, 2)).view(np.complex128)[..., 0].astype(KINDS[kind])
        results: dict[str, Any] = dict(zip(DIRECTIONS, kernel(x), strict=True))
        errors: dict[str, dict[str, float]] = {}
        for direction, sign in DIRECTIONS.items():
            wanted = exact.transform(x, sign)
            found = errors[direction] = {}
            divisor = 1 if direction == "forward" else n
            found["Weft"] = exact.error(wanted, divisor, results[direction])
            for name, result in _transforms(x, sign, divisor, libraries):
                found[name] = exact.error(wanted, divisor, result)
        yield {"target": target, "n": n, "kind": kind, "exact": exact.name, "errors": errors}


def _lines(n: int) -> int:
    if n * LINES > MOST_POINTS:
        return 1
    return LINES * max(1, round(LEAST_POINTS / (LINES * n)))


def _transforms(
    x: np.ndarray, sign: int, divisor: int, libraries: list[Any]
) -> Iterator[tuple[str, np.ndarray]]:
    for library in libraries:
        if x.dtype.name in library.libraries:
            source, result = np.empty_like(x), np.empty_like(x)
            plan, execute = library.plan(source, result, (1,), 1, sign)
            source[...] = x
            execute(*(ctypes.c_void_p(a) for a in (plan, source.ctypes.data, result.ctypes.data)))
            library.forget(plan, x.dtype.name)
            parts = result.view(result.real.dtype)
            parts /= parts.dtype.type(divisor)
            yield library.name, result
    for name, module in _python_libraries(x.dtype):
        result = module.fft(x, axis=1) if sign < 0 else module.ifft(x, axis=1)
        yield name, np.ascontiguousarray(result)


def _python_libraries(dtype: np.dtype[Any]) -> Iterator[tuple[str, Any]]:
    with contextlib.suppress(ImportError):
        import scipy.fft

        yield "SciPy", scipy.fft
    if dtype == np.complex128:
        yield "NumPy", np.fft


def to_records(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for direction, errors in entry["errors"].items():
        ours = errors["Weft"]
        name, best = min(
            ((name, error) for name, error in errors.items() if name != "Weft"),
            key=lambda pair: pair[1],
        )
        if best > 0:
            ratio = ours / best
        else:
            ratio = 1.0 if ours == 0 else float("inf")
        yield {
            "suite": "accuracy",
            "case": f"{entry['n']} {entry['kind']} {direction}",
            "metric": f"{entry['target']}, relative error in the L2 norm, against {entry['exact']}",
            "value": ours,
            "unit": "",
            "peer": name,
            "peer_value": best,
            "ratio": ratio,
            "goal": GOAL,
            "met": ratio <= GOAL,
        }
