# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constructs of the language together, for comparison of compiled kernels with the reference."""

from __future__ import annotations

KERNELS: dict[str, tuple[str, dict[str, int]]] = {
    "conv_fused": (
        """
kernel k(x: f32[1, 3, 9, 8], g: f32[5, 3, 3, 3], b: f32[5]) -> (y: f32[1, 5, 9, 8]):
    t = conv(x * 2, g, pad=1)
    y[n, c, h, w] = max(t[n, c, h, w] + b[c], 0)
""",
        {},
    ),
    "conv_complex": (
        """
kernel k(x: c64[1, 3, 9, 8], g: c64[5, 3, 3, 3]) -> (y: c64[1, 5, 9, 8]):
    y = conv(x, g, pad=1)
""",
        {},
    ),
    "gather_chain": (
        """
kernel k[n: size](x: f64[n], i: i64[8]) -> (y: f64[8], s: f64):
    j = (i * i) % n
    g = gather(x, j)
    y = g * 2 + gather(x, (j + 1) % n)
    s = sum(gather(x * 2, j))
""",
        {"n": 6},
    ),
    "scatter_chain": (
        """
kernel k[n: size](x: f64[n, 3], i: i32[5], v: f64[5, 3]) -> (y: f64[n, 3]):
    a = scatter(x, i % n, v * 2)
    y = scatter(a, (i + 1) % n, v, op=max)
""",
        {"n": 6},
    ),
    "gathered_in_time": (
        """
program k[n: size, t: size](x: f64[n], i: i64[n]) -> (y: f64[n]):
    carry v = x
    for s in 0:t:
        carry v = gather(v, i % n) * 0.5 + x
    y = v
""",
        {"n": 6, "t": 4},
    ),
    "scattered_in_time": (
        """
program k[n: size, t: size](x: f64[n], i: i64[n]) -> (y: f64[n], q: f64[t]):
    carry v = x
    for s in 0:t:
        carry v = scatter(v, i % n, x)
        q[s] = max(v) - min(v)
    y = v
""",
        {"n": 6, "t": 4},
    ),
    "spectra_in_time": (
        """
kernel ev[n: size](v: c128[n, n]) -> (w: c128[n, n]):
    w = v * 0.5
program k[n: size, t: size](u: c128[n, n]) -> (q: c128[t]):
    carry v = dft(u, axes=[1, 0], sign=+1)
    for s in 0:t:
        carry v = ev(v)
        q[s] = sum(dft(v, axes=[0, 1]))
""",
        {"n": 8, "t": 3},
    ),
    "outputs_from_time": (
        """
program k[t: size](x: f64) -> (q: f64[t], r: f64[2*t]):
    carry v = x
    for s in 0:t:
        carry v = v * 1.5
        q[t-1-s] = v
        r[2*s] = v
        r[2*s+1] = -v
""",
        {"t": 5},
    ),
    "call_of_three_outputs": (
        """
kernel g[n: size](x: f64[n]) -> (a: f64[n], s: f64, b: bool[n]):
    a = x * 2
    s = sum(x)
    b = x > 0
kernel k[n: size](x: f64[n]) -> (y: f64[n]):
    a, s, b = g(x)
    y = where(b, a, s)
""",
        {"n": 9},
    ),
    "deep_calls": (
        """
kernel a[n: size](x: f64[n]) -> (y: f64[n]):
    y = x + 1
kernel b[n: size](x: f64[n]) -> (y: f64[n]):
    y = a(a(x) * 2)
kernel k[n: size](x: f64[2*n]) -> (y: f64[n], z: f64[2*n]):
    y = b(x[0:n]) - b(x[n:2*n])
    z = a(b(a(x)))
""",
        {"n": 9},
    ),
    "products_in_a_row": (
        """
kernel k[n: size](a: f64[n, n], b: f64[n, n], v: f64[n]) -> (y: f64[n], z: f64):
    y = a @ b @ v + (v @ a) * 2
    z = v @ (a + transpose(a)) @ v
""",
        {"n": 7},
    ),
    "products_of_transposes": (
        """
kernel k[n: size](a: f32[n, 5], b: f32[n, 6]) -> (y: f32[5, 6], z: f32[n, n]):
    y = transpose(a) @ b
    z = a @ transpose(a)
""",
        {"n": 17},
    ),
    "five_dimensions": (
        """
kernel k[n: size](x: f32[2, 3, n, 2, 3]) -> (y: f32[3, 2, 3, 2, n], s: f32[n]):
    y = transpose(x, [1, 0, 4, 3, 2])
    s = sum(x, axes=[0, 1, 3, 4])
""",
        {"n": 5},
    ),
    "windows": (
        """
kernel k[n: size](x: f64[n]) -> (y: f64[n-3]):
    y[i in 0:n-3] = prod(x[i:i+4])
""",
        {"n": 12},
    ),
    "strides": (
        """
kernel k[n: size](x: f64[3*n]) -> (y: f64[n], z: f64[n, 3]):
    y = x[1::3] - x[::3]
    z[i in 0:n, j in 0:3] = x[3*i + 2 - j]
""",
        {"n": 12},
    ),
    "values_used_often": (
        """
kernel k[n: size](x: f64[n, n]) -> (y: f64[n, n], z: f64[n, n]):
    a = x @ x
    b = transpose(a)
    y = a + b
    z = a * b - y[0]
""",
        {"n": 9},
    ),
    "output_read": (
        """
kernel k[n: size](x: f64[n]) -> (y: f64[n], z: f64):
    y[0] = 1
    y[1:n] = x[0:n-1]
    z = sum(y)
""",
        {"n": 9},
    ),
    "many_statements": (
        "kernel k[n: size](x: f64[n]) -> (y: f64[n]):\n    a0 = x\n"
        + "".join(f"    a{i + 1} = a{i} * 1.01 + x\n" for i in range(60))
        + "    y = a60\n",
        {"n": 30},
    ),
    "winograd_complex": (
        """
kernel k(x: c64[4], g: c64[3]) -> (y: c64[2]):
    t = winograd(m=2, r=3)
    y = t.AT @ ((t.G @ g) * (t.BT @ x))
""",
        {},
    ),
    "tiles_of_expression": (
        """
kernel k[n: size](x: f32[2, n, n]) -> (y: f32[2, 3, 3, 4, 4]):
    y = tiles(x * 2, size=[4, 4], step=[2, 2], cover=[6, 6])
""",
        {"n": 7},
    ),
    "rolled_axes": (
        """
kernel k[n: size](x: c64[n, 5, 3]) -> (y: c64[n, 5, 3]):
    y = roll(x, [1, -2], axes=[0, 2])
""",
        {"n": 4},
    ),
    "spectrum_of_a_part": (
        """
kernel k[n: size](x: c128[3, n]) -> (y: c128[3, n-2]):
    y = dft(x[:, 1:n-1] * 2, axis=1)
""",
        {"n": 34},
    ),
    "table_of_three_dimensions": (
        """
kernel k[n: size](x: f32[n]) -> (y: f32[n]):
    const w[i in 0:2, j in 0:3, k in 0:n] = sin(pi*(i + 2*j)*k/n)
    y[k] = x[k] * w[1, 2, k] + w[0, 1, n-1-k]
""",
        {"n": 6},
    ),
    "truth_joined": (
        """
kernel k[n: size](x: f64[n], b: bool[n]) -> (c: bool[n], s: i64):
    c = not (x > 0 and b or x < -1) == b
    s = sum(where(b, 1, 0))
""",
        {"n": 33},
    ),
}
