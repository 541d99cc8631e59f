// An array of which a nest takes the elements of other rows, too, has no parts for the cores.
// RUN: cat %target_sw26010 %s | weft-opt - --insert-exchanges --remarks-filter=insert-exchanges --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=cpe.exchange --implicit-check-not=cpe.spread

// CHECK: rejected {{.*}}'t': stays with the cores, which exchange its parts", Why="a nest that uses it has no two loops over its rows and columns"
module attributes {weft.target = #target} {
  func.func @neighbours(%x: memref<8x40x16x2xf64>, %y: memref<8x40x16xf64>) {
    %t = memref.alloc() : memref<8x40x16x2xf64> loc("t")
    cpe.cores {
      affine.for %l = 0 to 8 {
        affine.for %a = 0 to 40 {
          affine.for %b = 0 to 16 {
            %v = affine.load %x[%l, %a, %b, 0] : memref<8x40x16x2xf64>
            affine.store %v, %t[%l, %a, %b, 0] : memref<8x40x16x2xf64>
          } {weft.independent}
        } {weft.independent, weft.over_columns}
      } {weft.independent, weft.parallel, weft.over_rows}
      cpe.sync
      affine.for %l = 0 to 8 {
        affine.for %a = 0 to 40 {
          affine.for %b = 0 to 15 {
            %v = affine.load %t[%l, %a, %b, 0] : memref<8x40x16x2xf64>
            %w = affine.load %t[%l, %a, %b + 1, 0] : memref<8x40x16x2xf64>
            %s = arith.addf %v, %w : f64
            affine.store %s, %y[%l, %a, %b] : memref<8x40x16xf64>
          } {weft.independent, weft.over_columns}
        } {weft.independent}
      } {weft.independent, weft.parallel, weft.over_rows}
    }
    return
  }
}
