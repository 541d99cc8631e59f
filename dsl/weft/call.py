# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of a kernel call: bound to names, checked, each refusal naming its argument."""

from __future__ import annotations

import ctypes
import math
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft.diagnostics import RunError, close_match

# What a call itself takes by name, whatever a kernel's inputs are called.
OF_CALLS = ("out", "threads", "run_groups")


@dataclass(frozen=True)
class Parameter:
    """An input or output of a compiled kernel."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @staticmethod
    def from_json(entry: Mapping[str, Any]) -> Parameter:
        return Parameter(entry["name"], np.dtype(entry["dtype"]), tuple(entry["shape"]))

    def __str__(self) -> str:
        return f"{self.dtype} of shape {self.shape}"

    @property
    def typed(self) -> str:
        """As a signature has it, with NumPy's name of the type."""
        return f"{self.name}: {self.dtype}{list(self.shape) if self.shape else ''}"


def bind(
    kernel: str,
    names: Sequence[str],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
    fixed: Sequence[str] = (),
    sizes: Collection[str] = (),
) -> list[Any]:
    """Arguments in the order of the signature; `fixed` are inputs that it has no more."""
    if not named and len(arguments) == len(names):
        return list(arguments)
    if len(arguments) + len(named) == len(names):
        try:
            return [*arguments, *[named[name] for name in names[len(arguments) :]]]
        except KeyError:
            pass  # what is wrong is told below
    signature = f"{kernel}({', '.join(names)})"
    if len(arguments) > len(names):
        raise RunError(
            f"{kernel}: too many arguments",
            expected=signature,
            found=f"{len(arguments)} arrays",
            help=_are_fixed(fixed),
        )
    given = dict(zip(names, arguments, strict=False))
    for name, value in named.items():
        check_name(kernel, names, name, fixed, sizes)
        if name in given:
            raise RunError(f"{kernel}: argument {name!r} given twice", argument=name)
        given[name] = value
    missing = [name for name in names if name not in given]
    if missing:
        raise RunError(
            f"{kernel}: missing argument {missing[0]!r}",
            argument=missing[0],
            expected=signature,
            help=f"give it by its place: {missing[0]}= belongs to the call itself"
            if missing[0] in OF_CALLS
            else "",
        )
    return [given[name] for name in names]


def _are_fixed(fixed: Sequence[str]) -> str:
    return f"fixed before: {', '.join(fixed)}" if fixed else ""


def check_name(
    kernel: str,
    names: Sequence[str],
    name: str,
    fixed: Sequence[str] = (),
    sizes: Collection[str] = (),
) -> None:
    if name not in names:
        way_out = close_match(name, names)
        if name in fixed:
            way_out = _are_fixed(fixed)
        elif name in sizes:
            way_out = f"it is a size: the arrays have it, or weft.compile(..., {name}=...) says it"
        raise RunError(
            f"{kernel}: no argument {name!r}",
            argument=name,
            expected=f"{kernel}({', '.join(names)})",
            help=way_out,
        )


def as_array(name: str, value: Any, role: str = "argument") -> Any:
    """What shares its memory through DLPack or the buffer protocol, as an array without a copy.

    Other values are returned as they are: what they are is checked against the parameter.
    """
    # NumPy loads its masked arrays when they are first asked for: then there are none yet.
    if "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray):
        raise RunError(
            f"{role} {name!r}: a masked array, and kernels know no masks",
            argument=name,
            expected="a NumPy array",
            found=type(value).__name__,
            help=f"{name}.filled(0) gives the masked elements a value",
        )
    if isinstance(value, (np.ndarray, np.generic)):
        return value
    through = "DLPack" if hasattr(value, "__dlpack__") else "the buffer protocol"
    try:
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(memoryview(value))
    except TypeError as error:
        if not hasattr(value, "__dlpack__"):
            return value  # no buffer at all
        reason: Exception = error
    except Exception as error:  # whatever a foreign library raises: another device, a gradient
        reason = error
    raise RunError(
        f"{role} {name!r}: its memory cannot be read through {through}: {reason}",
        argument=name,
        expected="memory of this machine",
        found=type(value).__name__,
        help="copy it into a NumPy array",
    )


def shape_of(name: str, value: Any) -> tuple[int, ...]:
    """The shape that sizes are solved from; a number has none."""
    if isinstance(value, (np.ndarray, np.generic)):
        return tuple(value.shape)
    if isinstance(value, (bool, int, float, complex)):
        return ()
    raise _not_an_array(name, "a NumPy array or a number", value)


