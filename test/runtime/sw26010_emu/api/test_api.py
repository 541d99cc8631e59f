# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each public name of the SW26010's interfaces compiles and links, in host C, host C++ and slave
code, and what is not supported is refused by its name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from weft import emu

from .names import HOST, HOST_PREAMBLE, REFUSED, SLAVE, SLAVE_PREAMBLE

INCLUDE = Path(__file__).resolve().parents[4] / "runtime" / "sw26010_emu" / "include"
MAIN = "int main(void) { return 0; }\n"


def swcc(*words: object) -> subprocess.CompletedProcess[str]:
    command = [emu.native_file("bin/weft-swcc"), *words]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def program(preamble: str, statements: dict[str, str]) -> str:
    """A function a name. Messages call its file by the name."""
    text = preamble
    for number, (name, statement) in enumerate(statements.items()):
        text += f'#line 1 "use/{name}"\n'
        text += f"long use_{number}(long r) {{ {statement} return r; }}\n"
    return text


def complaints(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """First error or linker's message of each name's file; "" has those of no file."""
    found: dict[str, str] = {}
    for place, message in re.findall(r"use/(\w+):\d+:\d+: (error: .*)", done.stderr):
        found.setdefault(place, message)
    for message, places in re.findall(
        r"(error: .*)\n(?:weft-swcc: help.*\n)?((?: *used at .*\n)*)", done.stderr
    ):
        for place in re.findall(r"used at (\w+):", places):
            found.setdefault(place, message)
    if done.returncode != 0 and not found:
        found[""] = done.stderr
    return found


class Built:
    """All names of all sides, compiled and linked once."""

    def __init__(self, folder: Path) -> None:
        # C++ has no implicit types, and old code includes the header in a block of C.
        cxx = HOST_PREAMBLE.replace("extern SLAVE_FUN(work)();", "void SLAVE_FUN(work)(void *);")
        cxx = f'#include <cerrno>\nextern "C" {{\n{cxx}}}\n'
        texts = {
            "host": ("m.c", program(HOST_PREAMBLE, HOST) + MAIN, ["-host", "-std=gnu89"]),
            "c++": ("m.cpp", program(cxx, HOST), ["-host"]),
            "slave": ("s.c", program(SLAVE_PREAMBLE, SLAVE), ["-slave", "-msimd"]),
        }
        self.errors: dict[str, dict[str, str]] = {}
        for side, (name, text, words) in texts.items():
            (folder / name).write_text(text)
            self.errors[side] = complaints(
                swcc(*words, "-w", "-c", folder / name, "-o", folder / f"{name}.o")
            )
        objects = [folder / "m.c.o", folder / "s.c.o"]
        self.errors["link"] = {}
        if all(file.exists() for file in objects):
            self.errors["link"] = complaints(swcc("-hybrid", *objects, "-o", folder / "program"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(tmp_path_factory.mktemp("api"))


@pytest.mark.parametrize("side", ["host", "c++", "slave", "link"])
def test_nothing_else_is_wrong(built: Built, side: str) -> None:
    assert "" not in built.errors[side]


@pytest.mark.parametrize("name", HOST)
def test_host(built: Built, name: str) -> None:
    assert name not in built.errors["host"]
    assert name not in built.errors["c++"]
    assert name not in built.errors["link"]


@pytest.mark.parametrize("name", SLAVE)
def test_slave(built: Built, name: str) -> None:
    assert name not in built.errors["slave"]
    assert name not in built.errors["link"]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    statement, words = REFUSED[name]
    source, host = tmp_path / "s.c", tmp_path / "m.c"
    source.write_text(program(SLAVE_PREAMBLE, {name: statement}))
    host.write_text("long argument[64];\n" + MAIN)
    done = swcc("-slave", "-msimd", "-w", "-c", source, "-o", tmp_path / "s.o")
    if done.returncode == 0:
        assert swcc("-host", "-c", host, "-o", tmp_path / "m.o").returncode == 0
        done = swcc("-hybrid", tmp_path / "m.o", tmp_path / "s.o", "-o", tmp_path / "program")
    assert done.returncode != 0
    assert words in done.stderr
    assert re.search(rf"(use/|used at ){name}:1", done.stderr), done.stderr


@pytest.mark.parametrize("header", ["athread.h", "mpi.h"])
def test_what_headers_declare_is_there(tmp_path: Path, header: str) -> None:
    """Every function of the host's headers is defined, and every macro of one calls something."""
    text = (INCLUDE / header).read_text()
    functions = re.findall(r"^[a-zA-Z][\w ]*?[ *](\w+)\([^;()]*\);", text, re.M)
    assert len(functions) > 20
    source = tmp_path / "m.c"
    addresses = ", ".join(f"(void *){name}" for name in functions)
    source.write_text(f"#include <{header}>\nvoid *all[] = {{{addresses}}};\n{MAIN}")
    assert swcc("-host", "-c", source, "-o", tmp_path / "m.o").returncode == 0
    done = swcc("-hybrid", tmp_path / "m.o", "-o", tmp_path / "program")
    assert done.returncode == 0, done.stderr
