# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions of inline assembly: each does on registers what the specification says, and the
table that weft-swcc reads fits the functions that it calls."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from . import building
from .meanings import TYPES, Array, Operation, words_shuffled
from .specification import OPERATIONS

TABLE = building.EMULATOR / "swcc" / "AsmTable.def"

RUNTIME = """
#include "weft_sw26010_asm.h"
int weft_sw_carry(void) { return 0; }
void weft_sw_set_carry(int value) { (void)value; }
unsigned long weft_sw_read_csr(int csr) { return (unsigned long)csr; }
"""


@dataclass(frozen=True)
class Instruction:
    """`call` as C on registers a, b, c; the rest as of an operation."""

    call: str
    operands: str
    result: str
    meaning: Callable[..., Array]
    moves: bool = False


def register(values: Array, kind: str, random: np.random.Generator) -> Array:
    """How values stand in a register: floats as doubles, words sign-extended, a scalar in lane 0
    with anything in the others."""
    if kind == "s":
        return values.astype(np.float64).view(np.uint64)
    if kind.islower():
        return values.view(np.uint64)
    lanes = random.integers(0, 1 << 63, (len(values), 4), np.uint64)
    if kind == "S":
        values = values.astype(np.float64)
    elif kind == "W":
        values = values.astype(np.int64)
    lanes[:, 0] = values[:, 0].view(np.uint64)
    return lanes


def expected_register(values: Array, kind: str) -> Array:
    if kind == "s":
        return values.astype(np.float64).view(np.uint64)
    if kind.islower():
        return np.ascontiguousarray(values).view(np.uint64)
    if kind == "S":
        values = values.astype(np.float64)
    elif kind == "W":
        values = values.astype(np.int64)
    lanes = np.zeros((len(values), 4), np.uint64)
    lanes[:, 0] = np.ascontiguousarray(values[:, :1]).view(np.uint64)[:, 0]
    return lanes


# ---- vector instructions: as the intrinsics, whose specification is used again ----

#: intrinsics whose instruction has another name or takes other operands
LANES = re.compile(r"simd_(vext|vins)([fw])(\d)\((.*)\)")


def from_intrinsic(operation: Operation) -> Instruction | None:
    found = re.fullmatch(r"simd_(\w+)\((.*)\)", operation.call)
    if not found or "u" in operation.operands or "U" in operation.operands:
        return None
    name, arguments = found.groups()
    if name == "vcpyse" and operation.result == "s":
        return None  # the exponent of what is in the register, which is no float's
    if lane := LANES.fullmatch(operation.call):
        move, letter, number, values = lane.groups()
        if move == "vins" and operation.operands[0].islower():
            return None
        call = f"{move}{letter}__r({values}, {number})"
    elif name == "vlog2x" or name == "vlog":
        table, values = arguments.split(", ", 1)
        call = f"{name}__r({values}, {table})"
    elif name == "vshff":
        call = f"{'vshfw' if operation.result == 'w' else 'vshff'}__r({arguments})"
    elif re.search(r"\b7\)", operation.call):
        return None  # an immediate: the pass makes a register of it
    else:
        call = f"{name}__r({arguments})"
    return Instruction(
        call, operation.operands, operation.result, operation.meaning, operation.moves
    )


def scalar_form(vector: Instruction) -> Instruction | None:
    """faddd of vaddd, and so on: lane 0 of the same."""
    found = re.match(
        r"v(addd|adds|subd|subs|muld|muls|divd|divs|sqrtd|sqrts|n?m[as][ds]|cpysn?|cpyse"
        r"|fcmp\w\w)__r",
        vector.call,
    )
    if not found or vector.result not in "ds":
        return None
    name = found[1] if found[1].startswith("fcmp") else "f" + found[1]
    return Instruction(
        vector.call.replace("v" + found[1], name, 1),
        vector.operands.upper(),
        vector.result.upper(),
        vector.meaning,
        vector.moves,
    )


def _vectors() -> list[Instruction]:
    found = [form for operation in OPERATIONS if (form := from_intrinsic(operation))]
    return found + [form for vector in found if (form := scalar_form(vector))]


# ---- scalar instructions ----

LONG = {"L": ("long", np.int64, 1)}
TYPES_HERE = TYPES | LONG


