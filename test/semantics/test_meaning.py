# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checked programs mean: instantiated, evaluated by the reference, compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pytest

from semantics.typed_rules import check_module
from weft.semantics import checker
from weft.semantics.reference import evaluate
from weft.syntax.parser import parse

Arrays = dict[str, np.ndarray]


def run(text: str, name: str | None = None, **arguments: Any) -> Any:
    """Sizes from the arrays given; integers are sizes. One output is returned bare."""
    checked = checker.check(parse(text, "test.weft"))
    name = name or list(checked.names())[-1]
    given = {n: v for n, v in arguments.items() if isinstance(v, int)}
    inputs = {n: np.asarray(v) for n, v in arguments.items() if not isinstance(v, int)}
    sizes = checker.solve_sizes(checked, name, {n: a.shape for n, a in inputs.items()}, given)
    module = checker.instantiate(checked, name, sizes)
    check_module(module)
    outputs = evaluate(module, inputs)
    return next(iter(outputs.values())) if len(outputs) == 1 else outputs


def reals(*shape: int, dtype: str = "float64") -> np.ndarray:
    return np.random.default_rng(7).uniform(-2, 2, shape).astype(dtype)


def complexes(*shape: int, dtype: str = "complex128") -> np.ndarray:
    random = np.random.default_rng(8)
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)


X = reals(5, 4)
Z = complexes(5, 4)
K = np.arange(-10, 10, dtype="int64").reshape(5, 4)

