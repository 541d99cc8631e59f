// Little work is not worth a fork and join.
// RUN: weft-opt %s --distribute-to-cores=min-work=100 | FileCheck %s
// RUN: weft-opt %s --distribute-to-cores=min-work=100 --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: rejected {{.*}}What="a loop: its 8 iterations over the threads", Why="16 operations; 100 pay for the threads (min-work)"

// CHECK-NOT: weft.parallel
func.func @short(%x: memref<8xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 8 {
    affine.store %zero, %x[%i] : memref<8xf64>
  } {weft.independent}
  return
}
