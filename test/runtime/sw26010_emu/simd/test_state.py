# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that depend on more than their operands: memory, the carry register, table look-up,
messages. The runtime is a few lines of C here."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from . import building
from .meanings import TYPES, Array, lanes_of, number

RUNTIME = """
#include <simd.h>
static int carry;
int weft_sw_carry(void) { return carry; }
void weft_sw_set_carry(int value) { carry = value; }

static char ldm[65536];
static int table[8];
void weft_sw_table_word(unsigned at, int lane) { __builtin_memcpy(&table[lane], ldm + at, 4); }
void weft_sw_table_result(void *words) { __builtin_memcpy(words, table, 32); }

/* A mesh of one CPE that hears itself; what was sent last is kept. */
static char sent[32];
static int to;
static const char *from;
static int splats;
#define WAY(way) \\
  void weft_sw_put_##way(const void *value, int destination) { \\
    __builtin_memcpy(sent, value, 32); \\
    to = destination; \\
  } \\
  void weft_sw_get_##way(void *value) { __builtin_memcpy(value, sent, 32); } \\
  void weft_sw_load_##way(void *value, const void *address, int splat) { \\
    const char *byte = address; \\
    from = address; \\
    splats = splat; \\
    for (int i = 0; i < 32; ++i) \\
      ((char *)value)[i] = byte[splat ? i % 8 : i]; \\
  }
WAY(row)
WAY(column)
unsigned long weft_sw_read_csr(int csr) { return csr == 0x83 ? 0xe8 : csr == 0x8f ? 0x1d : 0; }
"""


def pointer(values: Array) -> ctypes.c_void_p:
    return values.ctypes.data_as(ctypes.c_void_p)


def aligned(count: int, offset: int = 0) -> Array:
    """`count` bytes, `offset` past a multiple of 32."""
    space = np.zeros(count + 64, np.uint8)
    start = -space.ctypes.data % 32 + offset
    return space[start : start + count]


# ---- memory ----

KINDS = [kind for kind in TYPES if kind.islower()]


@pytest.mark.parametrize("kind", KINDS)
def test_memory(tmp_path: Path, kind: str) -> None:
    """Aligned, unaligned and splat accesses, whatever the pointer's own type is."""
    vector, element, lanes = TYPES[kind]
    size = np.dtype(element).itemsize * lanes
    loaded = building.library(
        tmp_path,
        f"""#include <simd.h>
struct holder {{ {vector} member[2]; }};
void aligned_(char *to, const int *from) {{ {vector} v; simd_load(v, from); simd_store(v, to); }}
void unaligned(char *to, const long *from) {{
  {vector} v;
  simd_loadu(v, from);
  simd_storeu(v, to);
}}
void splat(long to, const void *from) {{
  struct holder h;
  simd_loade(h.member[1], from);
  simd_storeu(h.member[1], to);
}}
void expression(void *to, void *from) {{ simd_store(*({vector} *)from + 1, to); }}
""",
    )
    random = np.random.default_rng(3)
    values = building.values(kind, random)[0]
    for name, offset in (("aligned_", 0), ("unaligned", 4), ("unaligned", 17)):
        source, target = aligned(size, offset), aligned(size, offset)
        source[:] = values.view(np.uint8)
        loaded[name](pointer(target), pointer(source))
        assert bytes(target) == values.tobytes(), (name, offset)
    target = aligned(size)
    loaded["splat"](pointer(target), pointer(values))
    assert bytes(target) == np.repeat(values[:1], lanes).tobytes()
    source = aligned(size)
    source[:] = values.view(np.uint8)
    loaded["expression"](pointer(target), pointer(source))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(target.view(element), values + values.dtype.type(1))


@pytest.mark.parametrize(
    ("kind", "access", "alignment"),
    [
        ("d", "simd_load", 32),
        ("s", "simd_load", 16),
        ("w", "simd_load", 32),
        ("l", "simd_store", 32),
        ("s", "simd_store", 16),
        ("d", "simd_loadu", 1),
        ("s", "simd_storeu", 1),
    ],
)
def test_alignment_that_is_asked_for(
    tmp_path: Path, kind: str, access: str, alignment: int
) -> None:
    """The pass checks it; here it must be what the code says."""
    source = tmp_path / "access.c"
    source.write_text(
        f"#include <simd.h>\n{TYPES[kind][0]} v;\nvoid f(char *p) {{ {access}(v, p); }}\n"
    )
    done = building.clang(
        ["-O1", *building.FLAGS, "-D__sw_slave__", "-S", "-emit-llvm", str(source), "-o", "-"]
    )
    assert done.returncode == 0, done.stderr
    body = done.stdout.split("@f(")[1].split("\n}")[0]
    accesses = [line for line in body.split("\n") if "ptr %0" in line]
    assert len(accesses) == 1
    assert f"align {alignment}" in accesses[0]


