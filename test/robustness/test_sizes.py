# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes and ranges of any magnitude: refused with their rule, or compiled, in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustness.limited import compiled

F64 = "kernel k[n: size](x: f64[n]) -> (y: f64[n]):\n"
PAIR = "kernel k[n: size, m: size](x: f64[n, m]) -> (y: f64[n, m]):\n"
C128 = "kernel k[n: size](x: c128[n]) -> (y: c128[n]):\n"
POWER = "kernel k[n: size](x: f64[n**9]) -> (y: f64):\n"
SCALAR = "kernel k[n: size](x: f64) -> (y: f64):\n"

# Name: head, body, sizes, what is said of it; "" where any answer of Weft's own will do.
SIZES: dict[str, tuple[str, str, str, str]] = {
    "not_assigned": (F64, "z = x", "", "SourceError W501"),
    "a_part_not_assigned": (F64, "y[i in 1:n] = x[i]", "n=9", "SourceError W503"),
    "assigned_twice": (F64, "y = x\n    y = x", "", "SourceError W506"),
    "an_element_twice": (F64, "y[0:2] = 1\n    y[i in 1:n] = x[i]", "n=9", "SourceError W502"),
    "out_of_bounds": (F64, "y[i in 0:n] = x[i+1]", "n=9", "SourceError W402"),
    "out_of_bounds_far": (F64, "y = x * x[4503599627370496]", "n=9", "SourceError W402"),
    "zero_size": (F64, "y[0:n] = x\n    z = x[n:n]", "n=9", "SourceError W405"),
    "zero_extent": ("kernel k(x: f64[0]) -> (y: f64):\n", "y = 1", "", "SourceError W304"),
    "zero_given": (F64, "y = x", "n=0", "RunError the size 'n' is no extent"),
    "input_too_big": (PAIR, "y = x", f"n={2**24} m={2**24}", "SourceError W305"),
    "value_too_big": (
        F64,
        f"z[i in 0:n, j in 0:{2**30}] = x[i]\n    y = x",
        f"n={2**30}",
        "SourceError W305",
    ),
    "just_within": (PAIR, "y = x * 2", f"n={2**22} m={2**22}", "compiled"),
    "largest": (F64, "y = x * 2", f"n={2**45}", "compiled"),
    "range_to_nowhere": (SCALAR, "y = sum(x for i in 0:140737488355328)", "", ""),
    "range_beyond": (SCALAR, "y = sum(x for i in 0:99999999999999999999)", "", "SourceError W"),
    "stride_of_parts": (F64, "y[::2] = 1\n    y[1::2] = 2", f"n={2**40}", ""),
    "digits_of_parts": (
        F64,
        "for i in 0:n//4, j in 0:4:\n        y[4*i + j] = x[i]",
        f"n={2**40}",
        "compiled",
    ),
    "coverage_unknown": (
        F64,
        "for i in 0:n//4, j in 0:4:\n        y[3*i + j] = x[i]",
        f"n={2**40}",
        "SourceError W5",
    ),
    "modulus": (F64, "y[i] = x[i] + x[(140737488355328 * i) % n]", f"n={2**40}", ""),
    "integer_power": (F64, "const w[i in 0:2**20] = i\n    y = x * w[2**19]", "n=9", "compiled"),
    "size_power": (POWER, "y = 1", f"n={2**30}", "SourceError W305"),
    "table_within": (F64, "const w[i in 0:n] = exp(i/n)\n    y = x * w", "n=100000", "compiled"),
    "table_of_2_to_26": (
        F64,
        "const w[i in 0:n] = exp(i/n)\n    y = x * w",
        f"n={2**26}",
        "SourceError W703",
    ),
    "table_of_2_to_40": (
        F64,
        "const w[i in 0:n] = exp(i/n)\n    y = x * w",
        f"n={2**40}",
        "SourceError W703",
    ),
    "constant_sum": (
        F64,
        "const s = sum(i for i in 0:n)\n    y = x * s",
        f"n={2**40}",
        "SourceError W703",
    ),
    "twiddle": (
        C128,
        "y = reshape(reshape(x, [2, n//2]) * twiddle(2, n//2), [n])",
        f"n={2**30}",
        "compiled",
    ),
    "twiddle_beyond": (
        C128,
        "y = reshape(reshape(x, [2, n//2]) * twiddle(2, n//2), [n])",
        f"n={2**44}",
        "SourceError W704",
    ),
    "prime_length": (C128, "y = dft(x)", "n=100003", "compiled"),
    "prime_length_of_6_digits": (C128, "y = dft(x)", "n=999983", "compiled"),
    "prime_length_of_9_digits": (C128, "y = dft(x)", "n=999999937", "SourceError W704"),
    "prime_length_of_14_digits": (C128, "y = dft(x)", "n=17592186044399", "SourceError W704"),
    "length_of_large_powers": (C128, "y = dft(x)", f"n={2**44}", "SourceError W704"),
    "length_of_powers": (C128, "y = dft(x)", f"n={2**32}", "compiled"),
    "prime_radix": (C128, "y = dft(x, radices=[999999937])", "n=999999937", "SourceError W704"),
}


@pytest.mark.parametrize("name", SIZES)
def test_size(name: str, tmp_path: Path) -> None:
    head, body, sizes, verdict = SIZES[name]
    source = tmp_path / "t.weft"
    source.write_text(f"{head}    {body}\n", encoding="utf-8")
    outcome = compiled(source, *sizes.split())
    assert outcome.seconds < 90
    assert outcome.verdict.startswith(verdict)
