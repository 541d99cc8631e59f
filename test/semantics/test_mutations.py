# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutated programs: a diagnostic or a correct typed AST, nothing else."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from semantics.test_meaning import EXPRESSIONS, FFT, FT, STENCIL
from semantics.typed_rules import check_module
from weft.diagnostics import CompilerBug, RunError, SourceError
from weft.semantics import checker
from weft.syntax.parser import parse

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+\.?\d*j?|\*\*|//|->|[<>=!]=|\s+|.", re.DOTALL)
ODD = ["0", "-1", "99999999999999999999", "1e400", "2**60", "\t", "\n", "    ", "\x00", "π", "["]
SIGNS = ["+", "*", "/", "**", "//", "%", "@", "<", "and", "=="]


def seeds() -> list[str]:
    wrong = (Path(__file__).parent.parent / "errors").glob("*.weft")
    texts = [p.read_text("utf-8", "replace").split("# ")[0] for p in sorted(wrong)]
    inputs = "x: f64[n, m], z: c128[n, m], k: i64[n, m]"
    head = f"kernel f[n: size, m: size]({inputs}) -> (y: f64):\n"
    valid = [f"{head}    a = {e}\n    y = 0\n" for e, _, _ in EXPRESSIONS]
    return [t for t in texts if len(t) < 3000] + (valid + [FFT, FT, STENCIL] * 20) * 3


SEEDS = seeds()
POOL = sorted({token for text in SEEDS for token in TOKEN.findall(text)})


def mutated(pick: random.Random) -> str:
    text = pick.choice(SEEDS)
    if pick.random() < 0.3:
        left, right = (pick.choice(EXPRESSIONS)[0] for _ in range(2))
        combined = f"({left}) {pick.choice(SIGNS)} ({right})"
        text = re.sub(r"(    a = ).*", lambda m: m[1] + combined, text)
    tokens = TOKEN.findall(text)
    for _ in range(pick.choice([0, 1, 1, 1, 2, 4])):
        if not tokens:
            break
        place, kind = pick.randrange(len(tokens)), pick.randrange(6)
        if kind == 0:
            tokens[place] = pick.choice(POOL)
        elif kind == 1:
            del tokens[place]
        elif kind == 2:
            tokens.insert(place, pick.choice(POOL))
        elif kind == 3:
            other = pick.randrange(len(tokens))
            tokens[place], tokens[other] = tokens[other], tokens[place]
        elif kind == 4:
            tokens[place:place] = tokens[place : place + pick.randrange(8)]
        else:
            tokens[place] = pick.choice(ODD)
    return "".join(tokens)


def try_one(text: str, pick: random.Random) -> None:
    try:
        checked = checker.check(parse(text, "t.weft"))
        for name, signature in checked.names().items():
            sizes = {size: pick.choice([1, 2, 3, 4, 5, 8]) for size in signature.sizes}
            check_module(checker.instantiate(checked, name, sizes))
    except SourceError as error:
        error.render()
    except (CompilerBug, RunError) as error:
        raise AssertionError(text) from error


@pytest.mark.parametrize("seed", range(10))
def test_mutations(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(60):
        try_one(mutated(pick), pick)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_mutations(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(1000):
        try_one(mutated(pick), pick)
