// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --remarks-filter=factor-transform --remark-policy=all 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t
// RUN: cat %target_sw26010 %s | weft-opt - --factor-transform | FileCheck %s --check-prefix=CORES
// Columns that leave much of a vector empty count as points of one line: stages behind so many points. What
// lies in several rows is one row of columns; lines of few neighbours are lines of all of them; points with
// nothing beside them are a line.

// NOTE: as an array of 5 x 192", Why="12 columns, counted as points of one line
// NOTE: as an array of 64 x 24", Why="of 24 columns only 4 lie in one row
// NOTE: as an array of 20 x 64", Why="of 20 lines only 4 are neighbours
// NOTE: as an array of 3 x 64", Why="a point lies beside the next one
// NOTE: as an array of 9 x 400", Why="25 columns, counted as points of one line
// NOTE: as an array of 5 x 6144"
// NOTE: as an array of 3 x 24576"
// NOTE-NOT: as an array

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @beside
// CHECK:      %[[X:.*]] = weft.reshape %arg0 : tensor<5x16x12xcomplex<f32>> -> tensor<5x192xcomplex<f32>>
// CHECK-NEXT: %[[A:.*]] = weft.butterfly %[[X]] axis 1 radix [[R:[0-9]+]] done 12
// CHECK-NEXT: %[[Y:.*]] = weft.butterfly %[[A]] axis 1
// CHECK-NEXT: weft.reshape %[[Y]] : tensor<5x192xcomplex<f32>> -> tensor<5x16x12xcomplex<f32>>
// CORES-LABEL: func.func @beside
// CORES-NOT:   weft.reshape
func.func @beside(%x: tensor<5x16x12xcomplex<f32>>) -> tensor<5x16x12xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 {radices = array<i64: 4, 4>} : tensor<5x16x12xcomplex<f32>>
  return %y : tensor<5x16x12xcomplex<f32>>
}

// CHECK-LABEL: func.func @rows
// CHECK: weft.reshape %arg0 : tensor<64x6x4xcomplex<f64>> -> tensor<64x24xcomplex<f64>>
// CHECK: weft.butterfly {{.*}} axis 0 radix {{.*}} done 1
func.func @rows(%x: tensor<64x6x4xcomplex<f64>>) -> tensor<64x6x4xcomplex<f64>> {
  %y = weft.dft %x axis 0 sign -1 : tensor<64x6x4xcomplex<f64>>
  return %y : tensor<64x6x4xcomplex<f64>>
}

// CHECK-LABEL: func.func @lines
// CHECK: weft.reshape %arg0 : tensor<5x4x64xcomplex<f64>> -> tensor<20x64xcomplex<f64>>
func.func @lines(%x: tensor<5x4x64xcomplex<f64>>) -> tensor<5x4x64xcomplex<f64>> {
  %y = weft.dft %x axis 2 sign -1 : tensor<5x4x64xcomplex<f64>>
  return %y : tensor<5x4x64xcomplex<f64>>
}

// CHECK-LABEL: func.func @alone
// CHECK: weft.reshape %arg0 : tensor<3x64x1xcomplex<f64>> -> tensor<3x64xcomplex<f64>>
func.func @alone(%x: tensor<3x64x1xcomplex<f64>>) -> tensor<3x64x1xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x64x1xcomplex<f64>>
  return %y : tensor<3x64x1xcomplex<f64>>
}

// CHECK-LABEL: func.func @near
// CHECK: weft.reshape %arg0 : tensor<9x16x25xcomplex<f64>> -> tensor<9x400xcomplex<f64>>
// CHECK-NEXT: weft.butterfly {{.*}} radix 16 done 25
func.func @near(%x: tensor<9x16x25xcomplex<f64>>) -> tensor<9x16x25xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<9x16x25xcomplex<f64>>
  return %y : tensor<9x16x25xcomplex<f64>>
}

// Lanes that a first stage leaves empty cost little: not a stage more, of radix 2.
// CHECK-LABEL: func.func @half_full
// CHECK: weft.butterfly {{.*}} radix 8 done 4
// CHECK: weft.butterfly {{.*}} radix 12 done 32
// CHECK: weft.butterfly {{.*}} radix 16 done 384
func.func @half_full(%x: tensor<5x1536x4xcomplex<f32>>) -> tensor<5x1536x4xcomplex<f32>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<5x1536x4xcomplex<f32>>
  return %y : tensor<5x1536x4xcomplex<f32>>
}

// Of 16 rows that lie 24 KB apart a set of the first cache holds 8.
// CHECK-LABEL: func.func @crowded
// CHECK-COUNT-2: weft.butterfly {{.*}} radix 16
// CHECK: weft.butterfly {{.*}} radix 8 done 3072
func.func @crowded(%x: tensor<3x2048x12xcomplex<f64>>) -> tensor<3x2048x12xcomplex<f64>> {
  %y = weft.dft %x axis 1 sign -1 : tensor<3x2048x12xcomplex<f64>>
  return %y : tensor<3x2048x12xcomplex<f64>>
}

// A vector full of columns; whole vectors; several vectors of lines that pass through the second cache; and lines
// that share planes with columns.
// CHECK-LABEL: func.func @as_they_are
// CHECK-NOT: weft.reshape
// CHECK: return
func.func @as_they_are(%a: tensor<1x16x8xcomplex<f32>>, %b: tensor<9x16x16xcomplex<f64>>, %c: tensor<9x512x25xcomplex<f64>>,
                       %d: tensor<20x4x64xcomplex<f64>>)
    -> (tensor<1x16x8xcomplex<f32>>, tensor<9x16x16xcomplex<f64>>, tensor<9x512x25xcomplex<f64>>, tensor<20x4x64xcomplex<f64>>) {
  %0 = weft.dft %a axis 1 sign -1 : tensor<1x16x8xcomplex<f32>>
  %1 = weft.dft %b axis 1 sign -1 : tensor<9x16x16xcomplex<f64>>
  %2 = weft.dft %c axis 1 sign -1 : tensor<9x512x25xcomplex<f64>>
  %3 = weft.dft %d axis 2 sign -1 : tensor<20x4x64xcomplex<f64>>
  %4 = weft.dft %3 axis 1 sign -1 : tensor<20x4x64xcomplex<f64>>
  return %0, %1, %2, %4 : tensor<1x16x8xcomplex<f32>>, tensor<9x16x16xcomplex<f64>>, tensor<9x512x25xcomplex<f64>>, tensor<20x4x64xcomplex<f64>>
}
}
