# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language, construct by construct, beside what NumPy says: index notation, parts, loops,
constants, calls, programs and the text itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from end_to_end.cases import FIELDS, Case, Numpy, case


def notation_cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}

    def add(name: str, signature: str, body: str, numpy: Numpy, **sizes: int) -> None:
        case(cases, name, signature, body, numpy, **({"n": 9} | sizes))

    vector = "[n: size](x: f64[n]) -> (y: f64[n])"
    square = "[n: size](x: f64[n, n]) -> (y: f64[n, n])"
    add(
        "outer",
        "[n: size](x: f64[n], z: f64[5]) -> (y: f64[n, 5])",
        "y[i, j] = x[i] * z[j]",
        np.outer,
    )
    for op in ("sum", "prod", "max", "min"):
        add(
            f"{op}_for",
            "[n: size](x: f64[n, 5]) -> (y: f64[n], z: f64[5], s: f64)",
            f"y[i] = {op}(x[i, j] for j in 0:5); z[j] = {op}(x[i, j] for i in 1:n-1); "
            f"s = {op}(x[i, j] for i in 0:n, j in 0:5)",
            lambda x, op=op: (
                getattr(x, op)(1),
                getattr(x[1:-1], op)(0),
                getattr(x, op)(),
            ),
        )
    add(
        "diagonal",
        "[n: size](x: f64[n, n]) -> (y: f64[n], s: f64)",
        "y[i] = x[i, n-1-i] + x[i, i]; s = sum(x[i, i] for i in 0:n)",
        lambda x: (np.diag(x) + np.diag(x[:, ::-1]), np.trace(x)),
    )
    add(
        "wrapped",
        vector,
        "y[i] = x[i] + x[(i+1) % n] - x[(2*i - 3) % n]",
        lambda x: x + np.roll(x, -1) - x[(2 * np.arange(9) - 3) % 9],
    )
    add(
        "contracted",
        "[n: size](a: f64[n, 4, 5], b: f64[4, n]) -> (y: f64[n, n])",
        "y[i, j] = sum(a[i, k, l] * b[k, j] for k in 0:4, l in 0:5)",
        lambda a, b: np.einsum("ikl,kj->ij", a, b),
    )
    add(
        "correlated",
        "[n: size](x: f64[n], g: f64[3]) -> (y: f64[n-2])",
        "y[i in 0:n-2] = sum(x[i+k] * g[k] for k in 0:3)",
        np.correlate,
    )
    add("triangle", square, "y[i, j] = where(i >= j, x[i, j], 0)", np.tril)
    add(
        "index_values",
        "[n: size](x: f32[n]) -> (y: f32[n], k: i64[n], h: f64[n], z: c64[n])",
        "y[i] = x[i] * i; k[i in 0:n] = i*i - n; h[i in 0:n] = i / 2; z[i] = x[i] * exp(2j*pi*i/n)",
        index_values,
    )
    add(
        "checksum",
        "(x: c128[4, 6, 8]) -> (s: c128)",
        "s = sum(x[5*j % 4, 3*j % 6, j % 8] for j in 1:1025) / 192",
        lambda x: sum(x[5 * j % 4, 3 * j % 6, j % 8] for j in range(1, 1025)) / 192,
    )
    add(
        "counted",
        "[n: size](x: f64[n]) -> (s: i64, first: i64)",
        "big = max(x); s = sum(where(x[i] > 0, 1, 0) for i in 0:n); "
        "first = min(where(x[i] == big, i, n) for i in 0:n)",
        lambda x: ((x > 0).sum(), x.argmax()),
    )
    add(
        "reductions_of_parts",
        "[n: size](x: f64[n, n]) -> (y: f64[n], z: f64[n-2])",
        "y[i] = sum(x[i, 1:n] * x[i, 0:n-1]); z[i in 0:n-2] = max(x[i, i:i+3])",
        lambda x: ((x[:, 1:] * x[:, :-1]).sum(1), [x[i, i : i + 3].max() for i in range(7)]),
    )
    # Parts.
    add(
        "borders",
        vector,
        "y[i in 1:n-1] = (x[i-1] + x[i] + x[i+1]) / 3; y[0] = x[0]; y[n-1:n] = x[n-1:n]",
        lambda x: np.r_[x[0], (x[:-2] + x[1:-1] + x[2:]) / 3, x[-1]],
    )
    add(
        "interleaved",
        "[n: size](x: f64[n]) -> (y: f64[2*n])",
        "y[::2] = x; y[1::2] = -x",
        lambda x: np.c_[x, -x].ravel(),
    )
    add(
        "rows",
        "[n: size](x: f64[n]) -> (y: f64[3, n])",
        "y[0, :] = x; y[i in 1:2, :] = 2 * x; y[2, :] = 0",
        lambda x: np.stack([x, 2 * x, 0 * x]),
    )
    add(
        "joined",
        "[n: size](x: f64[n], z: f64[n]) -> (y: f64[2*n+1])",
        "t[0:n] = x; t[n] = 0.5; t[n+1:2*n+1] = z; y = t * 2",
        lambda x, z: 2 * np.r_[x, 0.5, z],
    )
    add(
        "pairs",
        "[n: size](x: c128[n]) -> (y: f64[n, 2])",
        "y[:, 0] = real(x); y[:, 1] = imag(x)",
        lambda x: x.view(np.float64).reshape(9, 2),
    )
    add(
        "read_parts",
        "[n: size](x: f64[n, n]) -> (y: f64[n], z: f64[n], v: f64[2, 3], s: f64)",
        "y = x[n//2]; z = x[:, 0]; v = x[:2, 1:n-1:3]; s = x[1, n-1]",
        lambda x: (x[4], x[:, 0], x[:2, 1:8:3], x[1, 8]),
    )
    add(
        "part_of_expression",
        "[n: size](x: f64[n], z: f64[n]) -> (y: f64[n-1])",
        "y = (x * z)[1:] - (x + z)[:n-1]",
        lambda x, z: (x * z)[1:] - (x + z)[:-1],
    )
    add(
        "stretched",
        "[n: size](x: f64[n, 4], r: f64[4], c: f64[n, 1], s: f64) -> (y: f64[n, 4], z: f64[n, 4])",
        "y = x * r + c - s; z = r * c",
        lambda x, r, c, s: (x * r + c - s, r * c),
    )
    # Constants.
    add(
        "constants",
        vector,
        "const h = n // 2 + 1; const s = sqrt(2) / h; "
        "const w[i in 0:n, j in 0:n] = cos(pi*i*j/n) * s; y[i] = sum(w[i, j] * x[j] for j in 0:n)",
        lambda x: (np.cos(np.pi * np.outer(np.arange(9), np.arange(9)) / 9) * np.sqrt(2) / 5) @ x,
    )
    add(
        "table_of_sums",
        vector,
        "const w[i in 0:n] = sum(1/(j+1) for j in 0:8) * i; const m = max(3, n); y = x * w / m",
        lambda x: x * np.arange(9) * sum(1 / j for j in range(1, 9)) / 9,
    )
    add(
        "table_of_truth",
        vector,
        "const even[i in 0:n] = i % 2 == 0; y = where(even, x, -x)",
        lambda x: np.where(np.arange(9) % 2 == 0, x, -x),
    )
    add(
        "constant_results",
        "[n: size](x: f64[n]) -> (y: f64[n], z: f64, k: i32[3], b: bool)",
        "y[i in 0:n] = 1; z = 2.5; k[i in 0:3] = 7 - i; b = n < 10",
        lambda x: (np.ones(9), 2.5, np.array([7, 6, 5], np.int32), np.True_),
    )
    add(
        "numbers",
        vector,
        "y = x * 0x1f + 1_000 - 1.5e-3 + 2.5E1 + .5 + 3.",
        lambda x: x * 31 + 1000 - 1.5e-3 + 25 + 0.5 + 3,
    )
    add(
        "complex_numbers",
        "[n: size](x: c128[n]) -> (y: c128[n])",
        "y = (1 + 2j) * x - 3j",
        lambda x: (1 + 2j) * x - 3j,
    )
    add(
        "wide_integers",
        "[n: size](x: i64[n]) -> (y: i64[n], z: i32[n])",
        "y = x * 1000000007 + 0x7fffffff; z = i32(x % 3) * 7",
        lambda x: (x * 1000000007 + 0x7FFFFFFF, (x % 3).astype(np.int32) * 7),
    )
    add(
        "size_expressions",
        "[n: size, m: size](x: f64[n], z: f64[n-2, 2*m, n//2, n%4, m**2]) -> (y: f64[n-2])",
        "y = sum(z, axes=[1, 2, 3, 4]) + x[1:n-1]",
        lambda x, z: z.sum((1, 2, 3, 4)) + x[1:-1],
        m=2,
    )
    # Whole tensors together.
    add(
        "softmax",
        square,
        "big = max(x, axis=1); e[i, j] = exp(x[i, j] - big[i]); s = sum(e, axis=1); "
        "y[i, j] = e[i, j] / s[i]",
        softmax,
    )
    add(
        "batched_products",
        "[n: size](a: f64[3, n, 5], b: f64[3, 5, n], d: f64[5, n]) -> "
        "(y: f64[3, n, n], z: f64[3, n, n])",
        "y = a @ b; z = a @ d",
        lambda a, b, d: (a @ b, a @ d),
    )
    add(
        "axes",
        "[n: size](x: f64[n, 6, 4]) -> (y: f64[6], z: f64[n], t: f64[4, n, 6])",
        "y = sum(x, axes=[0, 2]); z = max(x, axes=[2, 1]); t = transpose(x, [2, 0, 1])",
        lambda x: (x.sum((0, 2)), x.max((1, 2)), x.transpose(2, 0, 1)),
    )
    add(
        "four_steps",
        "(x: c128[4, 8]) -> (y: c128[8, 4])",
        "a = dft(x, axis=0); b = a * twiddle(4, 8); y = transpose(dft(b, axis=1))",
        lambda x: np.fft.fft(x.ravel()).reshape(8, 4),
    )
    add(
        "tiled",
        "[n: size](x: f64[n, n]) -> (y: f64[2, 2, 6, 6], z: f64[n, n])",
        "y = tiles(x, size=[6, 6], step=[4, 4]); "
        "z = untile(tiles(x, size=[4, 4], cover=[n, n]), step=[4, 4], crop=[n, n])",
        tiled,
    )
    add(
        "winograd",
        "[n: size](x: f32[2, n, n], g: f32[2, 3, 3]) -> (y: f32[n-2, n-2])",
        "t = winograd(m=2, r=3); "
        "v = t.BT @ tiles(x, size=[4, 4], step=[2, 2], cover=[n-2, n-2]) @ t.B; "
        "u = t.G @ g @ t.GT; p[a, b, i, j] = sum(u[c, i, j] * v[c, a, b, i, j] for c in 0:2); "
        "y = untile(t.AT @ p @ t.A, step=[2, 2], crop=[n-2, n-2])",
        correlation,
    )
    add(
        "histogram",
        "[n: size](i: i64[20]) -> (h: i64[n])",
        "none_yet[k in 0:n] = 0; h = scatter(none_yet, i % n, 1)",
        lambda i: np.bincount(i % 9, minlength=9),
    )
    return cases


