# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft-opt, weft-translate, weft-interp, weft-swcc: the native programs that the wheel carries."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from weft.diagnostics import RunError, WeftError

# Verbs that are a native program under another name.
VERBS = {"opt": "weft-opt", "interp": "weft-interp"}
# What the options that take a value call it.
VALUES = {
    "weft-interp": {
        "entry": "NAME",
        "input": "ARRAY",
        "random": "SEED",
        "max-steps": "N",
        "show": "N",
    }
}
HELP = ("-h", "-help", "--help", "-help-hidden", "--help-hidden")


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
    from weft.cli.failure import UsageError

    path = tool_path(name)
    last = arguments[-1] if arguments and "--" not in arguments else ""
    value = VALUES.get(name, {}).get(last.lstrip("-")) if last.startswith("-") else None
    if value is not None:
        raise UsageError(f"{last} is given no value", expected=f"{last} {value}")
    for argument in arguments:
        if argument.endswith(".weft"):
            raise UsageError(
                f"{name} reads IR, and this is a source",
                expected="a .mlir file",
                help=f"weft compile {argument} --emit=ir -o - | {name} -",
            )
    sys.stdout.flush()
    if name == "weft-opt":
        _into_a_file(path, name, arguments)
    os.execv(path, [name, *arguments])


def _into_a_file(path: Path, name: str, arguments: Sequence[str]) -> None:
    """Where -o names a file: runs the program, and writes what it says there as all of weft does.

    The file is whole or as it was before, a device or a pipe is written to, a link stays.
    """
    words, files = _without_output(arguments)
    if not files or files[-1] in ("", "-") or any(word in HELP for word in words):
        return
    import subprocess

    from weft.artifacts import require_writable, write_whole

    output = Path(files[-1])
    require_writable(output)
    done = subprocess.run([name, *words], executable=path, stdout=subprocess.PIPE, check=False)
    if done.returncode == 0:
        write_whole(output, done.stdout)
    if done.returncode < 0:
        from weft.cli.emu_run import end_by

        end_by(-done.returncode)
    sys.exit(done.returncode)


def _without_output(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words without -o FILE, and the files."""
    words: list[str] = []
    files: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*words, word, *rest], files
        option, equals, value = word.partition("=")
        if option not in ("-o", "--o"):
            words.append(word)
        elif equals or rest:
            files.append(value if equals else rest.pop(0))
        else:
            return list(arguments), []  # the program tells that the file is missing
    return words, files


def _script(name: str) -> NoReturn:
    from weft.cli.failure import report

    try:
        replace_process(name, sys.argv[1:])
    except WeftError as error:
        sys.exit(report(error))


def weft_opt() -> NoReturn:
    """Console script `weft-opt`."""
    _script("weft-opt")


def weft_translate() -> NoReturn:
    """Console script `weft-translate`."""
    _script("weft-translate")


def weft_interp() -> NoReturn:
    """Console script `weft-interp`."""
    _script("weft-interp")


def weft_swcc() -> NoReturn:
    """Console script `weft-swcc`."""
    _script("weft-swcc")
