# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each template of targets/*/intrinsics.toml compiles and computes what its `meaning` says.

For every entry one C function runs the template on all lanes and another the meaning lane by lane,
on the same random and special values; results must agree bit by bit (any NaN equals any NaN), those
of functions like sin within four units in the last place, which is what glibc says of its vectors.
"""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import runnable
from intrinsic_templates import Case, cases, support, table, tables
from weft import machine

NUMPY = {"f64": "f8", "f32": "f4", "i64": "i8", "i32": "i4", "i1": "?"}
TRIALS = 200


# Without glibc's functions of vectors too: other C libraries have none.
@pytest.fixture(
    scope="module", params=[*[(name, "") for name in tables()], ("avx2", "-DWEFT_NO_LIBMVEC")]
)
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All entries of a target in one shared object: compiling them is itself a test."""
    target, without = request.param
    folder = tmp_path_factory.mktemp(target)
    source = folder / "templates.c"
    source.write_text(
        support(target) + "\n" + "\n".join(case.functions() for case in cases(target))
    )
    flags = [flag for flag in machine.load(target).c_flags if flag not in ("-O3",)]
    # Contraction would make the meaning of a product and a sum another one.
    flags += ["-O1", "-ffp-contract=off", "-Wall", "-Wno-unused-function"]
    flags += ["-fPIC", "-shared", *([without] if without else [])]
    shared = folder / "templates.so"
    done = subprocess.run(
        ["gcc", *flags, str(source), "-o", str(shared), "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:4000]
    return target, shared


def test_compiles(compiled: tuple[str, Path]) -> None:
    assert compiled[1].exists()


def test_clang_compiles(compiled: tuple[str, Path]) -> None:
    target, shared = compiled
    flags = [flag for flag in machine.load(target).c_flags if flag != "-O3"]
    command = ["clang-22", *flags, "-fsyntax-only", "-Wno-unused-function"]
    try:
        done = subprocess.run(
            [*command, str(shared.with_suffix(".c"))], capture_output=True, text=True
        )
    except FileNotFoundError:
        pytest.skip("clang-22 is not installed")
    assert done.returncode == 0, done.stderr[:4000]


def special(element: str, random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    dtype = np.dtype(NUMPY[element])
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind == "i":
        info = np.iinfo(dtype)
        values = random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
        edge = np.array([0, 1, -1, info.min, info.max], dtype)
        small = random.integers(-4, 5, shape).astype(dtype)
        pick = random.integers(0, 3, shape)
        return np.where(pick == 0, values, np.where(pick == 1, small, random.choice(edge, shape)))
    info = np.finfo(dtype)
    edge = np.array(
        [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, info.max, info.tiny, info.tiny / 4], dtype
    )
    values = random.standard_normal(shape).astype(dtype)
    return np.where(random.integers(0, 3, shape) == 0, random.choice(edge, shape), values)


def arguments(case: Case, random: np.random.Generator) -> list[np.ndarray]:
    arrays = [special(operand.element, random, (16,)) for operand in case.operands]
    op = case.entry["op"]
    if op in ("arith.shli", "arith.shrsi", "arith.shrui"):
        arrays[1] %= arrays[1].dtype.type(8 * arrays[1].itemsize)  # more has no meaning
    if op == "arith.fptosi":
        # Nor has what does not fit.
        arrays[0] = np.clip(np.nan_to_num(arrays[0]), -1e9, 1e9).astype(arrays[0].dtype)
    return arrays


def units_apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How many floats of their type lie between them; infinity is the one behind the largest."""
    integer = np.dtype(f"i{one.itemsize}")
    ordered = [
        np.where(bits < 0, np.iinfo(integer).min - bits, bits).astype(object)
        for bits in (one.view(integer), other.view(integer))
    ]
    return np.abs(ordered[0] - ordered[1])


def test_means_what_it_says(compiled: tuple[str, Path]) -> None:
    target, shared = compiled
    if not runnable(target):
        pytest.skip(f"this CPU cannot run target {target}: its templates were only compiled")
    library = ctypes.CDLL(str(shared))
    random = np.random.default_rng(1)
    for case in cases(target):
        dtype = np.dtype(NUMPY[case.result.element])
        for variant in range(case.variants()):
            run = getattr(library, f"run{case.number}_{variant}")
            mean = getattr(library, f"mean{case.number}_{variant}")
            for _ in range(max(TRIALS // case.variants(), 10)):
                inputs = arguments(case, random)
                results = [np.zeros(16, dtype), np.zeros(16, dtype)]
                for function, out in zip((run, mean), results, strict=True):
                    function(*[ctypes.c_void_p(array.ctypes.data) for array in (*inputs, out)])
                got, wanted = results
                count = case.result.lanes or 1
                if case.entry["cost"] == "function":
                    same = (units_apart(got, wanted) <= 4) | (np.isnan(got) & np.isnan(wanted))
                elif dtype.kind == "f":
                    same = (got.view(f"u{dtype.itemsize}") == wanted.view(f"u{dtype.itemsize}")) | (
                        np.isnan(got) & np.isnan(wanted)
                    )
                else:
                    same = got == wanted
                assert same[:count].all(), (
                    f"targets/{target}: {case.name}\ninputs {inputs}\ngot {got}\nmeaning {wanted}"
                )


def test_every_entry_has_its_fields() -> None:
    costs = {"add", "mul", "fma", "div", "sqrt", "function", "sign", "compare", "select", "convert"}
    costs |= {"integer", "shuffle", "broadcast", "load", "store"}
    for target in tables():
        for entry in table(target)["ops"]:
            assert set(entry) == {"op", "types", "c", "cost", "meaning"}, entry
            assert entry["cost"] in costs, entry
