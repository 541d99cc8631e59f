// What one column sends its rows have, what one row sends its columns; a place outside of the mesh is
// an error.
// RUN: weft-interp %s --entry f | FileCheck %s
// RUN: not weft-interp %s --entry outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: weft-interp %s --entry parts | FileCheck %s --check-prefix=PARTS
// RUN: not weft-interp %s --entry no_part 2>&1 | FileCheck %s --check-prefix=NO-PART

// Element 3 of a core in row r and column c is 1000 r + 100 c + 3. Column 5 sends: row 2 has 2503.
// Then row 4 sends what it got: 4503 for all of column 6.
// CHECK: result0: float64 = 2503
// CHECK-NEXT: result1: float64 = 4503
func.func @f() -> (f64, f64) {
  %out = memref.alloc() : memref<2xf64>
  cpe.cores {
    %a = cpe.spread : memref<8x8x4xf64>
    %b = cpe.spread : memref<8x8x4xf64>
    %d = cpe.spread : memref<8x8x4xf64>
    affine.for %r = 0 to 8 {
      affine.for %c = 0 to 8 {
        affine.for %n = 0 to 4 {
          %v = affine.apply affine_map<(r, c, n) -> (r * 1000 + c * 100 + n)>(%r, %c, %n)
          %i = arith.index_cast %v : index to i64
          %x = arith.sitofp %i : i64 to f64
          affine.store %x, %a[%r, %c, %n] : memref<8x8x4xf64>
        }
      } {weft.parallel}
    } {weft.parallel}
    %five = arith.constant 5 : index
    %four = arith.constant 4 : index
    cpe.broadcast %a from %five, %b along_rows : memref<8x8x4xf64>, memref<8x8x4xf64>
    cpe.broadcast %b from %four, %d : memref<8x8x4xf64>, memref<8x8x4xf64>
    %x = affine.load %b[2, 6, 3] : memref<8x8x4xf64>
    affine.store %x, %out[0] : memref<2xf64>
    %y = affine.load %d[1, 6, 3] : memref<8x8x4xf64>
    affine.store %y, %out[1] : memref<2xf64>
  }
  %p = affine.load %out[0] : memref<2xf64>
  %q = affine.load %out[1] : memref<2xf64>
  return %p, %q : f64, f64
}

// OUTSIDE: error: 'cpe.broadcast' op sends from row 8, where no core is
func.func @outside() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x4xf64>
    %b = cpe.spread : memref<8x8x4xf64>
    %eight = arith.constant 8 : index
    cpe.broadcast %a from %eight, %b : memref<8x8x4xf64>, memref<8x8x4xf64>
  }
  return
}

// The second pair of what column 5 has, to the third pair of what a row gets: 2503 there, too.
// PARTS: result0: float64 = 2503
func.func @parts() -> f64 {
  %out = memref.alloc() : memref<1xf64>
  cpe.cores {
    %a = cpe.spread : memref<8x8x4xf64>
    %b = cpe.spread : memref<8x8x6xf64>
    affine.for %r = 0 to 8 {
      affine.for %c = 0 to 8 {
        affine.for %n = 0 to 4 {
          %v = affine.apply affine_map<(r, c, n) -> (r * 1000 + c * 100 + n)>(%r, %c, %n)
          %i = arith.index_cast %v : index to i64
          %x = arith.sitofp %i : i64 to f64
          affine.store %x, %a[%r, %c, %n] : memref<8x8x4xf64>
        }
      } {weft.parallel}
    } {weft.parallel}
    %five = arith.constant 5 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    cpe.broadcast %a[%one] from %five, %b[%two] along_rows elements 2 : memref<8x8x4xf64>, memref<8x8x6xf64>
    %x = affine.load %b[2, 6, 5] : memref<8x8x6xf64>
    affine.store %x, %out[0] : memref<1xf64>
  }
  %p = affine.load %out[0] : memref<1xf64>
  return %p : f64
}

// NO-PART: error: 'cpe.broadcast' op part 2 of 2 elements, where a core has 4
func.func @no_part() {
  cpe.cores {
    %a = cpe.spread : memref<8x8x4xf64>
    %b = cpe.spread : memref<8x8x2xf64>
    %two = arith.constant 2 : index
    cpe.broadcast %a[%two] from %two, %b elements 2 : memref<8x8x4xf64>, memref<8x8x2xf64>
  }
  return
}
