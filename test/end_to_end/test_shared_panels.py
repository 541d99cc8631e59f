# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices that all cores share: any extents, batches and depths of the buffers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft

TARGET = "sw26010"
SOURCE = """\
kernel product[m: size, n: size, k: size](a: {t}[m, k], b: {t}[k, n]) -> (c: {t}[m, n]):
    c = a @ b

kernel of_columns[m: size, n: size, k: size](a: {t}[k, m], b: {t}[k, n]) -> (c: {t}[m, n]):
    c = transpose(a) @ b

kernel of_rows[m: size, n: size, k: size](a: {t}[m, k], b: {t}[n, k]) -> (c: {t}[m, n]):
    c = a @ transpose(b)

kernel batch[s: size, m: size, n: size, k: size](
    a: {t}[s, m, k], b: {t}[s, k, n]) -> (c: {t}[s, m, n]):
    c = a @ b

kernel one_of_all[s: size, m: size, n: size, k: size](
    a: {t}[m, k], b: {t}[s, k, n]) -> (c: {t}[s, m, n]):
    c[t, i, j] = sum(a[i, l] * b[t, l, j] for l in 0:k)

kernel twice[n: size](a: {t}[n, n], b: {t}[n, n]) -> (c: {t}[n, n]):
    c = (a @ b) @ b
"""
TYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}


def compiled(name: str, type_: str, **sizes: int) -> weft.driver.Compiled:
    return weft.compile(SOURCE.format(t=type_), name, target=TARGET, **sizes)


def numbers(type_: str, *shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(TYPES[type_])


def check(kernel: weft.driver.Compiled, a: np.ndarray, b: np.ndarray, wanted: np.ndarray) -> None:
    """The result as NumPy has it, rounding of sums of k terms allowed, and nothing that depends on
    timing."""
    found = kernel(a, b)
    terms = a.shape[-1] + a.shape[-2]
    bound = np.finfo(a.dtype).eps * (3 + terms**0.5) * np.abs(wanted).max()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=4 * bound)
    assert kernel.report["run"]["hazards"] == []


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64)


EXTENTS = st.one_of(
    st.integers(4, 24), st.sampled_from([31, 32, 33, 37, 61, 64, 67, 96, 100, 127, 128, 131, 200])
)
TERMS = st.one_of(st.integers(1, 24), st.sampled_from([37, 64, 83, 100, 128, 257]))
FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(type_=st.sampled_from(sorted(TYPES)), m=EXTENTS, n=EXTENTS, k=TERMS)
@FEW
def test_any_extents(type_: str, m: int, n: int, k: int) -> None:
    a, b = numbers(type_, m, k), numbers(type_, k, n)
    check(compiled("product", type_, m=m, n=n, k=k), a, b, wide(a) @ wide(b))


@given(s=st.integers(1, 80), m=st.integers(4, 40), n=st.integers(4, 40), k=st.integers(1, 40))
@FEW
def test_any_batch(s: int, m: int, n: int, k: int) -> None:
    a, b = numbers("f32", s, m, k), numbers("f32", s, k, n)
    check(compiled("batch", "f32", s=s, m=m, n=n, k=k), a, b, wide(a) @ wide(b))


@pytest.mark.parametrize(
    ("type_", "shape", "most"),
    [("f64", (1001, 7, 5, 9), 250_000), ("f32", (500, 6, 6, 6), 120_000)],
)
def test_small_products_more_than_cores(
    type_: str, shape: tuple[int, int, int, int], most: int
) -> None:
    """Each core has whole ones of them: in blocks they took 371000 and 169000 cycles."""
    s, m, k, n = shape
    a, b = numbers(type_, s, m, k), numbers(type_, s, k, n)
    kernel = compiled("batch", type_, s=s, m=m, n=n, k=k)
    check(kernel, a, b, wide(a) @ wide(b))
    assert kernel.report["run"]["cycles"] < most


MANY = st.sampled_from([320, 499, 640, 1000, 1537, 2048, 3001])
A_FEW = st.integers(1, 20)


@given(type_=st.sampled_from(sorted(TYPES)), m=MANY, n=st.integers(2, 20), k=A_FEW)
@FEW
def test_many_rows(type_: str, m: int, n: int, k: int) -> None:
    a, b = numbers(type_, m, k), numbers(type_, k, n)
    check(compiled("product", type_, m=m, n=n, k=k), a, b, wide(a) @ wide(b))


@given(type_=st.sampled_from(sorted(TYPES)), m=A_FEW, n=MANY, k=A_FEW)
@FEW
def test_many_columns(type_: str, m: int, n: int, k: int) -> None:
    a, b = numbers(type_, m, k), numbers(type_, k, n)
    check(compiled("product", type_, m=m, n=n, k=k), a, b, wide(a) @ wide(b))


@given(type_=st.sampled_from(sorted(TYPES)), m=A_FEW, n=st.integers(2, 20), k=MANY)
@FEW
def test_many_terms(type_: str, m: int, n: int, k: int) -> None:
    """Each core adds some of them; a transposed factor, as of `x.T @ x`, has its rows in memory."""
    a, b = numbers(type_, m, k), numbers(type_, k, n)
    wanted = wide(a) @ wide(b)
    check(compiled("product", type_, m=m, n=n, k=k), a, b, wanted)
    check(compiled("of_columns", type_, m=m, n=n, k=k), np.ascontiguousarray(a.T), b, wanted)


def cycles(kernel: weft.driver.Compiled, *arrays: np.ndarray) -> int:
    kernel(*arrays)
    return kernel.report["run"]["cycles"]


