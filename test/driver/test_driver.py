# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole flow: from text to a call, through the cache, and what the kernel tells of itself."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from weft import backend, building, cache, cache_folder, driver, machine, pipeline, probe, toolchain
from weft.diagnostics import CompilerBug, RunError, SourceError

SOURCE = """\
kernel wave[n: size](x: c128[n]) -> (y: c128[n]):
    y = dft(x, axis=0)

kernel twice[n: size, m: size](x: f64[n, m], s: f64) -> (y: f64[n, m], t: f64):
    y = 2 * x + s
    t = sum(x)
"""
RANDOM = np.random.default_rng(7)


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that nobody else has used."""
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "fresh"))
    return tmp_path / "fresh"


def complex_array(*shape: int) -> np.ndarray:
    return RANDOM.random(shape) + 1j * RANDOM.random(shape)


def test_sizes_given(target: str) -> None:
    kernel = weft.compile(SOURCE, "wave", target, n=16)
    x = complex_array(16)
    np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)
    assert kernel.sizes == {"n": 16}
    with pytest.raises(RunError, match="argument 'x': wrong shape"):
        kernel(complex_array(8))


def test_sizes_from_arguments(target: str) -> None:
    kernel = weft.compile(SOURCE, "wave", target)
    for n in (4, 8, 4):
        x = complex_array(n)
        np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)
        assert kernel.sizes == {"n": n}
    assert repr(kernel) == f"<weft kernel wave[n=4] for {target}>"


def test_some_sizes_given_and_several_outputs(target: str) -> None:
    kernel = weft.compile(SOURCE, "twice", target, m=3)
    assert kernel.missing_sizes == ["n"]
    x = RANDOM.random((5, 3))
    y, t = kernel(x, 0.5)
    np.testing.assert_allclose(y, 2 * x + 0.5)
    np.testing.assert_allclose(t, x.sum())
    with pytest.raises(RunError, match="'x'"):
        kernel(RANDOM.random((5, 4)), 0.5)


def test_several_kernels_in_one_file(target: str) -> None:
    kernels = driver.compile_many(
        [
            (SOURCE, "wave", {"n": 4}),
            (SOURCE, "wave", {"n": 6}),
            (SOURCE, "twice", {"n": 2, "m": 2}),
        ],
        target,
    )
    assert len({kernel.asm["c"] for kernel in kernels}) == 1
    for kernel, n in zip(kernels, (4, 6), strict=False):
        x = complex_array(n)
        np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)
    np.testing.assert_allclose(kernels[2](np.ones((2, 2)), 1.0)[0], 3 * np.ones((2, 2)))
    assert driver.compile_many([], target) == []


def test_interpreted() -> None:
    x = complex_array(6)
    for sizes in ({}, {"n": 6}):
        kernel = weft.compile(SOURCE, "wave", mode="interpret", **sizes)  # type: ignore[arg-type]
        np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)
        with pytest.raises(RunError, match="no IR, C, assembly"):
            kernel.asm  # noqa: B018
    with pytest.raises(RunError, match="compiled or interpret"):
        weft.compile(SOURCE, "wave", mode="interpreted")


def test_source_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "k.weft"
    path.write_text(SOURCE)
    assert weft.compile(path, "wave", n=4).command.startswith("weft compile k.weft:wave --target=")
    assert weft.compile(str(path), "wave", n=4).sizes == {"n": 4}
    with pytest.raises(RunError, match=r"cannot read .*none\.weft"):
        weft.compile(tmp_path / "none.weft")


@pytest.mark.parametrize(
    ("kernel", "sizes", "told"),
    [
        (None, {}, "which kernel?"),
        ("wav", {}, "did you mean 'wave'?"),
        ("wave", {"N": 4}, "has no size 'N'"),
        ("wave", {"n": 0}, "is no extent"),
        ("wave", {"n": 4.0}, "is no extent"),
    ],
)
def test_wrong_request_is_refused(kernel: str | None, sizes: dict[str, Any], told: str) -> None:
    with pytest.raises(RunError) as caught:
        weft.compile(SOURCE, kernel, **sizes)
    assert told in str(caught.value)


def test_wrong_program_is_told_by_place(tmp_path: Path) -> None:
    path = tmp_path / "wrong.weft"
    path.write_text(SOURCE.replace("dft(x", "dft(z"))
    with pytest.raises(SourceError) as caught:
        weft.compile(path, "wave", n=4)
    assert f"{path}:2:13: error[W101]" in str(caught.value)


def test_second_compilation_needs_no_compiler(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "k.weft").write_text(SOURCE)
    program = (
        "import sys, weft, numpy as np\n"
        f"for sizes in ({{'n': 8}}, {{}}):\n"
        f"    k = weft.compile({str(tmp_path / 'k.weft')!r}, 'wave', 'portable', **sizes)\n"
        "    assert abs(k(np.ones(8, complex))[0] - 8) < 1e-14\n"
        "print('lark' in sys.modules, 'weft.native._compiler' in sys.modules)\n"
    )
    shown = [
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert [done.stdout for done in shown] == ["True True\n", "False False\n"]


@pytest.mark.parametrize("name", ["kernel.so", "kernel.c", cache.MANIFEST])
def test_damaged_entry_is_compiled_again(fresh: Path, name: str) -> None:
    def compiled() -> weft.Kernel:
        return weft.compile(SOURCE, "wave", "portable", n=8)

    compiled()
    for path in fresh.rglob(name):
        path.write_bytes(path.read_bytes()[:10])
    x = complex_array(8)
    np.testing.assert_allclose(compiled()(x), np.fft.fft(x), rtol=1e-13)


def test_entry_published_just_before_the_lock_is_used(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process builds between the look into the cache and the lock: nothing to wait for."""
    program = f"import weft; weft.compile({SOURCE!r}, 'wave', 'portable', n=8)"
    subprocess.run([sys.executable, "-c", program], check=True)
    find, looked = cache.find, set[str]()

    def early(key: str) -> cache.Entry | None:
        if key in looked:
            return find(key)
        looked.add(key)
        return None

    def build(*_: object) -> None:
        raise AssertionError("built again")

    monkeypatch.setattr(cache, "find", early)
    monkeypatch.setattr(building, "_build", build)
    x = complex_array(8)
    kernel = weft.compile(SOURCE, "wave", "portable", n=8)
    np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)