def longs(function: Callable[..., int]) -> Callable[..., Array]:
    """A function of signed 64-bit integers; its result is taken modulo 2^64."""

    def meaning(*operands: Array) -> Array:
        rows = zip(*(operand[:, 0].tolist() for operand in operands), strict=True)
        results = [function(*row) % (1 << 64) for row in rows]
        return np.array(results, np.uint64).view(np.int64)[:, None]

    return meaning


def unsigned(value: int) -> int:
    return value % (1 << 64)


def word(value: int) -> int:
    """The low 32 bits, sign-extended."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def bytes_of(value: int, mask: int, *, keep: bool) -> int:
    kept = [byte for byte in range(8) if bool(mask >> byte & 1) == keep]
    return sum(unsigned(value) & 0xFF << 8 * byte for byte in kept)


def selection(holds: Callable[[int], bool]) -> Callable[..., int]:
    return lambda a, b, c: b if holds(a) else c


SCALARS: dict[str, Callable[..., int]] = {
    "addl": lambda a, b: a + b,
    "addw": lambda a, b: word(a + b),
    "subl": lambda a, b: a - b,
    "subw": lambda a, b: word(a - b),
    "mull": lambda a, b: a * b,
    "mulw": lambda a, b: word(a * b),
    "s4addl": lambda a, b: 4 * a + b,
    "s4addw": lambda a, b: word(4 * a + b),
    "s8addl": lambda a, b: 8 * a + b,
    "s8addw": lambda a, b: word(8 * a + b),
    "s4subl": lambda a, b: 4 * a - b,
    "s4subw": lambda a, b: word(4 * a - b),
    "s8subl": lambda a, b: 8 * a - b,
    "s8subw": lambda a, b: word(8 * a - b),
    "umulh": lambda a, b: unsigned(a) * unsigned(b) >> 64,
    "cmpeq": lambda a, b: a == b,
    "cmplt": lambda a, b: a < b,
    "cmple": lambda a, b: a <= b,
    "cmpult": lambda a, b: unsigned(a) < unsigned(b),
    "cmpule": lambda a, b: unsigned(a) <= unsigned(b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "bis": lambda a, b: a | b,
    "bic": lambda a, b: a & ~b,
    "ornot": lambda a, b: a | ~b,
    "xor": lambda a, b: a ^ b,
    "eqv": lambda a, b: ~(a ^ b),
    "sll": lambda a, b: a << b % 64,
    "srl": lambda a, b: unsigned(a) >> b % 64,
    "sra": lambda a, b: a >> b % 64,
    "zap": lambda a, b: bytes_of(a, b, keep=False),
    "zapnot": lambda a, b: bytes_of(a, b, keep=True),
    "sextb": lambda a: (a + 128) % 256 - 128,
    "sexth": lambda a: (a + 32768) % 65536 - 32768,
    "sextw": word,
    "ctpop": lambda a: unsigned(a).bit_count(),
    "ctlz": lambda a: 64 - unsigned(a).bit_length(),
    "cttz": lambda a: 64 if a == 0 else (a & -a).bit_length() - 1,
    "mov": lambda a: a,
    "seleq": selection(lambda a: a == 0),
    "selne": selection(lambda a: a != 0),
    "sellt": selection(lambda a: a < 0),
    "selle": selection(lambda a: a <= 0),
    "selgt": selection(lambda a: a > 0),
    "selge": selection(lambda a: a >= 0),
    "sellbc": selection(lambda a: a % 2 == 0),
    "sellbs": selection(lambda a: a % 2 == 1),
}


def _scalars() -> list[Instruction]:
    found = []
    for name, function in SCALARS.items():
        count = function.__code__.co_argcount
        arguments = ", ".join("abc"[:count])
        found.append(Instruction(f"{name}__r({arguments})", "L" * count, "L", longs(function)))
    for offset in (0, 1023, -32768, 32767):
        found.append(
            Instruction(f"ldi__r(a, {offset})", "L", "L", longs(lambda a, n=offset: a + n))
        )
        found.append(
            Instruction(f"ldih__r(a, {offset})", "L", "L", longs(lambda a, n=offset: a + n * 65536))
        )
    floats = {
        "seleq": np.equal,
        "selne": np.not_equal,
        "sellt": np.less,
        "selle": np.less_equal,
        "selgt": np.greater,
        "selge": np.greater_equal,
    }
    for name, compare in floats.items():
        found.append(
            Instruction(
                f"f{name}__r(a, b, c)",
                "DDD",
                "D",
                lambda a, b, c, f=compare: np.where(f(a, 0.0), b, c),
                moves=True,
            )
        )
    return found


# ---- conversions: between a long, a double and a float, all in lane 0 ----


def to_long(rounded: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def meaning(a: Array) -> Array:
        inside = (a >= -(2.0**63)) & (a < 2.0**63)
        return np.where(inside, rounded(np.where(inside, a, 0.0)).astype(np.int64), -(1 << 63))

    return meaning


def _conversions() -> list[Instruction]:
    return [
        Instruction("fcvtld__r(a)", "L", "D", lambda a: a.astype(np.float64)),
        Instruction("fcvtls__r(a)", "L", "S", lambda a: a.astype(np.float32)),
        Instruction("fcvtds__r(a)", "D", "S", lambda a: a.astype(np.float32)),
        Instruction("fcvtsd__r(a)", "S", "D", lambda a: a.astype(np.float64)),
        Instruction("fcvtdl__r(a)", "D", "L", to_long(np.round)),
        Instruction("fcvtdl_z__r(a)", "D", "L", to_long(np.trunc)),
        Instruction("fcvtdlr__r(a, 5)", "D", "L", to_long(np.floor)),
        Instruction("fcvtdlr__r(a, 7)", "D", "L", to_long(np.ceil)),
        Instruction("fmov__r(a)", "D", "D", lambda a: a, moves=True),
        Instruction("vfmov__r(a)", "d", "d", lambda a: a, moves=True),
        Instruction(
            "vmatch__r(a, b)",
            "wW",
            "L",
            lambda a, b: np.any(a == b, axis=1, keepdims=True).astype(np.int64),
        ),
        Instruction("vshfw__r(a, b, 0x67452301)", "ww", "w", words_shuffled(0x67452301)),
        Instruction("clr__r()", "", "L", lambda: np.zeros((building.COUNT, 1), np.int64)),
    ]


INSTRUCTIONS = [*_vectors(), *_scalars(), *_conversions()]


def mnemonic(instruction: Instruction) -> str:
    return instruction.call.split("__r(")[0]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    text = RUNTIME
    for index, instruction in enumerate(INSTRUCTIONS):
        text += f"""
