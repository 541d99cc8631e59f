# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NPB FT called from C: built as its Makefile (pkg-config) and its CMakeLists say, verified."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from weft import machine, toolchain

FOLDER = Path(__file__).parents[2] / "examples" / "ft"
WEFT = str(Path(sys.executable).with_name("weft"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "ft"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("made", "build"))
    return copy / "c"


def run(*words: object) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr
    return done.stdout


def runs(target: str) -> bool:
    return toolchain.cpu_supports(machine.load(target))


def test_makefile(folder: Path, target: str) -> None:
    run("make", "-C", folder, f"WEFT={WEFT}", f"TARGET={target}", "ft")
    if runs(target):
        told = run(folder / "ft")
        assert told.splitlines()[-1] == "verified"
        assert told.count("checksum") == 6


def test_cmake(folder: Path) -> None:
    build = folder / "build"
    run("cmake", "-S", folder, "-B", build, f"-DWEFT={WEFT}", "-DTARGET=portable")
    run("cmake", "--build", build)
    assert run(build / "ft_from_c").splitlines()[-1] == "verified"


def test_a_wrong_field_is_not_verified(folder: Path) -> None:
    source = folder / "ft.c"
    text = source.read_text(encoding="utf-8")
    assert "state = 314159265;" in text
    source.write_text(text.replace("state = 314159265;", "state = 314159266;"), encoding="utf-8")
    run("make", "-C", folder, f"WEFT={WEFT}", "TARGET=portable", "ft")
    done = subprocess.run([folder / "ft"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "NOT verified"
