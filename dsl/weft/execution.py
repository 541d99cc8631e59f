# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calling compiled kernels from NumPy: `Kernel`, what `weft.compile` returns.

Arrays are passed as they are: contiguous ones are never copied, strided or Fortran-ordered inputs
are copied once, and an argument of another dtype or shape is refused by its name. Whatever offers
DLPack or a buffer is read in place. A call releases the GIL and may run beside others.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from weft import events
from weft.call import (
    Parameter,
    as_array,
    bind,
    check_input,
    check_outputs,
    empty_outputs,
    shape_of,
)
from weft.compiled import Callee, Shapes
from weft.diagnostics import RunError, close_match

if TYPE_CHECKING:
    import numpy as np

    from weft.native._call import QuickCall

    # The kernel, at its sizes, and the inputs that are given.
    Fixer: TypeAlias = Callable[["Kernel", Callee, Mapping[str, Any]], "Kernel"]


# Shapes of one kernel whose calls are quick: those that came last for the first time.
REMEMBERED = 8


def part_expected(target: str, groups: int) -> str:
    """How many groups may be run of so many; empty where all are needed."""
    return f"1 to {groups}" if target == "sw26010" and groups > 1 else ""


class Kernel:
    """A kernel that is called with NumPy arrays.

    Sizes that were not given are taken from the arguments: each new set of shapes is compiled once.
    What the kernel tells of itself (`asm`, `ir`, `report`, `sizes` and so on) is about the sizes
    called last; before the first call of a kernel without sizes it is a `RunError`.

    Attributes:
        name: As in the source.
        target: `avx512`, `avx2`, `portable`, or `interpret`.
        source: The text that the kernel was compiled from.
    """

    def __init__(
        self,
        name: str,
        target: str,
        input_names: Sequence[str],
        *,
        compiled: Callee | None = None,
        specialise: Callable[[Shapes], Callee] | None = None,
        missing_sizes: Sequence[str] = (),
        trace: Callable[[Callee], dict[str, str]] | None = None,
        origin: tuple[Callable[..., Kernel], tuple[Any, ...]] | None = None,
        source: str = "",
        fixer: Fixer | None = None,
        given: Sequence[Parameter] = (),
    ) -> None:
        self.name = name
        self.target = target
        self._input_names = tuple(input_names)
        self._has_sizes = specialise is None
        self._missing = tuple(missing_sizes)
        self._latest = compiled
        self._specialise = specialise
        self._by_shape: dict[Shapes, Callee] = {}
        self._quick: tuple[tuple[QuickCall, Callee], ...] = ()
        self._output_names: tuple[str, ...] = ()  # once calls are quick
        self._lock = threading.Lock()
        self._trace = trace
        self._origin = origin
        self._fixer = fixer
        self._given = tuple(given)  # the inputs that are fixed
        self._fixed = [p.name for p in self._given]
        self.source = source

    def __reduce__(self) -> tuple[Callable[..., Kernel], tuple[Any, ...]]:
        """A kernel is pickled and copied as its source; whoever loads it compiles, or finds it in
        the cache.
        """
        if self._origin is None:
            raise TypeError(f"the kernel {self.name!r} was not compiled from source here")
        return self._origin

    def __call__(
        self,
        /,
        *arguments: Any,
        out: Any = None,
        threads: SupportsIndex | None = None,
        run_groups: int | None = None,
        **named: Any,
    ) -> Any:
        """Runs the kernel. The GIL is released; calls may run side by side.

        Args:
            *arguments: The inputs, in the order of the signature: NumPy arrays, or anything with
                `__dlpack__` or a buffer, of exactly the element type and shape of the signature.
                A contiguous one is read in place, a strided or Fortran-ordered one is copied once.
            out: Takes the results: an array, a sequence, or a mapping by name. Each is contiguous,
                and is one of the inputs or overlaps none.
            threads: Of this call, 1 to 1024; by default as OMP_NUM_THREADS says. Results do not
                depend on it.
            run_groups: Of a kernel over groups on the emulator: only so many are run, on arrays
                with so many in front, and the others are taken to be like them. The time is then a
                projection, and the results are of no use.
            **named: Inputs by their name.

        Returns:
            The output, or a tuple of them in the order of the signature; a scalar is a NumPy
            scalar.

        Raises:
            RunError: An argument does not fit, by its name; an index that is data is out of range
                while the kernel runs; the CPU lacks what the target needs.
            SourceError: The program breaks a rule at the sizes of these arguments.
        """
        if named or len(arguments) != len(self._input_names):
            arguments = self._bound(arguments, named)
        if run_groups is None and events.LEVEL < 2:
            place = self._in_order(out) if type(out) is dict else out
            for quick, callee in self._quick:
                try:
                    found = quick(arguments, place, threads)
                except MemoryError:
                    break
                if found is not None:
                    self._latest = callee
                    if type(found) is int:
                        raise callee.fault(found, arguments)
                    return found
        return self._checked(arguments, out, threads, run_groups)

    def _bound(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """All inputs at their places."""
        sizes = self._latest.report["sizes"] if self._latest is not None else self._missing
        return tuple(bind(self.name, self._input_names, arguments, named, self._fixed, sizes))

    def _in_order(self, out: dict[str, Any]) -> Any:
        """The places by name as calls without a second look take them; `out` where names differ."""
        names = self._output_names
        return tuple(map(out.get, names)) if len(out) == len(names) else out

    def _checked(
        self,
        arguments: Sequence[Any],
        out: Any,
        threads: SupportsIndex | None,
        run_groups: int | None,
    ) -> Any:
        """A call each of whose arguments is looked at, converted or refused."""
        given = [as_array(*pair) for pair in zip(self._input_names, arguments, strict=True)]
        compiled = self._for_shapes(given)
        if run_groups is not None:
            return self._sample(compiled, given, run_groups)
        inputs = [check_input(p, value) for p, value in zip(compiled.inputs, given, strict=True)]
        if out is None:
            results = empty_outputs(compiled.outputs)
            compiled.call(inputs, results, threads)
        else:
            results, written = check_outputs(
                self.name, compiled.outputs, out, compiled.inputs, inputs
            )
            compiled.call(inputs, written, threads)
            for result, array in zip(results, written, strict=True):
                if result is not array:
                    result[...] = array
        if all(callee is not compiled for _, callee in self._quick):
            quick = compiled.quick()
            if quick is not None:
                self._output_names = tuple(p.name for p in compiled.outputs)
                self._quick = ((quick, compiled), *self._quick[: REMEMBERED - 1])
        # A scalar output is a NumPy scalar, unless the caller brought the place for it.
        returned = [array[()] if out is None and array.ndim == 0 else array for array in results]
        return returned[0] if len(returned) == 1 else tuple(returned)

    def _sample(self, compiled: Callee, given: Sequence[Any], run_groups: int) -> Any:
        """Some of the groups, whose place in front of the arrays is all that differs."""
        groups = int(compiled.report.get("groups") or 1)
        expected = part_expected(self.target, groups)
        if not expected or not 1 <= run_groups <= groups:
            raise RunError(
                f"{self.name}: {run_groups} of {groups} groups on {self.target}",
                argument="run_groups",
                expected=f"run_groups from {expected}"
                if expected
                else "a part of several groups, on the emulator: elsewhere all are needed",
                help="leave run_groups away: then all groups are run",
            )
        inputs, outputs = (
            [replace(p, shape=(run_groups, *p.shape[1:])) for p in parameters]
            for parameters in (compiled.inputs, compiled.outputs)
        )
        arrays = [check_input(p, value) for p, value in zip(inputs, given, strict=True)]
        results = empty_outputs(outputs)
        compiled.call(arrays, results, None)
        return results[0] if len(results) == 1 else tuple(results)

    def fix(self, /, *places: object, **arrays: Any) -> Kernel:
        """This kernel with some inputs given once: what depends on them alone is computed now.

        A layer's filters, transformed and laid out as its products need them; the transform of a
        filter's impulse response. What one loop computes element by element beside other inputs, as
        `x*exp(h)`, stays there. The kernel that is returned takes the other inputs.

        Args:
            **arrays: Inputs by their name; they are copied.

        Raises:
            RunError: An input does not fit, by its name; none would be left; sizes are not known
                yet; the kernel is one over groups.
        """
        if places:
            raise TypeError(f"fix() takes inputs by their names: {', '.join(self._input_names)}")
        assert self._fixer is not None, "whoever makes a kernel says how its inputs are fixed"
        return self._fixer(self, self._compiled(), arrays)

    def _for_shapes(self, given: Sequence[Any]) -> Callee:
        if self._has_sizes:
            return self._compiled()
        return self._at(
            tuple(shape_of(*pair) for pair in zip(self._input_names, given, strict=True))
        )

    def _at(self, shapes: Shapes) -> Callee:
        """For inputs of these shapes."""
        if self._has_sizes:
            return self._compiled()
        with self._lock:
            if shapes not in self._by_shape:
                assert self._specialise is not None
                self._by_shape[shapes] = self._specialise(shapes)
            self._latest = self._by_shape[shapes]
            return self._latest

    def _compiled(self) -> Callee:
        if self._latest is None:
            raise RunError(
                f"the kernel {self.name!r} has no sizes yet",
                help="call it once, or give the sizes to weft.compile",
            )
        return self._latest

    @property
    def asm(self) -> Mapping[str, Any]:
        """What was emitted: `"c"` and `"s"`, the C and its assembly, as text; `"so"` as bytes.

        For a core group `"c"` is what the management core runs, `"slave.c"` what the others run,
        `"s"` their listing with cycles, and `"program"` is bytes.
        """
        return _Files(self._compiled().folder)

    @property
    def ir(self) -> Mapping[str, str]:
        """`"lowered"`, and `"after:PASS"` for each pass, in order; made when first asked for."""
        compiled = self._compiled()
        if self._trace is None:
            compiled.folder  # noqa: B018 (an interpreted kernel says that it has nothing of the kind)
            raise RunError(f"the kernel {self.name!r} was not compiled from source here")
        return _Stages(self._trace(compiled))

    @property
    def report(self) -> dict[str, Any]:
        """What the compilation found, as for JSON: `operations` by kind and `bytes` by where they
        come from, counted exactly for one call; `scratch_bytes`, `sizes`, `inputs`, `outputs`,
        `target`, `compiler`, `version`.
        """
        copy: dict[str, Any] = json.loads(json.dumps(self._compiled().report))
        return copy

    @property
    def values(self) -> Mapping[str, np.ndarray]:
        """Of a kernel compiled with mode="interpret": every value that the source names, as the
        last call left it. In a loop over time that of the last iteration; of a kernel called by
        this one as `kernel.name`; of a name in an element loop an array over the loop.
        """
        values: Mapping[str, np.ndarray] | None = getattr(self._compiled(), "values", None)
        if values is None:
            raise RunError(
                f"the kernel {self.name!r} keeps only its outputs",
                help="weft.compile(..., mode='interpret') keeps every named value",
            )
        return dict(values)

    @property
    def missing_sizes(self) -> list[str]:
        """Sizes that the next call takes from its arguments."""
        return list(self._missing)

    @property
    def inputs(self) -> list[Parameter]:
        """Name, `dtype` and `shape` of each input, in the order of the signature."""
        return list(self._compiled().inputs)

    @property
    def outputs(self) -> list[Parameter]:
        """Name, `dtype` and `shape` of each output, in the order of the signature."""
        return list(self._compiled().outputs)

    @property
    def sizes(self) -> dict[str, int]:
        """Every size by its name."""
        return dict(self._compiled().report["sizes"])

    @property
    def command(self) -> str:
        """The shell command that makes the same kernel, before any of its inputs were fixed.

        `<source>` in it stands for a file with a text that came from none.
        """
        return str(self._compiled().report["command"])

    def __repr__(self) -> str:
        sizes = self._latest.report["sizes"] if self._latest else dict.fromkeys(self._missing, "?")
        shown = ", ".join(f"{name}={value}" for name, value in sizes.items())
        fixed = ""
        if self._given and self._latest is not None:
            given, taken = (", ".join(p.typed for p in ps) for ps in (self._given, self.inputs))
            fixed = f"; fixed {given}; takes {taken}"
        return f"<weft kernel {self.name}[{shown}] for {self.target}{fixed}>"

    @property
    def fixed(self) -> list[Parameter]:
        """Name, `dtype` and `shape` of each input that was given by `fix`."""
        return list(self._given)

    def _repr_html_(self) -> str:
        """For notebooks: source, C and report, folded; complete in itself."""
        from weft import html

        parts = [("source", html.weft(self.source), True)] if self.source else []
        if self._latest is not None and self.target != "interpret":
            parts.append(("C", html.c(str(self.asm["c"])), False))
        if self._latest is not None:
            report = json.dumps(self._latest.report, indent=2, sort_keys=True)
            parts.append(("report", html.plain(report), False))
        return html.document(repr(self).strip("<>"), parts)

    def __str__(self) -> str:
        """The C; the source where there is none."""
        if self._latest is None or self.target == "interpret":
            return self.source or repr(self)
        return str(self.asm["c"])


class _Stages(dict[str, str]):
    """The IR by stage; another name is answered with one near to it."""

    def __missing__(self, stage: str) -> str:
        near = close_match(stage, self) or f"there are {', '.join(self)}"
        raise KeyError(f"no stage {stage!r}: {near}")


class _Files(Mapping[str, Any]):
    """The files of a compiled kernel, read when asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = {"c": "kernel.c", "s": "kernel.s", "so": "kernel.so"}
        if (folder / "kernel_slave.c").exists():
            self._names = {
                "c": "kernel.c",
                "slave.c": "kernel_slave.c",
                "s": "kernel.s",
                "program": "kernel.program",
            }

    def __getitem__(self, key: str) -> str | bytes:
        if key not in self._names:
            known = [repr(name) for name in self._names]
            raise KeyError(f"no {key!r}: there are {', '.join(known[:-1])} and {known[-1]}")
        path = self._folder / self._names[key]
        return path.read_bytes() if key in ("so", "program") else path.read_text(encoding="utf-8")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
