# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index expressions as affine maps, boxes of indices, and where a map stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.lowering.text import affine_names, listed
from weft.semantics.typed import Affine, Index, Loop


def box(loops: Sequence[Loop]) -> str:
    lower, upper = (loop.lower for loop in loops), (loop.upper for loop in loops)
    return f"[{listed(lower)}] to [{listed(upper)}]"


def is_plain(affine: Affine) -> bool:
    """One index and nothing else."""
    return (
        len(affine.terms) == 1
        and affine.terms[0][1] == 1
        and affine.constant == 0
        and affine.modulus is None
    )


def expression(affine: Affine, names: Mapping[int, str]) -> str:
    """The affine expression over dimension names by index id."""
    text = ""
    for index, factor in affine.terms:
        sign = " - " if factor < 0 else " + "
        product = names[index.id] if abs(factor) == 1 else f"{names[index.id]} * {abs(factor)}"
        text += sign + product
    if affine.constant or not text:
        text += (" - " if affine.constant < 0 else " + ") + str(abs(affine.constant))
    text = "-" + text[3:] if text.startswith(" - ") else text[3:]
    if affine.modulus is None:
        return text
    return f"{text if text.isidentifier() else f'({text})'} mod {affine.modulus}"


def affine_map(indices: Sequence[Index], values: Sequence[str], results: Sequence[Affine]) -> str:
    """`affine_map<(i, j) -> (...)>`; `values` are the SSA values of `indices`."""
    names = affine_names(values)
    by_id = {index.id: name for index, name in zip(indices, names, strict=True)}
    shown = listed(expression(result, by_id) for result in results)
    return f"affine_map<({listed(names)}) -> ({shown})>"
