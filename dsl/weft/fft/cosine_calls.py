# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transforms of cosines and sines of `scipy.fft`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from weft.fft.calls import BEHIND_NORM, Array, Many, More, transformed
from weft.fft.cosines import BACK, Cosine
from weft.fft.refusals import WrongValue

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack


def dct(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """The cosine transform of a type, along one axis; type 2 is "the" one.

    y[k] = 2 sum(x[n] cos(π k (2n + 1) / 2N)) for type 2; the others are in SciPy's documentation.

    Args:
        x: Numbers; of complex ones the real and the imaginary parts are transformed.
        type: 1 to 4.
        n: Points of a line: it is cut, or goes on with zeros; all of it if it is not given.
        axis: Along which.
        norm: `backward`: the way back is scaled by 1/2N, for type 1 by 1/2(N-1); `forward`: this
            one is; `ortho`: each by the root.
        orthogonalize: The first element, for type 1 the last one too, is scaled so that the
            matrix is orthogonal but for a factor; with `ortho` it is, if nothing is said.
        **more: As for `fft`.

    Returns:
        The type of x; integers become float64.

    Raises:
        RunError: A number or an array does not fit, by the argument's name.
    """
    return _cosine("dct", x, type, n, axis, norm, rest, orthogonalize, more)


def idct(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """The way back of `dct` of the same type; arguments as there."""
    return _cosine("idct", x, type, n, axis, norm, rest, orthogonalize, more)


def dst(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """The sine transform of a type, along one axis; arguments as for `dct`.

    y[k] = 2 sum(x[n] sin(π (k + 1) (2n + 1) / 2N)) for type 2. For type 1 the scale is 1/2(N+1).
    """
    return _cosine("dst", x, type, n, axis, norm, rest, orthogonalize, more)


def idst(
    x: ArrayLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """The way back of `dst` of the same type."""
    return _cosine("idst", x, type, n, axis, norm, rest, orthogonalize, more)


def dctn(
    x: ArrayLike,
    type: int = 2,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """`dct` along several axes, as `fftn` has them."""
    return _cosine("dct", x, type, s, axes, norm, rest, orthogonalize, more, many=True)


def idctn(
    x: ArrayLike,
    type: int = 2,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """`idct` along several axes, as `fftn` has them."""
    return _cosine("idct", x, type, s, axes, norm, rest, orthogonalize, more, many=True)


def dstn(
    x: ArrayLike,
    type: int = 2,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """`dst` along several axes, as `fftn` has them."""
    return _cosine("dst", x, type, s, axes, norm, rest, orthogonalize, more, many=True)


def idstn(
    x: ArrayLike,
    type: int = 2,
    s: Many | None = None,
    axes: Many | None = None,
    norm: str | None = None,
    *rest: Any,
    orthogonalize: bool | None = None,
    **more: Unpack[More],
) -> Array:
    """`idst` along several axes, as `fftn` has them."""
    return _cosine("idst", x, type, s, axes, norm, rest, orthogonalize, more, many=True)


def _cosine(
    name: str,
    x: Any,
    type_: Any,
    lengths: Any,
    axes: Any,
    norm: Any,
    rest: tuple[Any, ...],
    orthogonalize: bool | None,
    more: More,
    many: bool = False,
) -> Array:
    try:
        number = operator.index(type_)
    except TypeError:
        number = 0
    if number not in BACK:
        raise WrongValue(
            "no such type", argument="type", expected="1, 2, 3 or 4", found=repr(type_)
        )
    if len(rest) > len(BEHIND_NORM) and orthogonalize is None:  # SciPy's last place
        orthogonalize, rest = rest[2], rest[:2] + rest[3:]
    is_orthogonal = bool(norm == "ortho" if orthogonalize is None else orthogonalize)
    kind = Cosine(name, number, is_orthogonal)
    return transformed(kind, x, lengths, axes, norm, rest, more, many)
