// A fused operation changes the signs of its operands itself, also of one that is a product: no
// factor of it is negated with an instruction of its own, and the product stays where it is made.
// RUN: %swcc -slave -msimd --emit=asm %s -o - | FileCheck %s
#include <simd.h>

// CHECK-LABEL: {{^}}difference:
// CHECK-NOT: vcpysn
// CHECK: vmuld
// CHECK: vmsd
// CHECK-NOT: vcpysn
// CHECK-LABEL: {{^}}taken:
void difference(doublev4 *x) { x[4] = simd_vmsd(x[0], x[1], x[2] * x[3]); }
// CHECK-NOT: vcpysn
// CHECK: vmuld
// CHECK: vnmad
// CHECK-NOT: vcpysn
// CHECK-LABEL: {{^}}singles:
void taken(doublev4 *x) { x[4] = simd_vnmad(x[0] * x[1], x[2], x[3]); }
// CHECK-NOT: vcpysn
// CHECK: vmuls
// CHECK: vmss
// CHECK-NOT: vcpysn
void singles(floatv4 *x) { x[4] = simd_vmss(x[0], x[1], x[2] * x[3]); }
