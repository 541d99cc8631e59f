# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels over groups, compiled: each stage and the result against the reference."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from weft import driver, hosting
from weft.cli.app import app
from weft.diagnostics import RunError
from weft.hosting import Case
from weft.network import Network

RANDOM = np.random.default_rng(5)
FOLDER = Path(__file__).parents[2] / "examples" / "ft_groups"
ALL = """\
kernel all[G: groups, n: size, m: size](x: c128[n, m], k: i64[n*G]) -> (
        y: c128[n*G, m//G], t: c128[n, m], s: c128, most: f64[m], o: c128[n//G, m], i: i64[n],
        w: c128[n, m*G]):
    y = alltoall(x, split=1, concat=0)
    t = alltoall(2 * y, split=0, concat=1)
    s = allreduce(sum(x), op=mul)
    most = allreduce(real(x[0, :]), op=max)
    o = own(x, axis=0)
    i = own(k, axis=0) + allreduce(sum(k))
    w = allgather(x + 1, axis=1)
"""


def numbers(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)


def compare(text: str, target: str, inputs: list[Any], **sizes: int) -> Any:
    kernel = driver.compile(text, target=target, verify_each=True, **sizes)
    expected = driver.compile(text, mode="interpret", **sizes)(*inputs)
    found = kernel(*inputs)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert np.allclose(one, other, rtol=1e-13, atol=0)
    return kernel


@pytest.mark.parametrize("target", ["portable", "sw26010"])
@pytest.mark.parametrize("groups", [1, 2, 3])
def test_all_collectives(target: str, groups: int) -> None:
    n, m = 2 * groups, 3 * groups
    x, k = numbers(groups, n, m), RANDOM.integers(0, 9, (groups, n * groups))
    kernel = compare(ALL, target, [x, k], G=groups, n=n, m=m)
    assert kernel.report["groups"] == groups
    # One group alone meets nobody.
    assert ("struct weft_groups" in kernel.asm["c"]) == (groups > 1)


@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_alltoall_of_any_axes(data: st.DataObject) -> None:
    groups = data.draw(st.integers(2, 4))
    rank = data.draw(st.integers(1, 3))
    shape = [data.draw(st.integers(1, 3)) for _ in range(rank)]
    split, concat = (data.draw(st.integers(0, rank - 1)) for _ in range(2))
    shape[split] *= groups
    after = list(shape)
    after[split] //= groups
    after[concat] *= groups
    text = f"""\
kernel f[G: groups](x: f32{shape}) -> (y: f32{after}, z: f32{shape}):
    y = alltoall(x + 1, split={split}, concat={concat})
    z = alltoall(y, split={concat}, concat={split}) * 2
"""
    x = RANDOM.normal(size=(groups, *shape)).astype(np.float32)
    compare(text, "portable", [x], G=groups)


@pytest.mark.parametrize("target", ["portable", "sw26010"])
def test_ft_on_slabs(target: str) -> None:
    source, host_file = hosting.example_files(FOLDER)
    assert host_file is not None
    case = Case("", {"nz": 8, "ny": 16, "nx": 16, "niter": 2, "G": 4})
    u = numbers(4, 2, 16, 16)
    sums = driver.compile(source, "ft", target, **case.sizes)(u)
    expected = driver.compile(source, "ft", mode="interpret", **case.sizes)(u)
    assert np.allclose(sums, expected, rtol=1e-12)


@pytest.mark.parametrize("target", ["portable", "sw26010"])
@pytest.mark.parametrize("wrong", [0, 1])
def test_a_wrong_index_in_one_group_ends_all(target: str, wrong: int) -> None:
    text = """\
kernel f[G: groups, n: size](x: f64[n], k: i64[n]) -> (y: f64[n], s: f64[n]):
    y = gather(x, k)
    s = allreduce(y)
"""
    # More than a pipe holds.
    kernel = driver.compile(text, target=target, G=3, n=20000)
    x, k = RANDOM.normal(size=(3, 20000)), np.zeros((3, 20000), np.int64)
    assert np.allclose(kernel(x, k)[1], x[:, 0].sum())
    k[wrong, 2] = 20000
    with pytest.raises(RunError, match=r"gather\(x, k\)"):
        kernel(x, k)
    # And the next call is as if nothing had been.
    k[wrong, 2] = 0
    assert np.allclose(kernel(x, k)[1], x[:, 0].sum())


def test_calls_as_of_other_kernels() -> None:
    text = "kernel f[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    y = allreduce(x)\n"
    kernel = driver.compile(text, target="portable", G=2)
    x = RANDOM.normal(size=(2, 4))
    total = np.broadcast_to(x.sum(axis=0), (2, 4))
    out = np.empty((2, 4))
    assert kernel(x, out=out) is out
    assert np.allclose(out, total)
    assert np.allclose(kernel(x, threads=2), total)
    assert np.allclose(pickle.loads(pickle.dumps(kernel))(x), total)
    assert np.array_equal(kernel(np.ones((2, 9))), np.full((2, 9), 2.0))
    with pytest.raises(RunError, match="threads"):
        kernel(x, threads=0)


