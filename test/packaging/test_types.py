# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types as a user's mypy sees them, and the stubs of compiled code as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import weft

USER = """\
import numpy as np
import weft

SOURCE = "kernel k[n: size](x: f64[n]) -> (y: f64[n]):\\n    y = x * 2\\n"


def watch(name: str, array: np.ndarray, line: int) -> None:
    print(name, array.shape, line)


def use() -> None:
    kernel = weft.compile(SOURCE, "k", target="portable", n=4)
    out = np.empty(4)
    kernel(np.ones(4), out=out, threads=np.int64(2))
    slow: weft.Kernel = weft.compile(SOURCE, mode="interpret", on_value=watch)
    slow(x=np.ones(4))
    for name, value in slow.values.items():
        reveal_type(name)
        reveal_type(value.shape)
    reveal_type(kernel.sizes)
    reveal_type(kernel.report)
    many = weft.compile_many([(SOURCE, "k", {"n": 3})], "portable")
    reveal_type(many)
    try:
        weft.compile("kernel")
    except weft.SourceError as error:
        reveal_type([(e.code, e.path, e.line, e.column, e.expected) for e in error.errors])
    except weft.RunError as error:
        reveal_type(error.argument)


use()
"""
WRONG = """\
import weft

weft.compile(5)
weft.compile("k", n="4")
weft.compile("k").asm["c"] = 1
weft.complie("k")
"""


def mypy(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


def test_a_users_program_is_typed(tmp_path: Path) -> None:
    told = mypy(tmp_path / "user.py", USER)
    revealed = [line.split("Revealed type is ")[1].strip('"') for line in told if "Reveal" in line]
    assert revealed == [
        "str",
        "tuple[Any, ...]",
        "dict[str, int]",
        "dict[str, Any]",
        "list[weft.execution.Kernel]",
        "list[tuple[str, str, int, int, str]]",
        "str",
    ], told
    assert "Success" in told[-1]


def test_wrong_uses_are_seen(tmp_path: Path) -> None:
    told = mypy(tmp_path / "user.py", WRONG)
    errors = [line for line in told if ": error: " in line]
    assert [int(line.split(":")[1]) for line in errors] == [3, 4, 5, 6], told


def test_package_is_marked_as_typed() -> None:
    assert (Path(weft.__file__).parent / "py.typed").is_file()


def test_stubs_are_those_of_the_compiled_module(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--concise", "weft.native._compiler"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    # How pybind11 makes classes: a metaclass and a constructor that no stub can name.
    own = ("metaclass differs", 'does not have *args parameter "args"')
    told = [line for line in done.stdout.splitlines() if line.startswith("weft")]
    assert [line for line in told if not any(word in line for word in own)] == [], done.stdout
    assert len(told) > 4, done.stdout + done.stderr
