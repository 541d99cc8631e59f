# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each template of targets/*/intrinsics.toml compiles and computes what its `meaning` says.

For every entry one C function runs the template on all lanes and another the meaning lane by lane,
on the same random and special values; results must agree bit by bit (any NaN equals any NaN).
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import runnable
from weft import machine

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TARGETS = Path(__file__).parent.parent.parent / "targets"
C_TYPES = {"f64": "double", "f32": "float", "i64": "int64_t", "i32": "int32_t", "i1": "bool"}
NUMPY = {"f64": "f8", "f32": "f4", "i64": "i8", "i32": "i4", "i1": "?"}
TRIALS = 200
LETTERS = "abcdefghijklmnop"


@dataclass(frozen=True)
class Type:
    """As the tables write it: lanes 0 is a scalar; `f64..` is one scalar a lane of the result."""

    element: str
    lanes: int = 0
    kind: str = ""

    @staticmethod
    def parse(text: str) -> Type:
        found = re.fullmatch(r"(?:(\d+)x)?([fi]\d+)(\*|\.\.)?", text.strip())
        assert found, f"no type: {text!r}"
        return Type(found[2], int(found[1] or 0), found[3] or "")

    @property
    def key(self) -> str:
        return f"{self.lanes}x{self.element}" if self.lanes else self.element


def tables() -> list[str]:
    return sorted(path.parent.name for path in TARGETS.glob("*/intrinsics.toml"))


@cache
def table(target: str) -> dict[str, Any]:
    return tomllib.loads((TARGETS / target / "intrinsics.toml").read_text())


def support(target: str) -> str:
    return "".join((TARGETS / folder / "support.h").read_text() for folder in ("common", target))