def test_the_network_is_reported() -> None:
    source, _ = hosting.example_files(FOLDER)
    kernel = driver.compile(source, "ft", "sw26010", nz=8, ny=8, nx=8, niter=1, G=2)
    kernel(numbers(2, 4, 8, 8))
    run = kernel.report["run"]
    told = run["groups"]
    assert told["groups"] == told["run"] == 2
    # Two all-to-alls of half a slab, and the sum of one checksum.
    assert told["exchanges"] == [
        {"kind": "alltoall", "bytes_each": 4 * 8 * 8 * 16 // 2, "times": 2},
        {"kind": "allgather", "bytes_each": 16, "times": 1},
    ]
    assert told["network_seconds"] > 0
    assert told["overlapped_seconds"] == Network.of_machine().overlapped_seconds(
        told["network_seconds"], told["computing_seconds"]
    )
    whole = told["computing_seconds"] + told["network_seconds"]
    assert whole <= run["kernel_seconds"] <= whole + told["waiting_seconds"] + 1e-9


def test_a_sample_of_the_groups() -> None:
    """Some groups run, the others taken to be like them: the time of all, were all alike."""
    source, _ = hosting.example_files(FOLDER)
    sizes = {"nz": 8, "ny": 8, "nx": 8, "niter": 1, "G": 4}
    kernel = driver.compile(source, "ft", "sw26010", **sizes)
    slab = numbers(1, 2, 8, 8)
    kernel(np.repeat(slab, 4, axis=0))
    whole = kernel.report["run"]
    kernel(slab, run_groups=1)
    sample = kernel.report["run"]
    assert (sample["groups"]["run"], whole["groups"]["run"]) == (1, 4)
    assert sample["groups"]["exchanges"] == whole["groups"]["exchanges"]
    assert sample["groups"]["network_seconds"] == whole["groups"]["network_seconds"]
    assert sample["kernel_seconds"] == pytest.approx(whole["kernel_seconds"], rel=0.02)
    with pytest.raises(RunError, match="shape"):
        kernel(np.repeat(slab, 4, axis=0), run_groups=1)
    for number in (0, 5):
        with pytest.raises(RunError, match=f"{number} of 4 groups") as caught:
            kernel(slab, run_groups=number)
        assert caught.value.expected == "run_groups from 1 to 4"


def test_no_sample_where_all_groups_are_needed() -> None:
    text = "kernel f[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    y = allreduce(x)\n"
    kernel = driver.compile(text, target="portable", G=2, n=4)
    with pytest.raises(RunError, match="1 of 2 groups on portable"):
        kernel(np.ones((1, 4)), run_groups=1)


def test_no_library_of_kernels_over_groups(tmp_path: Path) -> None:
    source = tmp_path / "f.weft"
    source.write_text("kernel f[G: groups](x: f64[4]) -> (y: f64[4]):\n    y = allreduce(x)\n")
    words = ["compile", str(source), "--emit=lib", "--size", "G=2", "-o", str(tmp_path / "lib")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code != 0
    assert "kernel over groups" in str(result.exception) + result.output


STEPS = """\
program steps[G: groups, n: size, m: size, k: size](u: c128[n, m]) -> (
        sums: c128[k], last: c128[n, m]):
    carry v = 2 * u
    carry was = u
    for t in 0:k:
        old = v + t
        carry v = dft(v, axis=1) / m
        w = alltoall(v + 1, split=1, concat=0)
        z = alltoall(w * w, split=0, concat=1)
        carry was = was * 0.5 + z * old + v
        sums[t] = allreduce(sum(dft(w, axis=0))) + t
    last = was + v
"""


@pytest.mark.parametrize("target", ["portable", "sw26010"])
@pytest.mark.parametrize(("groups", "times"), [(2, 1), (2, 2), (3, 3), (2, 4), (2, 5)])
def test_exchanges_beside_computing(target: str, groups: int, times: int) -> None:
    """An iteration's exchange goes on beside its neighbours; an odd and an even number of them.

    What its first part computes and the last one reads waits for that, as the exchange does.
    """
    sizes = {"G": groups, "n": 2, "m": 4 * groups, "k": times}
    kernel = compare(STEPS, target, [numbers(groups, 2, 4 * groups)], **sizes)
    begins = "weft_alltoall_begin" in kernel.asm["c"].replace("static inline int weft_alltoall", "")
    assert begins == (target == "sw26010" and times > 1)
    if target == "sw26010":
        exchanges = kernel.report["run"]["groups"]["exchanges"]
        kinds = {one["kind"]: one["times"] for one in exchanges}
        assert kinds.get("alltoall_begin", 0) == (times if times > 1 else 0)
        assert kernel.report["run"]["hazards"] == []
