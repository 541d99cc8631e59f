# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oneDNN through its C interface, of versions 2 and 3.

pip: onednn-cpu-gomp==2023.1.0 is the last one with Winograd's algorithm; Debian: libdnnl2.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

CPU, IN_ORDER, F32, FORWARD = 1, 1, 3, 96
ALGORITHMS = {"direct": 1, "winograd": 2}
ANY, ABCD, ABCDE = 1, 5, 6
SRC, WEIGHTS, DST = 129, 131, 133  # what a primitive is asked for
ARG_SRC, ARG_WEIGHTS, ARG_DST = 1, 33, 17
IMPLEMENTATION = 8
# Descriptions of version 2 are the caller's memory; this is more than they need.
DESCRIPTION_BYTES = 1 << 14


class Argument(ctypes.Structure):
    _fields_ = (("which", ctypes.c_int), ("memory", ctypes.c_void_p))


class Unavailable(Exception):
    """The library has no such primitive."""


class Library:
    """One copy of oneDNN; calls that fail raise `Unavailable`."""

    def __init__(self, path: str) -> None:
        self.native = ctypes.CDLL(path)
        self.native.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self.native.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self.native.dnnl_version.restype = ctypes.POINTER(ctypes.c_int * 3)
        major, minor, _ = self.native.dnnl_version().contents
        self.major, self.name = major, f"oneDNN {major}.{minor}"
        self.engine = self.make("dnnl_engine_create", CPU, ctypes.c_size_t(0))
        self.stream = self.make("dnnl_stream_create", self.engine, IN_ORDER)

    def make(self, function: str, *arguments: Any) -> ctypes.c_void_p:
        """What the function leaves at its first argument."""
        made = ctypes.c_void_p()
        if getattr(self.native, function)(ctypes.byref(made), *arguments) != 0:
            raise Unavailable(function)
        return made

    def description(self, shape: Sequence[int], tag: int) -> Any:
        arguments = (len(shape), _extents(shape), F32, tag)
        if self.major >= 3:
            return self.make("dnnl_memory_desc_create_with_tag", *arguments)
        room = ctypes.create_string_buffer(DESCRIPTION_BYTES)
        if self.native.dnnl_memory_desc_init_by_tag(room, *arguments) != 0:
            raise Unavailable("dnnl_memory_desc_init_by_tag")
        return room

    def convolution(
        self, algorithm: str, steps: tuple[int, int], x: Any, g: Any, y: Any
    ) -> ctypes.c_void_p:
        border, strides = (_extents((step, step)) for step in steps)
        code = ALGORITHMS[algorithm]
        if self.major >= 3:
            return self.make(
                "dnnl_convolution_forward_primitive_desc_create",
                *(self.engine, FORWARD, code, x, g, None, y),
                *(strides, _extents((0, 0)), border, border, None),
            )
        room = ctypes.create_string_buffer(DESCRIPTION_BYTES)
        if self.native.dnnl_convolution_forward_desc_init(
            room, FORWARD, code, x, g, None, y, strides, border, border
        ):
            raise Unavailable(algorithm)
        return self.make("dnnl_primitive_desc_create", room, None, self.engine, None)

    def implementation(self, primitive: ctypes.c_void_p) -> str:
        text = ctypes.c_char_p()
        self.native.dnnl_primitive_desc_query(primitive, IMPLEMENTATION, 0, ctypes.byref(text))
        return (text.value or b"?").decode()

    def wanted(self, primitive: ctypes.c_void_p, which: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.native.dnnl_primitive_desc_query_md(primitive, which, 0))

    def memory(self, description: Any, array: np.ndarray | None = None) -> Memory:
        size = self.native.dnnl_memory_desc_get_size(description)
        if array is None:
            array = aligned(size)
        handle = ctypes.c_void_p(array.ctypes.data)
        made = self.make("dnnl_memory_create", description, self.engine, handle)
        return Memory(description, made, array)

    def reorder(self, source: Memory, to: Memory) -> Callable[[], None]:
        if self.same(source.description, to.description):
            # Nothing is to be done if both are the same memory.
            return lambda: None
        engine = self.engine
        described = self.make(
            "dnnl_reorder_primitive_desc_create",
            *(source.description, engine, to.description, engine, None),
        )
        return self.execution(described, [(ARG_SRC, source), (ARG_DST, to)])

    def same(self, one: Any, other: Any) -> bool:
        return bool(self.native.dnnl_memory_desc_equal(one, other))

    def execution(
        self, described: ctypes.c_void_p, given: list[tuple[int, Memory]]
    ) -> Callable[[], None]:
        primitive = self.make("dnnl_primitive_create", described)
        arguments = (Argument * len(given))(*(Argument(w, m.handle) for w, m in given))
        execute, stream, count = self.native.dnnl_primitive_execute, self.stream, len(given)

        def run() -> None:
            assert given is not None  # and kept
            if execute(primitive, stream, count, arguments) != 0:
                raise RuntimeError("oneDNN failed")

        return run

    def set_threads(self, threads: int) -> None:
        # The copy of OpenMP that the library was linked with.
        self.native.omp_set_num_threads(threads)