class Case:
    """One entry, with what its two C functions look like."""

    def __init__(self, target: str, number: int, entry: dict[str, str]) -> None:
        self.target, self.number, self.entry = target, number, entry
        operands, _, result = entry["types"].partition(" -> ")
        self.operands = [Type.parse(text) for text in operands.split(",")]
        self.is_store = not result
        # A store's address stands last, and is where its result goes.
        self.result = self.operands[0] if self.is_store else Type.parse(result)
        if self.is_store:
            self.operands.pop()
        self.lanes = max([self.result.lanes, *(operand.lanes for operand in self.operands)])

    @property
    def name(self) -> str:
        return f"{self.entry['op']} : {self.entry['types']}"

    def immediates(self) -> list[int]:
        """The numbers that a template is tried with: it takes them as constants only."""
        if "$imm" not in self.entry["c"]:
            return [0]
        if self.entry["op"] in ("vector.extract", "vector.insert"):
            return list(range(self.lanes))
        most = 1 << (16 if "blend" in self.entry["op"] and self.lanes == 16 else 8)
        return [0, 1, 0x1B, 0x4E, 0xB1, 0xE4, 0x55, 0xAA, most - 1]

    def masks(self) -> list[list[int]]:
        n = self.lanes
        if "$mask" not in self.entry["c"] and "$index" not in self.entry["c"]:
            return [[0] * n]
        limit = n if self.entry["op"].endswith(":one") else 2 * n
        random = np.random.default_rng(5)
        return [[int(v) for v in random.integers(0, limit, n)] for _ in range(6)]

    def vector(self, type_: Type, array: str) -> str:
        """C that makes a vector of an array's lanes."""
        lanes = [f"{array}[{i}]" for i in range(type_.lanes)]
        rows = table(self.target)["ops"]
        wanted = f"{type_.element}.. -> {type_.key}"
        template = next(
            row["c"]
            for row in rows
            if row["op"] == "vector.from_elements" and row["types"] == wanted
        )
        return fill(template, {"all": ", ".join(lanes), **dict(zip(LETTERS, lanes, strict=False))})

    def functions(self) -> str:
        return "\n".join(
            self._function(variant, imm, mask)
            for variant, (imm, mask) in enumerate(
                (imm, mask) for imm in self.immediates() for mask in self.masks()
            )
        )

    def variants(self) -> int:
        return len(self.immediates()) * len(self.masks())

    def _function(self, variant: int, imm: int, mask: list[int]) -> str:
        types = table(self.target)["types"]
        arrays, words, lanes = [], {"imm": str(imm)}, []
        body = ""
        for letter, operand in zip(LETTERS, self.operands, strict=False):
            arrays.append(f"const {C_TYPES[operand.element]} *x{letter}")
            if operand.kind == "*":
                words["p"] = f"x{letter}"
                lanes.append(f"const {C_TYPES[operand.element]} *p = x{letter};")
            elif operand.kind == "..":
                scalars = [f"x{letter}[{i}]" for i in range(self.result.lanes)]
                words["all"] = ", ".join(scalars)
                words.update(zip(LETTERS, scalars, strict=False))
                lanes.append(f"const {C_TYPES[operand.element]} *all = x{letter};")
            elif operand.lanes:
                made = self.vector(operand, "x" + letter)
                body += f"  const {types[operand.key]} {letter} = {made};\n"
                words[letter] = letter
                lanes.append(f"const {C_TYPES[operand.element]} *{letter} = x{letter};")
            else:
                body += f"  const {C_TYPES[operand.element]} {letter} = x{letter}[0];\n"
                words[letter] = letter
                lanes.append(f"const {C_TYPES[operand.element]} {letter} = x{letter}[0];")
        numbers = ", ".join(map(str, mask))
        words["mask"] = numbers
        if "$index" in self.entry["c"]:
            index = Type("i64" if self.lanes == 8 else "i32", self.lanes)
            body += f"  const int64_t mask[] = {{{numbers}}};\n"
            body += f"  const {types[index.key]} index = {self.vector(index, 'mask')};\n"
            words["index"] = "index"
        element = C_TYPES[self.result.element]
        suffix = f"{self.number}_{variant}({', '.join([*arrays, element + ' *out'])})"
        if self.is_store:
            words["p"] = "out"
            body += f"  {fill(self.entry['c'], words)};\n"
        elif self.result.lanes:
            body += f"  const {types[self.result.key]} r = {fill(self.entry['c'], words)};\n"
            extract = next(
                row["c"]
                for row in table(self.target)["ops"]
                if row["op"] == "vector.extract"
                and row["types"] == f"{self.result.key} -> {self.result.element}"
            )
            for i in range(self.result.lanes):
                body += f"  out[{i}] = {fill(extract, {'a': 'r', 'imm': str(i)})};\n"
        else:
            body += f"  out[0] = {fill(self.entry['c'], words)};\n"
        lanes.append(f"const int imm = {imm}; const int mask[] = {{{numbers}}};")
        lanes.append("const int *index = mask; (void)imm; (void)mask; (void)index;")
        count = self.result.lanes or 1
        return (
            f"void run{suffix} {{\n{body}}}\n"
            f"void mean{suffix} {{\n  {' '.join(lanes)}\n"
            f"  for (int i = 0; i < {count}; ++i) out[i] = {self.entry['meaning']};\n}}\n"
        )


def fill(template: str, words: dict[str, str]) -> str:
    return re.sub(r"\$([a-z]+)", lambda found: words[found[1]], template)


@cache
def cases(target: str) -> list[Case]:
    return [Case(target, n, entry) for n, entry in enumerate(table(target)["ops"])]


@pytest.fixture(scope="module", params=tables())
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All entries of a target in one shared object: compiling them is itself a test."""
    target: str = request.param
    folder = tmp_path_factory.mktemp(target)
    source = folder / "templates.c"
    source.write_text(
        support(target) + "\n" + "\n".join(case.functions() for case in cases(target))
    )
    flags = [flag for flag in machine.load(target).c_flags if flag not in ("-O3",)]
    # Contraction would make the meaning of a product and a sum another one.
    flags += ["-O1", "-ffp-contract=off", "-Wall", "-Wno-unused-function"]
    flags += ["-fPIC", "-shared"]
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
                if dtype.kind == "f":
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
