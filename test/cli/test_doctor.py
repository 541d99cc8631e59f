# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft doctor: each finding, and a status that says whether Weft can be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weft.cli import Exit, doctor, main

NAMES = [
    "python",
    "numpy",
    "native",
    "compiler",
    "openmp",
    "isa",
    "tables",
    "cache",
    "huge pages",
    "kernel",
    "extras",
]


def checks(capsys: pytest.CaptureFixture[str], status: Exit) -> dict[str, dict[str, Any]]:
    capsys.readouterr()
    assert main(["doctor", "--json"]) == status
    record = json.loads(capsys.readouterr().out)
    assert record["usable"] == (status == Exit.OK)
    assert [check["name"] for check in record["checks"]] == NAMES
    for check in record["checks"]:
        assert check["help"] or check["state"] != "fail", "what fails has something to do"
        assert "\n" not in check["found"]
    return {check["name"]: check for check in record["checks"]}


def test_here_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    found = checks(capsys, Exit.OK)
    assert found["compiler"]["found"].endswith("compiles and runs")
    assert "threads" in found["openmp"]["found"]
    assert "MLIR 2" in found["native"]["found"]
    assert "compared with NumPy" in found["kernel"]["found"]
    assert main(["doctor"]) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok   python      3.")
    assert lines[-1].endswith("is usable")


def tool(folder: Path, body: str) -> str:
    path = folder / "mycc"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("WEFT_CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = checks(capsys, Exit.FAULT)
    assert found["compiler"]["state"] == "fail"
    assert "apt-get install gcc" in found["compiler"]["help"]
    assert found["isa"]["state"] != "fail"
    assert main(["doctor"]) == Exit.FAULT
    shown = capsys.readouterr().out
    assert "to do: apt-get install gcc" in shown
    assert shown.splitlines()[-1].endswith("is NOT usable")


def test_compiler_that_cannot_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = '[ "$1" = --version ] && echo mycc 1.0 && exit\necho no stdio.h; exit 1'
    monkeypatch.setenv("WEFT_CC", tool(tmp_path, body))
    found = checks(capsys, Exit.FAULT)
    assert "does not compile a small program; no stdio.h" in found["compiler"]["found"]


def test_without_openmp_it_is_usable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = 'for a in "$@"; do [ "$a" = -fopenmp ] && exit 1; done\nexec gcc "$@"'
    monkeypatch.setenv("WEFT_CC", tool(tmp_path, body))
    found = checks(capsys, Exit.OK)
    assert found["openmp"]["state"] == "note"
    assert "libgomp1" in found["openmp"]["help"]


def test_cache_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "file"))
    found = checks(capsys, Exit.FAULT)
    assert found["cache"]["state"] == "fail"
    assert "WEFT_CACHE_DIR" in found["cache"]["help"]


def test_size_of_the_cache_that_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEFT_CACHE_SIZE", "much")
    found = checks(capsys, Exit.FAULT)
    assert "WEFT_CACHE_SIZE" in found["cache"]["found"]
    assert "500M" in found["cache"]["help"]


def test_cpu_without_avx512_is_usable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from weft import toolchain

    monkeypatch.setattr(toolchain, "cpu_flags", lambda: frozenset({"avx2", "fma", "avx512f"}))
    found = checks(capsys, Exit.OK)
    assert found["isa"]["state"] == "note"
    assert "default target avx2; the CPU has avx512f" in found["isa"]["found"]
    assert "avx512 needs avx512dq, avx512vl, avx512bw" in found["isa"]["found"]


@pytest.mark.parametrize(
    ("setting", "state"),
    [
        ("[always] madvise never", "ok"),
        ("always [madvise] never", "ok"),
        ("always madvise [never]", "note"),
    ],
)
def test_huge_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, state: str
) -> None:
    (tmp_path / "enabled").write_text(setting)
    monkeypatch.setattr(doctor, "HUGE_PAGES", tmp_path / "enabled")
    found, _, advice = doctor._huge_pages()
    assert found.value == state
    assert ("echo madvise" in advice) == (state == "note")


def test_surprise_in_a_check_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(doctor.CHECKS, "isa", lambda: 1 / 0)  # type: ignore[arg-type,return-value]
    found = checks(capsys, Exit.FAULT)
    assert found["isa"]["found"] == "ZeroDivisionError: division by zero"
