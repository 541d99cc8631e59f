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
    t = winograd(m=4, r=3)
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
