// 11 values cross a call, which keeps 7 registers. The other 4 are stored before it and reloaded
// behind it, once, before the loop that reads them: its turn is a chain of 20 operations on pipe 1,
// the test of the count one more, the branch two with the way back. 23 cycles, no access.
//
// RUN: %swcc -slave --emit=asm -c %s -o %t.s
// RUN: FileCheck %s < %t.s
// CHECK: # {{[0-9]+}} bytes of code, 4 values spilled
// CHECK: stl $[[#]],0($sp) {{.*}} spill
// CHECK-NEXT: stl $[[#]],32($sp) {{.*}} spill
// CHECK-NEXT: stl $[[#]],64($sp) {{.*}} spill
// CHECK-NEXT: stl $[[#]],96($sp) {{.*}} spill
// CHECK-NEXT: bsr $26,visit
// CHECK-COUNT-4: ldl $[[#]],{{[0-9]+}}($sp) {{.*}} spill
// CHECK: #<loop> 23 cycles a turn: 23 instructions, {{.*}}, bound by pipe 1
// CHECK-NOT: spill
// CHECK: # 23 cycles
long visit(void);
long sum(long *p, int turns) {
  long x[10];
#pragma clang loop unroll(full)
  for (int i = 0; i < 10; ++i)
    x[i] = p[i];
  long s = visit();
  for (int turn = 0; turn < turns; ++turn)
#pragma clang loop unroll(full)
    for (int i = 0; i < 10; ++i)
      s = (s ^ x[i]) + turn;
  return s;
}
