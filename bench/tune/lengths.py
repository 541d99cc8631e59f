# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lengths of every factor class, chosen by a seed, in an order that mixes the classes."""

from __future__ import annotations

import random
from collections.abc import Callable

LONGEST = 4096
SHORTEST = 8
SEED = 20
LARGEST_CODELET = 31  # primes beyond it are convolutions
# How many of each class; where it has fewer, all of them.
COUNTS = {
    "2^k": 10,
    "3 2^k": 9,
    "5 2^k": 9,
    "7 2^k": 8,
    "odd 2^k": 24,
    "odd, to 5": 24,
    "2 3 5": 40,
    "to 13": 50,
    "17 to 31": 30,
    "beyond 31": 24,
}


def factors(length: int) -> list[int]:
    """The primes of a length, each as often as it divides it."""
    found, factor = [], 2
    while length > 1:
        while length % factor == 0:
            found.append(factor)
            length //= factor
        factor += 1
    return found


def class_of(length: int) -> str:
    """The first class that a length belongs to."""
    primes = factors(length)
    odd = [prime for prime in primes if prime > 2]
    rules: dict[str, Callable[[], bool]] = {
        "2^k": lambda: not odd,
        "3 2^k": lambda: odd == [3],
        "5 2^k": lambda: odd == [5],
        "7 2^k": lambda: odd == [7],
        "beyond 31": lambda: odd[-1] > LARGEST_CODELET,
        "17 to 31": lambda: odd[-1] > 13,
        "odd 2^k": lambda: 2 in primes and odd in ([3, 3], [3, 5], [11], [13]),
        "odd, to 5": lambda: 2 not in primes and odd[-1] <= 5,
        "2 3 5": lambda: odd[-1] <= 5,
        "to 13": lambda: True,
    }
    return next(name for name, holds in rules.items() if holds())


def chosen() -> list[int]:
    """All lengths of the suite; a run that is stopped has seen every class."""
    dice = random.Random(SEED)
    classes: dict[str, list[int]] = {name: [] for name in COUNTS}
    for length in range(SHORTEST, LONGEST + 1):
        classes[class_of(length)].append(length)
    found = []
    for name, count in COUNTS.items():
        some = classes[name]
        found += some if len(some) <= count else dice.sample(some, count)
    dice.shuffle(found)
    return found
