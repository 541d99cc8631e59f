# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations that an operator becomes mean what the reference says, on all kinds of numbers.

The few operations of a map's body are evaluated here one line at a time, with MLIR's meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from weft.lowering import build_ir
from weft.semantics import checker, reference
from weft.syntax.parser import parse

LINE = re.compile(r"(%\w+) = ([\w.]+) (.*?) loc\(#loc\d+\)$")


def truncated(a: Any, b: Any) -> Any:
    """Quotient toward zero, of integers."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


OPS: dict[str, Callable[..., Any]] = {
    "arith.addi": np.add,
    "arith.addf": np.add,
    "arith.subi": np.subtract,
    "arith.subf": np.subtract,
    "arith.muli": np.multiply,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.negf": np.negative,
    "arith.remsi": lambda a, b: a - truncated(a, b) * b,
    "arith.floordivsi": np.floor_divide,
    "arith.remf": np.fmod,
    "arith.shrsi": np.right_shift,
    "arith.xori": np.bitwise_xor,
    "arith.andi": np.bitwise_and,
    "arith.select": lambda c, a, b: a if c else b,
    "arith.cmpi slt": np.less,
    "arith.cmpi ne": np.not_equal,
    "arith.cmpf olt": np.less,
    "arith.cmpf oeq": np.equal,
    "arith.cmpf one": lambda a, b: (a < b) | (a > b),
    "math.copysign": np.copysign,
    "math.roundeven": np.rint,
    "complex.create": lambda re, im: re + 1j * im,
    "complex.re": np.real,
    "complex.im": np.imag,
    "complex.add": np.add,
    "complex.sub": np.subtract,
    "complex.mul": np.multiply,
    "complex.div": np.divide,
}


def evaluated(ir: str, inputs: dict[str, Any]) -> Any:
    """What the only map of a kernel of scalars yields."""
    known: dict[str, Any] = {}
    for line in ir.splitlines():
        found = LINE.match(line.strip())
        if "weft.yield" in line:
            return known[line.split()[1]]
        if found is None:
            continue
        name, op, rest = found.groups()
        operands, _, kind = rest.partition(" : ")
        if op == "tensor.extract":
            known[name] = inputs[operands[1:-2]]
        elif op == "arith.constant":
            known[name] = np.int64(operands) if kind[0] == "i" else np.float64(operands)
        elif op == "complex.constant":
            re_, im = (float(part.split()[0]) for part in rest.partition("]")[0][1:].split(","))
            known[name] = np.complex128(complex(re_, im))
        else:
            if op.startswith("arith.cmp"):
                predicate, operands = operands.split(", ", 1)
                op = f"{op} {predicate}"
            known[name] = OPS[op](*(known[operand] for operand in operands.split(", ")))
    raise AssertionError("nothing is yielded")


def compare(expression: str, element: str, **scalars: Any) -> None:
    """Equal bit for bit, but for the sign of a NaN."""
    inputs = ", ".join(f"{name}: {element}" for name in scalars)
    text = f"kernel f({inputs}) -> (y: {element}):\n    y = {expression}\n"
    module = checker.instantiate(checker.check(parse(text, "k.weft")), "f", {})
    values = {name: np.dtype(TYPES[element]).type(value) for name, value in scalars.items()}
    with np.errstate(all="ignore"):
        found = np.asarray(evaluated(build_ir.lower([module], "{}"), values))
    expected = reference.evaluate(module, values)["y"]
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=True), (found, expected)
    if expected.dtype.kind == "f" and not np.isnan(expected):
        assert np.signbit(found) == np.signbit(expected)


TYPES = {"i64": "int64", "f64": "float64", "c128": "complex128"}
small = st.integers(-40, 40)
integers = st.integers(-(2**62), 2**62) | small
nonzero = integers.filter(bool)
floats = st.floats(-1e6, 1e6) | small.map(float) | small.map(lambda n: n / 4)


@given(integers, nonzero)
@example(-7, 3)
@example(7, -3)
@example(-6, 3)
@settings(max_examples=60, deadline=None)
def test_integers_round_toward_minus_infinity(a: int, b: int) -> None:
    compare("a % b", "i64", a=a, b=b)
    compare("a // b", "i64", a=a, b=b)


@given(integers, nonzero.filter(lambda n: abs(n) < 2**60))
@settings(max_examples=40, deadline=None)
def test_integers_by_a_constant(a: int, b: int) -> None:
    compare(f"a % {b}", "i64", a=a)


@given(floats, floats)
@example(-0.0, 3.0)
@example(6.0, -3.0)
@example(-1e-9, 3.0)
@example(1.0, 0.0)
@example(float("inf"), 2.0)
@settings(max_examples=80, deadline=None)
def test_remainder_of_reals(a: float, b: float) -> None:
    compare("a % b", "f64", a=a, b=b)


@given(floats, floats)
@example(0.6, 0.2)
@example(-7.0, 0.5)
@example(1.0, 0.0)
@settings(max_examples=80, deadline=None)
def test_floor_of_a_quotient_of_reals(a: float, b: float) -> None:
    # The nearest integer to the quotient says which sign a zero has; NumPy says another.
    assume(abs(a) >= abs(b))
    compare("a // b", "f64", a=a, b=b)


@pytest.mark.parametrize(("a", "b"), [(-1.0, np.inf), (5.0, -np.inf), (-np.inf, 2.0)])
def test_quotients_by_infinity(a: float, b: float) -> None:
    compare("a // b", "f64", a=a, b=b)


@pytest.mark.parametrize("exponent", [2, 3, 4, 5, 6, 7, 8, 13, 16])
def test_powers_are_products(exponent: int) -> None:
    compare(f"a ** {exponent}", "i64", a=-3)
    compare(f"a ** {exponent}", "f64", a=0.5)
    compare(f"a ** -{exponent}", "f64", a=-2.0)
    compare(f"a ** {exponent}", "c128", a=1 - 1j)


def test_complex_by_real_and_sums() -> None:
    compare("a * 2 + b / 4", "c128", a=1 - 3j, b=-2 + 1j)
    compare("real(a) * b - imag(b)", "c128", a=1 - 3j, b=-2 + 1j)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 62), st.sampled_from(["//", "%"]))
@example(-(2**63), 62, "//")
@example(-1, 0, "%")
def test_integers_by_powers_of_two(x: int, bits: int, operator: str) -> None:
    compare(f"x {operator} {2**bits}", "i64", x=x)
