"""Weft's passes and emitters (stages 4 and 5), compiled from dsl/bindings/Compiler.cpp."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

class Message:
    """One message of the compiler; `line` is 0 where it has no place in the source."""

    @property
    def severity(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

class Note:
    """What a pass `decided` or `rejected`, why, and the numbers that said so; `times` alike."""

    @property
    def pass_(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def numbers(self) -> dict[str, int]: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def times(self) -> int: ...

class IrError(Exception):
    """The IR was refused: by the parser, a verifier, a pass or the emitter."""

    messages: list[Message]

class CheckFailed(Exception):
    """A check of the program failed while it was interpreted; `code` is what a kernel returns."""

    code: int

class ArrayTraffic:
    """One array of a kernel: its size, bytes of all loads and stores, bytes from and to memory."""

    @property
    def name(self) -> str: ...
    @property
    def memory(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def loaded(self) -> int: ...
    @property
    def stored(self) -> int: ...
    @property
    def read(self) -> int: ...
    @property
    def written(self) -> int: ...

class MemoryPass:
    """A nest that moves more than the cache holds, with what it moves each time it runs."""

    @property
    def place(self) -> str: ...
    @property
    def times(self) -> int: ...
    @property
    def read(self) -> int: ...
    @property
    def written(self) -> int: ...

class EmittedParameter:
    """An array of a C function. Complex elements are pairs: a last dimension of two."""

    @property
    def name(self) -> str: ...
    @property
    def element(self) -> str: ...
    @property
    def shape(self) -> list[int]: ...
    @property
    def is_output(self) -> bool: ...

class EmittedKernel:
    """One emitted C function: operations by kind and bytes by memory are exact counts."""

    @property
    def name(self) -> str: ...
    @property
    def c_name(self) -> str: ...
    @property
    def parameters(self) -> list[EmittedParameter]: ...
    @property
    def scratch_bytes(self) -> int: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def bytes(self) -> dict[str, int]: ...
    @property
    def by_element(self) -> dict[str, dict[str, int]]: ...
    @property
    def arrays(self) -> list[ArrayTraffic]: ...
    @property
    def passes(self) -> list[MemoryPass]: ...

class Emitted:
    """A C file and what its functions are; on a core group a second one, which its cores run."""

    @property
    def c(self) -> str: ...
    @property
    def slave(self) -> str: ...
    @property
    def kernels(self) -> list[EmittedKernel]: ...

class RankedRadices:
    """An order of radices, and what the model says that it costs for each point."""

    @property
    def radices(self) -> list[int]: ...
    @property
    def cost(self) -> float: ...

class TransformChoices:
    """What the radices of a transform could be, the model's choice first, then by cost.

    `cost` is in hundredths of a cycle where `is_by_table`, else in operations.
    """

    @property
    def function(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def axis(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def is_given(self) -> bool: ...
    @property
    def chooses_none(self) -> bool: ...
    @property
    def is_by_table(self) -> bool: ...
    @property
    def orders(self) -> list[RankedRadices]: ...

class Module:
    """A module of IR, held in the compiler. Raises IrError where `text` does not parse."""

    def __init__(self, text: str, notes: bool = False) -> None: ...
    @property
    def notes(self) -> list[Note]:
        """What passes said of their choices, where the module was asked to collect that."""

    def run(
        self,
        pipeline: str,
        on_pass: Callable[[str, Callable[[], str]], None] | None = None,
        verify: bool = True,
    ) -> list[Message]:
        """Run passes on the module, named as in `fuse,cse`; `on_pass(flag, text)` after each."""

    def transforms(self, most: int) -> list[TransformChoices]:
        """The choices for each transform, at most so many; before any pass has run."""

    def text(self, locations: bool = True) -> str: ...
    def emit(self, banner: str) -> Emitted: ...
    def interpret(
        self,
        entry: str,
        inputs: Sequence[np.ndarray[Any, Any]],
        max_steps: int = ...,
        reverse_independent: bool = False,
    ) -> list[np.ndarray[Any, Any]]:
        """Run the module as it is; "" is the function marked as entry.

        Complex arrays are taken where the IR has pairs of reals; outputs are as the IR has them.
        Raises IrError at an op without meaning: an index out of bounds, an element never written.
        """

def passes() -> list[tuple[str, str]]: ...
