# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of schedules: which directives there are, what they take, and who serves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LARGEST_TILE = 1 << 48
LARGEST_UNROLL = 64
LARGEST_RUN = 1 << 16
LARGEST_SPLIT = 64


@dataclass(frozen=True)
class Slot:
    """Operands in one place: how many, and of what kind each is.

    Kinds: value, axis (`a.axis1`), loop (created by `tile`), new (a name for a loop), number.
    """

    least: int = 1
    most: int | None = 1
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()
    smallest: int = 1
    largest: int = LARGEST_TILE
    on: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By target, those of the words that its passes serve; they say why not the others."""

    def served(self, target: str) -> tuple[str, ...]:
        return self.on.get(target, self.words)


@dataclass(frozen=True)
class Form:
    """A directive. `clauses` are alternatives: sets of words that open a clause each."""

    shown: str
    operands: Slot
    says: str
    """What it means, in half a line."""
    clauses: tuple[Mapping[str, Slot], ...] = ({},)
    flags: frozenset[str] = frozenset()
    shown_on: Mapping[str, str] = field(default_factory=dict)
    """By target, where what can be said differs from one to the other."""

    def written(self, target: str) -> str:
        return self.shown_on.get(target, self.shown)

    def told(self, target: str) -> str:
        """What it means, for who has written something else."""
        return f"'{self.written(target)}' says: {self.says}"


def _by_target(core_group: tuple[str, ...], cpu: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return {"sw26010": core_group, **dict.fromkeys(("portable", "avx2", "avx512"), cpu)}


def _some(*kinds: str, words: tuple[str, ...] = (), least: int = 1) -> Slot:
    return Slot(least, None, frozenset(kinds), words)


def _one(*kinds: str, words: tuple[str, ...] = ()) -> Slot:
    return Slot(1, 1, frozenset(kinds), words)


_CORES = Slot(
    words=("cpes", "threads", "ranks"), on=_by_target(core_group=("cpes",), cpu=("threads",))
)
_MEMORY = Slot(words=("ldm", "cache"), on=_by_target(core_group=("ldm",), cpu=("cache",)))
_COUNT = _one("number")

FORMS: dict[str, Form] = {
    "tile": Form(
        "tile a.axis1 by 8 -> outer, inner",
        _one("axis", "loop"),
        "an axis, or a loop, in blocks of 8: two loops with new names",
        ({"by": _COUNT, "->": Slot(2, 2, frozenset({"new"}))},),
    ),
    "distribute": Form(
        "distribute co over threads",
        _some("axis", "loop"),
        "who does the iterations of this loop",
        ({"over": _CORES},),
        shown_on={"sw26010": "distribute co over cpes"},
    ),
    "place": Form(
        "place a, b in cache",
        _some("value"),
        "where these values are while they are computed with",
        ({"in": _MEMORY},),
        frozenset({"double_buffered"}),
        {"sw26010": "place a, b in ldm, or place a, b in ldm double_buffered"},
    ),
    "split": Form(
        "split 4",
        Slot(1, 1, frozenset({"number"}), largest=LARGEST_SPLIT),
        "a line that is too long for a core is shared by 4 cores of a row",
    ),
    "fold": Form(
        "fold transpose into dma",
        _some("value", words=("transpose", "reshape")),
        "who computes or reads what is turned turns it",
        ({"into": _one(words=("dma",))},),
    ),
    "fuse": Form(
        "fuse a, b, or fuse a, b, d",
        _some("value", least=2),
        "one pass over the data: each value is computed where the next one reads it",
    ),
    "layout": Form(
        "layout a as split or interleaved",
        _some("value"),
        "how the complex numbers of a value between loops lie in memory",
        ({"as": _one(words=("split", "interleaved"))},),
    ),
    "exchange": Form(
        "exchange 16",
        Slot(1, 1, frozenset({"number"}), largest=LARGEST_RUN),
        "cores move columns in runs of so many elements, and exchange what is in them",
    ),
    "overlap": Form(
        "overlap, or overlap a, b",
        _some("value", least=0),
        "the alltoall of a loop over time goes on beside the computing",
    ),
    "vectorize": Form(
        "vectorize a.axis1, or vectorize ci by 8",
        _one("axis", "loop"),
        "where the lanes of vectors are taken from",
        ({}, {"by": _COUNT}),
    ),
    "complex": Form(
        "complex interleaved, six_shuffle or split",
        _one(words=("interleaved", "six_shuffle", "split")),
        "how vectors hold complex numbers while they are multiplied",
    ),
    "unroll": Form(
        "unroll 2",
        Slot(1, 1, frozenset({"number"}), largest=LARGEST_UNROLL),
        "so many copies of each innermost body",
    ),
    "factor": Form(
        "factor a into 8, 8, or factor y as direct or winograd(4)",
        _one("value"),
        "the radices of a transform, or the algorithm of a convolution",
        (
            {"into": Slot(1, None, frozenset({"number"}), smallest=2)},
            {"as": Slot(1, 1, frozenset(), ("direct",), ("winograd",))},
        ),
    ),
    "order": Form(
        "order latency, pressure or source",
        _one(words=("latency", "pressure", "source")),
        "what the instructions of the cores are ordered by",
    ),
}

_SERVED = frozenset(
    {"distribute", "factor", "fuse", "layout", "place", "tile", "unroll", "vectorize"}
)
SERVED: dict[str, frozenset[str]] = {
    "portable": _SERVED,
    "avx2": _SERVED,
    "avx512": _SERVED,
    "sw26010": _SERVED | {"complex", "exchange", "fold", "order", "overlap", "split"},
}
"""Every target, and the directives that its passes have an option for."""

READ_BY_PASSES = frozenset(
    {"distribute", "fold", "fuse", "layout", "overlap", "place", "tile", "vectorize"}
)
"""Those that name values, axes or loops, which passes find where they have come to."""

ACTS_IN_CALLERS = frozenset({"factor"})
"""Those that change the kernel itself; all others are for the kernel that is compiled."""


def kind_names(slot: Slot, target: str) -> str:
    """What may stand in a slot, for messages."""
    shown = {
        "axis": "an axis such as a.axis0",
        "loop": "a loop that a tile before has created",
        "value": "a value of the kernel",
        "new": "a new name",
        "number": "a number",
    }
    words = [text for kind, text in shown.items() if kind in slot.kinds]
    words += [*slot.served(target), *(f"{name}(4)" for name in slot.applied)]
    return " or ".join(words)
