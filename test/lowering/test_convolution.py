# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Winograd's transforms, tiles and convolutions as IR, each text accepted by weft-opt."""

from __future__ import annotations

from lowering.test_build_ir import in_order, lowered


def test_matrix_products_are_transforms() -> None:
    text = """\
kernel f[n: size](x: f32[n, 4, 4], z: c64[4, 3]) -> (y: f32[n, 4, 4], w: c64[2, 3]):
    t = winograd(m=2, r=3)
    y = t.BT @ x @ t.B
    w = t.AT @ z
"""
    rows = "[[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 1.0, 0.0],"
    in_order(
        lowered(text, n=5),
        f"%0 = weft.winograd_transform %x axis 1 matrix dense<{rows}",
        "[0.0, -1.0, 0.0, 1.0]]> : tensor<4x4xf32> : tensor<5x4x4xf32> -> tensor<5x4x4xf32>",
        f"%y = weft.winograd_transform %0 axis 2 matrix dense<{rows}",
        "%w = weft.winograd_transform %z axis 0 matrix dense<[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0,",
        "tensor<2x4xf32> : tensor<4x3xcomplex<f32>> -> tensor<2x3xcomplex<f32>>",
    )


def test_thirds_are_rounded_to_the_type_they_meet() -> None:
    text = """\
kernel f(x: f32[3], y: f64[3]) -> (a: f32[6], b: f64[6]):
    t = winograd(m=4, r=3, points=[0, 1, -1, 2, -2])
    a = t.G @ x
    b = t.G @ y
"""
    in_order(lowered(text), "%a =", "0.1666666716337204", "%b =", "0.16666666666666666")


def test_a_matrix_elsewhere_is_a_table() -> None:
    text = """\
kernel f(x: f64[4]) -> (y: f64[4]):
    t = winograd(m=2, r=3)
    y[i] = t.BT[i, i] * x[i]
"""
    in_order(lowered(text), "%t_BT = weft.table dense<[[1.0, 0.0,", "tensor.extract %t_BT[%i, %i]")


def test_pad_is_a_map_a_box() -> None:
    text = "kernel f[n: size](x: i32[n]) -> (y: i32[n+3]):\n    y = pad(x, [1], [2], value=-7)\n"
    in_order(
        lowered(text, n=4),
        "%y = weft.map [0] to [1] init(%y_empty",
        "%y_0 = weft.map [5] to [7] init(%y",
        "%y_1 = weft.map [1] to [5] init(%y_0",
        "affine_map<(i0) -> (i0 - 1)>",
        "func.return %y_1",
    )


def test_tiles_read_a_padded_copy() -> None:
    text = """\
kernel f[n: size](x: f64[n]) -> (y: f64[(n+1)//4, 6]):
    y = tiles(x, size=[6], step=[4])
"""
    in_order(
        lowered(text, n=11),
        "%0 = weft.map [11] to [14]",
        "%1 = weft.map [0] to [11] init(%0",
        "%y = weft.map [0, 0] to [3, 6] stores",
        "affine_map<(i0, i1) -> (i0 * 4 + i1)>",
        "tensor.extract %1[",
    )
    # Where all tiles are whole nothing is copied first.
    in_order(lowered(text, n=10), "{weft.entry} {", "%y = weft.map [0, 0] to [2, 6] stores")


def test_untile_stores_at_the_tiles_places() -> None:
    text = """\
kernel f[n: size](p: f64[3, 4]) -> (y: f64[n]):
    y = untile(p, crop=[n])
"""
    in_order(
        lowered(text, n=12),
        "%y = weft.map [0, 0] to [3, 4] stores [affine_map<(i0, i1) -> (i0 * 4 + i1)>]",
    )
    in_order(lowered(text, n=10), "weft.map [0, 0] to [2, 4]", "weft.map [2, 0] to [3, 2]")


def test_conv_names_its_transforms() -> None:
    inputs = "x: f32[2, 4, 8, 9], g: f32[6, 2, 3, 3]"
    text = f"""\
kernel f({inputs}) -> (a: f32[2, 6, 8, 9], b: f32[2, 6, 4, 4], c: f32[2, 6, 6, 7]):
    a = conv(x, g, pad=1, groups=2, algorithm=winograd(2))
    b = conv(x, g, pad=[1, 0], stride=2, groups=2, algorithm=direct)
    c = conv(x, g, groups=2, max_error=1e-3)
"""
    rows = "[[1.0, 1.0, 1.0, 0.0], [0.0, 1.0, -1.0, 1.0]]"
    types = "tensor<2x4x8x9xf32>, tensor<6x2x3x3xf32>"
    in_order(
        lowered(text),
        '%a = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 2 algorithm "winograd"',
        f"{{transforms = [{{m = 2 : i64, r = 3 : i64, AT = dense<{rows}> : tensor<2x4xf32>, G = ",
        f": {types} -> tensor<2x6x8x9xf32>",
        '%b = weft.conv %x, %g pad [1, 0] stride [2, 2] groups 2 algorithm "direct" :',
        f"{types} -> tensor<2x6x4x4xf32>",
        'algorithm "auto" {transforms = [{m = 2 : i64,',
        "{m = 4 : i64,",
        "{m = 6 : i64,",
    )


def test_conv_names_its_layouts() -> None:
    text = """\
kernel f(x: f32[2, 8, 9, 3], g: f32[32, 3, 3, 3]) -> (y: f32[2, 6, 7, 32], z: f32[2, 2, 6, 7, 16]):
    y = conv(x, g, algorithm=direct, layout=nhwc)
    z = conv(x, g, algorithm=direct, layout=nhwc, out_layout=nchw16c)
"""
    types = "tensor<2x8x9x3xf32>, tensor<32x3x3x3xf32>"
    in_order(
        lowered(text),
        f'{{layout = "nhwc", out_layout = "nhwc"}} : {types} -> tensor<2x6x7x32xf32>',
        f'{{layout = "nhwc", out_layout = "nchw16c"}} : {types} -> tensor<2x2x6x7x16xf32>',
    )


def test_complex_conv_has_real_matrices() -> None:
    text = """\
kernel f(x: c128[1, 1, 6, 6], g: c128[1, 1, 3, 3]) -> (y: c128[1, 1, 4, 4]):
    y = conv(x, g, algorithm=winograd(4))
"""
    in_order(
        lowered(text), "BT = dense<[[1.031494140625, 0.0,", "tensor<6x6xf64>", "xcomplex<f64>>"
    )
