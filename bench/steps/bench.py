# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps over time on the emulated core group, whose fields stay with the cores.

The time of a step is what more steps take longer, without the start of the cores and the first and
the last transfer. The peer is the same program without `keep-fields`, whose nests pass through main
memory, with borders, tiles and transfers as they are chosen then. `waiting` is the share of the
cores' time that is neither computing nor instructions: messages, syncs and operands. A result that
is not NumPy's has no time. WEFT_BENCH_CASES="heat:128x128 cg:64x64" runs only those.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import weft
from weft.diagnostics import RunError

Array = np.ndarray[Any, Any]


class Program(NamedTuple):
    """`{n}`, `{m}` are rows and columns, `{steps}` how many; and the same step in NumPy."""

    text: str
    start: Callable[[Array], tuple[Any, ...]]
    step: Callable[..., tuple[Any, ...]]


def around(u: Array) -> Array:
    """The sum of the four neighbours, rows and columns wrapping around."""
    total: Array = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
    return total


def inside(u: Array) -> Array:
    """A step of a heat equation whose border does not change."""
    new = u.copy()
    sides = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    new[1:-1, 1:-1] += 0.1 * (sides - 4.0 * u[1:-1, 1:-1])
    return new


def gradients(x: Array, r: Array, p: Array, rr: float) -> tuple[Any, ...]:
    """A step of conjugate gradients for 4.5 times a field minus its four neighbours."""
    product = 4.5 * p - around(p)
    alpha = rr / float((p * product).sum())
    rest = r - alpha * product
    new = float((rest * rest).sum())
    return x + alpha * p, rest, rest + new / rr * p, new


AROUND = "(roll(u, 1, axis=0) + roll(u, -1, axis=0) + roll(u, 1, axis=1) + roll(u, -1, axis=1))"
HEAD = "program steps(x: f64[{n}, {m}]) -> (y: f64[{n}, {m}]):\n"
PROGRAMS = {
    "heat": Program(
        HEAD + "    carry u = x\n    for t in 0:{steps}:\n"
        f"        carry u = u + 0.1*({AROUND} - 4.0*u)\n    y = u\n",
        lambda x: (x,),
        lambda u: (u + 0.1 * (around(u) - 4.0 * u),),
    ),
    "inside": Program(
        HEAD + "    carry u = x\n    for t in 0:{steps}:\n"
        "        v[i in 1:{n}-1, j in 1:{m}-1] = u[i, j] + "
        "0.1*(u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4.0*u[i, j])\n"
        "        v[0, j in 0:{m}] = u[0, j]\n        v[{n}-1, j in 0:{m}] = u[{n}-1, j]\n"
        "        v[i in 1:{n}-1, 0] = u[i, 0]\n        v[i in 1:{n}-1, {m}-1] = u[i, {m}-1]\n"
        "        carry u = v\n    y = u\n",
        lambda x: (x,),
        lambda u: (inside(u),),
    ),
    "wave": Program(
        HEAD + "    carry u = x\n    carry o = x\n    for t in 0:{steps}:\n"
        f"        w = 2.0*u - o + 0.2*({AROUND} - 4.0*u)\n"
        "        carry o = u\n        carry u = w\n    y = u\n",
        lambda x: (x, x),
        lambda u, o: (2.0 * u - o + 0.2 * (around(u) - 4.0 * u), u),
    ),
    "scaled": Program(
        HEAD + "    carry u = x\n    for t in 0:{steps}:\n"
        f"        w = u + 0.25*{AROUND}\n        carry u = w/sqrt(sum(w*w))\n    y = u\n",
        lambda x: (x,),
        lambda u: (lambda w: (w / np.sqrt((w * w).sum()),))(u + 0.25 * around(u)),
    ),
    "cg": Program(
        HEAD + "    carry u = 0.0*x\n    carry r = x\n    carry p = x\n    carry rr = sum(x*x)\n"
        "    for t in 0:{steps}:\n"
        f"        ap = 4.5*p - {AROUND.replace('(u', '(p')}\n"
        "        alpha = rr/sum(p*ap)\n        carry u = u + alpha*p\n"
        "        rest = r - alpha*ap\n        new = sum(rest*rest)\n"
        "        carry p = rest + (new/rr)*p\n        carry r = rest\n        carry rr = new\n"
        "    y = u\n",
        lambda x: (0.0 * x, x, x, float((x * x).sum())),
        gradients,
    ),
}
CASES = (
    *(f"heat:{size}" for size in ("32x32", "60x50", "64x64", "128x128", "130x130", "256x256")),
    *(f"inside:{size}" for size in ("64x64", "130x50", "256x256")),
    "wave:62x40",
    "wave:128x128",
    "scaled:60x60",
    "cg:64x64",
    "cg:128x128",
)
# Steps of two runs. The memory serves puts behind a long rest faster: both runs of fields that stay
# have that rest.
KEPT, THROUGH_MEMORY = (60, 180), (6, 18)


def cases() -> list[str]:
    """Those that are asked for, or all."""
    return os.environ.get("WEFT_BENCH_CASES", "").split() or list(CASES)


def parsed(case: str) -> tuple[Program, int, int]:
    """The program, its rows and its columns."""
    kind, _, size = case.partition(":")
    rows, _, columns = size.partition("x")
    if kind not in PROGRAMS or not (rows.isdecimal() and columns.isdecimal()):
        raise RunError(
            "there is no such case",
            argument="WEFT_BENCH_CASES",
            expected=f"{', '.join(PROGRAMS)} and a size, such as heat:128x128",
            found=case,
        )
    return PROGRAMS[kind], int(rows), int(columns)


def step(case: str, kept: bool = True) -> tuple[float, float]:
    """Cycles of a step, and the share of the cores' time in which they wait."""
    program, n, m = parsed(case)
    few, many = KEPT if kept else THROUGH_MEMORY
    without = () if kept else ("keep-fields",)
    x = np.random.default_rng(n + m).standard_normal((n, m))
    cycles = []
    for steps in (few, many):
        text = program.text.format(n=n, m=m, steps=steps)
        kernel = weft.compile(text, target="sw26010", without=without)
        found = kernel(x)
        carried = program.start(x)
        for _ in range(steps):
            carried = program.step(*carried)
        error = float(np.abs(found - carried[0]).max() / np.abs(carried[0]).max())
        if not error <= 1e-10:
            raise RunError("a step is wrong", expected="an error below 1e-10", found=f"{error:.1e}")
        run = kernel.report["run"]
        cycles.append(run["cycles"])
    spent = [one["spent"] for one in run["nests"] if one["kind"] != "begin"]
    all_of_it = sum(sum(one.values()) for one in spent)
    busy = sum(one.get("computing", 0) + one.get("instructions", 0) for one in spent)
    return (cycles[1] - cycles[0]) / (many - few), 1 - busy / all_of_it


def records() -> Iterator[dict[str, Any]]:
    for case in cases():
        kept, waiting = step(case)
        through_memory, _ = step(case, kept=False)
        yield {
            "suite": "steps",
            "case": case,
            "metric": "a step",
            "value": kept,
            "unit": "cycles",
            "peer": "fields in main memory",
            "peer_value": through_memory,
            "ratio": through_memory / kept,
            "waiting": waiting,
        }
