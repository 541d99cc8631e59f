# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowering, one construct a test: the ops that say it, the names and the locations they carry.

Every text made here is also read and verified by weft-opt.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from weft.cli.native_tools import tool_path
from weft.lowering import build_ir
from weft.semantics import checker
from weft.syntax.parser import parse

TARGET = '{name = "portable"}'
# A name before ` = ` or an op without results; block arguments; what only closes a region.
OPENS = re.compile(r"(module|func\.func|.* = weft\.(map|reduce)|.*\"scf\.for\").*\{$")
ARGUMENT = re.compile(r"%\w+: [^,]*?(?= loc|,|\)|$)( loc\(#loc\d+\))?")


def verified(text: str) -> str:
    """The text, after weft-opt has accepted it and found only locations in the source."""
    command = [str(tool_path("weft-opt")), "-", "--mlir-print-debuginfo"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + text
    assert "loc(unknown)" not in done.stdout
    assert "<stdin>" not in done.stdout
    return text


def lowered(text: str, name: str | None = None, **sizes: int) -> str:
    checked = checker.check(parse(text, "k.weft"))
    module = checker.instantiate(checked, name or list(checked.names())[-1], sizes)
    return verified(build_ir.lower([module], TARGET))


def in_order(text: str, *parts: str) -> None:
    """Each part occurs after the one before; runs of spaces count as one."""
    plain, at = " ".join(text.split()), 0
    for part in parts:
        found = plain.find(part, at)
        assert found >= 0, f"not found: {part}\nafter: {plain[at : at + 3000]}"
        at = found + len(part)


def body(expression: str, result: str = "f64[n]", **sizes: int) -> str:
    """The IR of an elementwise expression of x: f64[n], z: c128[n], k: i64[n], b: bool[n]."""
    inputs = "x: f64[n], z: c128[n], k: i64[n], b: bool[n], q: i64[n]"
    text = f"kernel f[n: size]({inputs}) -> (y: {result}):\n    y = {expression}\n"
    return lowered(text, n=sizes.get("n", 8))


def test_places_that_data_says() -> None:
    text = lowered(
        "kernel f(x: f64[16, 4], k: i32[2, 3], b: f64[5, 4]) -> (y: f64[4, 2, 3],"
        " s: f64[5, 4]):\n"
        "    y = transpose(gather(x, k), [2, 0, 1]) + gather(x, k, axis=0)[0, 0, 0]\n"
        "    s = scatter(b, k, gather(x, k), op=max)\n"
    )
    in_order(
        text,
        "%k_0 = weft.checked_indices %k below 16 code 1 : tensor<2x3xi32>",
        "%k_1 = weft.checked_indices %k below 16 code 2 : tensor<2x3xi32>",
        "%1 = tensor.extract %k_0[%i0, %i1] : tensor<2x3xi32>",
        "%2 = arith.index_cast %1 : i32 to index",
        "%3 = tensor.extract %x[%2, %i2] : tensor<16x4xf64>",
        "below 5 code 4 : tensor<2x3xi32>",
        "weft.scatter max %b,",
        ": tensor<5x4xf64>, tensor<2x3xi32>, tensor<2x3x4xf64> -> tensor<5x4xf64>",
    )


def test_module_names_the_machine() -> None:
    assert lowered("kernel f(x: f64[4]) -> (y: f64[4]):\n    y = x\n").startswith(
        f"module attributes {{weft.target = {TARGET}}} {{\n"
    )


def test_entry_names_inputs_and_outputs() -> None:
    text = "kernel f(a: f64[4], s: f64) -> (p: f64[4], q: f64):\n    p = a + s\n    q = s * 2\n"
    in_order(
        lowered(text),
        'func.func @f(%a: tensor<4xf64> {weft.name = "a"}',
        '%s: tensor<f64> {weft.name = "s"}',
        '-> (tensor<4xf64> {weft.name = "p"}, tensor<f64> {weft.name = "q"})',
        "attributes {weft.entry} {",
        "tensor.extract %s[] : tensor<f64>",
        "func.return %p, %q : tensor<4xf64>, tensor<f64>",
    )


def test_input_returned_as_it_is() -> None:
    text = lowered("kernel f(x: f64[4]) -> (y: f64[4], z: f64[4]):\n    y = x\n    z = x\n")
    in_order(text, "func.return", "tensor<4xf64>, tensor<4xf64>")


def test_expression_of_tensors_is_one_map() -> None:
    text = body("x * x[0:1] + x / 3")
    assert text.count("weft.map") == 1
    in_order(
        text,
        "%y = weft.map [0] to [8] stores [affine_map<(i0) -> (i0)>] {",
        "^bb0(%i0: index",
        "tensor.extract %x[%i0]",
        "tensor.extract %x[%c0]",
        "weft.yield",
        "} : tensor<8xf64>",
    )


def test_index_notation_keeps_the_names() -> None:
    text = "kernel f(x: f64[3, 5]) -> (y: f64[5, 3]):\n    y[p in 0:5, q] = x[q, 4 - p]\n"
    in_order(
        lowered(text),
        "%y = weft.map [0, 0] to [5, 3] stores [affine_map<(p, q) -> (p, q)>] {",
        "^bb0(%p: index",
        "%q: index",
        "affine.apply affine_map<(p) -> (-p + 4)>(%p)",
        "tensor.extract %x[%q, %0]",
    )


def test_reduction_of_an_expression() -> None:
    text = "kernel f(x: c128[8, 6]) -> (s: c128):\n    s = sum(x[5*j % 8, j % 6] for j in 1:101)\n"
    in_order(
        lowered(text),
        "weft.map [] to [] stores [affine_map<() -> ()>] {",
        "weft.reduce sum [1] to [101] {",
        "^bb0(%j: index",
        "affine_map<(j) -> ((j * 5) mod 8)>(%j)",
        "affine_map<(j) -> (j mod 6)>(%j)",
        "weft.yield %3 : complex<f64>",
        "} : complex<f64>",
        "} : tensor<complex<f64>>",
    )


def test_reductions_over_axes() -> None:
    for kind in ("sum", "prod", "max", "min"):
        text = f"kernel f(x: f64[3, 5]) -> (y: f64[3]):\n    y = {kind}(x, axis=1)\n"
        in_order(lowered(text), "weft.map [0] to [3]", f"weft.reduce {kind} [0] to [5]")


def test_same_nest_is_one_map_with_several_stores() -> None:
    text = """
kernel f(x: c128[2, 4], u: c128[4]) -> (y: c128[4, 2]):
    for i in 0:4:
        y[i, 0] = x[0, i] + x[1, i]
        y[i, 1] = u[i] * (x[0, i] - x[1, i])
"""
    in_order(
        lowered(text),
        "%y = weft.map [0] to [4] stores [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i, 1)>] {",
        "complex.add",
        "complex.sub",
        "complex.mul",
        ": complex<f64>, complex<f64>",
    )


def test_several_results_of_a_nest() -> None:
    text = """
kernel f(x: f64[4]) -> (y: f64[4], z: f64[4]):
    for i in 0:4:
        t = x[i] * 2
        y[i] = t + 1
        z[3 - i] = t - 1
"""
    in_order(
        lowered(text),
        "%y, %z = weft.map [0] to [4]",
        "affine_map<(i) -> (-i + 3)>] into [0, 1] {",
        "%t = arith.mulf",
        "} : tensor<4xf64>, tensor<4xf64>",
    )


def test_nests_chain_through_init() -> None:
    text = """
kernel f(x: f64[8]) -> (y: f64[8]):
    for i in 1:7:
        y[i] = x[i-1] + x[i+1]
    y[0] = x[0]
    y[7] = x[7]
"""
    in_order(
        lowered(text),
        "%y_empty = tensor.empty() : tensor<8xf64>",
        "%y = weft.map [1] to [7] init(%y_empty : tensor<8xf64>)",
        "init(%y : tensor<8xf64>) stores [affine_map<() -> (0)>]",
        "init(%y_0 : tensor<8xf64>) stores [affine_map<() -> (7)>]",
    )


def test_axes_of_a_transform_in_order() -> None:
    text = "kernel f(x: c64[2, 4, 8]) -> (y: c64[2, 4, 8]):\n    y = idft(x, axes=[2, 0])\n"
    in_order(
        lowered(text),
        "%y = weft.dft %x axis 2 sign 1 : tensor<2x4x8xcomplex<f32>>",
        "%y_0 = weft.dft %y axis 0 sign 1 {scale = 0.0625 : f64} : tensor<2x4x8xcomplex<f32>>",
        "func.return %y_0",
    )


def test_radices_of_a_transform() -> None:
    text = "kernel f(x: c128[64]) -> (y: c128[64]):\n    y = dft(x, axis=0, radices=[8, 8])\n"
    in_order(lowered(text), "axis 0 sign -1 {radices = array<i64: 8, 8>}")


def test_twiddle_in_the_type_of_its_context() -> None:
    text = "kernel f(x: c64[2, 4]) -> (y: c64[2, 4]):\n    y = x * twiddle(2, 4)\n"
    in_order(lowered(text), "weft.twiddle rows 2 cols 4 sign -1 : tensor<2x4xcomplex<f32>>")


def test_transpose_and_reshape() -> None:
    text = "kernel f(x: f64[2, 3]) -> (y: f64[6]):\n    y = reshape(transpose(x), [6])\n"
    in_order(
        lowered(text),
        "weft.transpose %x perm [1, 0] : tensor<2x3xf64> -> tensor<3x2xf64>",
        "%y = weft.reshape %0 : tensor<3x2xf64> -> tensor<6xf64>",
    )


def test_small_table_is_readable_and_a_large_one_is_bytes() -> None:
    text = """
kernel f[n: size](x: f64[n]) -> (y: f64[n]):
    const w[i in 0:n] = where(i < 2, i, -0.5)
    y = x * w
"""
    assert "%w = weft.table dense<[0.0, 1.0, -0.5]> : tensor<3xf64>" in lowered(text, n=3)
    hexes = "0000000000000000" + "000000000000F03F" + 98 * "000000000000E0BF"
    assert f'%w = weft.table dense<"0x{hexes}"> : tensor<100xf64>' in lowered(text, n=100)


def test_constant_table_is_a_splat() -> None:
    text = """
kernel f[n: size](x: c64[n]) -> (y: c64[n]):
    const w[i in 0:n] = 0*i - 2j
    y = x * w
"""
    assert "dense<(0.0, -2.0)> : tensor<100xcomplex<f32>>" in lowered(text, n=100)


@pytest.mark.parametrize(
    ("expression", "result", "ops"),
    [
        ("k % 3", "i64[n]", ["arith.remsi", "arith.addi", "arith.cmpi slt,", "arith.select"]),
        ("k % q", "i64[n]", ["arith.remsi", "arith.xori", "arith.andi", "arith.select"]),
        ("k // q", "i64[n]", ["arith.floordivsi"]),
        ("x % 3", "f64[n]", ["arith.remf", "arith.cmpf one,", "math.copysign", "arith.select"]),
        ("x // 3", "f64[n]", ["arith.remf", "arith.subf", "arith.divf", "math.roundeven"]),
        ("-k", "i64[n]", ["arith.subi %c0_i64,"]),
        ("-x", "f64[n]", ["arith.negf"]),
        ("-z", "c128[n]", ["complex.neg"]),
        ("abs2(z)", "f64[n]", ["complex.re", "complex.im", "arith.mulf", "arith.addf"]),
        ("abs(z)", "f64[n]", ["complex.abs %0 : complex<f64>"]),
        ("conj(z)", "c128[n]", ["complex.conj"]),
        ("z * x", "c128[n]", ["complex.re", "arith.mulf", "arith.mulf", "complex.create"]),
        ("z / 3", "c128[n]", ["complex.im", "arith.divf", "arith.divf", "complex.create"]),
        ("z * 2j", "c128[n]", ["complex.constant [0.0 : f64, 2.0 : f64]", "complex.mul"]),
        ("x ** 5", "f64[n]", ["arith.mulf %0, %0", "arith.mulf %1, %1", "arith.mulf %0, %2"]),
        ("x ** -2", "f64[n]", ["arith.mulf %0, %0", "arith.constant 1.0 : f64", "arith.divf"]),
        ("x ** x", "f64[n]", ["math.powf"]),
        ("x > 1 or not b", "bool[n]", ["arith.cmpf ogt,", "arith.xori", "arith.ori", ": i1"]),
        ("x != 0", "bool[n]", ["arith.cmpf une,"]),
        ("z == 1", "bool[n]", ["complex.eq", ": complex<f64>"]),
        ("k <= q", "bool[n]", ["arith.cmpi sle,"]),
        ("where(b, x, 0)", "f64[n]", ["arith.select", ": f64"]),
        ("max(x, 0)", "f64[n]", ["arith.maximumf"]),
        ("min(k, q)", "i64[n]", ["arith.minsi"]),
        ("f32(k)", "f32[n]", ["arith.sitofp %0 : i64 to f32"]),
        ("i32(x)", "i32[n]", ["arith.fptosi %0 : f64 to i32"]),
        ("i32(k)", "i32[n]", ["arith.trunci %0 : i64 to i32"]),
        ("f64(b)", "f64[n]", ["arith.uitofp %0 : i1 to f64"]),
        ("i64(b)", "i64[n]", ["arith.extui %0 : i1 to i64"]),
        ("c64(z)", "c64[n]", ["arith.truncf", "arith.truncf", "complex.create"]),
        ("c128(x)", "c128[n]", ["arith.constant 0.0 : f64", "complex.create %0, %cst"]),
        ("exp(x) + sin(x) * cos(x)", "f64[n]", ["math.exp", "math.sin", "math.cos"]),
        ("log(x) - tanh(x)", "f64[n]", ["math.log", "math.tanh"]),
        ("angle(z)", "f64[n]", ["complex.angle", ": complex<f64>"]),
        ("angle(x)", "f64[n]", ["complex.create", "complex.angle"]),
        ("exp(z) * sqrt(z)", "c128[n]", ["complex.exp", "complex.sqrt", "complex.mul"]),
    ],
)
def test_operator(expression: str, result: str, ops: list[str]) -> None:
    in_order(body(expression, result), "%y = weft.map", *ops, "weft.yield")


def test_index_as_a_number() -> None:
    text = "kernel f(x: i64[4]) -> (y: i64[4]):\n    y[i] = x[i] + (2*i + 1)\n"
    in_order(lowered(text), "arith.index_cast %i : index to i64", "arith.muli", "arith.addi")


def test_calls_go_to_private_functions() -> None:
    text = """
kernel both(x: f64[4]) -> (p: f64[4], q: f64):
    p = x * 2
    q = sum(x)
kernel f(x: f64[4]) -> (y: f64[4]):
    a, b = both(x)
    y = a + b
"""
    in_order(
        lowered(text),
        "func.func private @both(",
        "func.func @f(",
        "%a, %b = func.call @both(%x) : (tensor<4xf64>) -> (tensor<4xf64>, tensor<f64>)",
    )


def test_program_carries_values_and_collects_elements() -> None:
    text = """
kernel total(x: f64[4]) -> (s: f64):
    s = sum(x)
program p[niter: size](x: f64[4]) -> (sums: f64[niter], v: f64[4]):
    carry v = x * 2
    for t in 0:niter:
        carry v = v + 1
        sums[t] = total(v)
"""
    in_order(
        lowered(text, niter=3),
        "attributes {weft.entry, weft.program} {",
        "%v = weft.map",
        "%sums_empty = tensor.empty() : tensor<3xf64>",
        '"scf.for"(%c0, %c3, %c1, ',
        "^bb0(%t: index loc(",
        "func.call @total",
        "tensor.insert",
        "[%t] : tensor<3xf64>",
        "scf.yield",
        '}) {weft.index = "t"} : (index, index, index, ',
    )


def test_program_collects_rows() -> None:
    text = """
program p[n: size](x: f64[4]) -> (y: f64[4, 2, n]):
    for t in 0:n:
        y[:, 1, t] = x
        y[i, 0, t] = 2*x[i]
"""
    in_order(
        lowered(text, n=3),
        "tensor.insert_slice %x into %y_0[0, %c1_0, %t] [4, 1, 1] [1, 1, 1]",
        "tensor<4xf64> into tensor<4x2x3xf64>",
        "weft.map [0] to [4]",
        "tensor.insert_slice",
    )


def test_names_of_values_never_hide_each_other() -> None:
    text = "kernel f(x: f64[4, 4]) -> (y: f64[4, 4]):\n    y[y0, x0] = x[x0, y0]\n"
    names = "kernel f(i: f64[4], i1: f64[4]) -> (mod: f64[4]):\n    mod[d] = i[d] + i1[d]\n"
    lowered(text)
    in_order(lowered(names), "%mod = weft.map", "affine_map<(d) -> (d)>")
    shadowing = "kernel f(x: f64[4]) -> (y: f64[4]):\n    y[mod] = x[mod]\n"
    in_order(lowered(shadowing), "affine_map<(d0) -> (d0)>", "^bb0(%mod: index")


def test_every_op_and_argument_has_a_location() -> None:
    text = Path(__file__).parents[2] / "examples" / "ft" / "ft.weft"
    ir = lowered(text.read_text(), "ft", nx=8, ny=4, nz=2, niter=2)
    for line in ir.splitlines():
        if line.startswith("#loc"):
            assert re.fullmatch(r'#loc\d+ = loc\("\w[\w.]*"(:\d+:\d+|\(#loc\d+\))\)', line)
        elif "^bb0(" in line or "func.func" in line:
            assert all(match[1] for match in ARGUMENT.finditer(line.split("->")[0])), line
        elif not OPENS.fullmatch(line.strip()):
            assert re.search(r" loc\(#loc\d+\)$", line), line


def test_location_is_the_users_name_and_place() -> None:
    ir = lowered("kernel f(x: c128[4]) -> (y: c128[4]):\n    abc = dft(x)\n    y = abc * 2\n")
    alias = re.search(r"%abc = weft.dft .* loc\((#loc\d+)\)", ir)
    assert alias
    place = re.search(rf'{alias[1]} = loc\("abc"\((#loc\d+)\)\)', ir)
    assert place
    assert f'{place[1]} = loc("k.weft":2:11)' in ir


def test_path_is_written_as_a_string() -> None:
    checked = checker.check(parse("kernel f(x: f64[1]) -> (y: f64[1]):\n    y = x + 1\n", 'a"\\é'))
    ir = verified(build_ir.lower([checker.instantiate(checked, "f", {})], TARGET))
    assert r'loc("a\22\5C\C3\A9":1:1)' in ir


def test_text_is_deterministic_and_modules_join() -> None:
    checked = checker.check(parse("kernel f(x: f64[4]) -> (y: f64[4]):\n    y = x * 2\n", "k"))
    other = checker.check(parse("kernel g(x: f64[4]) -> (y: f64[4]):\n    y = x * 2\n", "m"))

    def both() -> str:
        modules = [checker.instantiate(checked, "f", {}), checker.instantiate(other, "g", {})]
        return build_ir.lower(modules, TARGET)

    assert verified(both()) == both()
    in_order(both(), "func.func @f(", "{weft.entry}", "func.func @g(", "{weft.entry}", '"m":1:1')


def test_deep_expressions() -> None:
    in_order(body("x" + " + x" * 190), "weft.yield")