# Expressions of x: f64[5, 4], z: c128[5, 4], k: i64[5, 4]; result type; what NumPy says.
EXPRESSIONS: list[tuple[str, str, Callable[[], np.ndarray]]] = [
    ("x + 1", "f64[n, m]", lambda: X + 1),
    ("2 - x * x / 3", "f64[n, m]", lambda: 2 - X * X / 3),
    ("-x ** 2", "f64[n, m]", lambda: -(X**2)),
    ("x ** -3", "f64[n, m]", lambda: X**-3),
    ("abs(x) ** 0.5", "f64[n, m]", lambda: np.abs(X) ** 0.5),
    ("abs(x) ** x", "f64[n, m]", lambda: np.abs(X) ** X),
    ("2 ** x", "f64[n, m]", lambda: 2**X),
    ("x // 0.5", "f64[n, m]", lambda: X // 0.5),
    ("x % 0.7", "f64[n, m]", lambda: X % 0.7),
    ("k // 3", "i64[n, m]", lambda: K // 3),
    ("k % -3", "i64[n, m]", lambda: K % -3),
    ("k / 3", "f64[n, m]", lambda: K / 3),
    ("k * 0.5", "f64[n, m]", lambda: K * 0.5),
    ("k * 1j", "c128[n, m]", lambda: K * 1j),
    ("k ** 3", "i64[n, m]", lambda: K**3),
    ("k ** 0", "i64[n, m]", lambda: K**0),
    ("f64(k) + x", "f64[n, m]", lambda: K + X),
    ("i64(x)", "i64[n, m]", lambda: X.astype("int64")),
    ("f64(f32(x))", "f64[n, m]", lambda: X.astype("float32").astype("float64")),
    ("i32(k)", "i32[n, m]", lambda: K.astype("int32")),
    ("z * x", "c128[n, m]", lambda: Z * X),
    ("x + z", "c128[n, m]", lambda: X + Z),
    ("z / x", "c128[n, m]", lambda: Z / X),
    ("x / z", "c128[n, m]", lambda: X / Z),
    ("x * 2j", "c128[n, m]", lambda: X * 2j),
    ("z ** 2 - z ** -1", "c128[n, m]", lambda: Z**2 - 1 / Z),
    ("exp(z) + sqrt(z)", "c128[n, m]", lambda: np.exp(Z) + np.sqrt(Z)),
    ("sin(x) * cos(x) + exp(x)", "f64[n, m]", lambda: np.sin(X) * np.cos(X) + np.exp(X)),
    ("exp(k)", "f64[n, m]", lambda: np.exp(K)),
    ("log(abs(x)) + tanh(x)", "f64[n, m]", lambda: np.log(np.abs(X)) + np.tanh(X)),
    ("log(z) + tanh(z)", "c128[n, m]", lambda: np.log(Z) + np.tanh(Z)),
    ("log(k * k + 1) + tanh(k)", "f64[n, m]", lambda: np.log(K * K + 1) + np.tanh(K)),
    ("angle(z) + angle(x)", "f64[n, m]", lambda: np.angle(Z) + np.angle(X)),
    ("angle(k)", "f64[n, m]", lambda: np.angle(K)),
    ("real(z) - imag(z)", "f64[n, m]", lambda: Z.real - Z.imag),
    ("abs(z)", "f64[n, m]", lambda: np.abs(Z)),
    ("abs2(z)", "f64[n, m]", lambda: Z.real**2 + Z.imag**2),
    ("abs2(k) + abs(k) + real(k) + imag(k)", "i64[n, m]", lambda: K * K + np.abs(K) + K),
    ("conj(z) * conj(x)", "c128[n, m]", lambda: Z.conj() * X),
    ("where(x > 0, x, -x)", "f64[n, m]", lambda: np.abs(X)),
    (
        "where(x > 0 and not k == 1 or x < -1, 1, 0)",
        "i64[n, m]",
        lambda: np.where((X > 0) & ~(K == 1) | (X < -1), 1, 0),
    ),
    ("x >= 0", "bool[n, m]", lambda: X >= 0),
    ("z == z and k != 0", "bool[n, m]", lambda: K != 0),
    ("max(x, 0)", "f64[n, m]", lambda: np.maximum(X, 0)),
    ("min(x, f64(k))", "f64[n, m]", lambda: np.minimum(X, K)),
    ("x + x[0]", "f64[n, m]", lambda: X + X[0]),
    ("x[:, 0:1] * x[0:1, :]", "f64[n, m]", lambda: X[:, 0:1] * X[0:1, :]),
    ("reshape(x[:, 1], [n, 1]) - x[2]", "f64[n, m]", lambda: X[:, 1:2] - X[2]),
    ("x[1:n, 1:m-1]", "f64[n-1, m-2]", lambda: X[1:, 1:-1]),
    ("x[::2, 1::2]", "f64[3, 2]", lambda: X[::2, 1::2]),
    ("x[1:5][::2][0]", "f64[m]", lambda: X[1]),
    ("sum(x)", "f64", lambda: X.sum()),
    ("sum(x, axis=0)", "f64[m]", lambda: X.sum(0)),
    ("sum(x * 2, axes=[1])", "f64[n]", lambda: (X * 2).sum(1)),
    ("prod(k + 20, axis=-1)", "i64[n]", lambda: (K + 20).prod(1)),
    ("max(x) - min(x, axis=0)", "f64[m]", lambda: X.max() - X.min(0)),
    ("x / sum(x)", "f64[n, m]", lambda: X / X.sum()),
    (
        "sum(x[i, j] * i for i in 0:n, j in 1:m)",
        "f64",
        lambda: (X * np.arange(5)[:, None])[:, 1:].sum(),
    ),
    ("sum(x[i] for i in 1:3)", "f64[m]", lambda: X[1:3].sum(0)),
    (
        "sum(x[3*i % n, (i + 2) % m] for i in 0:100)",
        "f64",
        lambda: sum(X[3 * i % 5, (i + 2) % 4] for i in range(100)),
    ),
    ("max(k[i, 0] for i in 0:n) + prod(2 for i in 0:3)", "i64", lambda: K[:, 0].max() + 8),
    ("sum(i * j for i in 0:n, j in 0:m)", "i64", lambda: np.arange(5).sum() * np.arange(4).sum()),
    ("x @ transpose(x)", "f64[n, n]", lambda: X @ X.T),
    ("x[0] @ x[1]", "f64", lambda: X[0] @ X[1]),
    ("z @ x[0]", "c128[n]", lambda: Z @ X[0]),
    ("transpose(x)", "f64[m, n]", lambda: X.T),
    (
        "transpose(reshape(x, [n, 2, 2]), [2, 0, 1])",
        "f64[2, n, 2]",
        lambda: X.reshape(5, 2, 2).transpose(2, 0, 1),
    ),
    ("reshape(x, [n * m])", "f64[n*m]", lambda: X.reshape(-1)),
    ("dft(z, axis=0)", "c128[n, m]", lambda: np.fft.fft(Z, axis=0)),
    ("dft(z, axes=[1, 0], sign=+1)", "c128[n, m]", lambda: np.fft.ifft2(Z) * 20),
    ("idft(z, axis=1)", "c128[n, m]", lambda: np.fft.ifft(Z, axis=1)),
    ("idft(z, axes=[0, 1])", "c128[n, m]", lambda: np.fft.ifft2(Z)),
    (
        "dft(z, axis=1, norm=ortho, radices=[2, 2])",
        "c128[n, m]",
        lambda: np.fft.fft(Z, axis=1, norm="ortho"),
    ),
    ("dft(c128(x) + 1j, axis=0)[0]", "c128[m]", lambda: np.fft.fft(X + 1j, axis=0)[0]),
    (
        "z * twiddle(n, m)",
        "c128[n, m]",
        lambda: Z * np.exp(-2j * np.pi * np.outer(np.arange(5), np.arange(4)) / 20),
    ),
    (
        "x * twiddle(n, m, sign=+1)",
        "c128[n, m]",
        lambda: X * np.exp(2j * np.pi * np.outer(np.arange(5), np.arange(4)) / 20),
    ),
    ("x * n / m + pi", "f64[n, m]", lambda: X * 5 / 4 + np.pi),
    ("7", "i64[n, m]", lambda: np.full((5, 4), 7)),
    ("n // 2 + 0.5", "f64", lambda: np.asarray(2.5)),
]


@pytest.mark.parametrize(
    ("expression", "type_", "meaning"), EXPRESSIONS, ids=[e[0] for e in EXPRESSIONS]
)
def test_expression(expression: str, type_: str, meaning: Callable[[], np.ndarray]) -> None:
    inputs = "x: f64[n, m], z: c128[n, m], k: i64[n, m]"
    text = f"kernel f[n: size, m: size]({inputs}) -> (y: {type_}):\n    y = {expression}\n"
    found = run(text, x=X, z=Z, k=K)
    expected = np.asarray(meaning())
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_single_precision_stays_single() -> None:
    text = """
kernel f[n: size](x: c64[n], w: f32[n]) -> (y: c64[n], a: f32[n]):
    const c = 2j * pi
    y = dft(x * c + w, axis=0) * 0.5
    a = abs2(x) + 1 / 3
"""
    x, w = complexes(8, dtype="complex64"), reals(8, dtype="float32")
    found = run(text, x=x, w=w)
    assert found["y"].dtype == np.complex64
    assert found["a"].dtype == np.float32
    np.testing.assert_allclose(found["y"], np.fft.fft(x * 2j * np.pi + w) / 2, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found["a"], np.abs(x) ** 2 + 1 / 3, rtol=1e-6)


STENCIL = """
kernel stencil[H: size, W: size](x: f64[H, W]) -> (y: f64[H, W]):
    y[i in 1:H-1, j in 1:W-1] = x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1] - 4*x[i, j]
    y[0, :] = 0
    y[H-1, :] = 0
    y[1:H-1, 0] = x[1:H-1, 0]
    y[i in 1:H-1, W-1] = x[i, W-1]
"""


def test_parts_make_a_whole() -> None:
    x = reals(6, 7)
    expected = np.zeros_like(x)
    expected[1:-1, 1:-1] = (
        x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] - 4 * x[1:-1, 1:-1]
    )
    expected[1:-1, 0], expected[1:-1, -1] = x[1:-1, 0], x[1:-1, -1]
    np.testing.assert_allclose(run(STENCIL, x=x), expected)


def test_element_loops_with_names_and_strides() -> None:
    text = """
kernel f[n: size](x: f64[n]) -> (y: f64[2*n], z: f64[n]):
    for i in 0:n:
        half = x[i] / 2
        y[2*i] = half
        y[2*n-1-2*i] = half * half
        for j in 0:1:
            t[i, j] = half + i
    z = t[:, 0] + sum(t, axis=1)
"""
    x = reals(5)
    y = np.empty(10)
    y[0::2], y[9::-2] = x / 2, (x / 2) ** 2
    found = run(text, x=x)
    np.testing.assert_allclose(found["y"], y)
    np.testing.assert_allclose(found["z"], 2 * (x / 2 + np.arange(5)))


def test_digits_cover_a_dimension() -> None:
    text = """
kernel f[n: size](x: f64[n, 4]) -> (y: f64[4*n]):
    for i in 0:n, j in 0:4:
        y[4*i + j] = x[i, j]
"""
    x = reals(3, 4)
    np.testing.assert_array_equal(run(text, x=x), x.reshape(-1))


def test_rows_reduced_by_index() -> None:
    text = """
kernel softmax[n: size, m: size](x: f64[n, m]) -> (y: f64[n, m]):
    top[i] = max(x[i, :]) + 0 * x[i, 0]
    e[i, j] = exp(x[i, j] - top[i])
    y[i, j] = e[i, j] / sum(e[i, k] for k in 0:m)
"""
    x = reals(3, 5)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(run(text, x=x), e / e.sum(1, keepdims=True))


def test_tables() -> None:
    text = """
kernel f[n: size](x: c128[n]) -> (y: c128[n], s: f64):
    const w[k in 0:n] = exp(2j*pi*k/n)
    const square[i in 0:n, j in 0:n] = where(i < j, i, j)**2
    const total = sum(square[i, (2*i) % n] for i in 0:n)
    const row[i in 0:n] = sum(square[i, j] for j in 0:n) + 0.5
    y = x * w * row + square[1, 2]
    s = total
"""
    n = 6
    x = complexes(n)
    i = np.arange(n)
    square = np.minimum(i[:, None], i) ** 2
    found = run(text, x=x)
    w = np.exp(2j * np.pi * i / n)
    np.testing.assert_allclose(found["y"], x * w * (square.sum(1) + 0.5) + 1)
    assert found["s"] == square[i, 2 * i % n].sum()


def test_tables_are_rounded_once() -> None:
    text = """
kernel f[n: size](x: f64[n]) -> (y: f64[n], t: f64, e: f32):
    const c[k in 0:n] = cos(2*pi*k/n)
    y = c + 0 * x
    t = 0.1 + 0.2
    e = 1 / 3
"""
    n = 1000
    found = run(text, x=np.zeros(n))
    assert found["t"] == 0.3  # exact arithmetic: 0.30000000000000004 would be rounded twice
    assert found["e"] == np.float32(1) / np.float32(3)
    exact = np.cos(2 * np.longdouble("3.14159265358979323846264338327950288") * np.arange(n) / n)
    np.testing.assert_array_equal(found["y"], exact.astype("float64"))


def test_calls() -> None:
    text = """
kernel split[n: size](x: f64[2*n]) -> (a: f64[n], b: f64[n]):
    a = x[0:n]
    b = x[n:2*n]
kernel scale[n: size](x: f64[n], by: f64) -> (y: f64[n]):
    y = x * by
kernel main[n: size](x: f64[2*n], by: f64) -> (y: f64[n], z: f64[2*n]):
    low, high = split[n=n](x)
    y = scale(low, 2) + scale(by=by, x=high)
    z = scale(x, -1)
"""
    x = reals(8)
    found = run(text, "main", x=x, by=np.float64(3), n=4)
    np.testing.assert_allclose(found["y"], 2 * x[:4] + 3 * x[4:])
    np.testing.assert_allclose(found["z"], -x)


def test_instances_have_unique_names() -> None:
    text = """
kernel scale[n: size](x: f64[n]) -> (y: f64[n]):
    y = x * 2
kernel scale_3(x: f64[3]) -> (y: f64[3]):
    y = x
kernel main(x: f64[5]) -> (y: f64[5], z: f64[3]):
    y = scale(x)
    z = scale(x[0:3]) + scale_3(x[0:3])
"""
    checked = checker.check(parse(text, "test.weft"))
    module = checker.instantiate(checked, "main", {})
    names = [k.name for k in module.kernels]
    assert len(set(names)) == 4
    assert module.entry.name == "main"
    assert {k.source_name for k in module.kernels} == {"scale", "scale_3", "main"}


def test_program_carries_values() -> None:
    text = """
kernel step[n: size](x: f64[n]) -> (y: f64[n]):
    y[0] = x[0]
    y[i in 1:n] = (x[i] + x[i-1]) / 2
program p[n: size, steps: size](x: f64[n]) -> (sums: f64[steps], last: f64[n], pair: f64[2*steps]):
    case S: n=8, steps=3
    case W: steps=2**4, n=10 * 10
    carry v = x
    carry last = x * 2
    for t in 0:steps:
        pair[2*t] = sum(v)
        carry v = step(v)
        scaled[i] = v[i] * (t + 1)
        sums[t] = sum(scaled)
        pair[2*t + 1] = v[t]
        carry last = last + v
"""
    x = reals(8)
    found = run(text, x=x, steps=4)
    v, last, sums, pair = x, 2 * x, [], []
    for t in range(4):
        pair.append(v.sum())
        v = np.concatenate([v[:1], (v[1:] + v[:-1]) / 2])
        sums.append((v * (t + 1)).sum())
        pair.append(v[t])
        last = last + v
    np.testing.assert_allclose(found["sums"], sums)
    np.testing.assert_allclose(found["last"], last)
    np.testing.assert_allclose(found["pair"], pair)
    cases = checker.check(parse(text, "test.weft")).names()["p"].cases
    assert cases == {"S": {"n": 8, "steps": 3}, "W": {"steps": 16, "n": 100}}


FFT = """
kernel four_step[R: size, C: size](x: c128[R, C]) -> (y: c128[C, R]):
    a = dft(x, axis=0)                            # butterflies
    b = a * twiddle(R, C)                         # complex multiply
    y = transpose(dft(b, axis=1))

kernel fftz2[li: size, lk: size, ny: size](x: c128[2, li, lk, ny], u: c128[li]) -> (y: c128[li, 2, lk, ny]):
    for i in 0:li:                                # NPB's butterfly
        for k in 0:lk, j in 0:ny:
            y[i, 0, k, j] = x[0, i, k, j] + x[1, i, k, j]
            y[i, 1, k, j] = u[i] * (x[0, i, k, j] - x[1, i, k, j])
"""  # noqa: E501


def test_four_step_is_a_transform() -> None:
    x = complexes(6, 8)
    found = run(FFT, "four_step", x=x)
    np.testing.assert_allclose(found.reshape(-1), np.fft.fft(x.reshape(-1)), atol=1e-12)


def test_fftz2() -> None:
    x, u = complexes(2, 4, 2, 3), complexes(4)
    found = run(FFT, "fftz2", x=x, u=u)
    np.testing.assert_allclose(found[:, 0], x[0] + x[1])
    np.testing.assert_allclose(found[:, 1], u[:, None, None] * (x[0] - x[1]))


FT = """
kernel evolve[nz: size, ny: size, nx: size](v: c128[nz, ny, nx]) -> (w: c128[nz, ny, nx]):
    const kx[i in 0:nx] = where(i < nx//2, i, i - nx)
    const ky[i in 0:ny] = where(i < ny//2, i, i - ny)
    const kz[i in 0:nz] = where(i < nz//2, i, i - nz)
    w[z, y, x] = v[z, y, x] * exp(-4e-6 * pi**2 * (kx[x]**2 + ky[y]**2 + kz[z]**2))

kernel checksum[nz: size, ny: size, nx: size](x: c128[nz, ny, nx]) -> (s: c128):
    s = sum(x[5*j % nz, 3*j % ny, j % nx] for j in 1:1025) / (nx*ny*nz)

program ft[nz: size, ny: size, nx: size, niter: size](u: c128[nz, ny, nx]) -> (sums: c128[niter]):
    case S: nx=64, ny=64, nz=64, niter=6
    carry v = dft(u, axes=[2, 1, 0], sign=+1)
    for t in 0:niter:
        carry v = evolve(v)
        sums[t] = checksum(dft(v, axes=[0, 1, 2], sign=-1))
"""


def test_ft() -> None:
    u = complexes(4, 6, 8)
    found = run(FT, u=u, niter=3)
    k = [np.fft.fftfreq(n, 1 / n) for n in u.shape]
    square = k[0][:, None, None] ** 2 + k[1][:, None] ** 2 + k[2] ** 2
    v = np.fft.ifftn(u) * u.size
    expected = []
    j = np.arange(1, 1025)
    for _ in range(3):
        v = v * np.exp(-4e-6 * np.pi**2 * square)
        x = np.fft.fftn(v)
        expected.append(x[5 * j % 4, 3 * j % 6, j % 8].sum() / u.size)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_named_twiddle_takes_the_type_it_meets() -> None:
    text = """
kernel f[n: size, m: size](x: c64[n, m], z: c128[n, m]) -> (y: c64[n, m], w: c128[n, m]):
    t = twiddle(n, m)
    y = x * t
    w[i, j] = z[i, j] * t[i, j]
"""
    found = run(text, x=Z.astype("complex64"), z=Z)
    t = np.exp(-2j * np.pi * np.outer(np.arange(5), np.arange(4)) / 20)
    assert found["y"].dtype == np.complex64
    np.testing.assert_allclose(found["y"], Z * t, rtol=1e-5)
    np.testing.assert_allclose(found["w"], Z * t)


def test_long_chains_of_names() -> None:
    """Names that use one another twice: nothing may walk the tree of uses."""
    chain = "".join(f"        t{i + 1} = t{i} * t{i} - t{i}\n" for i in range(300))
    text = f"""
kernel f[n: size](x: f64[n]) -> (y: f64[n]):
    for i in 0:n:
        t0 = x[i]
{chain}        y[i] = t300
"""
    expected = x = np.array([0.5, 0.25])
    for _ in range(300):
        expected = expected * expected - expected
    np.testing.assert_allclose(run(text, x=x), expected)


def test_many_elements_one_by_one() -> None:
    """Assignments are not compared each with each."""
    lines = "".join(f"    y[{i}] = x[{i}]\n" for i in range(2048))
    text = "kernel k(x: f64[2048]) -> (y: f64[2048]):\n" + lines
    started = process_time()
    checker.instantiate(checker.check(parse(text, "test.weft")), "k", {})
    assert process_time() - started < 10


@pytest.mark.parametrize("shape", [(5, 4), (4, 5), (3, 3)])
def test_the_smaller_of_two_sizes_is_a_size(shape: tuple[int, int]) -> None:
    text = """
kernel diagonal[n: size, m: size](x: f64[n, m]) -> (d: f64[min(n, m)], s: f64, e: f64[max(n, m)]):
    d[i in 0:min(n, m)] = x[i, i]
    s = sum(x[i, i] for i in 0:min(n, m))
    for i in 0:max(n, m):
        e[i] = x[0, 0] + i
"""
    x = reals(*shape)
    found = run(text, x=x)
    np.testing.assert_array_equal(found["d"], np.diag(x))
    np.testing.assert_allclose(found["s"], np.trace(x))
    np.testing.assert_array_equal(found["e"], x[0, 0] + np.arange(max(shape)))
