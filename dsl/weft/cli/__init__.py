# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: one module a verb. Exit status: see `Exit`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import IntEnum


class Exit(IntEnum):
    """What the shell sees."""

    OK = 0
    WRONG = 1  # the user's program is wrong, or its check fails
    USAGE = 2
    FAULT = 3  # a run-time fault
    BUG = 70  # a fault of Weft


def main(argv: Sequence[str] | None = None) -> int:
    """The console script. Verbs that need no parser come first: they stay fast."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments == ["--version"]:
        from weft import __version__

        print(f"weft {__version__}")
        return Exit.OK
    from weft.cli.failure import report
    from weft.diagnostics import WeftError

    try:
        if arguments[:1] == ["opt"]:
            from weft.cli.native_tools import replace_process

            replace_process("weft-opt", arguments[1:])
        from weft.cli.app import run_app

        return run_app(arguments)
    except WeftError as error:
        return report(error)
    except BrokenPipeError:
        # The reader of our output has gone: nothing is left to say, and to whom.
        sys.stderr.close()
        return Exit.OK
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return report(error)
