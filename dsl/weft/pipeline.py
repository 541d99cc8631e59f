# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which passes run, in which order, and why in that order.

The passes read the machine from the module attribute `weft.target`, so one list serves every CPU
target; a core group, whose cores have a memory of their own, has another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.diagnostics import RunError, close_match


@dataclass(frozen=True)
class Step:
    """One pass, as weft-opt names it, and why it stands where it does."""

    flag: str
    reason: str

    @property
    def is_needed(self) -> bool:
        """Without it later ones have no meaning, or nothing could be emitted."""
        return self.flag in NEEDED


NEEDED = (
    "inline",
    "symbol-dce",
    "factor-transform",
    "simplify-butterflies",
    "lower-to-loops",
    "expand-math",
    "check-emittable",
)


# What all targets share: whole transforms, the way to loops, and what is left at the end.
_WHOLE: tuple[Step, ...] = (
    Step("inline", "kernels called by the entry become part of it: fusion crosses call boundaries"),
    Step("symbol-dce", "callees without callers would otherwise be compiled and emitted"),
    Step("canonicalize", "folds what inlining brought together; before radices are chosen"),
    Step("cse", "equal transforms are found while they are still one op each"),
)
_STAGES: tuple[Step, ...] = (
    Step("factor-transform", "transforms to stages, while a transform is still one op"),
    Step("split-products", "arithmetic is still complex; convolutions are sums of products now"),
    Step("simplify-butterflies", "needs stages; makes all arithmetic real, as fusion expects"),
    Step("fuse", "sees stages and elementwise work in one form, maps, and not yet loops"),
    Step("canonicalize", "drops what fusion left dead, so that tiling does not count it"),
    Step("cse", "loads that fusion duplicated are shared again"),
    Step("arrange-contractions", "bodies are final; the order of tensors is still free"),
    Step("split-fixed", "layouts are final, and tensors are still values that a part may return"),
)
_BLOCKS = Step("tile-for-ldm", "groups whole stages into blocks; after it no stage may move")
_TO_MEMORY = Step("lower-to-loops", "blocks are known, so every value gets its buffer and layout")
_JOINED = Step("join-nests", "sees whole nests and their memory; later loops are split and marked")
_UNROLLED = Step("unroll", "after vectors: register use per iteration is known")
_COPIES: tuple[Step, ...] = (
    Step("canonicalize", "constant indices of unrolled copies fold"),
    Step("cse", "and what they share is computed once"),
    Step("align-arrays", "all arrays and vectors are there; who orders them counts with it"),
)
_END: tuple[Step, ...] = (Step("check-emittable", "last: names, by place, whatever has no C form"),)
CPU: tuple[Step, ...] = (
    *_WHOLE,
    Step("order-axes", "a transform along an axis is one op, and may change places with another"),
    Step("four-step", "after the order of axes: a long line becomes a matrix with axes of its own"),
    *_STAGES,
    _BLOCKS,
    _TO_MEMORY,
    _JOINED,
    Step("keep-slices", "sees what joined nests pass on; boxes are seen before loops are split"),
    Step("split-borders", "loop variables exist now, and lanes are still iterations of one loop"),
    Step("stream-reductions", "sees which loops reduce; makes blocks that cores can share"),
    Step("distribute-to-cores", "outer loops exist now, and inner ones are not yet vectors"),
    Step("expand-math", "functions become arithmetic, so that they have a vector form"),
    Step("vectorize-complex", "after distribution: lanes are taken from what one core does"),
    Step("order-lanes", "sees all splits and joins of pairs, and arrays that no result shares yet"),
    Step(
        "alternate-nests", "vectors are the least that a turn takes; no array lies in a result yet"
    ),
    Step("lend-results", "only vectors tell that what a turn stores lies where it has read"),
    Step(
        "interleave-lines", "arrays of lines are final, and nests are still loops to walk together"
    ),
    _UNROLLED,
    Step("shift-rows", "turns that share rows are written out; what is loaded twice is seen next"),
    *_COPIES,
    Step("order-accesses", "all copies are there; nothing moves behind it"),
    Step("balance-sums", "all copies are there: it is known what the pipes of a body do"),
    Step("overlap-turns", "which pipes an operation takes is decided; nothing may move behind it"),
    *_END,
)
CORE_GROUP: tuple[Step, ...] = (
    *_WHOLE,
    *_STAGES[:-2],
    Step("eliminate-transposes", "after fusion, which takes those that are read as they stand"),
    *_STAGES[-2:],
    Step("recompute-twiddles", "bodies and inputs are final; who shares a line is decided next"),
    _BLOCKS,
    Step("overlap", "on values: who is on its way and who computes in which memory comes next"),
    _TO_MEMORY,
    _JOINED,
    Step("keep-fields", "a row is made by one nest still; borders are cut next"),
    Step("split-borders", "loop variables exist now, and lanes are still iterations of one loop"),
    Step("distribute-to-cores", "outer loops exist now, and say what one core does"),
    Step("join-cores", "what each start of the cores does is known, and what lies between"),
    Step("share-panels", "what a start of the cores does is whole; messages are its own"),
    Step("insert-exchanges", "before transfers: what stays with the cores has none"),
    Step("insert-transfers", "what one core does is known, and what it touches of main memory"),
    Step("vectorize-complex", "after transfers: vectors are loaded from the core's own memory"),
    _UNROLLED,
    *_COPIES,
    Step("schedule-dual-issue", "all copies are there; what comes after keeps the order"),
    *_END,
)

STEPS: dict[str, tuple[Step, ...]] = {
    "portable": CPU,
    "avx2": CPU,
    "avx512": CPU,
    "sw26010": CORE_GROUP,
}


def steps(target: str, without: Sequence[str] = ()) -> tuple[Step, ...]:
    """The passes of a target but for those `without`; RunError for one that it does not have or
    cannot do without."""
    all_steps = STEPS[target]
    may_go = sorted({step.flag for step in all_steps if not step.is_needed})
    for flag in without:
        if flag not in may_go:
            needed = flag in NEEDED
            raise RunError(
                f"{target} {'needs the pass' if needed else 'has no pass'} {flag!r}",
                argument="without",
                expected="one of " + ", ".join(may_go),
                found=repr(flag),
                help=close_match(str(flag), may_go) if not needed else "",
            )
    return tuple(step for step in all_steps if step.flag not in without)


def flags(target: str, without: Sequence[str] = ()) -> str:
    """The passes as one list, for a pass manager that already stands on the module."""
    return ",".join(step.flag for step in steps(target, without))


def text(target: str, without: Sequence[str] = ()) -> str:
    """The pipeline in the words of `weft opt --pass-pipeline`."""
    return f"builtin.module({flags(target, without)})"