def index_values(x: np.ndarray) -> tuple[Any, ...]:
    k = np.arange(len(x))
    return x * k.astype(x.dtype), k * k - len(x), k / 2, x * np.exp(2j * np.pi * k / len(x))


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def tiled(x: np.ndarray) -> tuple[Any, ...]:
    padded = np.pad(x, ((0, 6), (0, 6)))
    tile = [[padded[4 * a : 4 * a + 6, 4 * b : 4 * b + 6] for b in range(2)] for a in range(2)]
    return np.array(tile), x


def correlation(x: np.ndarray, g: np.ndarray) -> np.ndarray:
    shifted = (
        x[:, i : i + 7, j : j + 7] * g[:, i, j, None, None] for i in range(3) for j in range(3)
    )
    return sum(shifted).sum(0)


def convolved(pad: int = 0, stride: int = 1, groups: int = 1) -> Numpy:
    def run(x: np.ndarray, g: np.ndarray) -> np.ndarray:
        x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
        parts = []
        for images, filters in zip(np.split(x, groups, 1), np.split(g, groups), strict=True):
            windows = np.lib.stride_tricks.sliding_window_view(images, g.shape[2:], (2, 3))
            windows = windows[:, :, ::stride, ::stride]
            parts.append(np.einsum("nchwij,kcij->nkhw", windows, filters))
        return np.concatenate(parts, 1)

    return run


