# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of a library: results, every refusal with its words, what is seen from outside."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import machine, toolchain
from weft.cli import main
from weft.cli.failure import Exit

SOURCE = """\
kernel fft[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)

kernel mixed[n: size](x: c64[n], I: f32, new: bool[n]) -> (y: c64[n], status: f32):
    y = where(new, x * I, x)
    status = sum(abs2(y[i]) for i in 0:n)

kernel look[n: size, m: size](x: f64[n], at: i64[m], k: i32[m]) -> (y: f64[m], j: i32[m]):
    y = gather(x, at)
    j = k + 1

kernel twice[n: size](x: c128[n]) -> (y: c128[n]):
    y = idft(dft(x, axis=0) * 2, axis=0)

kernel plain(x: f64[3]) -> (y: f64[3]):
    y = x + 1
"""
SIZES = ["-D", "b=8,m=3", "-D", "n=60", "-D", "n=64"]
NULL, MISALIGNED, OVERLAP = 3, 4, 5


def made(folder: Path, *words: str) -> Path:
    source = folder / "mix.weft"
    source.write_text(SOURCE, encoding="utf-8")
    assert main(["compile", *words, "--emit", "lib", "-o", str(folder / "made")]) == Exit.OK
    return folder / "made"


@pytest.fixture
def library(tmp_path: Path, target: str) -> ctypes.CDLL:
    kernels = f"{tmp_path / 'mix.weft'}:fft,mixed,look,twice,plain"
    folder = made(tmp_path, kernels, *SIZES, "--target", target)
    if not toolchain.cpu_supports(machine.load(target)):
        pytest.skip(f"this CPU cannot run {target}")
    return ctypes.CDLL(str(folder / "lib" / "libmix.so"))


def called(library: ctypes.CDLL, name: str, *arguments: Any) -> int:
    """Arrays, addresses, or None for a null pointer; scratch comes last."""
    pointers = [a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments]
    return int(getattr(library, name)(*map(ctypes.c_void_p, pointers)))


def message(library: ctypes.CDLL, name: str, status: int) -> str:
    function = getattr(library, name + "_message")
    function.restype = ctypes.c_char_p
    return str(function(status).decode())


def random(*shape: int) -> np.ndarray:
    generator = np.random.default_rng(5)
    return generator.standard_normal(shape) + 1j * generator.standard_normal(shape)


@pytest.mark.parametrize("n", [60, 64])
def test_results(library: ctypes.CDLL, n: int) -> None:
    x, y = random(8, n), np.empty((8, n), complex)
    assert called(library, f"mix_fft_b8_n{n}", x, y, None) == 0
    np.testing.assert_allclose(y, np.fft.fft(x), rtol=1e-13, atol=1e-13)


def test_every_element_type(library: ctypes.CDLL) -> None:
    x, new = random(60).astype(np.complex64), np.arange(60) % 3 == 0
    y, total, scale = np.empty(60, np.complex64), np.empty((), np.float32), np.float32(0.5)
    assert called(library, "mix_mixed_n60", x, np.array(scale), new, y, total, None) == 0
    np.testing.assert_array_equal(y, np.where(new, x * scale, x))
    assert total == pytest.approx(np.sum(np.abs(y) ** 2), rel=1e-5)
    found, number = np.empty(3), np.empty(3, np.int32)
    values, at = np.arange(64.0), np.array([5, 0, 63])
    k = np.array([1, -2, 3], np.int32)
    assert called(library, "mix_look_n64_m3", values, at, k, found, number, None) == 0
    assert found.tolist() == [5, 0, 63]
    assert number.tolist() == [2, -1, 4]
    three = np.empty(3)
    assert called(library, "mix_plain", np.arange(3.0), three, None) == 0
    assert three.tolist() == [1, 2, 3]


def test_a_status_of_the_kernel_has_words(library: ctypes.CDLL) -> None:
    at, k = np.array([0, 64, 1]), np.zeros(3, np.int32)
    arrays = (np.arange(64.0), at, k, np.empty(3), np.empty(3, np.int32))
    status = called(library, "mix_look_n64_m3", *arrays, None)
    assert status > 0
    told = message(library, "mix_look_n64_m3", status)
    assert told == "mix.weft:9:9: an index is out of range in gather(x, at), expected 0 to 63"


