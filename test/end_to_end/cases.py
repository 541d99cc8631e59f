# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language, construct by construct, each beside what NumPy says: operators and functions of
every element type, and whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Numpy = Callable[..., Any]
DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "c64": np.complex64,
    "c128": np.complex128,
    "i32": np.int32,
    "i64": np.int64,
    "bool": np.bool_,
}
REALS, COMPLEX, INTEGERS = "f32 f64", "c64 c128", "i32 i64"
NUMBERS = f"{REALS} {COMPLEX} {INTEGERS}"
ALL = f"{NUMBERS} bool"
ORDERED = f"{REALS} {INTEGERS}"
FIELDS = f"{REALS} {COMPLEX}"


@dataclass(frozen=True)
class Case:
    source: str
    numpy: Numpy
    sizes: dict[str, int]


def case(
    cases: dict[str, Case],
    name: str,
    signature: str,
    body: str,
    numpy: Numpy,
    types: str = "",
    **sizes: int,
) -> None:
    """A kernel k for each of the types: T in its text. Lines of the body end with `;`."""
    own = {size: value for size, value in sizes.items() if f"{size}: size" in signature}
    lines = "".join(f"    {line}\n" for line in body.split("; "))
    for element in types.split() or [""]:
        text = f"kernel k{signature}:\n{lines}".replace("T", element or "T")
        cases[f"{name}_{element}" if element else name] = Case(text, numpy, own)


def scattered(op: np.ufunc) -> Numpy:
    def run(x: np.ndarray, v: np.ndarray, i: np.ndarray) -> np.ndarray:
        y = x.copy()
        op.at(y, i % len(x), v)
        return y

    return run