def _not_an_array(
    name: str, expected: str, value: Any, role: str = "argument", way_out: str = ""
) -> RunError:
    return RunError(
        f"{role} {name!r}: not a NumPy array",
        argument=name,
        expected=expected,
        found=type(value).__name__,
        help=way_out or f"np.asarray({name}) makes one",
    )


def check_input(parameter: Parameter, value: Any) -> np.ndarray:
    """The value as the array that the kernel reads; scalars may be Python numbers.

    The caller's own memory where it is contiguous in row-major order and aligned, else one copy.
    """
    if parameter.shape == () and not isinstance(value, np.ndarray):
        return _scalar(parameter, value)
    array = _fitting(parameter, value)
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return array
    try:
        return np.array(array, order="C", subok=False)
    except MemoryError as error:
        raise RunError(
            f"argument {parameter.name!r}: no memory for a contiguous copy: {error}",
            argument=parameter.name,
        ) from None


def _number(dtype: np.dtype[Any]) -> str:
    """As English has it: `an int32 number`."""
    return f"{'an' if dtype.kind == 'i' else 'a'} {dtype} number"


def _out_of_range(parameter: Parameter, value: Any) -> RunError:
    shown = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "a longer integer"
    return RunError(
        f"argument {parameter.name!r}: out of range",
        argument=parameter.name,
        expected=str(parameter.dtype),
        found=shown,
    )


def _scalar(parameter: Parameter, value: Any) -> np.ndarray:
    found = np.asarray(value)
    if type(value) is int and found.dtype == object and parameter.dtype.kind in "ifc":
        # Longer than NumPy's integers.
        try:
            found = np.asarray(float(value))
        except OverflowError:
            raise _out_of_range(parameter, value) from None
        if parameter.dtype.kind == "i":
            raise _out_of_range(parameter, value)
    # Python numbers are weak, as literals are: 2 may be a float, 2.5 no integer.
    weak = type(value) in (int, float, complex) and np.can_cast(
        found.dtype, parameter.dtype, "same_kind"
    )
    if found.shape != () or not (weak or found.dtype == parameter.dtype):
        raise RunError(
            f"argument {parameter.name!r}: cannot be passed",
            argument=parameter.name,
            expected=_number(parameter.dtype),
            found=f"{type(value).__name__}",
            help=f"np.{parameter.dtype}({parameter.name}) makes one"
            if found.shape == () and np.can_cast(found.dtype, parameter.dtype, "same_kind")
            else "",
        )
    with np.errstate(over="ignore"):
        array = found.astype(parameter.dtype)
    if isinstance(value, int) and array.dtype.kind == "i" and int(array) != value:
        raise _out_of_range(parameter, value)
    if np.isfinite(found) and not np.isfinite(array):
        raise _out_of_range(parameter, value)
    return array


def _fitting(parameter: Parameter, value: Any, role: str = "argument") -> np.ndarray:
    """An array of the parameter's element type and shape."""
    name = parameter.name
    if not isinstance(value, np.ndarray):
        way_out = _anew(parameter) if role == "output" else ""
        raise _not_an_array(name, str(parameter), value, role, way_out)
    if value.dtype != parameter.dtype:
        raise RunError(
            f"{role} {name!r}: wrong element type",
            argument=name,
            expected=str(parameter.dtype),
            found=str(value.dtype),
            help=_anew(parameter) if role == "output" else f"{name}.astype(np.{parameter.dtype})",
        )
    if value.shape != parameter.shape:
        raise RunError(
            f"{role} {name!r}: wrong shape",
            argument=name,
            expected=str(parameter.shape),
            found=str(value.shape),
        )
    array: np.ndarray = value
    return array


def _writable(parameter: Parameter, value: Any) -> np.ndarray:
    """An array that the kernel can write as it is: results are never copied."""
    name = parameter.name
    value = _fitting(parameter, as_array(name, value, "output"), "output")
    if not value.flags.c_contiguous:
        raise RunError(
            f"output {name!r}: not contiguous in row-major order",
            argument=name,
            expected="a C-contiguous array",
            found=f"strides {value.strides}",
            help=_anew(parameter),
        )
    if not value.flags.aligned:
        raise RunError(
            f"output {name!r}: its elements are not aligned",
            argument=name,
            expected=f"an address divisible by {parameter.dtype.alignment}",
            found=f"address {value.ctypes.data:#x}",
            help=_anew(parameter),
        )
    array: np.ndarray = value
    return array


