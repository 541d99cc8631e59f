// RUN: %swcc -host -c %s -o %t.o && %swcc -hybrid %t.o -o %t && %t | FileCheck %s
// A cycle counter read by assembly that is not volatile is read each time, where it stands.
#include <stdio.h>

static inline unsigned long rpcc() {
  unsigned long cycles;
  asm("rtc %0" : "=r"(cycles) :);
  return cycles;
}

double numerator[1000], quotient[1000];

int main() {
  int i;
  unsigned long before, after;
  for (i = 0; i < 1000; i++)
    numerator[i] = i;
  before = rpcc();
  for (i = 0; i < 1000; i++)
    quotient[i] = numerator[i] / (i + 0.5);
  after = rpcc();
  // A division takes more than a cycle.
  // CHECK: 1 0.9
  printf("%d %.1f\n", after - before > 1000, quotient[5]);
  return 0;
}
