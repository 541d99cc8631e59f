// The listing beside an object is the one that is made alone, and the object the same as without.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %swcc -slave -msimd -c %s -o alone.o && %swcc -slave -msimd --emit=asm %s -o alone.s
// RUN: %swcc -slave -msimd -c %s -o both.o --listing=both.s
// RUN: cmp alone.o both.o && cmp alone.s both.s && FileCheck %s < both.s
// A failed compilation leaves both as they were.
// RUN: not %swcc -slave -DBAD -c %s -o both.o --listing=both.s
// RUN: cmp alone.o both.o && cmp alone.s both.s
// CHECK: {{^}}f:
// CHECK: stl
#ifdef BAD
int bad = ;
#endif
long f(long *p) { return *p = 3 * *p + 1; }