def _anew(parameter: Parameter) -> str:
    """An output is never converted, for then the caller's array would not be written."""
    return f"np.empty({parameter.shape}, np.{parameter.dtype}) makes one"


def empty_outputs(parameters: Sequence[Parameter], what: str = "outputs") -> list[np.ndarray]:
    from weft.native import _call

    try:
        return [_call.empty(parameter.dtype, parameter.shape) for parameter in parameters]
    except MemoryError:
        each = (
            f"{one.typed}, {one.dtype.itemsize * math.prod(one.shape)} bytes" for one in parameters
        )
        raise RunError(
            f"no memory for the {what}", expected="; ".join(each), help="choose smaller sizes"
        ) from None


def of_out(error: RunError, kind: type[RunError] = RunError) -> RunError:
    """What a kernel of Weft's own says of its only output `y`, which its caller knows as `out`."""
    if error.argument != "y":
        return error
    told = error.message.replace("output 'y'", "out")
    return kind(told, argument="out", expected=error.expected, found=error.found, help=error.help)


def address(array: np.ndarray) -> int:
    """Where the first element of a contiguous array is."""
    memory: Any = array  # NumPy's stubs hide the buffer from Python before 3.12
    try:
        # A third of the time that array.ctypes takes; not for arrays that are read only.
        return ctypes.addressof(ctypes.c_char.from_buffer(memory))
    except (TypeError, ValueError, BufferError):
        start: int = array.ctypes.data
        return start


def check_outputs(
    kernel: str,
    parameters: Sequence[Parameter],
    out: Any,
    input_parameters: Sequence[Parameter],
    inputs: Sequence[np.ndarray],
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The caller's arrays, and what the kernel writes: a temporary where an output is an input."""
    results = [
        _writable(parameter, value)
        for parameter, value in zip(parameters, _in_order(kernel, parameters, out), strict=True)
    ]
    for parameter, array in zip(parameters, results, strict=True):
        if not array.flags.writeable:
            raise RunError(
                f"output {parameter.name!r}: read-only array",
                expected="an array that can be written",
                help="np.empty_like(it) makes one",
                argument=parameter.name,
            )
    for i, array in enumerate(results):
        for j in range(i):
            if _overlap(array, results[j]):
                raise RunError(
                    f"output {parameters[i].name!r} overlaps output {parameters[j].name!r}",
                    argument=parameters[i].name,
                    expected="outputs that share no memory",
                )
    written = []
    for parameter, array in zip(parameters, results, strict=True):
        in_place = False
        for other, source in zip(input_parameters, inputs, strict=True):
            if not _overlap(array, source):
                continue
            if _range(array) != _range(source):
                raise RunError(
                    f"output {parameter.name!r} overlaps a part of the argument {other.name!r}",
                    argument=parameter.name,
                    expected=f"an array that is {other.name!r} itself, or shares no memory with it",
                    help="leave out= away, or copy one of them",
                )
            in_place = True
        written.append(np.empty_like(array) if in_place else array)
    return results, written


def _in_order(kernel: str, parameters: Sequence[Parameter], out: Any) -> list[Any]:
    names = [parameter.name for parameter in parameters]
    if isinstance(out, Mapping):
        if set(out) != set(names):
            raise RunError(
                f"{kernel}: out= has other names than the outputs",
                argument="out",
                expected=", ".join(names),
                found=", ".join(map(str, out)),
            )
        return [out[name] for name in names]
    if isinstance(out, (tuple, list)):
        if len(out) == len(names):
            return list(out)
    elif len(names) == 1:
        return [out]
    raise RunError(
        f"{kernel}: out= does not match the outputs",
        argument="out",
        expected="an array" if len(names) == 1 else f"arrays for {', '.join(names)}",
        found=f"{len(out)} values" if isinstance(out, (tuple, list)) else type(out).__name__,
    )


def _range(array: np.ndarray) -> tuple[int, int]:
    start = address(array)
    return start, start + array.nbytes


def _overlap(one: np.ndarray, other: np.ndarray) -> bool:
    (start, end), (other_start, other_end) = _range(one), _range(other)
    return start < other_end and other_start < end
