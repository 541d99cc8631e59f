// Cores turn [n, h, w, c] into [n, c, h, w] as planes of h * w pixels: rows and pixels are
// neighbours in both. What is read along one of the axes that stay goes along.
// RUN: cat %target_sw26010 %s | weft-opt - --eliminate-transposes | FileCheck %s

// CHECK-LABEL: func.func @planes
// CHECK:         %[[X:.*]] = weft.reshape %arg0 : tensor<2x5x7x3xf32> -> tensor<2x35x3xf32>
// CHECK:         %[[Y:.*]] = weft.map [0, 0, 0] to [2, 3, 35]
// CHECK-NEXT:    ^bb0(%[[N:.*]]: index, %[[C:.*]]: index, %[[P:.*]]: index):
// CHECK-NEXT:      %[[A:.*]] = tensor.extract %[[X]][%[[N]], %[[P]], %[[C]]]
// CHECK-NEXT:      %[[B:.*]] = tensor.extract %arg1[%[[C]]]
// CHECK:         weft.reshape %[[Y]] : tensor<2x3x35xf32> -> tensor<2x3x5x7xf32>
module attributes {weft.target = #target} {
  func.func @planes(%x: tensor<2x5x7x3xf32>, %b: tensor<3xf32>) -> tensor<2x3x5x7xf32> {
    %y = weft.map [0, 0, 0, 0] to [2, 3, 5, 7] stores [affine_map<(n, c, h, w) -> (n, c, h, w)>] {
    ^bb0(%n: index, %c: index, %h: index, %w: index):
      %a = tensor.extract %x[%n, %h, %w, %c] : tensor<2x5x7x3xf32>
      %v = tensor.extract %b[%c] : tensor<3xf32>
      %s = arith.addf %a, %v : f32
      weft.yield %s : f32
    } : tensor<2x3x5x7xf32>
    return %y : tensor<2x3x5x7xf32>
  }
}
