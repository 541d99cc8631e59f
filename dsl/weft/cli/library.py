# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft compile --emit=lib: which kernels at which sizes a library is asked to have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from weft.cli.options import parse_sizes, require_given

if TYPE_CHECKING:
    from weft.artifacts import Dump


@dataclass(frozen=True)
class Asked:
    """What the command line says of a library."""

    file: Path
    kernels: str | None  # with commas between
    target: str | None
    name: str | None
    sizes: Sequence[str]


def variants(given: Sequence[str]) -> list[dict[str, int]]:
    """The sets of sizes: a size given again begins the next set, a size given once is in all.

    `["b=16", "n=64", "n=128"]` are two sets, `["n=64,b=8", "n=128,b=4"]` too.
    """
    sets: list[dict[str, int]] = [{}]
    for text in given:
        one = parse_sizes([text])
        if one.keys() & sets[-1].keys():
            sets.append({})
        sets[-1].update(one)
    names = {name for one in sets for name in one}
    once = {
        name: next(one[name] for one in sets if name in one)
        for name in names
        if sum(name in one for one in sets) == 1
    }
    found: list[dict[str, int]] = []
    kept: dict[str, int] = {}
    for one in sets:
        kept = {**kept, **one}
        found.append({**once, **kept})
    return found


def files(asked: Asked, dump: Dump) -> dict[Path, str | bytes]:
    """Every file of the library, by its place below the folder asked for."""
    from weft import driver

    path = asked.file.as_posix()
    sets = variants(asked.sizes)
    kernels: list[str | None] = [None] if asked.kernels is None else [*asked.kernels.split(",")]
    requests: list[tuple[str, str | None, Mapping[str, int]]] = []
    unused = {name for one in sets for name in one}
    for kernel in kernels:
        outline = driver.outline(Path(path), kernel)
        unused -= set(outline.missing)
        for one in sets:
            # A kernel takes of a set what it has: others of the library may have more sizes.
            sizes = {name: one[name] for name in outline.missing if name in one}
            require_given(outline.name, [name for name in outline.missing if name not in sizes])
            if (path, outline.name, sizes) not in requests:
                requests.append((path, outline.name, sizes))
    if unused:
        raise typer.BadParameter(
            f"no kernel of the library has a size {', '.join(sorted(unused))}", param_hint="--size"
        )
    words = [word for text in asked.sizes for word in ("-D", text)]
    made = driver.library(requests, asked.name, asked.target, words, dump)
    return dict(made)
