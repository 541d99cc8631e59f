# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources that somebody might have written, and what becomes of them when a seed spoils them."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from end_to_end.test_language import KERNELS
from semantics.test_meaning import EXPRESSIONS, FFT, FT, STENCIL

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(rb"[A-Za-z_]\w*|\d+\.?\d*j?|\*\*|//|->|[<>=!]=|[ \t]+|.", re.DOTALL)
ODD = [
    *(b"0", b"-1", b"1", b"2", b"7", b"99999999999999999999", b"1e400", b"1e-400", b"2**60"),
    *(b"9**9**9", b"\t", b"\n", b"\r\n", b"\n\n", b"    ", b"\x00", b"\xff", b"[", b")", b"#"),
    *(b"\xcf\x80", b"\\", b"'", b"n", b"pi", b"2j", b"0:", b":", b"[0]", b"()", b"-", b"=="),
]
SIGNS = [b"+", b"*", b"/", b"**", b"//", b"%", b"@", b"<", b"and", b"=="]
HEAD = "kernel f[n: size, m: size](x: f64[n, m], z: c128[n, m], k: i64[n, m]) -> (y: f64):\n"


@cache
def sources() -> tuple[bytes, ...]:
    """Every .weft file of the tests and examples, and the programs that other tests hold."""
    files = sorted(p for folder in ("test", "examples") for p in (ROOT / folder).rglob("*.weft"))
    texts = [path.read_bytes().split(b"\n# expect")[0] for path in files]
    # Wrong programs stop early; those that go further are shown more often.
    valid = [f"{HEAD}    a = {e}\n    y = 0\n" for e, _, _ in EXPRESSIONS]
    valid += [text for text, _ in KERNELS.values()] + [FFT, FT, STENCIL] * 5
    return tuple([t for t in texts if len(t) < 6000] + [v.encode() for v in valid] * 4)


@cache
def tokens() -> tuple[bytes, ...]:
    return tuple(sorted({token for text in sources() for token in TOKEN.findall(text)}))


def mutated(seed: int) -> bytes:
    """The same bytes for the same seed."""
    pick = random.Random(seed)
    text = pick.choice(sources())
    if pick.random() < 0.2:
        left, right = (pick.choice(EXPRESSIONS)[0].encode() for _ in range(2))
        joined = b"(%s) %s (%s)" % (left, pick.choice(SIGNS), right)
        text = re.sub(rb"(    [ay] = ).*", lambda m: m[1] + joined, text, count=1)
    ways = [_by_tokens] * 6 + [_by_lines] * 2 + [_by_bytes, _spliced]
    for _ in range(pick.choice([0, 1, 1, 1, 1, 1, 2])):
        text = pick.choice(ways)(text, pick)
    return text


def _by_tokens(text: bytes, pick: random.Random) -> bytes:
    found = TOKEN.findall(text)
    for _ in range(pick.choice([1, 1, 1, 1, 2, 4])):
        if not found:
            break
        place, kind = pick.randrange(len(found)), pick.randrange(12)
        if kind == 0:
            found[place] = pick.choice(tokens())
        elif kind == 1:
            del found[place]
        elif kind == 2:
            found.insert(place, pick.choice(tokens()))
        elif kind == 3:
            other = pick.randrange(len(found))
            found[place], found[other] = found[other], found[place]
        elif kind == 4:
            found[place:place] = found[place : place + pick.randrange(8)]
        elif kind == 5:
            found[place] = pick.choice(ODD)
        else:
            # A name for another name, a number for another number: what parses is checked further.
            same = [t for t in found if _kind(t) == _kind(found[place])]
            found[place] = pick.choice(same)
    return b"".join(found)


def _kind(token: bytes) -> int:
    """Digits, names, blanks, signs: what may stand in one another's place."""
    return 0 if token.isdigit() else 1 if token[:1].isalpha() else 2 if token.isspace() else 3


def _by_lines(text: bytes, pick: random.Random) -> bytes:
    lines = text.split(b"\n")
    place, kind = pick.randrange(len(lines)), pick.randrange(6)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(pick.randrange(len(lines) + 1), lines[place])
    elif kind == 2:
        other = pick.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 3:
        lines[place] = pick.choice([b"    ", b"  ", b"\t"]) + lines[place]
    elif kind == 4:
        lines[place] = lines[place].lstrip()
    else:
        lines.insert(place, pick.choice(pick.choice(sources()).split(b"\n")))
    return b"\n".join(lines)


def _by_bytes(text: bytes, pick: random.Random) -> bytes:
    data = bytearray(text)
    for _ in range(pick.choice([1, 1, 3])):
        if not data:
            break
        place, kind = pick.randrange(len(data)), pick.randrange(3)
        if kind == 0:
            data[place] = pick.randrange(256)
        elif kind == 1:
            del data[place : place + pick.choice([1, 1, 5, 50])]
        else:
            data.insert(place, pick.randrange(256))
    return bytes(data)


def _spliced(text: bytes, pick: random.Random) -> bytes:
    other = pick.choice(sources())
    return text[: pick.randrange(len(text) + 1)] + other[pick.randrange(len(other) + 1) :]
