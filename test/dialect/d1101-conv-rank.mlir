// D1101: filters have 3 to 5 dimensions, images and results as many, one more with blocks of channels.
// RUN: weft-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4x8x8xf32>, %g: tensor<2x4x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{[D1101] expected 4 dimensions, or 5 with blocks of 16 channels, and one element type, found 'tensor<4x8x8xf32>', 'tensor<2x4x3x3xf32>' and 'tensor<1x2x6x6xf32>'}}
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" : tensor<4x8x8xf32>, tensor<2x4x3x3xf32> -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}

// -----

func.func @blocks(%x: tensor<1x2x8x8x8xf32>, %g: tensor<2x16x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{[D1101] expected 4 dimensions, or 5 with blocks of 16 channels}}
  %y = weft.conv %x, %g pad [0, 0] stride [1, 1] groups 1 algorithm "direct" {layout = "nchw16c"} : tensor<1x2x8x8x8xf32>, tensor<2x16x3x3xf32> -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}

// -----

func.func @volumes(%x: tensor<1x16x8x8xf32>, %g: tensor<2x16x3x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // expected-error @below {{[D1101] expected 5 dimensions, or 6 with blocks of 16 channels}}
  %y = weft.conv %x, %g pad [0, 0, 0] stride [1, 1, 1] groups 1 algorithm "direct" {layout = "ncdhw", out_layout = "ncdhw"} : tensor<1x16x8x8xf32>, tensor<2x16x3x3x3xf32> -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}

// -----

func.func @no_pixels(%x: tensor<1x16xf32>, %g: tensor<2x16xf32>) -> tensor<1x2xf32> {
  // expected-error @below {{[D1101] expected filters with 3 to 5 dimensions, found 'tensor<2x16xf32>'}}
  %y = weft.conv %x, %g pad [] stride [] groups 1 algorithm "direct" : tensor<1x16xf32>, tensor<2x16xf32> -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