def test_sixty_four_processes_compile_overlapping_kernels(fresh: Path, tmp_path: Path) -> None:
    """As ranks of a program do: each key is built once, every process gets right results."""
    (tmp_path / "counted").write_text(
        "#!/bin/sh\n"
        f'for a in "$@"; do [ "$a" = -S ] && echo >> {tmp_path}/builds; done\n'
        f'exec {toolchain.find_compiler().path} "$@"\n'
    )
    (tmp_path / "counted").chmod(0o755)
    program = (
        "import sys, weft, numpy as np\n"
        "first = int(sys.argv[1])\n"
        "for n in (8 + first, 8 + (first + 1) % 4):\n"
        f"    k = weft.compile({SOURCE!r}, 'wave', 'portable', n=n)\n"
        "    assert abs(k(np.ones(n, complex))[0] - n) < 1e-13\n"
    )
    environment = {**os.environ, "WEFT_CC": str(tmp_path / "counted")}
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(number % 4)], env=environment)
        for number in range(64)
    ]
    assert [process.wait(300) for process in running] == [0] * 64
    assert not list(fresh.glob(".work-*"))
    assert len((tmp_path / "builds").read_text()) == 4


def test_entry_that_left_the_cache_meanwhile_is_made_again(fresh: Path) -> None:
    kernel = weft.compile(SOURCE, "wave", "portable", n=8)
    cache_folder.clear()
    x = complex_array(8)
    np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)
    cache_folder.clear()
    np.testing.assert_allclose(kernel(x), np.fft.fft(x), rtol=1e-13)
    assert "dft" in str(kernel) or "wave" in str(kernel.asm["c"])