def test_setters(tmp_path: Path) -> None:
    """The first operand is lane 0."""
    text = "#include <simd.h>\n"
    for kind in KINDS:
        vector, _, lanes = TYPES[kind]
        numbers = ", ".join(str(lane + 1) for lane in range(lanes))
        text += f"void {kind}(void *to) {{ simd_storeu(simd_set_{vector}({numbers}), to); }}\n"
    loaded = building.library(tmp_path, text)
    for kind in KINDS:
        _, element, lanes = TYPES[kind]
        found = np.zeros(lanes, element)
        loaded[kind](pointer(found))
        assert found.tolist() == list(range(1, lanes + 1))


# ---- the carry register ----

CARRYING = ["uaddo", "usubo", "addo", "subo"]
WHOLE = 1 << 256


def wrapped(exact: int, *, signed: bool) -> tuple[int, int]:
    """What is left of the exact sum, and how often it wrapped."""
    low = -(WHOLE // 2) if signed else 0
    result = (exact - low) % WHOLE + low
    return result % WHOLE, (exact - result) // WHOLE


def as_signed(value: int) -> int:
    return value - WHOLE if value >= WHOLE // 2 else value


@pytest.fixture(scope="module")
def carrying(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    text = RUNTIME
    for name in CARRYING:
        for form in ("carry", "take_carry"):
            for kind in "lq":
                text += f"""
int {name}_{form}_{kind}(char *to, const char *x, const char *y, int ca) {{
  {TYPES[kind][0]} a, b;
  carry = ca;
  simd_loadu(a, x);
  simd_loadu(b, y);
  simd_storeu(simd_{name}_{form}(a, b), to);
  return carry;
}}"""
    return building.library(tmp_path_factory.mktemp("carrying"), text)


@pytest.mark.parametrize("kind", ["l", "q"])
@pytest.mark.parametrize("form", ["carry", "take_carry"])
@pytest.mark.parametrize("name", CARRYING)
def test_carry(carrying: ctypes.CDLL, name: str, form: str, kind: str) -> None:
    random = np.random.default_rng(256)
    lefts, rights = (building.values(kind, random) for _ in "ab")
    # All the ways to wrap: the greatest and the least, twice and with nothing.
    edges = [0, 1, WHOLE - 1, WHOLE // 2, WHOLE // 2 - 1]
    pairs = [(number(a), number(b)) for a, b in zip(lefts, rights, strict=True)]
    pairs += [(a, b) for a in edges for b in edges]
    signed, sign = not name.startswith("u"), -1 if "sub" in name else 1
    seen = set()
    for a, b in pairs:
        for before in (0, 1, -1, 100, -100):
            left, right = (as_signed(a), as_signed(b)) if signed else (a, b)
            exact = left + sign * right + (before if form == "take_carry" else 0)
            result, wraps = wrapped(exact, signed=signed)
            seen.add(wraps)
            element = TYPES[kind][1]
            found = np.zeros(4, element)
            after = carrying[f"{name}_{form}_{kind}"](
                pointer(found), pointer(lanes_of(a, element)), pointer(lanes_of(b, element)), before
            )
            assert number(found) == result, (hex(a), hex(b), before)
            assert after == (wraps if form == "take_carry" else before + wraps)
    assert len(seen) > 1  # the operands do make it wrap


# ---- tables ----


def test_lookup(tmp_path: Path) -> None:
    loaded = building.library(
        tmp_path,
        RUNTIME
        + """
void fill(const void *bytes) { __builtin_memcpy(ldm, bytes, sizeof ldm); }
void lookup(void *to, const void *offsets, unsigned base) {
  intv8 a, b = 0, c, d;
  b[0] = base;
  simd_loadu(a, offsets);
  d = simd_lookup(a, b, c);
  simd_storeu(c ^ d, to);
  simd_storeu(c, to);
}
int eighth_only(const void *offsets, void *to) {
  intv8 a, b = 0;
  simd_loadu(a, offsets);
  simd_selldw(a, b, 7);
  simd_storeu(simd_selldw(a, b, 0), to);
  return 0;
}""",
    )
    random = np.random.default_rng(0)
    memory = random.integers(0, 256, 65536, np.uint8)
    loaded["fill"](pointer(memory))
    offsets = (random.integers(0, 1000, 8) * 4).astype(np.int32)
    for base in (0, 128, 0x7F0000 + 4096):  # what is above 16 bits is no part of an LDM address
        found = np.zeros(8, np.int32)
        loaded["lookup"](pointer(found), pointer(offsets), base)
        expected = [memory[(base % 65536) + at :][:4].view(np.int32)[0] for at in offsets]
        assert found.tolist() == expected
    loaded["fill"](pointer(memory[::-1].copy()))
    found = np.zeros(8, np.int32)
    loaded["eighth_only"](pointer(offsets), pointer(found))
    now = memory[::-1].copy()
    assert found[[0, 7]].tolist() == [now[at:][:4].view(np.int32)[0] for at in offsets[[0, 7]]]


def test_logic_by_table_register(tmp_path: Path) -> None:
    """simd_vlog3x takes its table from control register 0x80 + n."""
    loaded = building.library(
        tmp_path,
        RUNTIME
        + "".join(
            f"""
void by{register}(void *to, const void *x, const void *y, const void *z) {{
  intv8 a, b, c;
  simd_loadu(a, x);
  simd_loadu(b, y);
  simd_loadu(c, z);
  simd_storeu(simd_vlog3x({register}, a, b, c), to);
}}"""
            for register in (3, 15)
        ),
    )
    random = np.random.default_rng(1)
    a, b, c = (building.values("w", random)[0] for _ in "abc")
    found = np.zeros(8, np.int32)
    loaded["by3"](*map(pointer, (found, a, b, c)))  # 0xe8: the majority
    assert found.tolist() == ((a & b) | (a & c) | (b & c)).tolist()
    loaded["by15"](*map(pointer, (found, a, b, c)))  # 0x1d
    assert found.tolist() == ((~a & (b | ~c)) | (a & ~b & ~c)).tolist()


# ---- messages ----


@pytest.mark.parametrize("way", ["r", "c"])
@pytest.mark.parametrize("kind", KINDS)
def test_messages(tmp_path: Path, kind: str, way: str) -> None:
    """A message is the register: a floatv4 travels as four doubles."""
    vector, element, lanes = TYPES[kind]
    loaded = building.library(
        tmp_path,
        RUNTIME
        + f"""
int put(const void *x, void *message) {{
  {vector} a;
  simd_loadu(a, x);
  simd_put{way}(a, 8);
  __builtin_memcpy(message, sent, 32);
  return to;
}}
void get(const void *message, void *x) {{
  {vector} a, b;
  __builtin_memcpy(sent, message, 32);
  simd_get{way}(a);
  simd_storeu(a, x);
  b = simd_get{way}(a); /* the form with a result */
  simd_storeu(b, x);
}}""",
    )
    values = (
        np.array([1.5, -2, 3e9, 0.1, 7, 8, 9, 10][:lanes])
        .astype(np.int64 if kind in "wulq" else element)
        .astype(element)
    )
    message = np.zeros(4, np.float64)
    assert loaded["put"](pointer(values), pointer(message)) == 8
    wire = values.astype(np.float64) if kind == "s" else values.view(np.float64)
    assert message.tobytes() == wire.tobytes()
    found = np.zeros(lanes, element)
    loaded["get"](pointer(message), pointer(found))
    assert found.tobytes() == values.tobytes()


@pytest.mark.parametrize("kind", ["d", "w", "u", "l", "q"])
@pytest.mark.parametrize(
    ("name", "splat"), [("loadr", 0), ("loadc", 0), ("loader", 1), ("loadec", 1)]
)
def test_loads_that_send(tmp_path: Path, kind: str, name: str, splat: int) -> None:
    vector, element, lanes = TYPES[kind]
    loaded = building.library(
        tmp_path,
        RUNTIME
        + f"""
int load(void *x, const double *address) {{
  {vector} a;
  simd_{name}(a, address);
  simd_storeu(a, x);
  return from == (const char *)address && splats == {splat};
}}""",
    )
    values = np.arange(1, 33, dtype=np.uint8)
    found = np.zeros(lanes, element)
    assert loaded["load"](pointer(found), pointer(values)) == 1
    expected = np.tile(values[:8], 4) if splat else values
    assert found.tobytes() == expected.tobytes()
