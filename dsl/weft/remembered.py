# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was made once for a key, so many of them: functions that compile kernels for what they are
given look here first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Remembered(Generic[Made]):
    """The last `most` that were made, of at most so much weight together, or one.

    Those made first are the first to go.
    """

    def __init__(
        self, most: int = 1024, heaviest: int = 0, weigh: Callable[[Made], int] = lambda _: 0
    ) -> None:
        self.most, self.heaviest = most, heaviest
        self._weigh = weigh
        self._made: dict[Hashable, Made] = {}
        self._weight = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What was made for the key; made now where there is none. Threads may each make one."""
        found = self._made.get(key)
        if found is None:
            found = make()
            with self._lock:
                self._keep(key, found)
        return found

    def _keep(self, key: Hashable, made: Made) -> None:
        if key in self._made:
            self._weight -= self._weigh(self._made.pop(key))
        self._made[key] = made
        self._weight += self._weigh(made)
        while len(self._made) > 1 and (len(self._made) > self.most or self._weight > self.heaviest):
            self._weight -= self._weigh(self._made.pop(next(iter(self._made))))

    def __iter__(self) -> Iterator[Hashable]:
        """The keys, the oldest first."""
        with self._lock:
            return iter(list(self._made))
