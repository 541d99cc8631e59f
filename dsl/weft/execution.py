# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calling compiled kernels from NumPy: `Kernel`, what `weft.compile` returns.

Arrays are passed as they are: contiguous ones are never copied, strided or Fortran-ordered inputs
are copied once, and an argument of another dtype or shape is refused by its name. Whatever offers
DLPack or a buffer is read in place. A call releases the GIL and may run beside others.
C ABI: `int name(inputs..., outputs..., void *scratch)` and `size_t name_scratch_bytes(void)`.
"""

from __future__ import annotations

import ctypes
import json
import operator
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias

from weft import events, openmp
from weft.call import (
    Parameter,
    address,
    as_array,
    bind,
    check_input,
    check_outputs,
    empty_outputs,
    shape_of,
)
from weft.diagnostics import RunError, close_match
from weft.machine import Machine
from weft.scratch import ScratchPool
from weft.toolchain import MAX_THREADS, require_cpu

if TYPE_CHECKING:
    import numpy as np

    # The kernel, at its sizes, and the inputs that are given.
    Fixer: TypeAlias = Callable[["Kernel", "Callee", Mapping[str, Any]], "Kernel"]

Shapes: TypeAlias = tuple[tuple[int, ...], ...]


class Callee(Protocol):
    """What a `Kernel` calls: a kernel at fixed sizes."""

    inputs: list[Parameter]
    outputs: list[Parameter]
    report: dict[str, Any]

    @property
    def folder(self) -> Path: ...

    def call(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None: ...


class Compiled:
    """One kernel at fixed sizes: its shared object, loaded at the first call, and its report.

    `folder` holds kernel.so, kernel.c and kernel.s; `notes` is what the compilation reported.
    `restore` makes the folder again where the cache has dropped it meanwhile.
    """

    def __init__(
        self,
        folder: Path,
        notes: Mapping[str, Any],
        machine: Machine,
        index: int = 0,
        restore: Callable[[], Path] | None = None,
    ) -> None:
        self._folder = folder
        self._machine = machine
        self._index = index
        self._restore = restore
        self.report: dict[str, Any] = dict(notes["kernels"][index])
        self.report.update({key: value for key, value in notes.items() if key != "kernels"})
        self.inputs = [Parameter.from_json(entry) for entry in self.report["inputs"]]
        self.outputs = [Parameter.from_json(entry) for entry in self.report["outputs"]]
        self._lock = threading.Lock()
        self._library: ctypes.CDLL | None = None
        self._function: Any = None
        self._scratch = ScratchPool(0)

    @property
    def product(self) -> str:
        """The file that is run."""
        return "kernel.program" if self._machine.is_core_group else "kernel.so"

    @property
    def folder(self) -> Path:
        if self._restore is not None and not (self._folder / self.product).exists():
            self._folder = self._restore()
        return self._folder

    @property
    def subject(self) -> events.Subject:
        return events.Subject.of(self.report)

    def call(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        """Runs on arrays that have been checked."""
        if self._machine.is_core_group:
            self._emulate(inputs, outputs, threads)
            return
        library, function = self._library, self._function
        if library is None:
            library = self._load()
            function = self._function
        if self.groups > 1:
            self._call_groups(library, function, inputs, outputs, threads)
            return
        pointers = [address(array) for array in (*inputs, *outputs)]
        if threads is None and self._scratch.size == 0 and events.LEVEL < 2:
            status = function(*pointers, None)
        else:
            with self._scratch.lend() as scratch, self._threads(library, threads):
                if events.LEVEL >= 2:
                    status = self._told(library, function, [*pointers, scratch])
                else:
                    status = function(*pointers, scratch)
        if status != 0:
            raise self._fault(status)

    @property
    def groups(self) -> int:
        """How many groups run it at once, each on a part of the arrays."""
        return int(self.report.get("groups") or 1)

    def _call_groups(
        self,
        library: ctypes.CDLL,
        function: Any,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        """Each group in a thread of its own, on what stands at its place in front."""
        from weft.groups import Meeting

        arrays = [*inputs, *outputs]
        # The groups share the threads that there are; checked before any of them begins.
        self._threads(library, threads)
        most = operator.index(threads) if threads is not None else self._all_threads(library)
        each = max(1, most // self.groups) if self.report["openmp"] else None

        def work(group: int, handle: object) -> int:
            pointers = [address(array) + group * (array.nbytes // self.groups) for array in arrays]
            with self._scratch.lend() as scratch, self._threads(library, each):
                return int(function(*pointers, scratch, handle))

        status = Meeting(self.groups).run(work)
        if status != 0:
            raise self._fault(status)

    @staticmethod
    def _all_threads(library: ctypes.CDLL) -> int:
        known = hasattr(library, "omp_get_max_threads")
        return int(library.omp_get_max_threads()) if known else 1

    def _emulate(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        from weft import emulated

        if threads is not None and operator.index(threads) != 1:
            raise RunError(
                "threads: a core group has cores of its own",
                argument="threads",
                expected="None or 1",
                found=str(threads),
            )
        program = self.folder / self.product
        if self.groups > 1:
            from weft import emulated_groups

            status, run = emulated_groups.run(
                program, self._index, self.groups, inputs, outputs, self.subject
            )
        else:
            status, run = emulated.run(program, self._index, inputs, outputs, self.subject)
        self.report["run"] = run
        if status != 0:
            raise self._fault(status)

    def _fault(self, status: int) -> RunError:
        from weft.semantics import faults

        for fault in self.report.get("faults", ()):
            if fault[0] == status:
                return faults.error(faults.Fault(*fault))
        return RunError(f"the kernel {self.report['name']!r} failed", found=f"status {status}")

    def _told(self, library: ctypes.CDLL, function: Any, arguments: list[Any]) -> int:
        """The call, timed for the log."""
        threads = library.omp_get_max_threads() if hasattr(library, "omp_get_max_threads") else 1
        start = time.perf_counter()
        status = int(function(*arguments))
        seconds = time.perf_counter() - start
        events.tell("call", self.subject, f"threads={threads} status={status}", seconds, level=2)
        return status

    def _load(self) -> ctypes.CDLL:
        with self._lock:
            if self._library is None:
                require_cpu(self._machine)
                with events.timed("load", self.subject, f"entry={self._folder.name[:12]}"):
                    library = self._opened()
                size = getattr(library, self.report["c_name"] + "_scratch_bytes")
                size.restype = ctypes.c_size_t
                function = getattr(library, self.report["c_name"])
                function.restype = ctypes.c_int
                count = len(self.inputs) + len(self.outputs) + 1 + (self.groups > 1)
                function.argtypes = [ctypes.c_void_p] * count
                self._scratch = ScratchPool(size())
                self._function = function
                self._library = library
            return self._library

    def _opened(self) -> ctypes.CDLL:
        # Another process may drop the entry between the look and the load; then it is made again.
        for _ in range(3):
            try:
                return openmp.loaded(self.folder / "kernel.so")
            except OSError as error:
                found = error
                if (self._folder / "kernel.so").exists():
                    break
        raise RunError(
            f"the kernel {self.report['name']!r} cannot be loaded: {found}",
            help="weft cache clear, then compile it again; weft doctor says what is missing",
        )

    def _threads(self, library: ctypes.CDLL, given: SupportsIndex | None) -> _Threads:
        if given is None:
            return _Threads(None, 0)
        threads: int | None
        try:
            threads = None if isinstance(given, bool) else operator.index(given)
        except TypeError:
            threads = None
        if threads is None:
            raise RunError("threads: not an integer", argument="threads", found=repr(given))
        if not 1 <= threads <= MAX_THREADS:
            raise RunError(
                "threads: out of range",
                argument="threads",
                expected=f"1 to {MAX_THREADS}",
                found=str(threads),
            )
        if threads > 1 and not self.report["openmp"]:
            raise RunError(
                "threads: this kernel was compiled without OpenMP",
                argument="threads",
                expected="1",
                found=str(threads),
                help=f"{self.report['compiler']} lacks it: install its OpenMP library or set"
                " WEFT_CC to gcc",
            )
        # Absent where nothing in the kernel is parallel; then there is nothing to set.
        return _Threads(library if hasattr(library, "omp_set_num_threads") else None, threads)


class _Threads:
    """Within it, parallel regions that the calling thread enters have that many threads."""

    def __init__(self, library: ctypes.CDLL | None, threads: int) -> None:
        self.library = library
        self.threads = threads
        self.before = 0

    def __enter__(self) -> None:
        if self.library is not None:
            self.before = self.library.omp_get_max_threads()
            self.library.omp_set_num_threads(self.threads)

    def __exit__(self, *_: object) -> None:
        if self.library is not None:
            self.library.omp_set_num_threads(self.before)


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
    ) -> None:
        self.name = name
        self.target = target
        self._input_names = tuple(input_names)
        self._fixed = specialise is None
        self._missing = tuple(missing_sizes)
        self._latest = compiled
        self._specialise = specialise
        self._by_shape: dict[Shapes, Callee] = {}
        self._lock = threading.Lock()
        self._trace = trace
        self._origin = origin
        self._fixer = fixer
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
        given = [
            as_array(*pair)
            for pair in zip(
                self._input_names,
                bind(self.name, self._input_names, arguments, named),
                strict=True,
            )
        ]
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
        # A scalar output is a NumPy scalar, unless the caller brought the place for it.
        returned = [array[()] if out is None and array.ndim == 0 else array for array in results]
        return returned[0] if len(returned) == 1 else tuple(returned)

    def _sample(self, compiled: Callee, given: Sequence[Any], run_groups: int) -> Any:
        """Some of the groups, whose place in front of the arrays is all that differs."""
        groups = int(compiled.report.get("groups") or 1)
        if self.target != "sw26010" or not 1 <= run_groups <= groups or groups == 1:
            raise RunError(
                f"{self.name}: {run_groups} of {groups} groups on {self.target}",
                argument="run_groups",
                expected="a part of several groups, on the emulator: elsewhere all are needed",
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

    def fix(self, **arrays: Any) -> Kernel:
        """This kernel with some inputs given once: what depends on them alone is computed now.

        A layer's filters, transformed and laid out as its products need them; the transform of a
        filter's impulse response. The kernel that is returned takes the other inputs.

        Args:
            **arrays: Inputs by their name; they are copied.

        Raises:
            RunError: An input does not fit, by its name; none would be left; sizes are not known
                yet; the kernel is one over groups.
        """
        assert self._fixer is not None, "whoever makes a kernel says how its inputs are fixed"
        return self._fixer(self, self._compiled(), arrays)

    def _for_shapes(self, given: Sequence[Any]) -> Callee:
        if self._fixed:
            return self._compiled()
        shapes = tuple(shape_of(*pair) for pair in zip(self._input_names, given, strict=True))
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
        """The shell command that makes the same kernel."""
        return str(self._compiled().report["command"])

    def __repr__(self) -> str:
        sizes = self._latest.report["sizes"] if self._latest else dict.fromkeys(self._missing, "?")
        shown = ", ".join(f"{name}={value}" for name, value in sizes.items())
        return f"<weft kernel {self.name}[{shown}] for {self.target}>"

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