def test_scratch_is_lent_or_taken(library: ctypes.CDLL) -> None:
    size = library.mix_twice_n64_scratch_bytes
    size.restype = ctypes.c_size_t
    assert size() > 0
    memory = np.zeros(size() + 64, np.uint8)
    start = memory.ctypes.data + -memory.ctypes.data % 64
    x, lent, taken = random(64), np.empty(64, complex), np.empty(64, complex)
    assert called(library, "mix_twice_n64", x, lent, start) == 0
    assert memory.any(), "it is used"
    assert called(library, "mix_twice_n64", x, taken, None) == 0
    np.testing.assert_array_equal(lent, taken)
    np.testing.assert_allclose(lent, 2 * x, rtol=1e-13, atol=1e-14)
    status = called(library, "mix_twice_n64", x, lent, start + 8)
    assert status == -(MISALIGNED + 16 * 3)
    told = "scratch: its address is no multiple of 64"
    assert message(library, "mix_twice_n64", status) == told
    inside = x.ctypes.data + -x.ctypes.data % 64
    assert called(library, "mix_twice_n64", x, lent, inside) == -(OVERLAP + 16 * 3)


def test_bad_arguments_are_refused_by_name(library: ctypes.CDLL) -> None:
    name, memory = "mix_fft_b8_n64", random(3, 8, 64)
    x, y = memory[0], memory[1]
    at, past = x.ctypes.data, x.nbytes
    wrong = [
        (None, y, NULL, 1, "x: a null pointer"),
        (x, None, NULL, 2, "y: a null pointer"),
        (at + 4, y, MISALIGNED, 1, "x: its address is no multiple of 8"),
        (x, at + past + 1, MISALIGNED, 2, "y: its address is no multiple of 8"),
        (x, x, OVERLAP, 2, "y: it shares memory with an argument before it"),
        (x, at + past - 8, OVERLAP, 2, "y: it shares memory with an argument before it"),
        (at + past, at + 8, OVERLAP, 2, "y: it shares memory with an argument before it"),
    ]
    before = memory.copy()
    for given, result, kind, number, told in wrong:
        status = called(library, name, given, result, None)
        assert status == -(kind + 16 * number), told
        assert message(library, name, status) == told
    np.testing.assert_array_equal(memory, before)
    # Side by side, and at addresses that only elements need, is right.
    assert called(library, name, x, at + past, None) == 0
    assert called(library, name, at + 8, at + past + 8, None) == 0
    assert message(library, name, 0) == "done"
    assert message(library, name, 99) == "no status of this function"


def test_two_inputs_may_be_one(library: ctypes.CDLL) -> None:
    zeros = np.zeros(64, np.int64)
    found, j = np.empty(3), np.empty(3, np.int32)
    assert called(library, "mix_look_n64_m3", zeros, zeros, zeros, found, j, None) == 0


def test_only_its_functions_are_seen(tmp_path: Path) -> None:
    source = f"{tmp_path / 'mix.weft'}:fft,plain"
    folder = made(tmp_path, source, "-D", "b=2,n=8", "--target", "portable", "--name", "other")
    shared = str(folder / "lib" / "libother.so")
    words = ["nm", "--dynamic", "--defined-only", shared]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    stems = ("other_fft_b2_n8", "other_plain")
    expected = {stem + end for stem in stems for end in ("", "_message", "_scratch_bytes")}
    assert {line.split()[-1] for line in lines} == expected
    dynamic = ["objdump", "-p", shared]
    told = subprocess.run(dynamic, check=True, capture_output=True, text=True).stdout
    assert "libother.so" in told.partition("SONAME")[2].splitlines()[0]


CALL_TWICE = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
memory = (ctypes.c_double * 6)()
at = ctypes.addressof(memory)
pointers = [ctypes.c_void_p(value) for value in (at, at + 24, None)]
print(library.mix_plain(*pointers), library.mix_plain(*pointers), memory[3])
library.mix_plain_message.restype = ctypes.c_char_p
print(library.mix_plain_message(-1).decode())
"""


@pytest.mark.skipif(not toolchain.cpu_flags(), reason="this system does not tell what its CPU has")
def test_a_cpu_without_the_instructions_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of the old AMD cores; no CPU has all of them and AVX-512.
    lacking = next(f for f in ("xop", "fma4", "tbm", "sse4a") if f not in toolchain.cpu_flags())
    overlay = tmp_path / "data" / "weft" / "targets" / "portable" / "machine.toml"
    overlay.parent.mkdir(parents=True)
    overlay.write_text(
        f'[cpu_flags]\nvalue = ["sse2", "{lacking}"]\nunit = "names"\nsource = "a test"\n'
        'confidence = "convention"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    folder = made(tmp_path, f"{tmp_path / 'mix.weft'}:plain", "--target", "portable")
    library = folder / "lib" / "libmix.so"
    done = subprocess.run(
        [sys.executable, "-c", CALL_TWICE, str(library)], capture_output=True, text=True
    )
    assert done.returncode == 0
    first, second = done.stdout.splitlines()
    assert first == "-1 -1 0.0", "refused each time, nothing written"
    assert second == f"this CPU cannot run the target portable: it needs sse2, {lacking}"
    # Once, and only what is lacking.
    assert done.stderr == (
        f"libmix.so: this CPU cannot run code for portable: it lacks {lacking};"
        " make the library with --target=portable, which runs anywhere\n"
    )
