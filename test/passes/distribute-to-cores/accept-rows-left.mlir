// Rows that are reduced to a number are shared whole: of 100, 50 blocks of 2, not 64 of one and 36 for
// the management core. Rows that are left, as 63 of 127, are blocks of their own. Few rows are cut.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @even
// CHECK:         memref.alloc() : memref<50xf64>
// CHECK:         cpe.cores
// CHECK:           affine.for %{{.*}} = 0 to 50 {
// CHECK:             affine.for %{{.*}} = 0 to 2 iter_args
// CHECK:               affine.for %{{.*}} = 0 to 120 iter_args
// CHECK:           } {weft.independent, weft.parallel}
// CHECK:         affine.for %{{.*}} = 0 to 50 iter_args
// CHECK-NOT:     affine.for
func.func @even(%x: memref<100x120xf64>, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 100 iter_args(%a = %zero) -> f64 {
    %row = affine.for %j = 0 to 120 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<100x120xf64>
      %c = arith.addf %b, %v : f64
      affine.yield %c : f64
    } {weft.lane, weft.reassociate}
    affine.yield %row : f64
  }
  affine.store %sum, %s[] : memref<f64>
  return
}

// CHECK-LABEL: func.func @left
// CHECK:         %[[ALL:.*]] = memref.alloc() : memref<127xf64>
// CHECK:         affine.for %{{.*}} = 0 to 64 {
// CHECK:           affine.for %{{.*}} = 0 to 120 iter_args
// CHECK:         } {weft.independent, weft.parallel}
// CHECK:         affine.for %[[B:.*]] = 0 to 63 {
// CHECK:           affine.for %{{.*}} = 0 to 120 iter_args
// CHECK:           affine.store %{{.*}}, %[[ALL]][%[[B]] + 64]
// CHECK:         } {weft.independent, weft.parallel}
// CHECK:         affine.for %{{.*}} = 0 to 127 iter_args
func.func @left(%x: memref<127x120xf64>, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 127 iter_args(%a = %zero) -> f64 {
    %row = affine.for %j = 0 to 120 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<127x120xf64>
      %c = arith.addf %b, %v : f64
      affine.yield %c : f64
    } {weft.lane, weft.reassociate}
    affine.yield %row : f64
  }
  affine.store %sum, %s[] : memref<f64>
  return
}

// 10 rows of 6000: 6 blocks of 1000 each, whole vectors.
// CHECK-LABEL: func.func @few
// CHECK:         %[[ALL:.*]] = memref.alloc() : memref<60xf64>
// CHECK:         affine.for %[[R:.*]] = 0 to 10 {
// CHECK-NEXT:      affine.for %[[B:.*]] = 0 to 6 {
// CHECK:             affine.for %{{.*}} = 0 to 1000 iter_args
// CHECK:             affine.store %{{.*}}, %[[ALL]][%[[R]] * 6 + %[[B]]]
// CHECK:         affine.for %{{.*}} = 0 to 60 iter_args
// CHECK-NOT:     affine.for
func.func @few(%x: memref<10x6000xf64>, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 10 iter_args(%a = %zero) -> f64 {
    %row = affine.for %j = 0 to 6000 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<10x6000xf64>
      %c = arith.addf %b, %v : f64
      affine.yield %c : f64
    } {weft.lane, weft.reassociate}
    affine.yield %row : f64
  }
  affine.store %sum, %s[] : memref<f64>
  return
}

// Whatever is contiguous: columns, and rows of which some elements are left out.
// CHECK-LABEL: func.func @columns
// CHECK:         memref.alloc() : memref<60xf64>
// CHECK:         affine.for %{{.*}} = 0 to 60 {
// CHECK:           affine.for %{{.*}} = 0 to 2 iter_args
// CHECK:             affine.for %{{.*}} = 0 to 100 iter_args
// CHECK:         } {weft.independent, weft.parallel}
func.func @columns(%x: memref<100x120xf64>, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %j = 0 to 120 iter_args(%a = %zero) -> f64 {
    %column = affine.for %i = 0 to 100 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<100x120xf64>
      %c = arith.addf %b, %v : f64
      affine.yield %c : f64
    }
    affine.yield %column : f64
  }
  affine.store %sum, %s[] : memref<f64>
  return
}

// What is left of numbers is one block more.
// CHECK-LABEL: func.func @numbers
// CHECK:         %[[ALL:.*]] = memref.alloc() : memref<63xf64>
// CHECK:         affine.for %{{.*}} = 0 to 62 {
// CHECK:           affine.for %{{.*}} = 0 to 144 iter_args
// CHECK:         affine.for %[[B:.*]] = 0 to 1 {
// CHECK:           affine.for %{{.*}} = 0 to 73 iter_args
// CHECK:           affine.store %{{.*}}, %[[ALL]][%[[B]] + 62]
// CHECK:         affine.for %{{.*}} = 0 to 63 iter_args
func.func @numbers(%x: memref<9001xf64>, %s: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 9001 iter_args(%a = %zero) -> f64 {
    %v = affine.load %x[%i] : memref<9001xf64>
    %e = math.exp %v : f64
    %c = arith.addf %a, %e : f64
    affine.yield %c : f64
  } {weft.lane, weft.reassociate}
  affine.store %sum, %s[] : memref<f64>
  return
}

// Several have one start: the blocks of all, and then what combines them. What one of them needs of
// another one stays behind it.
// CHECK-LABEL: func.func @several
// CHECK:         cpe.cores {
// CHECK:           arith.addf
// CHECK:           affine.store %{{.*}}, %[[S:.*]][%{{.*}}] : memref<50xf64>
// CHECK-NOT:     cpe.cores
// CHECK:           arith.maximumf
// CHECK:           affine.store %{{.*}}, %[[M:.*]][%{{.*}}] : memref<50xf64>
// CHECK:         affine.load %[[S]]
// CHECK:         affine.load %[[M]]
// CHECK:         cpe.cores {
// CHECK:           affine.load %arg3
func.func @several(%x: memref<100x120xf64>, %s: memref<f64>, %m: memref<f64>, %r: memref<f64>,
                   %q: memref<f64>) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 100 iter_args(%a = %zero) -> f64 {
    %row = affine.for %j = 0 to 120 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<100x120xf64>
      %c = arith.addf %b, %v : f64
      affine.yield %c : f64
    } {weft.lane, weft.reassociate}
    affine.yield %row : f64
  }
  affine.store %sum, %s[] : memref<f64>
  %most = affine.for %i = 0 to 100 iter_args(%a = %zero) -> f64 {
    %row = affine.for %j = 0 to 120 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<100x120xf64>
      %c = arith.maximumf %b, %v : f64
      affine.yield %c : f64
    } {weft.lane, weft.reassociate}
    affine.yield %row : f64
  }
  affine.store %most, %r[] : memref<f64>
  %all = affine.for %i = 0 to 100 iter_args(%a = %zero) -> f64 {
    %row = affine.for %j = 0 to 120 iter_args(%b = %a) -> f64 {
      %v = affine.load %x[%i, %j] : memref<100x120xf64>
      %w = affine.load %r[] : memref<f64>
      %d = arith.subf %v, %w : f64
      %c = arith.addf %b, %d : f64
      affine.yield %c : f64
    } {weft.lane, weft.reassociate}
    affine.yield %row : f64
  }
  affine.store %all, %q[] : memref<f64>
  return
}
}
