# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A call of a transform: its arguments in order, and the plan that was made for such before."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias, TypedDict

import numpy as np

from weft.diagnostics import RunError
from weft.fft.cosines import Cosine
from weft.fft.plans import READ, Plan, Wanted, numbers, threads_of, wanted_of
from weft.fft.texts import ELEMENTS
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
LAST_TWO = (-2, -1)

# Plans keep their scratch memory.
_plans: Remembered[Plan] = Remembered(heaviest=1 << 29, weigh=lambda plan: plan.bytes)
# The same by arguments as they were written, which are looked at once.
_written: dict[Hashable, weakref.ref[Plan]] = {}
_MOST_WRITTEN = 4096
_PLAIN = (int, type(None))


def transformed(
    kind: str | Cosine, x: Any, lengths: Any, axes: Any, norm: Any, more: More, many: bool = False
) -> Array:
    for name in more:
        if name not in _MORE:
            raise TypeError(f"{kind}() got an unexpected keyword argument {name!r}")
    if more.get("plan") is not None:
        raise RunError("plans of other libraries have no meaning here", argument="plan")
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
    return plan(given, threads_of(more.get("workers")), more.get("out"))


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
        raise RunError(
            f"{name} is a list of whole numbers", argument=name, found=repr(given)
        ) from None
