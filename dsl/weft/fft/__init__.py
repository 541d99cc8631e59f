# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The discrete Fourier transforms of `numpy.fft` and `scipy.fft`, under their names, by kernels.

The first call with a new shape compiles a kernel or finds it in the cache; later ones only run it.
Single precision stays single, integers become float64. `with scipy.fft.set_backend(weft.fft):` has
programs written for SciPy use it as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import numpy as np
from numpy.fft import fftfreq as fftfreq
from numpy.fft import fftshift as fftshift
from numpy.fft import ifftshift as ifftshift
from numpy.fft import rfftfreq as rfftfreq

from weft.diagnostics import RunError
from weft.fft.plans import ELEMENTS, READ, Plan, Wanted, numbers, threads_of, wanted_of
from weft.remembered import Remembered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

Array: TypeAlias = "np.ndarray[Any, Any]"
Many: TypeAlias = Sequence[int]


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
# Their keys, by arguments as they were written: these are looked at once.
_written: Remembered[tuple[Wanted, tuple[int, ...], np.dtype[Any]]] = Remembered()
_PLAIN = (int, type(None))


def fft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """y[k] = sum(x[j] exp(-2πi j k / n)), along one axis.

    Args:
        x: Numbers; reals become complex.
        n: Points of a line: it is cut, or goes on with zeros; all of it if it is not given.
        axis: Along which.
        norm: `backward`: the way back is scaled by 1/n; `forward`: this one is; `ortho`: each by
            1/√n.
        **more: `out` takes the result: a contiguous array of its type and shape, x itself or apart
            from it. `workers` are threads, as SciPy counts them: -1 is as many as this machine has;
            as a kernel's call has them where it is not given. `overwrite_x` makes no difference,
            and a `plan` is refused.

    Returns:
        complex64 for x in single precision, else complex128; n elements along `axis`.

    Raises:
        RunError: A number or an array does not fit, by the argument's name.
    """
    return _transformed("fft", x, n, axis, norm, more)


def ifft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """The way back of `fft`: x[j] = 1/n sum(y[k] exp(2πi j k / n)); arguments as there."""
    return _transformed("ifft", x, n, axis, norm, more)


def rfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """Elements 0 to n // 2 of `fft` of real numbers; the others are their conjugates."""
    return _transformed("rfft", x, n, axis, norm, more)


def irfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """The real line of n points, 2 * (m - 1) if that is not given, whose `rfft` is x."""
    return _transformed("irfft", x, n, axis, norm, more)


def hfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`fft`, which is real, of a line that is its own conjugate turned round; x is half of it."""
    return _transformed("hfft", x, n, axis, norm, more)


def ihfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """Half of the line whose `hfft` is x."""
    return _transformed("ihfft", x, n, axis, norm, more)


def fftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`fft` along several axes.

    Args:
        x: As in `fft`, and so are the others.
        s: Points along each axis, -1 for all of it.
        axes: Which; all if they are not given, or the last len(s).
    """
    return _transformed("fft", x, s, axes, norm, more, many=True)


def ifftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`ifft` along several axes, as `fftn` has them."""
    return _transformed("ifft", x, s, axes, norm, more, many=True)


def rfftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`rfft` along the last of several axes, then `fft` along the others, as `fftn` has them."""
    return _transformed("rfft", x, s, axes, norm, more, many=True)


def irfftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`ifft` along all of several axes but the last, then `irfft` along that."""
    return _transformed("irfft", x, s, axes, norm, more, many=True)


def fft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`fftn` along the last two axes."""
    return _transformed("fft", x, s, axes, norm, more, many=True)


def ifft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`ifftn` along the last two axes."""
    return _transformed("ifft", x, s, axes, norm, more, many=True)


def rfft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`rfftn` along the last two axes."""
    return _transformed("rfft", x, s, axes, norm, more, many=True)


def irfft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    **more: Unpack[More],
) -> Array:
    """`irfftn` along the last two axes."""
    return _transformed("irfft", x, s, axes, norm, more, many=True)


def _transformed(
    kind: str, x: Any, lengths: Any, axes: Any, norm: Any, more: More, many: bool = False
) -> Array:
    for name in more:
        if name not in _MORE:
            raise TypeError(f"{kind}() got an unexpected keyword argument {name!r}")
    if more.get("plan") is not None:
        raise RunError("plans of other libraries have no meaning here", argument="plan")
    given = x if type(x) is np.ndarray and x.dtype in READ else numbers(x)
    is_plain = type(lengths) in _PLAIN and (type(axes) in _PLAIN or axes is LAST_TWO)
    if is_plain and (norm is None or type(norm) is str):
        written = (kind, lengths, axes, norm, many, given.shape, given.dtype)
        key = _written.get(written, lambda: _key(kind, given, lengths, axes, norm, many))
    else:
        key = _key(kind, given, lengths, axes, norm, many)
    plan = _plans.get(key, lambda: Plan(key[0], given.shape, ELEMENTS[given.dtype.name]))
    return plan(given, threads_of(more.get("workers")), more.get("out"))


def _key(
    kind: str, given: Array, lengths: Any, axes: Any, norm: Any, many: bool
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
    try:
        return tuple(given)
    except TypeError:
        raise RunError(
            f"{name} is a list of whole numbers", argument=name, found=repr(given)
        ) from None


# ---------------------------------------------------------------------------------- SciPy's backend

__ua_domain__ = "numpy.scipy.fft"
_SCIPY = ("norm", "overwrite_x", "workers")
_LINES = {f.__name__: f for f in (fft, ifft, rfft, irfft, hfft, ihfft)}
_PLANES: dict[str, Callable[..., Array]] = {
    f.__name__: f for f in (fft2, ifft2, rfft2, irfft2, fftn, ifftn, rfftn, irfftn)
}


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:  # noqa: N807
    """A call of `scipy.fft`: done here, or left to who comes next, where there is no such transform
    or an argument does not fit, which SciPy does or refuses in its own words."""
    name = method.__name__
    own = _LINES.get(name) or _PLANES.get(name)
    order = ("x", "n", "axis", *_SCIPY) if name in _LINES else ("x", "s", "axes", *_SCIPY)
    named = {**dict(zip(order, args, strict=False)), **kwargs}
    if own is None:
        return NotImplemented
    if named.get("workers") is None:
        from scipy.fft import get_workers

        named["workers"] = get_workers()
    try:
        return own(**named)
    except RunError as error:
        if error.argument:
            return NotImplemented
        raise
