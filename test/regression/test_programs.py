# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that once went wrong, each by its fault: well formed, and compiled as the reference."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

import weft
from conftest import skip_unless_runnable
from semantics.typed_rules import check_module
from weft import machine
from weft.semantics import checker
from weft.syntax import parser

CPU = ("portable", "avx512")
ALL = (*CPU, "sw26010")


@dataclass(frozen=True)
class Case:
    """A source whose kernel is called k."""

    text: str
    sizes: dict[str, int] = field(default_factory=dict)
    rtol: float = 1e-11
    targets: tuple[str, ...] = CPU


CASES = {
    # The parts of a complex matrix and of its conjugate begin with the same real parts: one of them
    # got the other's layout.
    "batch_times_its_conjugate": Case(
        "kernel k(a: c128[2, 24, 24]) -> (p: c128[2, 24, 24], q: c128[2, 24, 24]):\n"
        "    p[u, i, j] = sum(a[u, i, k]*conj(a[u, j, k]) for k in 0:24)\n"
        "    q[u, i, j] = sum(conj(a[u, k, i])*a[u, k, j] for k in 0:24)\n",
        targets=ALL,
    ),
    # Rows that came to a core in parts, beside reads of all rows: the first saw what was not there.
    "rows_against_all_rows": Case(
        "kernel k(x: f64[64, 16, 4]) -> (y: f64[64, 16, 16]):\n"
        "    y[b, i, j] = sum((x[b, i, k] - x[b, j, k])**2 for k in 0:4)\n",
        targets=ALL,
    ),
    # Lanes three apart that read one vector, no more: taken as they lie.
    "picked_from_one_vector": Case(
        "kernel k(x: f32[18], u: f32[5, 66], v: f32[5, 22])"
        " -> (y: f32[6], z: f32[6], s: f32[5], t: f32[5]):\n"
        "    y[i in 0:6] = x[3*i] * 2.0\n"
        "    z[i in 0:6] = x[15 - 3*i] * 2.0\n"
        "    s[j] = sum(u[j, 3*i] * v[j, i] for i in 0:22)\n"
        "    t[j] = sum(u[j, 65 - 3*i] * v[j, i] for i in 0:22)\n",
        rtol=1e-5,
    ),
    # Terms of two indices made one saw the memory of a value that a schedule lays out.
    "rows_of_terms_beside_a_layout": Case(
        "kernel k(v: c64[8, 24, 16]) -> (y: c64[8], w: c64[8, 24, 16]):\n"
        "    x = dft(v, axis=2)\n"
        "    y[i] = sum(x[i, a, b] for a in 0:24, b in 0:16)\n"
        "    w = dft(x, axis=1)\n"
        "schedule k on avx512:\n"
        "    layout x as split\n",
        rtol=1e-4,
    ),
    # Parts of complex rows that data picks, taken for ones whose place is affine.
    "complex_rows_at_data": Case(
        "kernel k(x: c128[16, 32], i: i64[9], z: c64[37, 32])"
        " -> (y: c128[9, 32], c: c64[37, 32]):\n"
        "    y = gather(x, i)\n"
        "    c = dft(z, axis=0)\n",
        rtol=1e-5,
        targets=(*ALL, "avx2"),
    ),
    # Names of C's headers: an output called HUGE_VAL was a number for the compiler, and crashed.
    "names_of_headers": Case(
        "kernel k(x: f64[6, 6]) -> (HUGE_VAL: f64[6, 6], INT32_MAX: f64[6, 6]):\n"
        "    for doublev4 in 0:6:\n"
        "        for athread_join in 0:6:\n"
        "            HUGE_VAL[doublev4, athread_join] = x[athread_join, doublev4]*3\n"
        "    INT32_MAX = HUGE_VAL + x\n",
        targets=ALL,
    ),
    # The terms of a sum in parts, of which columns that two vectors have took all but the first
    # twice: only between one vector of columns and two, and beyond what the first cache holds.
    "two_vectors_overlap_in_parts_of_terms": Case(
        "kernel k(a: f64[12, 500], b: f64[500, 12], c: f64[5000, 12], d: f32[600, 24])"
        " -> (y: f64[12, 12], g: f64[12, 12], h: f32[24, 24]):\n"
        "    y = a @ b\n"
        "    g[i, j] = sum(c[t, i] * c[t, j] for t in 0:5000)\n"
        "    h[i, j] = sum(d[t, i] * d[t, j] for t in 0:600)\n",
        rtol=1e-4,
        targets=(*CPU, "avx2"),
    ),
    # A transposed copy of a part of what stages compute, taken for one of all of it.
    "part_of_a_transform_transposed": Case(
        "kernel k(x: f64[33, 100], z: c128[16, 9]) -> (y: c128[100, 17], p: c128[9, 4]):\n"
        "    y = transpose(rfft(x, axis=0))\n"
        "    a = dft(z, axis=0)\n"
        "    p = 2 * transpose(a[0:4, :])\n",
        targets=ALL,
    ),
    # What a loop carries lay where its first value did, which the iterations read as well.
    "carried_value_begins_with_what_iterations_read": Case(
        "program k(x: f64[7, 17]) -> (y: c128[7, 17], z: c128[7, 17]):\n"
        "    v = dft(c128(x), axes=[1, 0])\n"
        "    carry a = v * 0.5\n"
        "    carry b = v\n"
        "    carry c = v * 0.5\n"
        "    for t in 0:4:\n"
        "        carry a = b\n"
        "        carry b = c\n"
        "        carry c = v\n"
        "    y = a\n"
        "    z = c\n",
        targets=ALL,
    ),
    # Two chains of stages took the map that reads both.
    "halves_that_are_transforms": Case(
        "kernel k(y: c128[8, 64], h: c128[8, 64]) -> (x: c128[8, 128]):\n"
        "    x[:, 0:64] = dft(y, axis=1)\n"
        "    x[:, 64:128] = dft(h, axis=1)\n",
        targets=ALL,
    ),
    "product_of_spectra": Case(
        "kernel k(y: c128[8, 37], h: c128[8, 37]) -> (x: c128[8, 37]):\n"
        "    x = dft(y, axis=1) * dft(h, axis=1)\n",
        targets=ALL,
    ),
    "product_and_sum_of_spectra": Case(
        "kernel k(y: c128[8, 101], h: c128[8, 101]) -> (x: c128[8, 101]):\n"
        "    x = dft(y, axis=1) * dft(h, axis=1) + dft(y * h, axis=1)\n",
        targets=ALL,
    ),
    # Cores folded the border of one plane where windows reach over three.
    "volumes_with_a_border_beside_columns": Case(
        "kernel k(x: f64[1, 4, 5, 5, 5], g: f64[4, 4, 3, 3, 3]) -> (y: f64[1, 4, 3, 3, 5]):\n"
        "    y = conv(x, g, pad=[0, 0, 1], algorithm=direct)\n",
        targets=ALL,
    ),
    "volumes_with_a_border_beside_rows_and_columns": Case(
        "kernel k(x: f64[1, 4, 5, 5, 5], g: f64[4, 4, 3, 3, 3]) -> (y: f64[1, 4, 3, 5, 5]):\n"
        "    y = conv(x, g, pad=[0, 1, 1], algorithm=direct)\n",
        targets=ALL,
    ),
    # What one part had computed was copied over the carried value before the next part read it.
    "carried_value_of_two_parts": Case(
        "kernel step[n: size](x: f64[n]) -> (y: f64[n]):\n"
        "    y[i in 0:2] = 3*x[i]\n"
        "    y[i in 2:n] = 2*x[i]\n"
        "program k(x: f64[4]) -> (y: f64[4]):\n"
        "    carry v = x\n"
        "    for t in 0:2:\n"
        "        carry v = step(v)\n"
        "    y = v\n"
    ),
    "carried_columns_of_two_blocks": Case(
        "program k(x: c128[39, 60]) -> (y: c128[39, 60]):\n"
        "    carry v = x\n"
        "    for t in 0:2:\n"
        "        carry v = dft(v, axis=0, norm=ortho)\n"
        "    y = v\n"
    ),
    # The last square of a transposed copy began where the index does not wrap.
    "transposed_reads_that_wrap": Case(
        "kernel k(x: f64[20, 16]) -> (y: f64[20, 20]):\n"
        "    y[i in 0:20, j in 0:20] = x[j, i % 16]\n"
    ),
    "transposed_planes_that_wrap": Case(
        "kernel k(x: f32[40, 6, 32]) -> (y: f32[40, 6, 40]):\n"
        "    y[r in 0:40, j in 0:6, i in 0:40] = x[i, j, r % 32]\n"
    ),
    "transposed_work_with_what_wraps": Case(
        "kernel k(x: f64[20, 20], b: f64[16]) -> (y: f64[20, 20]):\n"
        "    y[i in 0:20, j in 0:20] = x[j, i] + b[j % 16]\n"
    ),
    # Functions of the C library were applied to whole squares of a transposed copy.
    "transposed_powers": Case(
        "kernel k(x: f64[20, 16], b: f64[20]) -> (y: f64[16, 20]):\n"
        "    y[i in 0:16, j in 0:20] = (x[j, i]*x[j, i] + 0.5) ** b[j]\n"
    ),
    "transposed_cosines": Case(
        "kernel k(x: f32[20, 16]) -> (y: f32[16, 20]):\n"
        "    y[i in 0:16, j in 0:20] = cos(x[j, i]) + sin(x[j, i])\n",
        rtol=1e-5,
    ),
    "cosines_of_a_convolution": Case(
        "kernel k(x: f32[1, 8, 20, 20], w: f32[16, 8, 3, 3]) -> (y: f32[1, 16, 20, 20]):\n"
        "    p = conv(x, w, pad=1)\n"
        "    y[n, c, i, j] = cos(p[n, c, i, j])\n",
        rtol=1e-3,
    ),
    "complex_to_the_zeroth": Case(
        "kernel k(z: c128[3]) -> (y: c128[3]):\n    y = z ** 2 - z ** 0\n"
    ),
    # GCC 12 lost elements of loops that it unrolls whole, where a side of `? :` was computed there.
    "chosen_in_a_short_inner_loop": Case(
        """
kernel k(x: c64[3, 1, 7]) -> (y: c64[3, 1, 7]):
    t = dft(x, axes=[0, 2], norm=ortho)
    y = where((1.25 <= real(x)), (x - t), x)
""".lstrip(),
        rtol=1e-5,
    ),
    # GCC 12 took wrong elements where it joined such additions into vectors.
    "sum_of_rotated_rows": Case(
        "kernel k(x: f64[8, 12]) -> (y: f64):\n    y = sum(roll(x, -1, axis=-1))\n"
    ),
    "sum_of_reversed_rows": Case(
        "kernel k(x: f64[9, 4]) -> (y: f64):\n    y = sum(x[i, 3 - j] for i in 0:9, j in 0:4)\n"
    ),
    "sum_of_products_of_reversed_rows": Case(
        "kernel k(x: f32[9, 3], z: f32[9, 3]) -> (y: f32):\n"
        "    y = sum(x[i, 2 - j] * z[i, 2 - j] for i in 0:9, j in 0:3)\n",
        rtol=1e-5,
    ),
    # A product outside of the reduction that yields it stayed complex.
    "sum_of_what_no_index_changes": Case(
        "kernel k(x: c128[8, 3]) -> (y: c128[8]):\n"
        "    for i in 0:8:\n"
        "        t = x[i, 1] ** 4\n"
        "        y[i] = sum(t for q in 0:3)\n"
    ),
    # The next value of a loop was computed where another shape of the last one was still read.
    "carried_value_read_late_in_another_shape": Case(
        "program k(x: f64[6, 4]) -> (y: f64[3]):\n"
        "    carry v = 2.0 * x\n"
        "    for t in 0:3:\n"
        "        w = reshape(v, [24])\n"
        "        carry v = v + 1.0\n"
        "        y[t] = sum(w[5*i % 24] for i in 0:7)\n"
    ),
    # A value took the address of one that was erased, and its place with it.
    "complex_sums_compared": Case(
        "kernel k(a: f32, x: c128[6]) -> (y: bool[8, 6]):\n"
        "    y[i in 0:8, j in 0:6] = -c64(a) != sum(c64(x[j]) for p in 0:8, q in 0:8)\n"
    ),
    # The layout of one factor was changed for the other one, which was the same tensor.
    "product_of_a_computed_tensor_with_itself": Case(
        "kernel k(a: f64[16, 16, 16], b: f64[16, 16, 16]) -> (y: f64[16, 16, 16]):\n"
        "    t = a - b\n"
        "    y = t @ t\n"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_is_well_formed(name: str) -> None:
    case = CASES[name]
    checked = checker.check(parser.parse(case.text, "t.weft"))
    check_module(checker.instantiate(checked, "k", case.sizes))


@pytest.mark.parametrize(
    ("name", "target"), [(name, target) for name, case in CASES.items() for target in case.targets]
)
def test_is_compiled_as_the_reference(name: str, target: str) -> None:
    skip_unless_runnable(machine.load(target))
    case = CASES[name]
    reference = weft.compile(case.text, "k", mode="interpret", **case.sizes)
    kernel = weft.compile(case.text, "k", target, **case.sizes)
    random = np.random.default_rng(3)
    inputs = [_array(random, p.shape, p.dtype) for p in reference.inputs]
    expected, found = reference(*inputs), kernel(*inputs)
    for one, other in zip(_all(found), _all(expected), strict=True):
        scale = float(np.max(np.abs(other), initial=0))
        np.testing.assert_allclose(one, other, rtol=case.rtol, atol=case.rtol * scale)


def test_products_are_shared_alike_in_every_run(tmp_path: Path) -> None:
    """a * b and b * a were one product or two, as their values happened to lie in memory."""
    text = (
        "kernel k(a: c128[6, 4], b: c128[6, 4], c: c128[4]) -> (y: c128[6, 4]):\n"
        "    y = conj(a) * b * (2 - 1j) + c * a * 1j - b * a\n"
    )
    for number in range(8):
        weft.compile(text, "k", "portable", dump_dir=tmp_path / str(number))
    made = {
        next((tmp_path / str(number)).glob("20-*-simplify-butterflies.mlir")).read_text()
        for number in range(8)
    }
    assert len(made) == 1


def _array(random: np.random.Generator, shape: tuple[int, ...], dtype: object) -> np.ndarray:
    kind = np.dtype(dtype).kind  # type: ignore[call-overload]
    if kind in "iub":
        return np.asarray(random.integers(0, 2 if kind == "b" else 5, shape)).astype(dtype)
    part = random.uniform(-2, 2, shape)
    return np.asarray(part + (1j * random.uniform(-2, 2, shape) if kind == "c" else 0)).astype(
        dtype
    )


def _all(outputs: object) -> list[np.ndarray]:
    return [np.asarray(o) for o in (outputs if isinstance(outputs, tuple) else (outputs,))]
