# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weft errs at most 1.5 times as much as the best library, on lengths of every class."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from weft import module_files, toolchain

FOLDER = Path(__file__).parents[2] / "bench" / "accuracy"
# Nothing, powers, 2^a 3^b 5^c 7^d, codelets of primes, Bluestein's and products with them.
LENGTHS = "1 3 4 6 16 30 64 243 1000 4096 17 37 61 251 1022"


def load(name: str) -> Any:
    return module_files.load(FOLDER / f"{name}.py")


@pytest.fixture(scope="module")
def bench() -> Any:
    return load("bench")


@pytest.fixture(scope="module")
def own(bench: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The transforms of exact.c, FFTW's in 128 bits or not."""
    compiler = toolchain.find_compiler().path
    library = bench.reference.build(tmp_path_factory.mktemp("exact"), compiler)
    return bench.reference.Reference(library, None)


def lines(count: int, n: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.uniform(-1, 1, (count, n, 2)).view(np.complex128)[..., 0]


def test_no_length_class_errs_more(
    bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEFT_BENCH_LENGTHS", LENGTHS)
    monkeypatch.setenv("WEFT_BENCH_ACCURACY_FILE", str(tmp_path / "errors.jsonl"))
    found = list(bench.records())
    assert len(found) == 4 * len(LENGTHS.split())
    assert {record["case"]: record["ratio"] for record in found if not record["met"]} == {}
    # What was measured is there, and is not measured again.
    monkeypatch.setattr(bench, "measure", lambda missing, *_: iter([] if not missing else [1 / 0]))
    assert list(bench.records()) == found
    kept = bench.keeping.read(tmp_path / "errors.jsonl")
    picture = ElementTree.fromstring(load("plot").draw(kept))
    circles = [e for e in picture.iter() if e.tag.endswith("circle")]
    assert len(circles) == 2 * len(found)
    assert not [e for e in circles if e.get("class") == "beyond"]
    # Letters of a bold title are 10 wide at most, on average.
    wide = float(picture.get("viewBox", "").split()[2])
    for e in picture.iter("{http://www.w3.org/2000/svg}text"):
        each = {"title": 10.0, "small": 6.5}.get(e.get("class", ""), 0.0)
        assert float(e.get("x", 0)) + each * len(e.text or "") <= wide


def test_a_run_that_was_stopped_goes_on(bench: Any, tmp_path: Path) -> None:
    file = tmp_path / "errors.jsonl"
    assert bench.keeping.read(file) == []
    bench.keeping.append(file, {"n": 3})
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"n": 4, "ki')
    assert bench.keeping.read(file) == [{"n": 3}]
    bench.keeping.append(file, {"n": 5})
    assert bench.keeping.read(file) == [{"n": 3}, {"n": 5}]


def test_errors_are_those_that_were_made(bench: Any, own: Any) -> None:
    for n in (1, 2, 12, 97, 100):
        x = lines(3, n)
        exact = own.transform(x, -1)
        right = np.fft.fft(x, axis=1)
        assert own.error(exact, 1, right) < 1e-15
        assert own.error(exact, n, right / n) < 1e-15
        assert own.error(exact, 1, right * (1 + 1e-6)) == pytest.approx(1e-6, rel=1e-6)
        assert own.error(own.transform(x, +1), n, np.fft.ifft(x, axis=1)) < 1e-15
    y = lines(2, 8).astype(np.complex64)
    assert 1e-9 < own.error(own.transform(y, -1), 1, np.fft.fft(y).astype(np.complex64)) < 1e-7
    zero = np.zeros((1, 4), np.complex128)
    assert own.error(own.transform(zero, -1), 1, zero) == 0
    assert own.error(own.transform(zero, -1), 1, zero + 0.5) == 1


def test_exact_is_exact_far_beyond_double(bench: Any, own: Any) -> None:
    """Forward and back, a transform of 113 bits gives what it had; impulses give roots."""
    quad = bench.reference.find_quad()
    for n in (7, 64, 360, 1021):
        x = lines(2, n, seed=n)
        forward = own.transform(x, -1)
        # The result as doubles would lose what is to be seen: transform it as it is.
        back = np.empty_like(forward)
        arguments = [bench.reference.ctypes.c_long(v) for v in x.shape]
        pointers = [bench.reference._pointer(a) for a in (forward, back)]
        sign = bench.reference.ctypes.c_int(1)
        assert own._library.exact_transform(*arguments, sign, *pointers) == 0
        assert own.error(back, n, x) < 1e-31
        if quad is not None:
            other = bench.reference.Reference(own._library, quad).transform(x, -1)
            # 128-bit numbers have no dtype: both are compared with one result.
            got = np.fft.fft(x, axis=1)
            assert own.error(forward, 1, got) == pytest.approx(own.error(other, 1, got), rel=1e-12)


def test_lengths_and_ratios(bench: Any) -> None:
    assert bench.lengths_of("1..4 8") == [1, 2, 3, 4, 8]
    every = bench.lengths_of(bench.LENGTHS)
    assert set(range(1, 1025)) | {1 << k for k in range(23)} == set(every)
    entry = {"n": 4, "kind": "c64", "target": "t", "exact": "e"}
    errors = {"Weft": 3.0, "a": 2.5, "b": 2.0}
    (record,) = bench.to_records({**entry, "errors": {"forward": errors}})
    assert (record["peer"], record["ratio"], record["met"]) == ("b", 1.5, True)
    (record,) = bench.to_records({**entry, "errors": {"forward": {"Weft": 1e-9, "a": 0.0}}})
    assert record["met"] is False
