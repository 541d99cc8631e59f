// Lines of 3000 points are matrices of 100 rows of 30, neither of which eight cores can share. They
// are filled up on their way in, as the schedule asks for eight: to 104 rows, which a row of cores
// fetches, of 32, which it shares up to the crossing. Behind it, it shares 112 columns instead of
// 100, and puts 30 rows of 100 back. Tables that count what is shared have places for what is
// filled up.
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm | FileCheck %s
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform --simplify-butterflies --tile-for-ldm --remarks-filter=tile-for-ldm --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}each of its lines by the 8 cores of a row, 8 at a time", Why="a line takes 96000 bytes, a core's memory has 43008 for it; they exchange their parts of 448 points, of 14336 bytes with what they get, behind stage 2; in 2 rounds, 1 lines a row; its 100 rows of 30 are filled up to 104 of 32, its 30 of 100 to 32 of 112"

// CHECK-LABEL: func.func @lines
// CHECK-DAG:     %[[W0:.*]] = weft.table {{.*}} : tensor<9x320xcomplex<f64>>
// CHECK-DAG:     %[[W1:.*]] = weft.table {{.*}} : tensor<32x9xcomplex<f64>>
// CHECK:         weft.blocks [0] to [16] steps [8] places
// CHECK-NEXT:    ^bb0(%[[ROUND:.*]]: index):
// CHECK:           %[[IN:.*]] = weft.map [0, 0, 0] to [8, 100, 30] init({{.*}} attributes {weft.shared_dims = array<i64: 0, 1>}
// CHECK:             tensor.extract %arg0[
// CHECK:           : tensor<8x104x32xcomplex<f64>>
// CHECK:           %[[FIRST:.*]] = weft.map [0, 0, 0, 0] to [8, 1, 10, 32] init({{.*}} attributes {weft.shared_dims = array<i64: 0, 3>}
// CHECK:             tensor.extract %[[IN]][%{{.*}}, %{{.*}}, %{{.*}}]
// CHECK:             tensor.extract %[[W0]][
// CHECK:           : tensor<8x10x32x10xcomplex<f64>>
// CHECK:           %[[SECOND:.*]] = weft.map [0, 0, 0, 0] to [8, 10, 1, 32]
// CHECK:             tensor.extract %[[FIRST]]
// CHECK:             tensor.extract %[[W1]][
// CHECK:           : tensor<8x32x112xcomplex<f64>>
// CHECK:           %[[THIRD:.*]] = weft.map [0, 0, 0, 0] to [8, 3, 1, 112]
// CHECK:             tensor.extract %[[SECOND]]
// CHECK:           : tensor<8x30x112xcomplex<f64>>
// CHECK:           %[[LAST:.*]] = weft.map [0, 0, 0, 0] to [8, 1, 10, 112]
// CHECK:             tensor.extract %[[THIRD]]
// CHECK:           : tensor<8x32x112xcomplex<f64>>
// CHECK:           %[[OUT:.*]] = weft.map [0, 0, 0] to [8, 30, 100] init({{.*}} attributes {weft.shared_dims = array<i64: 0, 1>}
// CHECK:             tensor.extract %[[LAST]]
// CHECK:           weft.yield %[[OUT]]
module attributes {weft.target = #target} {
func.func @lines(%x: tensor<16x3000xcomplex<f64>>) -> tensor<16x3000xcomplex<f64>> attributes {weft.split = 8 : i64} {
  %y = weft.dft %x axis 1 sign -1 : tensor<16x3000xcomplex<f64>>
  return %y : tensor<16x3000xcomplex<f64>>
}
}
