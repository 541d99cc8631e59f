// RUN: not %swcc -slave -c %s -o %t 2>&1 | FileCheck %s
// What inline assembly cannot be, each with its place.
void f(long *p, double x) {
  long a, b = 2;
  // CHECK: assembly.c:[[#@LINE+2]]:3: error: unknown instruction 'vmadd' in inline assembly
  // CHECK-NEXT: help: did you mean 'vmad'?
  asm("vmadd %1, %1, %1, %0" : "=r"(x) : "r"(x));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: 'addl' takes 3 operands; here are 2
  asm("addl %1, %0" : "=r"(a) : "r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: a label in inline assembly: 'again:'
  asm volatile("again:\n\tsubl %0, 1, %0\n\tbne %0, again" : "+r"(b));
  // CHECK: assembly.c:[[#@LINE+2]]:3: error: a branch in inline assembly: 'bne'
  // CHECK-NEXT: help: {{.*}}write the loop in C
  asm volatile("bne %0, 0" : : "r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: inline assembly reads $sp before it writes it
  asm("ldl %0, 0($sp)" : "=r"(a));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: an assembler directive: '.globl f'
  asm volatile(".globl f");
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: 'putr' takes a register here, not the number 4
  asm volatile("putr 4, %0" : : "r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: 'rtc' is an instruction of the MPE
  asm volatile("rtc %0" : "=r"(a));
  p[0] = a + b + (long)x;
}