def test_compiler_without_openmp_has_kernels_of_its_own(
    fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The OpenMP library may come and go while the compiler stays the same."""
    switch = tmp_path / "no-openmp"
    tool = tmp_path / "mycc"
    real = toolchain.find_compiler().path
    tool.write_text(
        "#!/bin/sh\n"
        f'[ -e {switch} ] && for a in "$@"; do [ "$a" = -fopenmp ] && exit 1; done\n'
        f'exec {real} "$@"\n'
    )
    tool.chmod(0o755)
    monkeypatch.setenv("WEFT_CC", str(tool))
    switch.write_text("")
    assert weft.compile(SOURCE, "wave", "portable", n=8).report["openmp"] is False
    switch.unlink()
    probe.has_openmp.cache_clear()
    assert weft.compile(SOURCE, "wave", "portable", n=8).report["openmp"] is True


def test_threads_at_once_compile_different_kernels(fresh: Path) -> None:
    failures: list[Exception] = []

    def work(n: int) -> None:
        try:
            x = np.ones(n, complex)
            assert abs(weft.compile(SOURCE, "wave", "portable")(x)[0] - n) < 1e-12
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_c_is_the_same_from_everywhere(
    tmp_path: Path, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = set()
    for number in range(2):
        folder = tmp_path / f"folder{number}"
        folder.mkdir()
        (folder / "k.weft").write_text(SOURCE)
        monkeypatch.setenv("WEFT_CACHE_DIR", str(folder / "cache"))
        texts.add(weft.compile(folder / "k.weft", "wave", "portable", n=24).asm["c"])
    (text,) = texts
    assert str(tmp_path) not in text
    assert "weft compile k.weft:wave --target=portable --size n=24" in text


def test_dump_has_every_stage(tmp_path: Path) -> None:
    weft.compile(SOURCE, "wave", "portable", dump_dir=tmp_path / "dump", n=8)
    names = sorted(path.name for path in (tmp_path / "dump").iterdir())
    passes = [name[6:-5] for name in names if name.startswith("20-")]
    assert [n for n in names if not n.startswith("20-")] == [
        "00-command.txt",
        "00-source.weft",
        "01-ast.txt",
        "02-typed.txt",
        "10-weft.mlir",
        "80-notes.txt",
        "90-kernel.c",
        "91-kernel.s",
    ]
    assert passes == [step.flag for step in pipeline.steps("portable")]
    assert "weft.dft" in (tmp_path / "dump" / "10-weft.mlir").read_text()


def test_ir_of_each_stage() -> None:
    kernel = weft.compile(SOURCE, "wave", "portable", n=8)
    ir = kernel.ir
    assert "weft.dft" in ir["lowered"]
    assert "weft.dft" not in ir["after:factor-transform"]
    assert next(reversed(ir)) == "after:check-emittable"
    assert set(ir) == {"lowered", *(f"after:{s.flag}" for s in pipeline.steps("portable"))}


def test_report_is_complete() -> None:
    report = weft.compile(SOURCE, "wave", "portable", n=8).report
    for key in ("name", "sizes", "operations", "bytes", "compiler", "flags", "target", "version"):
        assert key in report
    assert report["operations"], "an eight-point transform is not free"


def replayed(bug: CompilerBug) -> subprocess.CompletedProcess[str]:
    """The reproducer's own command, with this Weft."""
    tool = str(Path(sys.executable).with_name("weft"))
    command = bug.replay.split()
    environment = {**os.environ, "WEFT": tool}
    return subprocess.run(command, env=environment, check=False, capture_output=True, text=True)


def test_refused_ir_is_a_fault_of_weft_with_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.lowering import build_ir

    broken = 'module { "weft.no_such_op"() : () -> () }'
    monkeypatch.setattr(build_ir, "lower", lambda *_: broken)
    with pytest.raises(CompilerBug) as caught:
        weft.compile(SOURCE, "wave", "portable", n=1234)
    text = str(caught.value)
    assert "no_such_op" in text
    folder = Path(caught.value.reproducer)
    kept = (folder / "10-weft.mlir").read_text()
    assert kept.startswith(broken + "\n\n{-#\n")
    assert 'pipeline: "builtin.module(inline,' in kept
    done = replayed(caught.value)
    assert done.returncode != 0
    assert "no_such_op" in done.stderr


def test_refused_c_is_a_fault_of_weft_with_a_replay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = backend.emit

    class Broken:
        def __init__(self, emitted: Any) -> None:
            self.c = emitted.c + "\nsyntax error here\n"
            self.kernels = emitted.kernels

    monkeypatch.setattr(backend, "emit", lambda *arguments: Broken(real(*arguments)))
    with pytest.raises(CompilerBug) as caught:
        weft.compile(SOURCE, "wave", "portable", n=1235)
    folder = Path(caught.value.reproducer)
    assert "syntax error here" in (folder / "90-kernel.c").read_text()
    assert "error" in (folder / "message.txt").read_text()
    assert "--from 90-kernel.c" in (folder / "replay.sh").read_text()


def test_surprise_in_a_stage_is_a_fault_of_weft(monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.lowering import build_ir

    monkeypatch.setattr(build_ir, "lower", lambda *_: 1 / 0)
    with pytest.raises(CompilerBug, match="ZeroDivisionError") as caught:
        weft.compile(SOURCE, "wave", "portable", n=1236)
    assert caught.value.stage == "lowering"
    folder = Path(caught.value.reproducer)
    assert (folder / "00-source.weft").read_text() == SOURCE


def test_calibration_makes_another_kernel(
    fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    first = weft.compile(SOURCE, "wave", "portable", n=8)
    overlay = machine.overlay_file("portable")
    overlay.parent.mkdir(parents=True)
    overlay.write_text(
        '[l2_bytes]\nvalue = 524288\nunit = "bytes"\nsource = "here"\nconfidence = "measured"\n'
    )
    second = weft.compile(SOURCE, "wave", "portable", n=8)
    assert first._compiled().folder != second._compiled().folder