class Memory:
    def __init__(self, description: Any, handle: ctypes.c_void_p, array: np.ndarray) -> None:
        self.description, self.handle, self.array = description, handle, array


class Convolution:
    """One layer by one implementation, in the three ways in which it can be called."""

    def __init__(
        self, library: Library, described: ctypes.c_void_p, x: Any, g: Any, y: Any
    ) -> None:
        tags = {4: ABCD, 5: ABCDE}
        plain = [library.memory(library.description(a.shape, tags[a.ndim]), a) for a in (x, g, y)]
        own = []
        for which, memory in zip((SRC, WEIGHTS, DST), plain, strict=True):
            wanted = library.wanted(described, which)
            same = library.same(wanted, memory.description)
            own.append(memory if same else library.memory(wanted))
        self._images, self._filters = (library.reorder(plain[i], own[i]) for i in (0, 1))
        self._result = library.reorder(own[2], plain[2])
        self._convolve = library.execution(
            described, [(ARG_SRC, own[0]), (ARG_WEIGHTS, own[1]), (ARG_DST, own[2])]
        )
        self._images()
        self._filters()

    def own_layout(self) -> None:
        self._convolve()

    def prepared(self) -> None:
        self._images()
        self._convolve()
        self._result()

    def whole(self) -> None:
        self._filters()
        self.prepared()

    def fetch(self) -> None:
        """The result of `own_layout` to where everybody's is."""
        self._result()


def convolutions(
    library: Library, steps: tuple[int, int], x: np.ndarray, g: np.ndarray, y: np.ndarray
) -> Iterator[tuple[str, Convolution]]:
    """The library's first choice of each algorithm, by a name that says which one."""
    groups = x.shape[1] // g.shape[1]
    if groups > 1:
        g = g.reshape(groups, len(g) // groups, *g.shape[1:])
    described = [library.description(array.shape, ANY) for array in (x, g, y)]
    for algorithm in ALGORITHMS:
        with contextlib.suppress(Unavailable):
            found = library.convolution(algorithm, steps, *described)
            name = library.implementation(found)
            tile = re.search(r"wino\w*_(\d)x3", name)
            told = f"F({tile[1]}x{tile[1]})" if tile else algorithm
            yield told, Convolution(library, found, x, g, y)


def aligned(size: int) -> np.ndarray:
    memory = np.empty(size + 64, np.uint8)
    return memory[-memory.ctypes.data % 64 :][:size]


def _extents(numbers: Sequence[int]) -> Any:
    # Twelve are read in version 2, whatever their number.
    return (ctypes.c_int64 * 12)(*numbers)
