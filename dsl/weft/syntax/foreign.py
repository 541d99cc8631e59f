# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is written so in NumPy, C or Fortran, and what stands for it here: the ways out of messages.

Only words that mean nothing in Weft; the messages that use these tables have refused them already.
"""

from __future__ import annotations


def _each(words: str, help_text: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), help_text)


_FILLED = "give the elements: y[i in 0:n] = 0"
_JOINED = "assign the parts: y[0:n] = a, then y[n:2*n] = b"
_HOST = "printing belongs to the host program"
_NOT_THERE = "functions are exp, log, sin, cos, tanh, sqrt and abs; compute others on the host"

# At the head of a line.
STATEMENTS = {
    **_each("def func function void fn subroutine", "a kernel begins with 'kernel'"),
    "return": "outputs are named in the signature and assigned by name",
    **_each(
        "if elif else switch",
        "there are no branches; choose values with where(condition, a, b)",
    ),
    **_each("while do", "there are only 'for' loops over fixed ranges"),
    **_each("import from #include", "there are no imports"),
    **_each(
        "let var auto double float int complex", "write 'name = value'; its type follows from it"
    ),
    **_each("print printf", _HOST),
    "pass": "leave it out",
    **_each("assert", "checking belongs to the host program"),
}
MODULES = ("np", "numpy", "math", "torch", "jnp", "scipy")
# Values.
NAMES = {
    **dict.fromkeys(MODULES, "functions have no module here: exp(x)"),
    **_each("True true", "a comparison that holds: 1 == 1"),
    **_each("False false", "a comparison that does not hold: 1 == 0"),
    **_each("None newaxis", "a dimension is added by reshape(x, [1, n])"),
    **_each("j I", "the imaginary unit is 1j"),
    "e": "it is exp(1)",
    **_each("PI M_PI", "it is pi"),
    **_each("inf Inf INFINITY nan NaN NAN", "infinity and NaN come from data only"),
}
# Named arguments of built-ins, by the built-in.
ARGUMENTS = {
    "conv": {
        **_each(
            "dilation dilate dilations",
            "a filter's taps lie side by side; zeros between them in the filter do the same",
        ),
        **_each("padding", "it is pad="),
        **_each("strides", "it is stride="),
        **_each("bias", "add it to the result: y[n, k, i, j] = t[n, k, i, j] + b[k]"),
    },
    **{
        reduction: {
            **_each("keepdims keepdim", "index the result: x[i, j] - s[i], or reshape it"),
        }
        for reduction in ("sum", "prod", "max", "min")
    },
    **{
        transform: {
            **_each("n", "cut x, x[0:n], or pad it"),
            **_each("dim dims", "it is axis= or axes="),
            **_each("inverse", "it is idft(x, axis=)"),
        }
        for transform in ("dft", "idft", "rfft")
    },
}
# Functions, called.
CALLS = {
    **_each("range arange", "ranges stand in loops: for i in 0:n:"),
    **_each("len shape", "sizes have names: x: f64[n] gives n"),
    **_each("fft cfft", "it is dft(x, axis=)"),
    **_each("fft2 fftn dft2 dftn", "it is dft(x, axes=[0, 1])"),
    **_each("ifft", "it is idft(x, axis=)"),
    **_each("ifft2 ifftn idft2 idftn", "it is idft(x, axes=[0, 1])"),
    **_each("rfft2 rfftn", "rfft along the last axis, then dft(x, axis=) along the others"),
    **_each("fftshift", "it is roll(x, n // 2)"),
    **_each("ifftshift", "it is roll(x, (n + 1) // 2)"),
    **_each("mean average", "it is sum(x) / n"),
    **_each("maximum fmax amax", "it is max(a, b), or max(x, axis=0)"),
    **_each("minimum fmin amin", "it is min(a, b), or min(x, axis=0)"),
    **_each("clip clamp", "it is min(max(x, low), high)"),
    **_each("relu", "it is max(x, 0)"),
    **_each("dot matmul mm bmm inner vdot", "it is a @ b"),
    **_each("einsum tensordot", "in index notation: y[i, j] = sum(a[i, k] * b[k, j] for k in 0:n)"),
    **_each("outer", "in index notation: y[i, j] = a[i] * b[j]"),
    **_each("trace", "it is sum(a[i, i] for i in 0:n)"),
    **_each("pow power", "it is x ** 2"),
    **_each("square", "it is x * x"),
    **_each("absolute fabs cabs", "it is abs(x)"),
    **_each("conjugate", "it is conj(x)"),
    **_each("mod remainder", "it is a % b"),
    "fmod": "it is a - b*f64(i64(a / b)); a % b has the sign of b",
    **_each("floor", "it is x // 1"),
    **_each("ceil", "it is -(-x // 1)"),
    **_each("round rint", "it is (x + 0.5) // 1, halves upwards"),
    **_each("isnan", "it is x != x"),
    "isfinite": "it is x - x == 0",
    **_each("nansum nanmean", "leave them out: sum(where(x == x, x, 0))"),
    **_each("logical_and logical_or logical_not", "conditions are joined by 'and', 'or', 'not'"),
    **_each("isinf", "it is x - x != 0 and x == x"),
    **_each("cexp", "it is exp(x)"),
    **_each("norm", "it is sqrt(sum(abs2(x)))"),
    **_each("sign", "it is where(x > 0, 1.0, where(x < 0, -1.0, 0.0))"),
    **_each("select ifelse cond merge", "it is where(condition, a, b)"),
    "any": "count: sum(where(condition, 1, 0)) > 0",
    "all": "count those that fail: sum(where(condition, 0, 1)) == 0",
    "count_nonzero": "count: sum(where(x != 0, 1, 0))",
    "argmax": "search: min(where(x[i] == max(x), i, n) for i in 0:n)",
    "argmin": "search: min(where(x[i] == min(x), i, n) for i in 0:n)",
    **_each("float double float64 real64", "it is f64(x)"),
    **_each("float32", "it is f32(x)"),
    **_each("int long int64", "it is i64(x)"),
    **_each("int32", "it is i32(x)"),
    **_each("complex complex128", "it is a + 1j*b, or c128(x)"),
    **_each("complex64", "it is c64(x)"),
    **_each("array asarray linspace", "a table is computed: const w[k in 0:n] = k / n"),
    **_each("zeros ones empty full zeros_like ones_like", _FILLED),
    **_each("concatenate stack hstack vstack concat", _JOINED),
    **_each("flip", "in index notation: y[i in 0:n] = x[n-1-i]"),
    "tile": "in index notation: y[i in 0:2*n] = x[i % n]",
    "repeat": "in index notation: t[i, j in 0:2] = x[i], then reshape(t, [2*n])",
    "diff": "parts: x[1:n] - x[0:n-1]",
    **_each("diag diagonal", "in index notation: d[i in 0:n] = a[i, i]"),
    "tril": "in index notation: y[i, j] = where(j <= i, a[i, j], 0)",
    "triu": "in index notation: y[i, j] = where(j >= i, a[i, j], 0)",
    "broadcast_to": "a part of the result repeats it: y[:, :] = x",
    "meshgrid": "in index notation: z[i, j] = f(x[i], y[j])",
    "cross": "its elements: c[0] = a[1]*b[2] - a[2]*b[1]",
    "correlate": "in index notation: y[i in 0:n-m+1] = sum(x[i+k] * g[k] for k in 0:m)",
    "convolve": "in index notation: y[i in 0:n-m+1] = sum(x[i+k] * g[m-1-k] for k in 0:m)",
    **_each("fftfreq", "a table: const f[k in 0:n] = where(k < (n+1)//2, k, k - n) / n"),
    **_each("swapaxes moveaxis permute", "it is transpose(x, [1, 0, 2])"),
    **_each("ravel flatten view squeeze expand_dims unsqueeze", "it is reshape(x, [n, m])"),
    **_each("take index_select", "it is gather(x, idx, axis=0)"),
    **_each("bincount histogram", "it is scatter(zeros, idx, 1)"),
    **_each(
        "cumsum cumulative scan",
        "in a program: carry s = 0.0, and in a loop for t in 0:n: carry s = s + x[t] and y[t] = s",
    ),
    "cumprod": "in a program: carry s = 1.0, and in a loop for t in 0:n: carry s = s * x[t] and"
    " y[t] = s",
    **_each("print printf", _HOST),
    **_each("ln", "it is log(x)"),
    "exp2": "a power of a real: 2.0 ** x",
    "hypot": "it is sqrt(x*x + y*y)",
    **_each("log2", "it is log(x) / log(2)"),
    **_each("log10", "it is log(x) / log(10)"),
    **_each("log1p", "it is log(1 + x)"),
    **_each("expm1", "it is exp(x) - 1"),
    **_each("tan", "it is sin(x) / cos(x)"),
    **_each("sinh", "it is (exp(x) - exp(-x)) / 2"),
    **_each("cosh", "it is (exp(x) + exp(-x)) / 2"),
    **_each("atan2 arctan2", "it is angle(x + 1j*y)"),
    **_each("arg phase", "it is angle(z)"),
    **_each("sigmoid", "it is 1 / (1 + exp(-x))"),
    **_each("softmax", "e[i, j] = exp(x[i, j] - m[i]), then y[i, j] = e[i, j] / s[i]"),
    **_each("silu swish", "it is x / (1 + exp(-x))"),
    **_each("gelu", "it is 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))"),
    **_each(
        "sort argsort median unique percentile quantile",
        "the language has none: sort in the host program",
    ),
    **_each("dct idct dst idst", "from Python weft.fft has it; here it is written by dft"),
    **_each("eye identity", "in index notation: y[i in 0:n, j in 0:n] = where(i == j, 1.0, 0.0)"),
    **_each("var variance", "it is sum((x - m)**2) / n, with m = sum(x) / n"),
    **_each("std stddev", "it is sqrt(sum((x - m)**2) / n), with m = sum(x) / n"),
    "cov": "it is transpose(d) @ d / (n - 1), with d = x - sum(x, axis=0) / n",
    **_each(
        "inv solve pinv det", "the language has none: solve linear systems in the host program"
    ),
    **_each("atan arctan asin acos arcsin arccos erf", _NOT_THERE),
    "cbrt": "it is where(x < 0, -1.0, 1.0) * abs(x) ** (1/3)",
    "rsqrt": "it is 1 / sqrt(x)",
}
TYPES = {
    **_each("float32 single real4", "it is f32"),
    "float": "it is f32, or f64 as in Python",
    **_each("float64 double real real8 fp64", "it is f64"),
    **_each("complex64 cfloat float2", "it is c64"),
    **_each("complex128 complex cdouble double2 zcomplex", "it is c128"),
    **_each("int32 int32_t", "it is i32"),
    **_each("int integer", "it is i32 or i64"),
    **_each("int64 int64_t long size_t", "it is i64"),
    **_each("bool_ logical", "it is bool"),
    **_each("u8 i8 u16 i16 uint8 int8 f16 half bf16", "the smallest are i32 and f32"),
}
# Characters that no token of the grammar has.
CHARACTERS = {
    "!": "'not' negates, inequality is !=",
    "^": "a power is **",
    "&": "conditions are joined by 'and'",
    "|": "conditions are joined by 'or'",
    "~": "a condition is negated by 'not'",
    "?": "choose values with where(condition, a, b)",
    ";": "a statement ends with its line",
    "{": "blocks are made by ':' and indentation",
    "}": "blocks are made by ':' and indentation",
    '"': "there are no texts; choices are bare words: norm=ortho",
    "'": "there are no texts; choices are bare words: norm=ortho",
    "\\": "within brackets a line goes on by itself",
    "@": "the matrix product is a @ b",
}
# What comes directly after a number.
SUFFIXES = {
    **_each("f F l L u U d", "numbers have no suffix: they take the type of what they meet"),
    **_each("i I J", "the imaginary unit is written with the number: 2j"),
}
