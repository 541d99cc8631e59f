# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a transform refuses, as NumPy's and SciPy's callers expect it: a `RunError` that is also the
kind of Python's exceptions which those libraries raise there.
"""

from __future__ import annotations

from weft.diagnostics import RunError


class WrongValue(RunError, ValueError):
    """A length, a norm, a number of workers or an array that there is no transform with."""


class WrongType(RunError, TypeError):
    """No whole number, or numbers of another kind."""


class WrongAxis(RunError, IndexError, ValueError):
    """The array has no such axis: of their functions some raise one, some the other."""
