// Nests of a block pay together for a start that none of them pays for alone; a nest of a few numbers
// between two of them does not end it. In a loop over time all of them go to the cores, however
// little they are: what the management core did there would be a start in each iteration.
// RUN: cat %target_sw26010 %s | weft-opt - --distribute-to-cores | FileCheck %s

// CHECK-LABEL: func.func @block
// CHECK-NEXT:    cpe.cores {
// CHECK-COUNT-4:   {{^      }}affine.for %{{.*}} = 0 to 16 {
// CHECK-NOT:     cpe.cores
// CHECK:         return
// CHECK-LABEL: func.func @one
// CHECK-NOT:     cpe.cores
// CHECK-LABEL: func.func @steps
// CHECK-NEXT:    affine.for %{{.*}} = 0 to 100 {
// CHECK-NEXT:      cpe.cores {
// CHECK-COUNT-2:     {{^        }}affine.for %{{.*}} = 0 to 16 {
// CHECK-NOT:       affine.for %{{.*}} = 0 to 16
// What is stored and loaded between them is the management core's, so each step would be a start.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     cpe.cores
module attributes {weft.target = #target} {
  func.func @block(%x: memref<16x64xf64>, %y: memref<16x64xf64>, %z: memref<16x64xf64>,
                   %u: memref<16xf64>, %s: memref<16x64xf64>) {
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 64 {
        %v = affine.load %x[%i, %j] : memref<16x64xf64>
        affine.store %v, %y[%i, %j] : memref<16x64xf64>
      } {weft.independent}
    } {weft.independent}
    affine.for %i = 0 to 16 {
      %v = affine.load %y[%i, 3] : memref<16x64xf64>
      affine.store %v, %u[%i] : memref<16xf64>
    } {weft.independent}
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 64 {
        %v = affine.load %y[15 - %i, %j] : memref<16x64xf64>
        affine.store %v, %z[%i, %j] : memref<16x64xf64>
      } {weft.independent}
    } {weft.independent}
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 64 {
        %v = affine.load %z[%i, 63 - %j] : memref<16x64xf64>
        %r = math.exp %v : f64
        affine.store %r, %s[%i, %j] : memref<16x64xf64>
      } {weft.independent}
    } {weft.independent}
    return
  }

  func.func @one(%x: memref<16x64xf64>, %y: memref<16x64xf64>) {
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 64 {
        %v = affine.load %x[%i, %j] : memref<16x64xf64>
        affine.store %v, %y[%i, %j] : memref<16x64xf64>
      } {weft.independent}
    } {weft.independent}
    return
  }

  func.func @steps(%x: memref<16x64xf64>, %y: memref<16x64xf64>, %u: memref<16xf64>) {
    affine.for %t = 0 to 100 {
      affine.for %i = 0 to 16 {
        affine.for %j = 0 to 64 {
          %v = affine.load %x[%i, %j] : memref<16x64xf64>
          affine.store %v, %y[%i, %j] : memref<16x64xf64>
        } {weft.independent}
      } {weft.independent}
      affine.for %i = 0 to 16 {
        %v = affine.load %y[%i, 3] : memref<16x64xf64>
        affine.store %v, %u[%i] : memref<16xf64>
      } {weft.independent}
    }
    return
  }

  func.func @apart(%x: memref<16x64xf64>, %y: memref<16x64xf64>) {
    affine.for %t = 0 to 15 {
      affine.for %i = 0 to 16 {
        affine.for %j = 0 to 64 {
          %v = affine.load %x[%i, %j] : memref<16x64xf64>
          affine.store %v, %y[%i, %j] : memref<16x64xf64>
        } {weft.independent}
      } {weft.independent}
      %v = affine.load %y[%t, 3] : memref<16x64xf64>
      affine.store %v, %x[%t + 1, 0] : memref<16x64xf64>
    }
    return
  }
}