void f{index}(char *to, const char *x, const char *y, const char *z, long count) {{
  for (long i = 0; i < count; ++i) {{
    __weft_reg a, b, c, result;
    __builtin_memcpy(&a, x + 32 * i, 32);
    __builtin_memcpy(&b, y + 32 * i, 32);
    __builtin_memcpy(&c, z + 32 * i, 32);
    (void)a, (void)b, (void)c;
    result = __weft_sem_{instruction.call};
    __builtin_memcpy(to + 32 * i, &result, 32);
  }}
}}"""
    return building.library(tmp_path_factory.mktemp("assembly"), text)


@pytest.mark.parametrize(
    ("index", "instruction"),
    list(enumerate(INSTRUCTIONS)),
    ids=[f"{instruction.call}-{instruction.operands}" for instruction in INSTRUCTIONS],
)
def test_instruction(loaded: ctypes.CDLL, index: int, instruction: Instruction) -> None:
    random = np.random.default_rng(index)
    operands = []
    for kind in instruction.operands:
        if kind == "L":
            operands.append(building.values("l", random)[:, :1])
        elif kind == "D" and instruction.result == "L":  # where roundings differ, and beyond a long
            near = random.integers(-8, 8, (building.COUNT, 1)) / 4
            operands.append(
                np.where(random.integers(0, 2, near.shape) == 0, near, building.values("D", random))
            )
        else:
            operands.append(building.values(kind, random))
    registers = [
        register(values, kind, random)
        for values, kind in zip(operands, instruction.operands, strict=True)
    ]
    registers += [np.zeros((building.COUNT, 4), np.uint64)] * (3 - len(registers))
    registers = [np.ascontiguousarray(lanes) for lanes in registers]
    found = np.zeros((building.COUNT, 4), np.uint64)
    pointers = [lanes.ctypes.data_as(ctypes.c_void_p) for lanes in (found, *registers)]
    loaded[f"f{index}"](*pointers, ctypes.c_long(building.COUNT))
    with np.errstate(all="ignore"):
        values = instruction.meaning(*operands)
        expected = expected_register(values, instruction.result)
    kind = instruction.result.upper()
    same = found == expected
    if kind in "DS" and not instruction.moves:
        same |= np.isnan(found.view(np.float64)) & np.isnan(expected.view(np.float64))
    assert same.all(), (
        instruction.call,
        [values[np.argwhere(~same)[0][0]] for values in operands],
        found.view(TYPES_HERE[kind if kind in "DL" else "D"][1])[~same][:4],
        expected.view(TYPES_HERE[kind if kind in "DL" else "D"][1])[~same][:4],
    )


# ---- the table ----


@dataclass(frozen=True)
class Entry:
    kind: str
    name: str
    operands: str


def entries() -> list[Entry]:
    found = []
    for line in TABLE.read_text().splitlines():
        match = re.match(r'WEFT_ASM(_[A-Z]+)?\("?(\w+)"?(?:, (\d))?(?:, "(\w*)")?', line)
        if not match:
            continue
        kind, name, _, operands = match.groups()
        if kind == "_BOTH":
            found += [Entry("", form + name, operands) for form in "vf"]
        else:
            found.append(Entry(kind or "", name, operands or ""))
    return found


def call(entry: Entry) -> str:
    """A C expression that has the type and arguments that the pass gives it."""
    if entry.kind == "_LOAD":
        return f"__weft_reg r = __weft_mem_{entry.name}(address)"
    if entry.kind == "_STORE":
        return f"__weft_mem_{entry.name}(place, a)"
    if entry.kind == "_SEND":
        return f"__weft_reg r = __weft_sw_{entry.name}__r(address)"
    if entry.kind == "_ADDRESS":
        return f"__weft_reg r = __weft_sw_{entry.name}__r(a, 1)"
    arguments = ["1" if letter in "in" else "a" for letter in entry.operands if letter != "d"]
    if entry.kind == "_STEM":
        arguments.append("1")
    result = "__weft_reg r = " if "d" in entry.operands else ""
    return f"{result}__weft_sw_{entry.name}__r({', '.join(arguments)})"


def test_table_has_each_instruction_once() -> None:
    names = [entry.name for entry in entries()]
    assert len(names) > 150
    assert sorted(set(names)) == sorted(names)
    for entry in entries():
        assert set(entry.operands) <= set("drvwlin"), entry
        assert entry.operands.count("d") <= 1, entry


def test_table_fits_the_functions(tmp_path: Path) -> None:
    """Every entry has its function with the operands that the table says, and no other has."""
    found = entries()
    source = tmp_path / "table.c"
    lines = "\n".join(
        f"  {{ {call(entry)}; {'(void)r; ' if ' r = ' in call(entry) else ''}}}" for entry in found
    )
    source.write_text(
        '#include "weft_sw26010_asm.h"\n'
        f"void f(__weft_reg a, const void *address, void *place) {{\n{lines}\n}}\n"
    )
    flags = [*building.FLAGS, "-D__sw_slave__"]
    done = building.clang([*flags, "-Wconversion", "-fsyntax-only", str(source)])
    assert done.returncode == 0, done.stderr
    done = building.clang([*flags, "-E", "-P", str(source)])
    declared = set(re.findall(r"__weft_(?:sem_\w+__r|mem_\w+)", done.stdout))
    listed = {
        f"__weft_mem_{entry.name}"
        if entry.kind in ("_LOAD", "_STORE")
        else f"__weft_sem_{entry.name}__r"
        for entry in found
    }
    assert declared == listed


def test_every_instruction_has_a_cost() -> None:
    """What inline assembly may name, the table of instruction classes has."""
    text = (building.EMULATOR / "swcc" / "Instructions.cpp").read_text()
    classed = set(re.findall(r"\w+", " ".join(re.findall(r'"([a-z0-9_ ]+)"', text))))
    assert {entry.name for entry in entries()} <= classed


def test_every_instruction_with_a_result_is_tried() -> None:
    """What has a result and no effect is compared with the specification above."""
    effects = {"getr", "getc", "rcsr", "rfpcr", "vlog3r", "selldw"}
    pure = {
        entry.name
        for entry in entries()
        if (
            (entry.kind in ("", "_NAMED", "_OF", "_STEM") and "d" in entry.operands)
            or entry.kind == "_ADDRESS"
        )
        and "carry" not in entry.name
    } - effects
    aliases = {"vand", "vbic", "vbis", "vornot", "vxor", "veqv"}  # of the instructions with a w
    tried: set[Any] = {mnemonic(instruction) for instruction in INSTRUCTIONS}
    assert pure - aliases <= tried
