// RUN: cat %target_avx512 %s | weft-translate - --weft-to-c | FileCheck %s
// Rows that begin and end within lines of the cache: with each load of a row its place in the row of results
// is asked for, or, where rows are long, with each store the next line but one. Not where rows are whole lines,
// which vectors fill one by one, or where the first cache holds the array.

module attributes {weft.target = #target} {
// CHECK-LABEL: int parts(
// CHECK:      weft_store_ahead(&y[[PLACE:.*]], 0);
// CHECK:      _mm512_loadu_pd(&x[[PLACE]]);
// CHECK-NOT:  weft_
// CHECK:      _mm512_storeu_pd(&y[
func.func @parts(%x: memref<64x100xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<64x100xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 64 {
    %line = memref.alloca() : memref<96xf64>
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<64x100xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<96xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %line[88 - %i] : memref<96xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<64x100xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: int whole(
// CHECK-NOT:  weft_
func.func @whole(%x: memref<64x96xf64> {weft.name = "x", weft.role = "in"},
                 %y: memref<64x96xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 64 {
    %line = memref.alloca() : memref<96xf64>
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<64x96xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<96xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %line[88 - %i] : memref<96xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<64x96xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: int held(
// CHECK-NOT:  weft_
func.func @held(%x: memref<16x100xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<16x100xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 16 {
    %line = memref.alloca() : memref<96xf64>
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<16x100xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<96xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %line[88 - %i] : memref<96xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<16x100xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// The rows that are read are of another form: the stores ask.
// CHECK-LABEL: int others(
// CHECK-NOT:  weft_
// CHECK:      _mm512_storeu_pd(&y[
// CHECK-NEXT: weft_store_ahead(&y[{{.*}}], 128);
// CHECK-NOT:  weft_
func.func @others(%x: memref<64x101xf64> {weft.name = "x", weft.role = "in"},
                  %y: memref<64x100xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 64 {
    %line = memref.alloca() : memref<96xf64>
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<64x101xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<96xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 96 step 8 {
      %a = affine.vector_load %line[88 - %i] : memref<96xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<64x100xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}

// CHECK-LABEL: int far(
// CHECK-NOT:  weft_
// CHECK:      _mm512_storeu_pd(&y[
// CHECK-NEXT: weft_store_ahead(&y[{{.*}}], 128);
// CHECK-NOT:  weft_
func.func @far(%x: memref<64x1500xf64> {weft.name = "x", weft.role = "in"},
                %y: memref<64x1500xf64> {weft.name = "y", weft.role = "out"}) {
  affine.for %r = 0 to 64 {
    %line = memref.alloca() : memref<1496xf64>
    affine.for %i = 0 to 1496 step 8 {
      %a = affine.vector_load %x[%r, %i] : memref<64x1500xf64>, vector<8xf64>
      affine.vector_store %a, %line[%i] : memref<1496xf64>, vector<8xf64>
    }
    affine.for %i = 0 to 1496 step 8 {
      %a = affine.vector_load %line[1488 - %i] : memref<1496xf64>, vector<8xf64>
      affine.vector_store %a, %y[%r, %i] : memref<64x1500xf64>, vector<8xf64>
    }
  } {weft.independent}
  return
}
}
