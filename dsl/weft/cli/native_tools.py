# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft-opt, weft-translate, weft-interp, weft-swcc: the native programs that the wheel carries."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from weft.diagnostics import RunError

# Verbs that are a native program under another name.
VERBS = {"opt": "weft-opt", "interp": "weft-interp"}


def tool_path(name: str) -> Path:
    """A native program of the installed package."""
    from importlib.util import find_spec

    native = find_spec("weft.native._compiler")
    if native is not None and native.origin is not None:
        path = Path(native.origin).parent / "bin" / name
        if path.is_file():
            return path
    raise RunError(
        f"{name} is not installed",
        help="this Weft has no native part; in a working tree, run make setup",
    )


def replace_process(name: str, arguments: Sequence[str]) -> NoReturn:
    """Becomes the native program: its standard streams and exit status are its own."""
    path = tool_path(name)
    for argument in arguments:
        if argument.endswith(".weft"):
            raise RunError(
                f"{name} reads IR, and this is a source",
                argument=argument,
                expected="a .mlir file",
                help=f"weft compile {argument} --emit=ir -o - | {name} -",
            )
    sys.stdout.flush()
    os.execv(path, [name, *arguments])


def weft_opt() -> NoReturn:
    """Console script `weft-opt`."""
    replace_process("weft-opt", sys.argv[1:])


def weft_translate() -> NoReturn:
    """Console script `weft-translate`."""
    replace_process("weft-translate", sys.argv[1:])


def weft_interp() -> NoReturn:
    """Console script `weft-interp`."""
    replace_process("weft-interp", sys.argv[1:])


def weft_swcc() -> NoReturn:
    """Console script `weft-swcc`."""
    replace_process("weft-swcc", sys.argv[1:])
