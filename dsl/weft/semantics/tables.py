# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many numbers a module writes down. Tables become C text, which a C compiler has to read."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

from weft.diagnostics import Diagnostic
from weft.semantics import typed

# 20 bytes of C each: 40 MB, ten seconds and a gigabyte for gcc.
MAX_NUMBERS = 1 << 21
# Primes to here are codelets, longer ones convolutions (factor-transform).
LARGEST_CODELET = 31
# Tables of such a convolution of length m: two chirps, a spectrum, the roots of two transforms.
TABLES_OF_CONVOLUTION = 5
ROOTS_OF_STAGES = 8
# Twiddles that are more elements are products of those of two shorter tables each.
LARGEST_TABLE = 1 << 16
# Lengths of such primes are fast and need small tables only.
SMALL_PRIMES = (2, 3, 5, 7)


def needs_large_tables(length: int) -> bool:
    """Whether a transform of this length has a prime factor that alone is too much."""
    return _of_prime(_largest_prime(length)) > MAX_NUMBERS


def too_many(module: typed.Module) -> list[Diagnostic]:
    """W704, at the statement with which it becomes too much."""
    total = 0
    for kernel in module.kernels:
        for statement, numbers, prime in _written(kernel.body):
            total += numbers
            if total > MAX_NUMBERS:
                return [_diagnostic(statement, numbers, prime, total)]
    return []


def _diagnostic(
    node: typed.Table | typed.Twiddle | typed.Dft, numbers: int, prime: int, total: int
) -> Diagnostic:
    found = f"{numbers} numbers"
    if total > numbers:
        found += f", {total} with those of the tables before it"
    if not isinstance(node, typed.Dft) or not prime:
        return Diagnostic(
            node.span,
            "W704",
            "this makes too many numbers in tables",
            expected=f"at most {MAX_NUMBERS} together: they become C text",
            found=found,
            help="pass it as an input" if not isinstance(node, typed.Dft) else "shorter transforms",
        )
    length = next(n for n in _lengths(node) if n % prime == 0)
    below, above = _beside(length)
    return Diagnostic(
        node.span,
        "W704",
        f"a transform of length {length} needs too large tables, for its prime factor {prime}",
        expected=f"at most {MAX_NUMBERS} numbers together: they become C text",
        found=found,
        help=f"choose a length of small primes: {below} or {above}",
    )


def _written(
    body: tuple[typed.Statement, ...],
) -> Iterator[tuple[typed.Table | typed.Twiddle | typed.Dft, int, int]]:
    """Statements with tables, how many numbers they write, the prime that makes them large."""
    for node in body:
        if isinstance(node, typed.Table):
            yield node, node.data.size * (2 if node.data.dtype.kind == "c" else 1), 0
        elif isinstance(node, typed.Twiddle):
            yield node, 2 * _of_twiddles(node.rows, node.columns), 0
        elif isinstance(node, typed.Dft):
            lengths = _lengths(node)
            primes = [_largest_prime(n) for n in lengths]
            # A stage's roots are products of two tables that are as long as the root.
            stages = sum(ROOTS_OF_STAGES * isqrt(n) for n in lengths)
            large = max(primes) if max(primes) > LARGEST_CODELET else 0
            yield node, stages + sum(map(_of_prime, primes)), large
        elif isinstance(node, typed.For):
            yield from _written(node.body)


def _of_twiddles(rows: int, columns: int) -> int:
    """Elements of all tables: the longer index is split in two, then the other where need be."""
    if rows * columns <= LARGEST_TABLE:
        return rows * columns
    short, long = sorted((rows, columns))
    total = 0
    for extent in _halves(long):
        whole = short * extent <= LARGEST_TABLE
        total += extent * (short if whole else sum(_halves(short)))
    return total


def _halves(extent: int) -> tuple[int, int]:
    """How many parts near the square root there are, and how long they are."""
    part = 1 << ((extent - 1).bit_length() + 1) // 2
    return -(-extent // part), part


def _lengths(node: typed.Dft) -> list[int]:
    return [node.source.type.shape[axis] for axis in node.axes]


def _of_prime(prime: int) -> int:
    if prime <= LARGEST_CODELET:
        return 0
    length: int = 1 << (2 * prime - 2).bit_length()
    return TABLES_OF_CONVOLUTION * length


def _largest_prime(n: int) -> int:
    largest, factor = 1, 2
    while factor <= isqrt(n):
        if n % factor:
            factor += 1 + factor % 2
        else:
            largest, n = factor, n // factor
    return max(largest, n)


def smooth_lengths(primes: tuple[int, ...], most: int) -> list[int]:
    """All products of these primes to `most`, in no order."""
    found = [1]
    for prime in primes:
        for length in found:
            if length * prime <= most:
                found.append(length * prime)
    return found


def _beside(n: int) -> tuple[int, int]:
    """The lengths of small primes next to n, below and above."""
    found = smooth_lengths(SMALL_PRIMES, 2 * n)
    return max(f for f in found if f < n), min(f for f in found if f > n)
