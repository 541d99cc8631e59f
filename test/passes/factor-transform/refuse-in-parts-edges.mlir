// Short lines of a real transform, whose spectrum is put together behind it, are packed: the edge takes as long for
// a line as for a vector of lines. Long ones go along.
// RUN: weft-opt %s --factor-transform | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, dft_packed_edge_vectors = 18 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 1000 : i64, dft_packing_cycles = 1000 : i64, dft_packed_operation_cycles = 700 : i64, l1d_bytes = 32768 : i64, dft_stage_cycles = array<i64: 3, 0, 900, 900, 5, 0, 100, 200, 9, 0, 300, 200, 15, 0, 300, 900>}} {
// CHECK-LABEL: func.func @short
// CHECK: weft.butterfly {{.*}} radix 3
// CHECK-NEXT: weft.butterfly {{.*}} radix 15
func.func @short(%x: tensor<8x45xcomplex<f64>>) -> tensor<8x45xf64> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x45xcomplex<f64>>
  %z = weft.map [0, 0] to [8, 45] stores [#id] {
  ^bb0(%i: index, %j: index):
    %k = affine.apply affine_map<(j) -> (44 - j)>(%j)
    %a = tensor.extract %y[%i, %k] : tensor<8x45xcomplex<f64>>
    %r = complex.re %a : complex<f64>
    weft.yield %r : f64
  } : tensor<8x45xf64>
  return %z : tensor<8x45xf64>
}
// CHECK-LABEL: func.func @long
// CHECK: weft.butterfly {{.*}} radix 15
// CHECK-NEXT: weft.butterfly {{.*}} radix 9
func.func @long(%x: tensor<8x135xcomplex<f64>>) -> tensor<8x135xf64> {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x135xcomplex<f64>>
  %z = weft.map [0, 0] to [8, 135] stores [#id] {
  ^bb0(%i: index, %j: index):
    %k = affine.apply affine_map<(j) -> (134 - j)>(%j)
    %a = tensor.extract %y[%i, %k] : tensor<8x135xcomplex<f64>>
    %r = complex.re %a : complex<f64>
    weft.yield %r : f64
  } : tensor<8x135xf64>
  return %z : tensor<8x135xf64>
}
}
