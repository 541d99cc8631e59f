// RUN: not %swcc -slave -c %s -o %t 2>&1 | FileCheck %s
// What inline assembly cannot be, each with its place.
void f(long *p, double x) {
  long a, b = 2;
  // CHECK: assembly.c:[[#@LINE+2]]:3: error: unknown instruction 'vmadd' in inline assembly
  // CHECK-NEXT: help: did you mean 'vmad'?
  asm("vmadd %1, %1, %1, %0" : "=r"(x) : "r"(x));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: 'addl' takes 3 operands; here are 2
  asm("addl %1, %0" : "=r"(a) : "r"(b));
  // CHECK: assembly.c:[[#@LINE+2]]:3: error: 'bne' to 'elsewhere', which is no label of this statement
  // CHECK-NEXT: help: {{.*}}its own labels only
  asm volatile("again: subl %0, 1, %0\n\tbne %0, elsewhere" : "+r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: a call or jump in inline assembly: 'call'
  asm volatile("call $26, (%0)" : : "r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: inline assembly whose end cannot be reached
  asm volatile("1: addl %0, 1, %0\n\tbr 1b" : "+r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: inline assembly reads $26 before it writes it
  asm("ldl %0, 0($26)" : "=r"(a));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: an assembler directive: '.globl f'
  asm volatile(".globl f");
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: 'putr' takes a register here, not the number 4
  asm volatile("putr 4, %0" : : "r"(b));
  // CHECK: assembly.c:[[#@LINE+1]]:3: error: 'rtc' is an instruction of the MPE
  asm volatile("rtc %0" : "=r"(a));
  p[0] = a + b + (long)x;
}
