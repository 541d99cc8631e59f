# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How each kind of failure is told and which exit status it has."""

from __future__ import annotations

import contextlib
import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.cli import Exit
from weft.diagnostics import CompilerBug, DirectiveError, RunError, SourceError

# What a disk or a pipe says that takes no more.
CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EBADF)


class UsageError(RunError):
    """The command asks for something that does not exist."""


@contextmanager
def asked_for() -> Iterator[None]:
    """Within it, a refusal that names an argument speaks of words of the command line.

    One of a directive does not: that is written in the program, or a file of its own.
    """
    try:
        yield
    except RunError as error:
        if not error.argument or isinstance(error, DirectiveError):
            raise
        raise UsageError(
            error.message,
            expected=error.expected,
            found=error.found,
            help=error.help,
        ) from None


def report(error: Exception) -> int:
    """Prints the failure on standard error; the exit status."""
    if isinstance(error, MemoryError):
        error = RunError(f"not enough memory: {error}", help="use smaller sizes")
    if isinstance(error, OSError) and error.errno in CANNOT_WRITE:
        error = _cannot_write(error)
    if not isinstance(error, (SourceError, RunError, CompilerBug)):
        error = unexpected(error)
    print(error.render(), file=sys.stderr)
    if isinstance(error, (SourceError, DirectiveError)):
        return Exit.WRONG
    if isinstance(error, UsageError):
        return Exit.USAGE
    return Exit.BUG if isinstance(error, CompilerBug) else Exit.FAULT


def _cannot_write(error: OSError) -> RunError:
    """Files are written by functions that tell; what is left is standard output."""
    import os

    # Nothing more can go there, not even when the interpreter closes it.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return RunError(f"cannot write {error.filename or 'standard output'}: {error.strerror}")


def unexpected(error: Exception) -> CompilerBug:
    """A fault of Weft, with the traceback kept in a file rather than shown."""
    import shlex
    import traceback

    from weft.artifacts import SCRIPT, keep_reproducer, replay_script

    text = "".join(traceback.format_exception(error))
    command = shlex.join(["weft", *sys.argv[1:]])
    words = shlex.join(sys.argv[1:])
    script = replay_script(words).replace('"$(dirname "$0")"', shlex.quote(str(Path.cwd())))
    folder = keep_reproducer({"traceback.txt": text, "command.txt": command + "\n", SCRIPT: script})
    return CompilerBug(
        f"{type(error).__name__}: {error}",
        reproducer=str(folder),
        replay=f"sh {folder / SCRIPT}",
    )
