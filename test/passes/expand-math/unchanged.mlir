// RUN: cat %target_avx512 %s | weft-opt - --expand-math | FileCheck %s
// RUN: cat %target_avx512 %s | weft-opt - --expand-math --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOTE
// RUN: cat %target_portable %s | weft-opt - --expand-math --remarks-filter=.* --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EACH
// The C library keeps what has no short form: it has them for vectors of some targets.

// NOTE: rejected {{.*}}What="sin as arithmetic", Why="no short form is known: a call of the C library for each vector"
// NOTE: rejected {{.*}}What="powf as arithmetic", Why="no short form is known: a call of the C library for each vector"
// EACH: rejected {{.*}}What="sin as arithmetic", Why="no short form is known: a call of the C library for each element"

module attributes {weft.target = #target} {
// CHECK-LABEL: func.func @calls
// CHECK: math.sin
// CHECK: math.powf
// CHECK: math.powf
func.func @calls(%x: f64, %n: f64) -> f64 {
  %half = arith.constant 2.25 : f64
  %a = math.sin %x : f64
  %b = math.powf %a, %n : f64
  %c = math.powf %b, %half : f64
  return %c : f64
}
}