TEXTS: dict[str, tuple[str, Numpy, dict[str, int]]] = {
    "loops": (
        """
kernel k[n: size](x: c128[2, n, 4], u: c128[n]) -> (y: c128[n, 2, 4]):
    for i in 0:n:
        for j in 0:4:
            d = x[0, i, j] - x[1, i, j]
            y[i, 0, j] = x[0, i, j] + x[1, i, j]
            y[i, 1, j] = u[i] * d
""",
        lambda x, u: np.stack([x[0] + x[1], u[:, None] * (x[0] - x[1])], 1),
        {"n": 9},
    ),
    "loop_with_sum": (
        """
kernel k[n: size](x: f64[n, n]) -> (y: f64[n, n]):
    for i in 0:n:
        s = sum(x[i, j] for j in 0:n)
        for j in 0:n:
            y[i, j] = x[i, j] / s
""",
        lambda x: x / x.sum(1, keepdims=True),
        {"n": 9},
    ),
    "loop_after_loop": (
        """
kernel k[n: size](x: f64[n]) -> (y: f64[n]):
    for i in 0:n:
        t[i] = x[i] * 2
    for i in 0:n:
        y[n-1-i] = t[i] + t[n-1-i]
""",
        lambda x: 2 * (x + x[::-1]),
        {"n": 9},
    ),
    "loop_of_blocks": (
        """
kernel k[n: size](x: f64[n, 4]) -> (y: f64[4*n], z: f64[n, 4]):
    for i in 0:n, j in 0:4:
        y[4*i+j] = x[i, j]
    for i in 0:n:
        z[i, :] = x[n-1-i, :] * i
""",
        lambda x: (x.ravel(), x[::-1] * np.arange(9)[:, None]),
        {"n": 9},
    ),
    "calls": (
        """
kernel two[n: size](x: f64[n], s: f64) -> (a: f64[n], b: f64[n]):
    a = x * s
    b = x + s
kernel k[n: size](x: f64[n]) -> (y: f64[n], z: f64):
    p, q = two(x, s=2)
    y = p * total(q)
    z = total(p) + total(x[1:])
kernel total[n: size](x: f64[n]) -> (y: f64):
    y = sum(x)
""",
        lambda x: (2 * x * (x + 2).sum(), (2 * x).sum() + x[1:].sum()),
        {"n": 13},
    ),
    "calls_with_sizes": (
        """
kernel ramp[n: size](x: f64) -> (y: f64[n]):
    y[i in 0:n] = x * i
kernel k[n: size](x: f64) -> (y: f64[n], z: f64[2*n]):
    y = ramp[n=n](x)
    z = ramp[n=2*n](x + 1)
""",
        lambda x: (x * np.arange(5), (x + 1) * np.arange(10)),
        {"n": 5},
    ),
    "spread_over_lines": (
        """
# Before everything.

kernel k[
    n: size,  # the length
](
    x: f64[n],
    y: f64[n],
) -> (
    z: f64[n],
):
    # Nothing yet.

    z = (x +
         y  # the sum
  * 2)
        # At any column.
""",
        lambda x, y: x + 2 * y,
        {"n": 5},
    ),
    "program": (
        """
kernel step[n: size](x: f64[n]) -> (y: f64[n]):
    y = x * 0.5
program k[n: size, steps: size](x: f64[n]) -> (sums: f64[steps], last: f64[n], t2: f64[steps]):
    case S: n=64, steps=6
    carry v = x
    carry count = 0.0
    for t in 0:steps:
        carry v = step(v) + t
        carry count = count + 1
        sums[t] = sum(v)
        t2[t] = 2 * t
    last = v * count
""",
        lambda x: (
            np.array([x.sum() / 2, x.sum() / 4 + 9, x.sum() / 8 + 22.5]),
            (x / 8 + 2.5) * 3,
            np.array([0.0, 2.0, 4.0]),
        ),
        {"n": 9, "steps": 3},
    ),
    "program_from_one": (
        """
program k[n: size](x: i32[n]) -> (y: i32[n]):
    carry v = x
    for t in 1:4:
        carry v = v * i32(t)
    y = v
""",
        lambda x: x * 6,
        {"n": 9},
    ),
}


CONVOLUTIONS: tuple[tuple[str, str, Numpy], ...] = (
    ("(x: T[2, 3, 9, 8], g: T[5, 3, 3, 3]) -> (y: T[2, 5, 7, 6])", "", convolved()),
    ("(x: T[2, 3, 9, 8], g: T[5, 3, 3, 3]) -> (y: T[2, 5, 9, 8])", ", pad=1", convolved(1)),
    (
        "(x: T[2, 4, 9, 8], g: T[6, 2, 3, 2]) -> (y: T[2, 6, 5, 5])",
        ", pad=1, stride=2, groups=2",
        convolved(1, 2, 2),
    ),
    (
        "(x: T[1, 3, 9, 9], g: T[2, 3, 3, 3]) -> (y: T[1, 2, 7, 7])",
        ", algorithm=winograd(2)",
        convolved(),
    ),
)


def convolution_cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for number, (signature, options, numpy) in enumerate(CONVOLUTIONS):
        name, body = f"convolution_{number}", f"y = conv(x, g{options})"
        case(cases, name, signature, body, numpy, FIELDS)
    return cases


def text_cases() -> dict[str, Case]:
    return {name: Case(*parts) for name, parts in TEXTS.items()}
