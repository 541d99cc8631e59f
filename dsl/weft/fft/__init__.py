# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transforms of `numpy.fft` and `scipy.fft`, under their names, by kernels.

The first call with a new shape compiles a kernel or finds it in the cache; later ones only run it.
Single precision stays single, integers become float64. `with scipy.fft.set_backend(weft.fft):` has
programs written for SciPy use it as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from numpy.fft import fftfreq as fftfreq
from numpy.fft import fftshift as fftshift
from numpy.fft import ifftshift as ifftshift
from numpy.fft import rfftfreq as rfftfreq

from weft.diagnostics import RunError
from weft.fft.calls import LAST_TWO, Array, Many, More, transformed
from weft.fft.cosine_calls import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from weft.fft.plans import is_smooth, whole_number
from weft.fft.workers import get_workers, set_workers, workers_set

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

__all__ = [
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "get_workers",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "prev_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "set_workers",
]


def fft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """y[k] = sum(x[j] exp(-2πi j k / n)), along one axis.

    Args:
        x: Numbers; reals become complex.
        n: Points of a line: it is cut, or goes on with zeros; all of it if it is not given.
        axis: Along which.
        norm: `backward`: the way back is scaled by 1/n; `forward`: this one is; `ortho`: each by
            1/√n.
        *rest: `overwrite_x` and `workers`, at SciPy's places, or `out`, at NumPy's.
        **more: `out` takes the result: a contiguous array of its type and shape, x itself or apart
            from it. `workers` are threads, as SciPy counts them: -1 is as many as this machine has;
            as `set_workers` says, or a kernel's call has them, where it is not given.
            `overwrite_x` makes no difference, and a `plan` is refused.

    Returns:
        complex64 for x in single precision, else complex128; n elements along `axis`.

    Raises:
        RunError: A number or an array does not fit, by the argument's name. As of NumPy and SciPy
            it is a ValueError, a TypeError or an IndexError, too.
    """
    return transformed("fft", x, n, axis, norm, rest, more)


def ifft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """The way back of `fft`: x[j] = 1/n sum(y[k] exp(2πi j k / n)); arguments as there."""
    return transformed("ifft", x, n, axis, norm, rest, more)


def rfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """Elements 0 to n // 2 of `fft` of real numbers; the others are their conjugates."""
    return transformed("rfft", x, n, axis, norm, rest, more)


def irfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """The real line of n points, 2 * (m - 1) if that is not given, whose `rfft` is x."""
    return transformed("irfft", x, n, axis, norm, rest, more)


def hfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`fft`, which is real, of a line that is its own conjugate turned round; x is half of it."""
    return transformed("hfft", x, n, axis, norm, rest, more)


def ihfft(
    x: ArrayLike,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """Half of the line whose `hfft` is x."""
    return transformed("ihfft", x, n, axis, norm, rest, more)


def fftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`fft` along several axes.

    Args:
        x: As in `fft`, and so are the others.
        s: Points along each axis, -1 for all of it.
        axes: Which; all if they are not given, or the last len(s).
    """
    return transformed("fft", x, s, axes, norm, rest, more, many=True)


def ifftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`ifft` along several axes, as `fftn` has them."""
    return transformed("ifft", x, s, axes, norm, rest, more, many=True)


def rfftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`rfft` along the last of several axes, then `fft` along the others, as `fftn` has them."""
    return transformed("rfft", x, s, axes, norm, rest, more, many=True)


def irfftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`ifft` along all of several axes but the last, then `irfft` along that."""
    return transformed("irfft", x, s, axes, norm, rest, more, many=True)


def fft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`fftn` along the last two axes."""
    return transformed("fft", x, s, axes, norm, rest, more, many=True)


def ifft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`ifftn` along the last two axes."""
    return transformed("ifft", x, s, axes, norm, rest, more, many=True)


def rfft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`rfftn` along the last two axes."""
    return transformed("rfft", x, s, axes, norm, rest, more, many=True)


