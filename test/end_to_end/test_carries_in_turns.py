# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over time whose carried arrays take turns in memory, against NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import weft

SHAPES = {1: (37,), 2: (9, 21), 3: (4, 6, 11)}
TYPES = {"f64": "f8", "f32": "f4", "c128": "c16", "i32": "i4"}

# Of a step: its carried values, what it does, and the same in NumPy. Whole numbers stay small, so
# that all types are exact.
Values = tuple[np.ndarray, ...]
STEPS: dict[str, tuple[str, str, Callable[..., Values]]] = {
    "over the oldest one": (
        "old now",
        """
        new = roll(now, 1, axis=0) - old
        carry old = now
        carry now = new
        """,
        lambda old, now: (now, np.roll(now, 1, 0) - old),
    ),
    "across the oldest one": (
        "old now",
        """
        new = now - roll(old, 1, axis=0)
        carry old = now
        carry now = new
        """,
        lambda old, now: (now, now - np.roll(old, 1, 0)),
    ),
    "neighbours": (
        "now",
        """
        carry now = roll(now, 1, axis=0) - now
        """,
        lambda now: (np.roll(now, 1, 0) - now,),
    ),
    "three of one": (
        "oldest old now",
        """
        new = now - old + oldest
        carry oldest = old
        carry old = now
        carry now = new
        """,
        lambda oldest, old, now: (old, now, now - old + oldest),
    ),
    "two that read each other": (
        "e h",
        """
        fresh = e + roll(h, 1, axis=0) - h
        carry h = h - e + roll(e, -1, axis=0)
        carry e = fresh
        """,
        lambda e, h: (e + np.roll(h, 1, 0) - h, h - e + np.roll(e, -1, 0)),
    ),
    "beside one in place and two that change places": (
        "old now s p q",
        """
        new = roll(now, 1, axis=0) - old
        carry old = now
        carry now = new
        carry s = s + new
        was = p
        carry p = q
        carry q = was
        """,
        lambda old, now, s, p, q: (
            now,
            np.roll(now, 1, 0) - old,
            s + np.roll(now, 1, 0) - old,
            q,
            p,
        ),
    ),
}


def program(names: list[str], step: str, element: str, rank: int, *, records: bool) -> str:
    """Gives the last values; if asked, of each step the value made last and a sum."""
    extents = ["n", "m", "l"][:rank]
    array = f"{element}[{', '.join(extents)}]"
    results = [f"last_{name}: {array}" for name in names]
    if records:
        results += [f"rows: {element}[steps, {', '.join(extents)}]", f"sums: {element}[steps]"]
    sizes = ", ".join(f"{extent}: size" for extent in [*extents, "steps"])
    lines = [
        f"program p[{sizes}](a: {array}, b: {array}) -> ({', '.join(results)}):",
        *(f"    carry {name} = {'ab'[k % 2]}" for k, name in enumerate(names)),
        "    for t in 0:steps:",
        *("        " + line.strip() for line in step.strip().splitlines()),
    ]
    if records:
        lines += [f"        rows[t] = {names[-1]}", f"        sums[t] = sum({names[0]})"]
    lines += [f"    last_{name} = {name}" for name in names]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("steps", [1, 4, 5, 6, 9, 11])
@pytest.mark.parametrize(("rank", "element"), [(1, "f64"), (1, "i32"), (2, "f32"), (3, "c128")])
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("target", ["avx512", "avx2", "portable"])
def test_steps(target: str, name: str, rank: int, element: str, steps: int) -> None:
    carried, step, expected = STEPS[name]
    names = carried.split()
    random = np.random.default_rng(5)
    inputs = [random.integers(-2, 3, SHAPES[rank]).astype(TYPES[element]) for _ in "ab"]
    given = [array.copy() for array in inputs]
    text = program(names, step, element, rank, records=True)
    sizes = dict(zip("nml", SHAPES[rank], strict=False))
    results = weft.compile(text, target=target, steps=steps, **sizes)(*inputs)

    values = tuple(inputs[k % 2] for k in range(len(names)))
    rows, sums = [], []
    for _ in range(steps):
        values = expected(*values)
        rows.append(values[-1])
        sums.append(values[0].sum(dtype=values[0].dtype))
    for result, value in zip(results, [*values, np.stack(rows), np.stack(sums)], strict=True):
        np.testing.assert_array_equal(result, value)
    for array, before in zip(inputs, given, strict=True):
        np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("steps", [100, 101])
@pytest.mark.parametrize("name", ["over the oldest one", "neighbours"])
def test_steps_copy_nothing(name: str, steps: int) -> None:
    carried, step, _ = STEPS[name]
    names = carried.split()
    text = program(names, step, "f64", 1, records=False)
    written = weft.compile(text, target="portable", n=512, steps=steps).report["bytes"]
    arrays = sum(written.get(f"{kind}_written", 0) for kind in ("arguments", "scratch")) / (512 * 8)
    # Each step writes one array; besides, first and last values are copied once.
    assert arrays <= steps + 2 * len(names)
