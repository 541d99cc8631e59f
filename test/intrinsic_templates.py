# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The entries of targets/*/intrinsics.toml as pairs of C functions: the template on whole vectors,
and its `meaning` lane by lane."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from weft import machine

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TARGETS = Path(__file__).parent.parent / "targets"
C_TYPES = {"f64": "double", "f32": "float", "i64": "int64_t", "i32": "int32_t", "i1": "bool"}
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
    """Those of CPUs; a core group's is run by the emulator (test_core_group_intrinsics.py)."""
    names = sorted(path.parent.name for path in TARGETS.glob("*/intrinsics.toml"))
    return [name for name in names if not machine.load(name).is_core_group]


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
        if "$imm" not in self.entry["c"] and "$bits" not in self.entry["c"]:
            return [0]
        if self.entry["op"] in ("vector.extract", "vector.insert"):
            return list(range(self.lanes))
        if ">> 8" in self.entry["c"]:  # two masks of vshff
            masks = [0x1B, 0x4E, 0xB1, 0xE4, 0xD8, 0x72]
            return [first | second << 8 for first in masks for second in masks]
        has_bit_a_lane = "blend" in self.entry["op"] or "bits" in self.entry["op"]
        most = 1 << (16 if has_bit_a_lane and self.lanes == 16 else 8)
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
        arrays, words, lanes = [], {"imm": str(imm), "bits": hex(imm)}, []
        body = ""
        for letter, operand in zip(LETTERS, self.operands, strict=False):
            arrays.append(f"const {C_TYPES[operand.element]} *x{letter}")
            if operand.kind == "*":
                words[letter] = f"x{letter}"
                if "p" not in words:  # an address alone is p
                    words["p"] = words[letter]
                    lanes.append(f"const {C_TYPES[operand.element]} *p = x{letter};")
                lanes.append(f"const {C_TYPES[operand.element]} *{letter} = x{letter};")
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
