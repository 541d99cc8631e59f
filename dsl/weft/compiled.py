# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel at fixed sizes: its shared object or its program, called on arrays that were checked.

C ABI: `int name(inputs..., outputs..., void *scratch)` and `size_t name_scratch_bytes(void)`.
"""

from __future__ import annotations

import contextlib
import ctypes
import operator
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias

from weft import events, openmp
from weft.call import Parameter, address
from weft.diagnostics import RunError
from weft.machine import Machine
from weft.toolchain import MAX_THREADS, require_cpu

if TYPE_CHECKING:
    import numpy as np

    from weft.native._call import QuickCall
    from weft.scratch import ScratchPool

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

    def quick(self) -> QuickCall | None:
        """What calls it on arguments that need no second look, or nothing of the kind."""
        ...

    def fault(self, status: int, inputs: Sequence[Any]) -> RunError:
        """What a status that is not 0 says, of a call on these inputs."""
        ...


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
        self._openmp: ctypes.CDLL | None = None
        self._function: Any = None
        self._scratch: ScratchPool

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
        if self.groups > 1:
            self._call_groups(inputs, outputs, threads)
            return
        pointers = [address(array) for array in (*inputs, *outputs)]
        with self.held(threads) as (function, scratch):
            call = function if events.LEVEL < 2 else self._told
            status = call(*pointers, scratch)
        if status != 0:
            raise self.fault(status, inputs)

    @contextlib.contextmanager
    def held(self, threads: SupportsIndex | None) -> Iterator[tuple[Any, int | None]]:
        """Its function, and scratch for one call at a time that has so many threads."""
        self.loaded()
        with self._scratch.lend() as scratch, self._threads(threads):
            yield self._function, scratch

    def quick(self, given: Mapping[str, np.ndarray] | None = None) -> QuickCall | None:
        """`given` are inputs that are the same for all calls; they are contiguous and aligned."""
        from weft.native import _call

        count = len(self.inputs) + len(self.outputs)
        if self._machine.is_core_group or self.groups > 1 or count > _call.MOST:
            return None
        self.loaded()
        get_threads, set_threads = (
            _address_of(getattr(self._openmp, name, None))
            for name in ("omp_get_max_threads", "omp_set_num_threads")
        )
        fixed = given or {}
        return _call.QuickCall(
            _address_of(self._function),
            [fixed.get(p.name, (p.dtype, p.shape)) for p in self.inputs],
            [(p.dtype, p.shape) for p in self.outputs],
            self._scratch.blocks,
            get_threads,
            set_threads,
            MAX_THREADS if self.report["openmp"] else 1,
        )

    @property
    def groups(self) -> int:
        """How many groups run it at once, each on a part of the arrays."""
        return int(self.report.get("groups") or 1)

    def _call_groups(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        """Each group in a thread of its own, on what stands at its place in front."""

        def once(function: Any, arguments: Sequence[int | None]) -> int:
            return int(function(*arguments))

        status = self.in_groups([*inputs, *outputs], threads, once)
        if status != 0:
            raise self.fault(status, inputs)

    def in_groups(
        self,
        arrays: Sequence[np.ndarray],
        threads: SupportsIndex | None,
        work: Callable[[Any, Sequence[int | None]], int],
    ) -> int:
        """`work(its function, the arguments of a group)` in a thread a group; the first status that
        is not 0."""
        from weft.groups import Meeting

        self.loaded()
        # The groups share the threads that there are; checked before any of them begins.
        self._threads(threads)
        most = operator.index(threads) if threads is not None else self._all_threads()
        each = max(1, most // self.groups) if self.report["openmp"] else None

        def turn(group: int, handle: int) -> int:
            pointers = [address(array) + group * (array.nbytes // self.groups) for array in arrays]
            with self.held(each) as (function, scratch):
                return work(function, [*pointers, scratch, handle])

        return Meeting(self.groups).run(turn)

    def _all_threads(self) -> int:
        return int(self._openmp.omp_get_max_threads()) if self._openmp is not None else 1

    def _emulate(
        self,
        inputs: Sequence[np.ndarray],
        outputs: Sequence[np.ndarray],
        threads: SupportsIndex | None,
    ) -> None:
        from weft import emulated, nests

        if threads is not None and _whole(threads) != 1:
            raise RunError(
                "threads: a core group has cores of its own",
                argument="threads",
                expected="1, or none given",
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
        run["nests"] = nests.by_nest(run, self.report["nests"])
        self.report["run"] = run
        if status != 0:
            raise self.fault(status, inputs)
        if wrong := emulated.hazard(self.folder, self.report["command"], run):
            raise wrong

    def fault(self, status: int, inputs: Sequence[Any]) -> RunError:
        import numpy as np

        from weft.semantics import faults

        for fault in starmap(faults.Fault, self.report.get("faults", ())):
            if fault.code != status:
                continue
            given = dict(zip((p.name for p in self.inputs), inputs, strict=False))
            indices = np.asarray(given[fault.indices]) if fault.indices in given else None
            return faults.error(fault, indices, fault.indices)
        return RunError(f"the kernel {self.report['name']!r} failed", found=f"status {status}")

    def _told(self, *arguments: Any) -> int:
        """The call, timed for the log."""
        threads = self._all_threads()
        start = time.perf_counter()
        status = int(self._function(*arguments))
        seconds = time.perf_counter() - start
        events.tell("call", self.subject, f"threads={threads} status={status}", seconds, level=2)
        return status

    def loaded(self) -> ctypes.CDLL:
        """Its shared object."""
        if self._library is not None:
            return self._library
        with self._lock:
            if self._library is None:
                from weft.scratch import ScratchPool

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
                self._openmp = openmp.of(library)
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

    def _threads(self, given: SupportsIndex | None) -> _Threads:
        if given is None:
            return _Threads(None, 0)
        threads = _whole(given)
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
        return _Threads(self._openmp, threads)


def _whole(threads: SupportsIndex) -> int:
    """The number that was given, whatever it is."""
    try:
        if not isinstance(threads, bool):
            return operator.index(threads)
    except TypeError:
        pass
    raise RunError(
        "threads: not an integer", argument="threads", expected="an integer", found=repr(threads)
    )


def _address_of(function: Any) -> int:
    """Of a function of a shared object; 0 of none."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0 if function is not None else 0


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
