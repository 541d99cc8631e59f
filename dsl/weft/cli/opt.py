# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft opt and weft interp: passes on IR with mlir-opt's words, and IR run as it is."""

from __future__ import annotations

import typer

CONTEXT = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def opt(context: typer.Context) -> None:
    """Run passes on IR from a file or standard input (weft-opt; takes mlir-opt's words)."""
    from weft.cli.native_tools import replace_process

    replace_process("weft-opt", context.args)


def interp(context: typer.Context) -> None:
    """Run IR of any stage as it is, plainly and slowly (weft-interp)."""
    from weft.cli.native_tools import replace_process

    replace_process("weft-interp", context.args)