def replaced(x: np.ndarray, v: np.ndarray, i: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[i % len(x)] = v
    return y


def same_type(op: np.ufunc) -> Numpy:
    """`sum` and `prod` in the type of the elements: NumPy widens small integers."""
    return lambda x: (
        op.reduce(x, axis=None, dtype=x.dtype),
        op.reduce(x, axis=1, dtype=x.dtype),
        op.reduce(x, axis=0, dtype=x.dtype),
    )


def element_cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}

    def add(name: str, types: str, signature: str, body: str, numpy: Numpy) -> None:
        case(cases, name, signature, body, numpy, types, n=19)

    one = "[n: size](x: T[n]) -> (y: T[n])"
    two = "[n: size](x: T[n], y: T[n]) -> (z: T[n])"
    truth = "[n: size](x: T[n], y: T[n]) -> (a: bool[n], b: bool[n])"
    pair = "[n: size](x: T[n], y: T[n]) -> (a: T[n], b: T[n])"
    add("plus_minus_times", NUMBERS, two, "z = (x + 2*y) * x - y", lambda x, y: (x + 2 * y) * x - y)
    add("signs", NUMBERS, two, "z = -x * +y", lambda x, y: -x * y)
    add("over", FIELDS, pair, "a = x / y; b = 1 / x - x / 3", lambda x, y: (x / y, 1 / x - x / 3))
    add(
        "over_integers", INTEGERS, "[n: size](x: T[n]) -> (y: f64[n])", "y = x / 4", lambda x: x / 4
    )
    add("floor", ORDERED, pair, "a = x // y; b = x // 3", lambda x, y: (x // y, x // 3))
    add("modulo", ORDERED, pair, "a = x % y; b = x % -7", lambda x, y: (x % y, x % -7))
    add("powers", NUMBERS, pair, "a = x**3; b = y**0", lambda x, y: (x**3, y**0))
    add("negative_power", FIELDS, one, "y = x**-2", lambda x: 1 / (x * x))
    add("real_power", REALS, pair, "a = abs(x)**y; b = 2**y", lambda x, y: (abs(x) ** y, 2**y))
    add("equal", ALL, truth, "a = x == y; b = x != y", lambda x, y: (x == y, x != y))
    add("less", ORDERED, truth, "a = x < y; b = x <= y", lambda x, y: (x < y, x <= y))
    add("greater", ORDERED, truth, "a = x > y; b = x >= y", lambda x, y: (x > y, x >= y))
    add("and_or", "bool", truth, "a = x and y; b = not x or y", lambda x, y: (x & y, ~x | y))
    add(
        "where",
        ALL,
        "[n: size](c: bool[n], x: T[n], y: T[n]) -> (z: T[n])",
        "z = where(c, x, y)",
        np.where,
    )
    add(
        "larger",
        ORDERED,
        pair,
        "a = max(x, y); b = min(x, 3)",
        lambda x, y: (np.maximum(x, y), np.minimum(x, 3)),
    )
    add("absolute", ORDERED, pair, "a = abs(x); b = abs2(y)", lambda x, y: (abs(x), y * y))
    for function in ("exp", "sin", "cos", "tanh"):
        add(function, FIELDS, one, f"y = {function}(x)", getattr(np, function))
    add("sqrt", REALS, one, "y = sqrt(abs(x))", lambda x: np.sqrt(abs(x)))
    add("sqrt", COMPLEX, one, "y = sqrt(x)", np.sqrt)
    add("log", REALS, one, "y = log(abs(x) + 1)", lambda x: np.log(abs(x) + 1))
    add("log", COMPLEX, one, "y = log(x)", np.log)
    add("angle", FIELDS, one, "y = x * angle(x)", lambda x: x * np.angle(x))
    add("of_integers", INTEGERS, "[n: size](x: T[n]) -> (y: f64[n])", "y = sin(x)", np.sin)
    add("table", NUMBERS, one, "const w[k in 0:n] = 3*k - 2; y = x * w", ramp)
    add("copy", ALL, one, "y = x", lambda x: x)
    add("scalars", NUMBERS, "(x: T, y: T) -> (z: T)", "z = x * y + x", lambda x, y: x * y + x)
    add(
        "slices",
        ALL,
        "[n: size](x: T[n]) -> (y: T[n-2], z: T[10])",
        "y = x[1:n-1]; z = x[::2]",
        lambda x: (x[1:-1], x[::2]),
    )
    real, whole = "[n: size](x: {c}[n], a: {r}[n])", "{c}[n]"
    for r, c in (("f32", "c64"), ("f64", "c128")):
        add(
            f"parts_{c}",
            "",
            f"[n: size](x: {c}[n]) -> (a: {r}[n], b: {r}[n], d: {r}[n], e: {r}[n], f: {c}[n])",
            "a = real(x); b = imag(x); d = abs(x); e = abs2(x); f = conj(x)",
            lambda x: (x.real, x.imag, abs(x), abs(x) ** 2, x.conj()),
        )
        add(
            f"real_with_{c}",
            "",
            f"{real} -> (p: {whole}, q: {whole}, s: {whole}, t: {whole})".format(r=r, c=c),
            "p = x * a; q = a - x; s = a / x; t = a * 2j",
            lambda x, a: (x * a, a - x, a / x, a * np.complex64(2j)),
        )
    for source in DTYPES:
        for result in DTYPES:
            if result == "bool" or (source in COMPLEX.split() and result not in COMPLEX.split()):
                continue
            add(
                f"{source}_to_{result}",
                "",
                f"[n: size](x: {source}[n]) -> (y: {result}[n])",
                f"y = {result}(x)",
                lambda x, dtype=DTYPES[result]: x.astype(dtype),
            )
    return cases


def ramp(x: np.ndarray) -> np.ndarray:
    factor = (3 * np.arange(len(x)) - 2).astype(x.dtype)
    return x * factor


def tensor_cases() -> dict[str, Case]:
    """Whole tensors of every element type."""
    cases: dict[str, Case] = {}

    def add(name: str, types: str, signature: str, body: str, numpy: Numpy) -> None:
        case(cases, name, signature, body, numpy, types, n=7, m=18)

    reduced = "[n: size, m: size](x: T[n, m]) -> (s: T, r: T[n], q: T[m])"
    for name, types, numpy in (
        ("sum", NUMBERS, same_type(np.add)),
        ("prod", NUMBERS, same_type(np.multiply)),
        ("max", ORDERED, lambda x: (x.max(), x.max(1), x.max(0))),
        ("min", ORDERED, lambda x: (x.min(), x.min(1), x.min(0))),
    ):
        body = f"s = {name}(x); r = {name}(x, axis=1); q = {name}(x, axes=[0])"
        add(name, types, reduced, body, numpy)
    add(
        "product",
        NUMBERS,
        "[n: size, m: size](a: T[n, m], b: T[m, n], v: T[m]) -> (y: T[n, n], z: T[n], s: T)",
        "y = a @ b; z = a @ v; s = v @ v",
        lambda a, b, v: (a @ b, a @ v, v @ v),
    )
    add(
        "transposed",
        ALL,
        "[n: size, m: size](x: T[n, m]) -> (y: T[m, n], z: T[n*m])",
        "y = transpose(x); z = reshape(x, [n*m])",
        lambda x: (x.T, x.ravel()),
    )
    add(
        "padded",
        NUMBERS,
        "[n: size, m: size](x: T[n, m]) -> (y: T[n, m+3], z: T[n+2, m+2])",
        "y = pad(x, [1], [2], value=3); z = pad(x, 1)",
        lambda x: (np.pad(x, ((0, 0), (1, 2)), constant_values=3), np.pad(x, 1)),
    )
    add(
        "rolled",
        ALL,
        "[n: size, m: size](x: T[n, m]) -> (y: T[n, m], z: T[n, m])",
        "y = roll(x, 3, axis=1); z = roll(x, -5)",
        lambda x: (np.roll(x, 3, 1), np.roll(x, -5)),
    )
    add(
        "gathered",
        ALL,
        "[n: size, m: size](x: T[n, m], i: i32[2, 3]) -> (y: T[2, 3, m], z: T[n, 2, 3])",
        "j = i % n; y = gather(x, j); z = gather(x, j, axis=1)",
        lambda x, i: (x[i % 7], x[:, i % 7]),
    )
    for name, types, numpy in (
        ("add", NUMBERS, scattered(np.add)),
        ("mul", NUMBERS, scattered(np.multiply)),
        ("max", ORDERED, scattered(np.maximum)),
        ("min", ORDERED, scattered(np.minimum)),
        ("set", ALL, replaced),
    ):
        add(
            f"scattered_{name}",
            types,
            "[n: size](x: T[n], v: T[9], i: i64[9]) -> (y: T[n])",
            f"y = scatter(x, i % n, v, op={name})",
            numpy,
        )
    for r, c in (("f32", "c64"), ("f64", "c128")):
        add(
            f"half_spectrum_{r}",
            "",
            f"[n: size, m: size](x: {r}[n, m]) -> (y: {c}[n, m//2+1], z: {r}[n, m])",
            "y = rfft(x, axis=1); z = irfft(y, n=m, axis=1)",
            lambda x: (np.fft.rfft(x), x),
        )
        add(
            f"spectra_{c}",
            "",
            f"[n: size, m: size](x: {c}[n, m]) -> (p: {c}[n, m], q: {c}[n, m], s: {c}[n, m])",
            "p = idft(x, axis=1); q = dft(x, axes=[0, 1], norm=ortho); s = dft(x, axis=0, sign=+1)",
            lambda x: (
                np.fft.ifft(x),
                np.fft.fft2(x, norm="ortho"),
                np.fft.ifft(x, axis=0, norm="forward"),
            ),
        )
        add(
            f"twiddles_{c}",
            "",
            f"[n: size, m: size](x: {c}[n, m], y: {r}[n, m]) -> (z: {c}[n, m])",
            "z = x * twiddle(n, m) + y",
            lambda x, y: x * np.exp(-2j * np.pi * np.outer(np.arange(7), np.arange(18)) / 126) + y,
        )
    return cases
