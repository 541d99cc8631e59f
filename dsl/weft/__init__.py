# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weft: FFT and convolution kernels from one source to readable many-core C."""

from __future__ import annotations

# Type checkers take it for typing.TYPE_CHECKING, whose import would take longer than all of this.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from weft import diagnostics as diagnostics
    from weft import fft as fft
    from weft import nn as nn
    from weft.diagnostics import CompilerBug as CompilerBug
    from weft.diagnostics import DirectiveError as DirectiveError
    from weft.diagnostics import RunError as RunError
    from weft.diagnostics import SourceError as SourceError
    from weft.diagnostics import WeftError as WeftError
    from weft.driver import compile as compile
    from weft.driver import compile_many as compile_many
    from weft.execution import Kernel as Kernel
    from weft.hosting import Case as Case
    from weft.hosting import Verdict as Verdict

__version__ = "0.1.0"

# Where each public name lives. Nothing is imported before it is asked for: `import weft` costs
# nothing, and a kernel from the cache needs neither the front end nor the native module.
_HOME = {
    "compile": "driver",
    "compile_many": "driver",
    "Kernel": "execution",
    "Case": "hosting",
    "Verdict": "hosting",
    "WeftError": "diagnostics",
    "SourceError": "diagnostics",
    "RunError": "diagnostics",
    "DirectiveError": "diagnostics",
    "CompilerBug": "diagnostics",
}
_MODULES = ("diagnostics", "fft", "nn")
__all__ = [
    "Case",
    "CompilerBug",
    "DirectiveError",
    "Kernel",
    "RunError",
    "SourceError",
    "Verdict",
    "WeftError",
    "__version__",
    "compile",
    "compile_many",
    "diagnostics",
    "fft",
    "nn",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"weft.{name}")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'weft' has no attribute {name!r}")
    value = getattr(import_module(f"weft.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
