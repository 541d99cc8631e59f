# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was made once for a key, so many of them: functions that compile kernels for what they are
given look here first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Remembered(Generic[Made]):
    """The last `most` that were made; those made first are the first to go."""

    def __init__(self, most: int = 1024) -> None:
        self.most = most
        self._made: dict[Hashable, Made] = {}

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What was made for the key; made now where there is none. Threads may each make one."""
        found = self._made.get(key)
        if found is None:
            found = make()
            while len(self._made) >= self.most:
                self._made.pop(next(iter(self._made)), None)
            self._made[key] = found
        return found

    def __iter__(self) -> Iterator[Hashable]:
        """The keys, the oldest first."""
        return iter(list(self._made))
