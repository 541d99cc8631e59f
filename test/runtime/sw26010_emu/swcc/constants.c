// Constants that three instructions make are not loads: the vendor's compiler writes 1.0 as ldi and
// sll, in the listing of EX9 in nsccwxtech/cpc. Others come from the literal pool, once, before the
// loops that use them. Single precision has a double's format in a register.
//
// RUN: %swcc -slave -msimd --emit=asm -c %s -o - | FileCheck %s
// RUN: %swcc -slave -msimd --emit=asm -c %s -o - | grep -c '!literal' | FileCheck %s --check-prefix=LOADS
// Of 0.1 (once for two loops), the vector of 0.1 and the number of 17 digits.
// LOADS: 3
#include <simd.h>
#include <slave.h>

// CHECK-LABEL: scaled:
// CHECK-DAG: ldi{{[[:space:]]}}$[[ONE:[0-9]+]],1023($31)
// CHECK-DAG: sll{{[[:space:]]}}$[[ONE]],52,$[[ONE]]
// CHECK-DAG: ldi{{[[:space:]]}}$[[SIZE:[0-9]+]],2099($31)
// CHECK-DAG: sll{{[[:space:]]}}$[[SIZE]],51,$[[SIZE]]
// CHECK: .end{{[[:space:]]}}
double scaled(double x, double y) { return (x + 1.0) * y + -0.0 + 1.5 * 4096.0 * 4096.0 * 4.0 * x; }

// CHECK-LABEL: twice:
// CHECK: fldd{{[[:space:]]}}${{[0-9]+}},0($gp){{.*}}!literal
// CHECK: #<loop>
// CHECK-NOT: literal
// CHECK: .end{{[[:space:]]}}
void twice(double *a, double *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] *= 0.1;
  for (int i = 0; i < n; ++i)
    b[i] *= 0.1;
}

// CHECK-LABEL: half:
// CHECK: ldi{{[[:space:]]}}$[[HALF:[0-9]+]],511($31)
// CHECK: sll{{[[:space:]]}}$[[HALF]],53,$[[HALF]]
// CHECK: .end{{[[:space:]]}}
float half(float x) { return x * 0.5F; }

// CHECK-LABEL: splat:
// CHECK: ldi{{[[:space:]]}}$[[TWO:[0-9]+]],1($31)
// CHECK: sll{{[[:space:]]}}$[[TWO]],62,$[[TWO]]
// CHECK: vcpyf{{[[:space:]]}}$[[TWO]],
// CHECK: .end{{[[:space:]]}}
doublev4 splat(doublev4 x) { return x * simd_set_doublev4(2.0, 2.0, 2.0, 2.0); }
doublev4 tenth(doublev4 x) { return x * simd_set_doublev4(0.1, 0.1, 0.1, 0.1); }

// CHECK-LABEL: whole:
// CHECK: ldih{{[[:space:]]}}$[[A:[0-9]+]],583($31)
// CHECK: ldi{{[[:space:]]}}$[[A]],-30001($[[A]])
// CHECK: sll{{[[:space:]]}}$[[A]],23,$[[A]]
// CHECK: .end{{[[:space:]]}}
// 38177487 = 583 * 65536 - 30001.
long whole(long x) { return x ^ (0x12345678L << 20); }
long digits(long x) { return x ^ 12345678901234567L; }
