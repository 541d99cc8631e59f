// D1108: a layout is nchw, nhwc or nchw16c, or what those are for one dimension or three.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<1x4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x8x8xf32> {
  // expected-error @below {{[D1108] expected layouts such as nchw, nhwc or nchw16c, here with 2 of the letters d, h, w, found "nchw" and "nchw8c"}}
  %y = weft.conv %x, %g pad [1, 1] stride [1, 1] groups 1 algorithm "direct" {out_layout = "nchw8c"} : tensor<1x4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

func.func @signals(%x: tensor<1x4x8xf32>, %g: tensor<2x4x3xf32>) -> tensor<1x2x6xf32> {
  // expected-error @below {{[D1108] expected layouts such as nchw, nhwc or nchw16c, here with 1 of the letters d, h, w, found "nchw" and "ncw"}}
  %y = weft.conv %x, %g pad [0] stride [1] groups 1 algorithm "direct" {out_layout = "ncw"} : tensor<1x4x8xf32>, tensor<2x4x3xf32> -> tensor<1x2x6xf32>
  return %y : tensor<1x2x6xf32>
}
