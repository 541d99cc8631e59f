# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C compiler and the CPU."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

import weft
from weft import machine, toolchain
from weft.diagnostics import RunError

PORTABLE = machine.load("portable")
AVX512 = machine.load("avx512")


def script(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_order_of_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = script(tmp_path, "mycc", "echo mycc 1.0")
    script(tmp_path, "clang", "echo clang 99")
    monkeypatch.delenv("WEFT_CC", raising=False)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert toolchain.find_compiler().version == "clang 99"
    script(tmp_path, "gcc", "echo gcc 98")
    assert toolchain.find_compiler().version == "gcc 98"
    monkeypatch.setenv("CC", "clang")
    assert toolchain.find_compiler().version == "clang 99"
    monkeypatch.setenv("WEFT_CC", str(named))
    assert toolchain.find_compiler().version == "mycc 1.0"


def test_missing_compiler_is_told_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEFT_CC", raising=False)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RunError, match="apt-get install gcc"):
        toolchain.find_compiler()
    monkeypatch.setenv("WEFT_CC", "/no/such/cc")
    with pytest.raises(RunError, match="WEFT_CC names '/no/such/cc'"):
        toolchain.find_compiler()


def test_upgraded_compiler_has_another_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(tmp_path, "mycc", "echo mycc 1")
    monkeypatch.setenv("WEFT_CC", str(path))
    before = toolchain.find_compiler()
    script(tmp_path, "mycc", "echo mycc 2")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1_000_000_000))
    assert toolchain.find_compiler().identity != before.identity


def test_c_to_assembly_to_shared_object(tmp_path: Path) -> None:
    source = tmp_path / "kernel.c"
    source.write_text("int f(void);\nint f(void) { return 7; }\n")
    done = toolchain.compile_c(toolchain.find_compiler(), PORTABLE, source, True)
    assert "f" in (tmp_path / "kernel.s").read_text()
    assert (tmp_path / "kernel.so").read_bytes()[:4] == b"\x7fELF"
    assert done["openmp"] is True
    assert toolchain.has_openmp(toolchain.find_compiler())


def test_avx512_compiles_on_any_cpu(tmp_path: Path) -> None:
    source = tmp_path / "kernel.c"
    source.write_text(
        "#include <immintrin.h>\nvoid f(double *y);\n"
        "void f(double *y) { _mm512_storeu_pd(y, _mm512_set1_pd(1.0)); }\n"
    )
    toolchain.compile_c(toolchain.find_compiler(), AVX512, source, True)
    assert "zmm" in (tmp_path / "kernel.s").read_text()


def test_wrong_c_is_refused_with_command_and_output(tmp_path: Path) -> None:
    source = tmp_path / "kernel.c"
    source.write_text("int f(void) { return x; }\n")
    with pytest.raises(toolchain.RefusedC) as caught:
        toolchain.compile_c(toolchain.find_compiler(), PORTABLE, source, True)
    assert "undeclared" in caught.value.output
    assert "kernel.c" in caught.value.command
    assert not (tmp_path / "kernel.so").exists()


def test_stopped_compiler_is_no_fault_of_weft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(
        tmp_path,
        "mycc",
        f'case "$1" in --version) echo mycc;; *) kill -{int(signal.SIGKILL)} $$;; esac',
    )
    monkeypatch.setenv("WEFT_CC", str(path))
    source = tmp_path / "kernel.c"
    source.write_text("")
    with pytest.raises(RunError, match="stopped by signal 9"):
        toolchain.compile_c(toolchain.find_compiler(), PORTABLE, source, True)


def test_compiler_without_openmp_still_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = toolchain.find_compiler().path
    path = script(
        tmp_path,
        "mycc",
        f'for a in "$@"; do [ "$a" = -fopenmp ] && exit 1; done; exec {real} "$@"',
    )
    monkeypatch.setenv("WEFT_CC", str(path))
    source = tmp_path / "kernel.c"
    source.write_text("int f(void);\nint f(void) {\n#pragma omp parallel\n  return 7;\n}\n")
    compiler = toolchain.find_compiler()
    assert not toolchain.has_openmp(compiler)
    assert toolchain.compile_c(compiler, PORTABLE, source, False)["openmp"] is False