def irfft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`irfftn` along the last two axes."""
    return transformed("irfft", x, s, axes, norm, rest, more, many=True)


def hfftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`hfft` along the last of several axes, `fft` along the others."""
    return transformed("hfft", x, s, axes, norm, rest, more, many=True)


def ihfftn(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """The way back of `hfftn`: half of the array whose `hfftn` is x."""
    return transformed("ihfft", x, s, axes, norm, rest, more, many=True)


def hfft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`hfftn` along the last two axes."""
    return transformed("hfft", x, s, axes, norm, rest, more, many=True)


def ihfft2(
    x: ArrayLike,
    s: Many | None = None,
    axes: Many = LAST_TWO,
    norm: str | None = None,
    *rest: Any,
    **more: Unpack[More],
) -> Array:
    """`ihfftn` along the last two axes."""
    return transformed("ihfft", x, s, axes, norm, rest, more, many=True)


def next_fast_len(target: int, real: bool = False) -> int:
    """The least length from `target` on whose prime factors are 11 at most, of real transforms 5.

    It is SciPy's, so that programs have the same arrays; Weft's are quick with factors to 31.

    Raises:
        RunError: `target` is no whole number from 1 on.
    """
    found = whole_number("target", target)
    while not is_smooth(found, 5 if real else 11):
        found += 1
    return found


def prev_fast_len(target: int, real: bool = False) -> int:
    """The largest length up to `target` of those that `next_fast_len` knows.

    Raises:
        RunError: `target` is no whole number from 1 on.
    """
    found = whole_number("target", target)
    while not is_smooth(found, 5 if real else 11):
        found -= 1
    return found


_OTHERS = {
    **dict.fromkeys(
        ("fht", "ifht", "fhtoffset"), "scipy.fft has it, and not as a Fourier transform"
    ),
    **dict.fromkeys(
        ("set_backend", "skip_backend", "set_global_backend", "register_backend"),
        "scipy.fft has it, and takes this module: scipy.fft.set_backend(weft.fft)",
    ),
}


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"module 'weft.fft' has no attribute {name!r}"
        + (f": {_OTHERS[name]}" if name in _OTHERS else "")
    )


# ---------------------------------------------------------------------------------- SciPy's backend

__ua_domain__ = "numpy.scipy.fft"
_SCIPY = ("norm", "overwrite_x", "workers")
_COSINES = (*_SCIPY, "orthogonalize")
_FOURIER_LINES: tuple[Callable[..., Array], ...] = (fft, ifft, rfft, irfft, hfft, ihfft)
_FOURIER_PLANES: tuple[Callable[..., Array], ...] = (
    *(fft2, ifft2, rfft2, irfft2, hfft2, ihfft2),
    *(fftn, ifftn, rfftn, irfftn, hfftn, ihfftn),
)
# Each function, and its arguments in SciPy's order.
_OWN: dict[str, tuple[Callable[..., Array], tuple[str, ...]]] = {
    **{f.__name__: (f, ("x", "n", "axis", *_SCIPY)) for f in _FOURIER_LINES},
    **{f.__name__: (f, ("x", "s", "axes", *_SCIPY)) for f in _FOURIER_PLANES},
    **{f.__name__: (f, ("x", "type", "n", "axis", *_COSINES)) for f in (dct, idct, dst, idst)},
    **{f.__name__: (f, ("x", "type", "s", "axes", *_COSINES)) for f in (dctn, idctn, dstn, idstn)},
}


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:  # noqa: N807
    """A call of `scipy.fft`: done here, or left to who comes next, where there is no such transform
    or an argument does not fit, which SciPy does or refuses in its own words."""
    own, order = _OWN.get(method.__name__, (None, ()))
    if own is None:
        return NotImplemented
    named = {**dict(zip(order, args, strict=False)), **kwargs}
    if named.get("workers") is None and workers_set() is None:
        import scipy.fft

        named["workers"] = scipy.fft.get_workers()
    try:
        return own(**named)
    except RunError as error:
        if error.argument:
            return NotImplemented
        raise
