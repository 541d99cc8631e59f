"""What runs compiled kernels, compiled from dsl/bindings/Call.cpp."""

from collections.abc import Sequence
from typing import Any

import numpy as np

MOST: int  # arrays of a QuickCall

def empty(dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
    """A new array at the start of a cache line: whole vectors are then stored to one line each.

    Raises MemoryError.
    """

class ScratchPool:
    """Blocks of one size, aligned, in huge pages where large; those given back are used again."""

    def __init__(self, size: int) -> None: ...
    @property
    def size(self) -> int: ...
    def take(self) -> int | None:
        """The address of a block that nobody else uses; None for a kernel without scratch.

        Raises MemoryError.
        """
    def give(self, block: int | None) -> None: ...

class QuickCall:
    """A kernel at fixed sizes, called where nothing is to be converted.

    Inputs are arrays, given once for all calls, or the type and shape of those that are not;
    `get_threads` and `set_threads` are functions of the OpenMP library, 0 where there is none.
    """

    def __init__(
        self,
        function: int,
        inputs: Sequence[np.ndarray | tuple[np.dtype[Any], tuple[int, ...]]],
        outputs: Sequence[tuple[np.dtype[Any], tuple[int, ...]]],
        scratch: ScratchPool,
        get_threads: int,
        set_threads: int,
        most_threads: int,
    ) -> None: ...
    def __call__(self, arguments: tuple[Any, ...], out: Any, threads: Any) -> Any:
        """The results as a `Kernel` returns them; the kernel's status where it is not 0; None, and
        nothing was done, where the arguments need a second look. Raises MemoryError."""