def test_cpu_without_avx512_is_sent_to_avx2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "cpu_flags", lambda: frozenset({"avx2", "fma", "avx512f"}))
    with pytest.raises(RunError) as caught:
        toolchain.require_cpu(AVX512)
    assert "without avx512dq, avx512vl, avx512bw" in str(caught.value)
    assert "'portable'" in str(caught.value)
    assert toolchain.default_target() == "avx2"
    toolchain.require_cpu(machine.load("avx2"))
    toolchain.require_cpu(PORTABLE)


def test_cpu_without_fma_is_sent_to_portable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "cpu_flags", lambda: frozenset({"avx2"}))
    with pytest.raises(RunError, match="without fma"):
        toolchain.require_cpu(machine.load("avx2"))
    assert toolchain.default_target() == "portable"


def test_default_target_is_the_widest_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "cpu_flags", lambda: frozenset(AVX512.cpu_flags))
    assert toolchain.default_target() == "avx512"


def test_commands_of_a_step_run_side_by_side(tmp_path: Path) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    # Each waits for what the other one makes.
    wait = (
        "touch $1; n=0\n"
        "while [ ! -e $2 ]; do sleep 0.01; n=$((n+1)); [ $n -lt 2000 ] || exit 1; done"
    )
    both = str(script(tmp_path, "both", wait))
    after = str(script(tmp_path, "after", "[ -e a ] && [ -e b ] && touch c"))
    toolchain.run_commands([[[both, "a", "b"], [both, "b", "a"]], [[after]]], tmp_path)
    assert (tmp_path / "c").exists()


def test_the_first_of_a_step_that_is_refused_is_told(tmp_path: Path) -> None:
    bad = str(script(tmp_path, "bad", "echo no such word: $1; exit 1"))
    late = str(script(tmp_path, "late", "touch late.o"))
    with pytest.raises(toolchain.RefusedC) as caught:
        toolchain.run_commands([[["true"], [bad, "x"], [bad, "y"]], [[late]]], tmp_path)
    assert caught.value.command == [bad, "x"]
    assert "no such word: x" in caught.value.output
    assert not (tmp_path / "late.o").exists()


def test_flags_of_gcc_are_for_gcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # By whatever name it goes; others refuse such a flag.
    told = "echo cc 12.2.0; echo Copyright, Free Software Foundation, Inc."
    gcc, other = script(tmp_path, "cc", told), script(tmp_path, "clang", "echo clang version 22")
    for path, flags in ((gcc, list(AVX512.gcc_flags)), (other, [])):
        monkeypatch.setenv("WEFT_CC", str(path))
        given = toolchain.target_flags(AVX512, toolchain.find_compiler())
        assert given == [*AVX512.c_flags, *flags]


def test_numbers_that_windows_share_are_read_where_they_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # GCC kept them from one place of a window to the next, on the stack.
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    monkeypatch.setenv("WEFT_CC", "gcc")
    source = (
        "kernel first[C: size, L: size, H: size, W: size](\n"
        "    x: f32[1, C, H, W], g: f32[16*L, C, 3, 3]) -> (y: f32[1, L, H, W, 16]):\n"
        "    y = conv(x, g, pad=1, algorithm=direct, out_layout=nchw16c)\n"
    )
    kernel = weft.compile(source, target="avx2", C=3, L=4, H=112, W=112)
    lines = kernel.asm["s"].splitlines()
    spilled = [line for line in lines if "ymm" in line and "(%rsp)" in line]
    products = [line for line in lines if "vfmadd" in line]
    assert len(spilled) < len(products) / 5
