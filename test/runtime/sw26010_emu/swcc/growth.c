// RUN: %swcc -slave -msimd -c --emit=llvm %s -DSTATEMENTS=SIXTY_FOUR -o %t.64.ll
// RUN: %swcc -slave -msimd -c --emit=llvm %s -DSTATEMENTS=ONE_HUNDRED_28 -o %t.128.ll
// RUN: %swcc -slave -msimd -c --emit=llvm %s -DSTATEMENTS=TWO_HUNDRED_56 -o %t.256.ll
// RUN: clang-22 -Xclang -disable-llvm-passes -S -emit-llvm -o /dev/null %t.256.ll
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.64.ll
// What a function needs to be compiled grows with its blocks, and faster than they do. The number
// of blocks is the same for 3 * 64, 128 and 256 accesses in a row: one version of them checks nothing
// after few tests, in the other each is checked by a call.
// RUN: grep -c 'define .*@slave_straight' %t.64.ll | FileCheck %s --check-prefix=ONE
// RUN: sed -n '/@slave_straight(/,/^}/p' %t.64.ll > %t.64
// RUN: sed -n '/@slave_straight(/,/^}/p' %t.128.ll > %t.128
// RUN: sed -n '/@slave_straight(/,/^}/p' %t.256.ll > %t.256
// RUN: grep -c 'call preserve_allcc void @__weft_check' %t.64 | FileCheck %s --check-prefix=CALLS64
// RUN: grep -c 'call preserve_allcc void @__weft_check' %t.128 | FileCheck %s --check-prefix=CALLS128
// RUN: grep -c 'call preserve_allcc void @__weft_check' %t.256 | FileCheck %s --check-prefix=CALLS256
// RUN: grep -c 'br i1' %t.64 | FileCheck %s --check-prefix=SPLITS
// RUN: grep -c 'br i1' %t.128 | FileCheck %s --check-prefix=SPLITS
// RUN: grep -c 'br i1' %t.256 | FileCheck %s --check-prefix=SPLITS
// ONE: 1
// CALLS64: {{^192$}}
// CALLS128: {{^384$}}
// CALLS256: {{^768$}}
// Which version it is, and whether the instructions are in the cache.
// SPLITS: {{^2$}}
// A loop of many segments that is proven before it runs has a version without checks, in which a
// counter for each segment is merged in each block, four words each, as long as that is not too many:
// then they are in memory. Twice the cases are twice the lines at most.
// RUN: grep -c 'call .*@weft_sw_charge_turns' %t.64.ll %t.256.ll | FileCheck %s --check-prefix=TURNS
// TURNS: 64.ll:0
// TURNS-NEXT: 256.ll:1
// RUN: sed -n '/@slave_cases(/,/^}/p' %t.64.ll > %t.cases.64
// RUN: sed -n '/@slave_cases(/,/^}/p' %t.128.ll > %t.cases.128
// RUN: sed -n '/@slave_cases(/,/^}/p' %t.256.ll > %t.cases.256
// RUN: awk 'FNR == 1 { file++ } { lines[file]++ } / phi / { words[file] += NF } \
// RUN:      END { for (i = 2; i <= 3; i++) \
// RUN:            print lines[i] < 2.2 * lines[i - 1] && words[i] < 140000 \
// RUN:                    ? "linear" : lines[i] " lines, words of phis " words[i] }' \
// RUN:   %t.cases.64 %t.cases.128 %t.cases.256 | FileCheck %s --check-prefix=LINEAR
// LINEAR: linear
// LINEAR-NEXT: linear
#include <slave.h>

__thread_local double a[8192];
#define FOUR(x, i) x(i) x((i) + 1) x((i) + 2) x((i) + 3)
#define SIXTY_FOUR(x, i) SIXTEEN(x, i) SIXTEEN(x, (i) + 16) SIXTEEN(x, (i) + 32) SIXTEEN(x, (i) + 48)
#define SIXTEEN(x, i) FOUR(x, i) FOUR(x, (i) + 4) FOUR(x, (i) + 8) FOUR(x, (i) + 12)
#define ONE_HUNDRED_28(x, i) SIXTY_FOUR(x, i) SIXTY_FOUR(x, (i) + 64)
#define TWO_HUNDRED_56(x, i) ONE_HUNDRED_28(x, i) ONE_HUNDRED_28(x, (i) + 128)

#define STATEMENT(i) a[(i) * 8] = a[(i) * 8 + 2049] * c + a[(i) * 8 + 4098];
void straight(double c) { STATEMENTS(STATEMENT, 0) }

#define CASE(i) \
  case i: \
    x = x * (i) + a[i]; \
    a[(i) + 1000] = x; \
    break;
double cases(int *kinds, int n, double x) {
  int i;
  for (i = 0; i < n; i++)
    switch (kinds[i]) { STATEMENTS(CASE, 0) }
  return x;
}

// Nothing is lost to such a call but time.
// CODE: define {{.*}}@slave_straight(
// CODE: call i32 @weft_sw_window(
// CODE: call preserve_allcc void @__weft_check{{(_wide)?}}_8_1(ptr [[AT:%.*]], ptr @weft.site
// CODE-NEXT: load double, ptr [[AT]]
