# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Headers that the C compiler reads once: the same assembly, and nothing depends on them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from weft import cache_folder, headers, machine, toolchain

AVX512 = machine.load("avx512")
BODY = "void f(double *y);\nvoid f(double *y) { _mm512_storeu_pd(y, _mm512_set1_pd(1.0)); }\n"
C = f"/* Made by\n * a test.\n */\n\n#include <math.h>\n#include <immintrin.h>\n\n{BODY}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("WEFT_CC", raising=False)
    monkeypatch.delenv("CC", raising=False)
    if not Path(toolchain.find_compiler().path).name.startswith("gcc"):
        pytest.skip("only GCC's headers are read once")
    return tmp_path


def compiled(folder: Path, text: str = C) -> str:
    """The assembly."""
    folder.mkdir(exist_ok=True)
    source = folder / "kernel.c"
    source.write_text(text)
    toolchain.compile_c(toolchain.find_compiler(), AVX512, source, openmp=False)
    assert (folder / "kernel.so").exists()
    return source.with_suffix(".s").read_text()


def made() -> list[Path]:
    return [item.place for item in cache_folder.items() if item.kind == "headers"]


def as_it_stands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patch:
        patch.setattr(headers, "precompiled", lambda *_: [])
        return compiled(folder)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (C, "#include <math.h>\n#include <immintrin.h>\n"),
        ("/* a */\n// b\n", ""),
        ("/* a\n b */ int x;\n#include <math.h>\n", ""),
        ("#include <math.h>\n#define X\n#include <stdio.h>\n", "#include <math.h>\n"),
        ('#include <math.h>\n#include "own.h"\n#include <stdio.h>\n', "#include <math.h>\n"),
    ],
)
def test_only_what_is_in_front_of_all_else(tmp_path: Path, text: str, found: str) -> None:
    path = tmp_path / "a.c"
    path.write_text(text)
    assert headers.leading(path) == found


def test_the_same_assembly_from_headers_made_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = as_it_stands(folder / "alone", monkeypatch)
    assert made() == []
    assert compiled(folder / "first") == alone
    (place,) = made()
    assert (place / headers.PRECOMPILED).stat().st_size > 1_000_000
    assert compiled(folder / "second") == alone
    assert made() == [place]


def test_other_flags_have_headers_of_their_own(folder: Path) -> None:
    compiled(folder)
    source = folder / "kernel.c"
    toolchain.compile_c(toolchain.find_compiler(), AVX512, source, openmp=True)
    assert len(made()) == 2


def test_headers_that_are_gone_or_damaged_are_no_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = as_it_stands(folder / "alone", monkeypatch)
    compiled(folder)
    (place,) = made()
    (place / headers.PRECOMPILED).write_bytes(b"no headers")
    assert compiled(folder) == alone
    shutil.rmtree(place)
    assert compiled(folder) == alone
    assert len(made()) == 1


def test_an_option_that_the_compiler_does_not_take_is_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = as_it_stands(folder / "alone", monkeypatch)
    monkeypatch.setattr(headers, "precompiled", lambda *_: ["-include", "/no/such/headers.h"])
    assert compiled(folder) == alone


def test_a_missing_header_is_told_of_the_source(folder: Path) -> None:
    with pytest.raises(toolchain.RefusedC) as caught:
        compiled(folder, C.replace("math.h", "nowhere.h"))
    assert "kernel.c" in caught.value.output
    assert "nowhere.h" in caught.value.output
    assert made() == []


@pytest.mark.parametrize("why", ["a small cache", "no folder", "another compiler", "short headers"])
def test_none_are_made(folder: Path, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    text = C
    if why == "a small cache":
        monkeypatch.setenv("WEFT_CACHE_SIZE", "100M")
    elif why == "no folder":
        (folder / "file").write_text("")
        monkeypatch.setenv("WEFT_CACHE_DIR", str(folder / "file"))
    elif why == "another compiler":
        path = folder / "mycc"
        path.write_text('#!/bin/sh\nexec gcc "$@"\n')
        path.chmod(0o755)
        monkeypatch.setenv("WEFT_CC", str(path))
    else:
        text = "#include <math.h>\nint f(void);\nint f(void) { return 7; }\n"
    assert "f:" in compiled(folder / "work", text)
    assert made() == []
