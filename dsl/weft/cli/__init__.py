# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: one module a verb. Exit status: see `Exit` and docs/tool.md."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from enum import IntEnum


class Exit(IntEnum):
    """What the shell sees."""

    OK = 0
    WRONG = 1  # the user's program is wrong, or its check or goal does not hold
    USAGE = 2  # the command asks for what does not exist
    FAULT = 3  # a run-time fault: inputs, memory, disk, C compiler
    BUG = 70  # a fault of Weft
    INTERRUPTED = 130  # Ctrl-C
    # 141: the reader of the output has gone; the signal's own status


def main(argv: Sequence[str] | None = None) -> int:
    """The console script. Every failure is told here, those of its beginning too."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        # As any Unix tool: who pipes us into `head` wants no message.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        _open_closed()
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Exception as error:
        from weft.cli.failure import report

        return report(error)


def _run(arguments: list[str]) -> int:
    """Verbs that need no parser come first: they stay fast."""
    if arguments == ["--version"]:
        from weft import __version__

        print(f"weft {__version__}")
        return Exit.OK
    if arguments[:1] in (["opt"], ["interp"]):
        from weft.cli.native_tools import VERBS, replace_process

        replace_process(VERBS[arguments[0]], arguments[1:])
    if arguments[:2] == ["emu", "run"] and "_WEFT_COMPLETE" not in os.environ:
        from weft.cli.emu_run import main as run_emulated

        return run_emulated(arguments[2:])
    if os.environ.get("_WEFT_COMPLETE") == "complete_bash":
        from weft.cli.completing import answer_bash

        return answer_bash(arguments)
    from weft.cli.app import run_app

    return run_app(arguments)


def _open_closed() -> None:
    """Numbers 0 to 2 that the caller has closed are taken, lest a file of ours gets one.

    What is written to standard output fails then as it would have, and what to standard error is
    for nobody.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
