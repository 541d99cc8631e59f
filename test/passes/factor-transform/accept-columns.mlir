// RUN: weft-opt %s --split-input-file --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// Columns go by what the table says of their stages, the first as an inner one, and by how often their arrays go to the second
// cache: two stages that take turns count once, rows for which the cache has too few ways again.

// NOTE: decided {{.*}}64 points in stages of radix 8, 8", Why="1.93 cycles a point by the machine's table (dft_stage_cycles), the fewest of all orders; the first cache holds the arrays"
// NOTE: decided {{.*}}256 points in stages of radix 4, 8, 8", {{.*}}rounds through the second cache: 2.0"
// NOTE: rejected {{.*}}stages of radix 16, 16", Why="3.44 cycles a point rather than 3.32"
// NOTE: decided {{.*}}2048 points in stages of radix 16, 16, 8"

module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, line_bytes = 64 : i64, l1d_bytes = 32768 : i64, l1d_ways = 8 : i64, l2_bytes = 1048576 : i64, dft_line_cycles = 23 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_stage_cycles = array<i64: 2, 0, 224, 100, 4, 474, 358, 177, 8, 588, 482, 288, 16, 731, 735, 443>}} {
// CHECK-LABEL: func.func @short
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 8
func.func @short(%x: tensor<64x8xcomplex<f64>>) -> tensor<64x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x8xcomplex<f64>>
  return %y : tensor<64x8xcomplex<f64>>
}
// 16 by 16 go to the second cache as often: 4 by 8 take turns.
// CHECK-LABEL: func.func @blocks
// CHECK: weft.butterfly {{.*}} radix 4
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 8
func.func @blocks(%x: tensor<256x32xcomplex<f64>>) -> tensor<256x32xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<256x32xcomplex<f64>>
  return %y : tensor<256x32xcomplex<f64>>
}
// Fewer columns than a vector has lanes: pairs, whose arrays are half as large. 16 by 16 take turns,
// and of the rows that 8 read and write each has its place.
// CHECK-LABEL: func.func @pairs
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 16
// CHECK: weft.butterfly {{.*}} radix 8
func.func @pairs(%x: tensor<2048x8xcomplex<f32>>) -> tensor<2048x8xcomplex<f32>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<2048x8xcomplex<f32>>
  return %y : tensor<2048x8xcomplex<f32>>
}
// Rows are as long where there are others like them before: it is their columns that count.
// CHECK-LABEL: func.func @several
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 16
// CHECK: weft.butterfly {{.*}} radix 8
func.func @several(%x: tensor<4x2048x8xcomplex<f32>>) -> tensor<4x2048x8xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<4x2048x8xcomplex<f32>>
  return %y : tensor<4x2048x8xcomplex<f32>>
}
// Turns of 16 by 16 would need too much of the first cache.
// CHECK-LABEL: func.func @long
// CHECK-COUNT-4: weft.butterfly {{.*}} radix 8
func.func @long(%x: tensor<4096x8xcomplex<f64>>) -> tensor<4096x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<4096x8xcomplex<f64>>
  return %y : tensor<4096x8xcomplex<f64>>
}
// Blocks are wider where not all columns are near: 16 rows of one are too many for the cache's ways,
// so that 2, 8, 8 cost less than 8, 16 here.
// CHECK-LABEL: func.func @planes
// CHECK: weft.butterfly {{.*}} radix 2
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 8
func.func @planes(%x: tensor<128x128x128xcomplex<f64>>) -> tensor<128x128x128xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<128x128x128xcomplex<f64>>
  return %y : tensor<128x128x128xcomplex<f64>>
}
// Rows of more than a vector that are no blocks have the fewest stages.
// CHECK-LABEL: func.func @parts
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 16
func.func @parts(%x: tensor<256x7xcomplex<f64>>) -> tensor<256x7xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<256x7xcomplex<f64>>
  return %y : tensor<256x7xcomplex<f64>>
}
// What no codelet divides leads as ever.
// CHECK-LABEL: func.func @prime
// CHECK: weft.table
// CHECK: weft.butterfly {{.*}} radix 2 done 37
func.func @prime(%x: tensor<74x8xcomplex<f64>>) -> tensor<74x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<74x8xcomplex<f64>>
  return %y : tensor<74x8xcomplex<f64>>
}
}

// -----

// One butterfly comes before any two, even if 2 by 4 cost less here: the table knows nothing of the array between.
// NOTE: decided {{.*}}8 points in stages of radix 8"
module attributes {weft.target = {name = "test", vector_bytes = 64 : i64, l1d_bytes = 32768 : i64, l2_bytes = 1048576 : i64, dft_line_cycles = 1 : i64, dft_l2_stage_cycles = 100 : i64, dft_pair_stage_cycles = 50 : i64, dft_stage_cycles = array<i64: 2, 0, 100, 100, 4, 0, 100, 100, 8, 0, 5000, 5000>}} {
// CHECK-LABEL: func.func @single
// CHECK: weft.butterfly {{.*}} radix 8
func.func @single(%x: tensor<8x8xcomplex<f64>>) -> tensor<8x8xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<8x8xcomplex<f64>>
  return %y : tensor<8x8xcomplex<f64>>
}
}
