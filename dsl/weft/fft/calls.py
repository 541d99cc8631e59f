# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A call of a transform: its arguments in order, and the plan that was made for such before."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias, TypedDict

import numpy as np

from weft.diagnostics import close_match
from weft.fft.cosines import Cosine
from weft.fft.plans import READ, Plan, Wanted, numbers, threads_of, wanted_of
from weft.fft.refusals import WrongType, WrongValue
from weft.fft.texts import ELEMENTS
from weft.fft.workers import workers_set
from weft.remembered import Remembered

Array: TypeAlias = "np.ndarray[Any, Any]"
Many: TypeAlias = int | Sequence[int]


class More(TypedDict, total=False):
    """What every transform may be told by name."""

    overwrite_x: bool
    workers: int | None
    plan: None
    out: Array | None


_MORE = frozenset(More.__annotations__)
# SciPy's arguments behind `norm`, in its order.
BEHIND_NORM = ("overwrite_x", "workers")
LAST_TWO = (-2, -1)

# Plans keep their scratch memory.
_plans: Remembered[Plan] = Remembered(heaviest=1 << 29, weigh=lambda plan: plan.bytes)
# The same by arguments as they were written, which are looked at once.
_written: dict[Hashable, weakref.ref[Plan]] = {}
_MOST_WRITTEN = 4096
_PLAIN = (int, type(None))


def transformed(
    kind: str | Cosine,
    x: Any,
    lengths: Any,
    axes: Any,
    norm: Any,
    rest: tuple[Any, ...],
    more: More,
    many: bool = False,
) -> Array:
    if rest:
        more = _with_places(kind, rest, more)
    for name in more:
        if name not in _MORE:
            near = close_match(name, {*_MORE, "norm", *(("s", "axes") if many else ("n", "axis"))})
            told = f"{kind}() got an unexpected keyword argument {name!r}"
            raise TypeError(f"{told}: {near}" if near else told)
    if more.get("plan") is not None:
        raise WrongValue("plans of other libraries have no meaning here", argument="plan")
    given = x if type(x) is np.ndarray and x.dtype in READ else numbers(x)
    # 1 is True for a table, but not here.
    if (
        (type(lengths) in _PLAIN or _is_plain(lengths))
        and (type(axes) in _PLAIN or axes is LAST_TWO or _is_plain(axes))
        and (norm is None or type(norm) is str)
    ):
        written = (kind, lengths, axes, norm, many, given.shape, given.dtype)
        known = _written.get(written)
        plan = known() if known is not None else None
        if plan is None:
            plan = _plan(kind, given, lengths, axes, norm, many)
            if len(_written) >= _MOST_WRITTEN:
                _written.clear()
            _written[written] = weakref.ref(plan)
    else:
        plan = _plan(kind, given, lengths, axes, norm, many)
    workers = more.get("workers")
    threads = threads_of(workers_set() if workers is None else workers)
    return plan(given, threads, more.get("out"))


def _with_places(kind: str | Cosine, rest: tuple[Any, ...], more: More) -> More:
    """What stands behind `norm`, by its names: an array there is NumPy's `out`, else SciPy's order
    holds."""
    names = ("out",) if isinstance(rest[0], np.ndarray) else BEHIND_NORM
    if len(rest) > len(names):
        raise TypeError(
            f"{kind}() has no place for {rest[len(names)]!r}: behind norm come"
            f" {' and '.join(BEHIND_NORM)}, or out"
        )
    for name in names[: len(rest)]:
        if name in more:
            raise TypeError(f"{kind}() got multiple values for argument {name!r}")
    # Neither a flag nor an array: whoever wrote it meant something else.
    if names is BEHIND_NORM and not isinstance(rest[0], bool | np.bool_ | int | None):
        raise WrongType(
            "behind norm comes overwrite_x, True or False, or an array for the result",
            argument="overwrite_x",
            found=type(rest[0]).__name__,
            help="give what is meant by its name: out=, workers=",
        )
    placed: More = {**more, **dict(zip(names, rest, strict=False))}  # type: ignore[typeddict-item]
    return placed


def _is_plain(given: Any) -> bool:
    return type(given) is tuple and all(type(one) is int for one in given)


def _plan(kind: str | Cosine, given: Array, lengths: Any, axes: Any, norm: Any, many: bool) -> Plan:
    key = _key(kind, given, lengths, axes, norm, many)
    return _plans.get(key, lambda: Plan(key[0], given.shape, ELEMENTS[given.dtype.name]))


def _key(
    kind: str | Cosine, given: Array, lengths: Any, axes: Any, norm: Any, many: bool
) -> tuple[Wanted, tuple[int, ...], np.dtype[Any]]:
    """Along an axis; or along many, which are all, or the last, where they are not told."""
    if many:
        lengths = None if lengths is None else _listed("s", lengths)
        if axes is None and lengths is not None and len(lengths) > given.ndim:
            raise WrongValue(
                "there are more lengths than dimensions",
                argument="s",
                expected=f"{given.ndim} at most, those of the last axes",
                found=str(len(lengths)),
            )
        if axes is None:
            axes = range(-(given.ndim if lengths is None else len(lengths)), 0)
        axes = _listed("axes", axes)
    wanted = wanted_of(kind, axes if many else (axes,), lengths, norm, many)
    return wanted, given.shape, given.dtype


def _listed(name: str, given: Any) -> tuple[Any, ...]:
    """One whole number is a list of it, as SciPy has it."""
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        return (given,)
    try:
        return tuple(given)
    except TypeError:
        raise WrongType(
            f"{name} is a list of whole numbers", argument=name, found=repr(given)
        ) from None
