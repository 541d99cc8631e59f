// Of four sums beside no products two become multiply-adds by one, every second; of three beside one, one. What is
// subtracted becomes the factor, with its sign. Factors that are signs are no products.
// RUN: sed 's/vector_bytes/sums_apart = true, vector_bytes/' %target_avx512 > %t
// RUN: cat %t %s | weft-opt - --balance-sums | FileCheck %s
// RUN: cat %t %s | weft-opt - --balance-sums --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE

// NOTE: decided {{.*}}What="2 of 4 sums as multiply-adds by one", Why="sums have pipes of their own (sums_apart), which would be busier than those of products", moved=2, sums=4
// NOTE: decided {{.*}}What="1 of 3 sums as multiply-adds by one"
// NOTE: decided {{.*}}What="1 of 2 sums as multiply-adds by one"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @sums
// CHECK:         %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<8xf64>
// CHECK:         affine.for
// CHECK:           %[[P:.*]] = affine.vector_load %arg0[0]
// CHECK:           %[[Q:.*]] = affine.vector_load %arg0[8]
// CHECK:           arith.addf %[[P]], %[[Q]]
// CHECK-NEXT:      %[[N:.*]] = arith.negf %[[Q]]
// CHECK-NEXT:      math.fma %[[N]], %[[ONE]], %[[P]]
// CHECK-NEXT:      arith.subf %[[Q]], %[[P]]
// CHECK-NEXT:      math.fma %[[Q]], %[[ONE]], %[[Q]]
func.func @sums(%x: memref<64xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 2 {
    %p = affine.vector_load %x[0] : memref<64xf64>, vector<8xf64>
    %q = affine.vector_load %x[8] : memref<64xf64>, vector<8xf64>
    %1 = arith.addf %p, %q : vector<8xf64>
    %2 = arith.subf %p, %q : vector<8xf64>
    %3 = arith.subf %q, %p : vector<8xf64>
    %4 = arith.addf %q, %q : vector<8xf64>
    affine.vector_store %1, %y[0] : memref<64xf64>, vector<8xf64>
    affine.vector_store %2, %y[8] : memref<64xf64>, vector<8xf64>
    affine.vector_store %3, %y[16] : memref<64xf64>, vector<8xf64>
    affine.vector_store %4, %y[24] : memref<64xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @products
// CHECK:         affine.for
// CHECK-COUNT-2:   arith.addf
// CHECK:           math.fma
// CHECK:           arith.mulf
func.func @products(%x: memref<64xf64>, %y: memref<64xf64>) {
  affine.for %i = 0 to 2 {
    %p = affine.vector_load %x[0] : memref<64xf64>, vector<8xf64>
    %q = affine.vector_load %x[8] : memref<64xf64>, vector<8xf64>
    %1 = arith.addf %p, %q : vector<8xf64>
    %2 = arith.addf %1, %p : vector<8xf64>
    %3 = arith.addf %2, %p : vector<8xf64>
    %4 = arith.mulf %3, %q : vector<8xf64>
    affine.vector_store %4, %y[0] : memref<64xf64>, vector<8xf64>
  }
  return
}

// CHECK-LABEL: func.func @signs
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:           math.fma
func.func @signs(%x: memref<64xf64>, %y: memref<64xf64>) {
  %signs = arith.constant dense<[1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0]> : vector<8xf64>
  affine.for %i = 0 to 2 {
    %p = affine.vector_load %x[0] : memref<64xf64>, vector<8xf64>
    %s = arith.mulf %p, %signs : vector<8xf64>
    %1 = arith.addf %p, %s : vector<8xf64>
    %2 = arith.addf %1, %p : vector<8xf64>
    affine.vector_store %2, %y[0] : memref<64xf64>, vector<8xf64>
  }
  return
}
}