@pytest.mark.parametrize(
    ("name", "m", "n", "k", "most"),
    [
        ("product", 13000, 8, 8, 200_000),  # 577401 in rows of eight cores
        ("of_columns", 24, 24, 2000, 160_000),  # 309334
        ("of_columns", 8, 8, 13000, 240_000),  # 1670747
        ("of_columns", 3, 3, 50000, 320_000),  # 1175630 by each core for itself
    ],
)
def test_all_cores_have_a_part_of_what_is_long(
    name: str, m: int, n: int, k: int, most: int
) -> None:
    a = numbers("f64", *((k, m) if name == "of_columns" else (m, k)))
    assert cycles(compiled(name, "f64", m=m, n=n, k=k), a, numbers("f64", k, n)) < most


@pytest.mark.parametrize(("m", "n"), [(100, 100), (36, 100), (100, 36), (13, 77)])
def test_blocks_that_overlap_write_each_element_once(m: int, n: int) -> None:
    k = 100
    a, b = numbers("f64", m, k), numbers("f64", k, n)
    kernel = compiled("product", "f64", m=m, n=n, k=k)
    check(kernel, a, b, a @ b)
    assert kernel.report["run"]["counters"]["dma_put_bytes"] == m * n * 8


@pytest.mark.parametrize("type_", sorted(TYPES))
@pytest.mark.parametrize("k", [7, 64, 100])
@pytest.mark.parametrize("n", [13, 49, 50])
def test_whole_rows_that_are_no_whole_vectors(type_: str, n: int, k: int) -> None:
    """They come and go as one run of memory for each core, and nothing beyond them."""
    s, m = 16, 64
    a, b = numbers(type_, s, m, k), numbers(type_, s, k, n)
    kernel = compiled("batch", type_, s=s, m=m, n=n, k=k)
    check(kernel, a, b, wide(a) @ wide(b))
    counters = kernel.report["run"]["counters"]
    size = TYPES[type_].itemsize
    assert counters["dma_put_bytes"] == s * m * n * size
    blocks = counters["dma_puts"]
    # Whole lines but for where a run begins and where it ends.
    assert counters["dma_put_lines"] <= counters["dma_put_bytes"] / 128 + 2 * blocks


@pytest.mark.parametrize("type_", sorted(TYPES))
@pytest.mark.parametrize(("m", "n", "k"), [(128, 96, 64), (61, 67, 83), (40, 200, 17)])
def test_transposed_factors(type_: str, m: int, n: int, k: int) -> None:
    a, b = numbers(type_, m, k), numbers(type_, k, n)
    wanted = wide(a) @ wide(b)
    columns, rows = np.ascontiguousarray(a.T), np.ascontiguousarray(b.T)
    check(compiled("of_columns", type_, m=m, n=n, k=k), columns, b, wanted)
    check(compiled("of_rows", type_, m=m, n=n, k=k), a, rows, wanted)


def test_one_factor_for_a_batch() -> None:
    a, b = numbers("f64", 48, 40), numbers("f64", 12, 40, 56)
    check(compiled("one_of_all", "f64", s=12, m=48, n=56, k=40), a, b, a @ b)


def test_products_one_after_the_other() -> None:
    a, b = numbers("f64", 96, 96), numbers("f64", 96, 96)
    check(compiled("twice", "f64", n=96), a, b, a @ b @ b)


@pytest.mark.parametrize("depth", range(1, 9))
def test_any_depth_of_the_buffers(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_EMU_MESH_SEND_DEPTH", str(depth))
    monkeypatch.setenv("WEFT_EMU_MESH_RECEIVE_DEPTH", str(depth))
    for name, m, n, k in (
        ("product", 64, 64, 1024),
        ("of_columns", 100, 500, 83),
        ("of_columns", 24, 24, 2000),
    ):
        a, b = numbers("f64", m, k), numbers("f64", k, n)
        kernel = compiled(name, "f64", m=m, n=n, k=k)
        check(kernel, a if name == "product" else np.ascontiguousarray(a.T), b, a @ b)
        counters = kernel.report["run"]["phases_by_function"][0]["counters"]
        assert counters["row_sent"] > 0
        assert counters["column_sent"] > 0


def test_every_pass_keeps_the_result() -> None:
    for m, n, k in ((32, 32, 16), (21, 19, 11)):
        kernel = weft.compile(
            SOURCE.format(t="f64"), "product", target=TARGET, verify_each=True, m=m, n=n, k=k
        )
        a, b = numbers("f64", m, k), numbers("f64", k, n)
        check(kernel, a, b, a @ b)


def test_an_element_comes_from_memory_once_a_block() -> None:
    n = 512
    a, b = numbers("f64", n, n), numbers("f64", n, n)
    kernel = compiled("product", "f64", m=n, n=n, k=n)
    check(kernel, a, b, a @ b)
    counters = kernel.report["run"]["phases_by_function"][0]["counters"]
    assert counters["dma_put_bytes"] == a.nbytes
    # The left factor and, for two blocks of rows, the right one twice, and the panel that is
    # fetched behind the last one.
    assert counters["dma_get_bytes"] <= 1.15 * (a.nbytes + 2 * b.nbytes)


def test_the_rate_of_a_large_product() -> None:
    """Half of what the products alone would allow."""
    n = 512
    a, b = numbers("f64", n, n), numbers("f64", n, n)
    kernel = compiled("product", "f64", m=n, n=n, k=n)
    check(kernel, a, b, a @ b)
    run = kernel.report["run"]
    assert 2 * n**3 / run["kernel_seconds"] > 0.5 * run["machine"]["peak_flops"]
