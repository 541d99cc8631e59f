// Blocks of a transform's lines as a schedule asks for them: their width, the names of their loops, and
// whose loop the cores share.
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm -mlir-print-debuginfo | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --factor-transform --simplify-butterflies --fuse --tile-for-ldm --remarks-filter=.* --remark-policy=all 2>&1 | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="'y': its stages (2) over blocks of 24 lines", Why="the schedule asks for it", lines=24

// CHECK: weft.blocks [0, 0] to [8, 192] steps [1, 24] {{.*}} attributes {weft.distribute = "distribute co over threads", weft.distribute_dim = 1 : i64
// CHECK: ^bb0(%{{.*}}: index {{.*}}, %{{.*}}: index loc("co"
// CHECK: %{{.*}}: index loc("ci"
// CHECK: weft.blocks [0, 192] to [8, 200] steps [1, 8]
module attributes {weft.target = #target} {
func.func @columns(%x: tensor<8x64x200xcomplex<f64>>) -> tensor<8x64x200xcomplex<f64>>
    attributes {weft.schedule = ["tile y.axis2 by 24 -> co, ci", "distribute co over threads"]} {
  %y = weft.dft %x axis 1 sign -1 : tensor<8x64x200xcomplex<f64>> loc("y")
  return %y : tensor<8x64x200xcomplex<f64>>
}
}
