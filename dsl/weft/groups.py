# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Groups of a kernel over groups as threads of this process, which exchange by copying memory.

What a kernel knows of the others is `struct weft_groups` of `targets/common/support.h`: its number
and two functions. Here these functions wait until all groups have called them.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable

_EXCHANGE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t
)


class _Groups(ctypes.Structure):
    """`struct weft_groups`."""

    _fields_ = [
        ("group", ctypes.c_int),
        ("groups", ctypes.c_int),
        ("context", ctypes.c_void_p),
        ("alltoall", _EXCHANGE),
        ("allgather", _EXCHANGE),
        ("alltoall_begin", _EXCHANGE),
        ("alltoall_end", _EXCHANGE),
    ]


class Meeting:
    """Where the groups of one call meet."""

    def __init__(self, groups: int) -> None:
        self._groups = groups
        self._barrier = threading.Barrier(groups)
        self._sent = [0] * groups
        # ctypes keeps no reference to what a structure's function pointer calls.
        self._kept: list[object] = []

    def run(self, work: Callable[[int, int], int]) -> int:
        """`work(group, address of its struct weft_groups)` in a thread a group; the status of the
        first group that did not return 0, one that only waited for it excepted."""
        statuses = [0] * self._groups
        raised: list[BaseException] = []

        def turn(group: int) -> None:
            try:
                statuses[group] = work(group, self._handle(group))
            except BaseException as error:
                raised.append(error)
                statuses[group] = -1
            if statuses[group] != 0:
                self._barrier.abort()

        threads = [threading.Thread(target=turn, args=(group,)) for group in range(self._groups)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if raised:
            raise raised[0]
        failed = [status for status in statuses if status != 0]
        return next((status for status in failed if status > 0), failed[0] if failed else 0)

    def _handle(self, group: int) -> int:
        def alltoall(_context: int | None, given: int, taken: int, each: int) -> int:
            return self._exchange(group, given, taken, each, group * each)

        def allgather(_context: int | None, given: int, taken: int, each: int) -> int:
            return self._exchange(group, given, taken, each, 0)

        def done(_context: int | None, _given: int, _taken: int, _each: int) -> int:
            return 0

        # Copies in memory gain nothing by going on beside other work: the beginning does it all.
        functions = _EXCHANGE(alltoall), _EXCHANGE(allgather), _EXCHANGE(alltoall), _EXCHANGE(done)
        made = _Groups(group, self._groups, None, *functions)
        self._kept += [made, *functions]
        return ctypes.addressof(made)

    def _exchange(self, group: int, given: int, taken: int, each: int, offset: int) -> int:
        """0 once the block at `offset` of every group has been copied; 1 where one has ended."""
        self._sent[group] = given
        try:
            self._barrier.wait()
            for number, start in enumerate(self._sent):
                ctypes.memmove(taken + number * each, start + offset, each)
            # What was sent may be overwritten only when all have it.
            self._barrier.wait()
        except threading.BrokenBarrierError:
            return 1
        return 0
