// What make, configure and CMake ask of a compiler: its version, rules of dependencies, words in a
// file, words of other compilers, archives with objects of both sides, C++ objects among them.
// clang-format off
// RUN: rm -rf %t && mkdir -p %t/objects %t/include && cd %t
// RUN: echo 'enum { factor = 3 };' > include/factor.h
// RUN: %swcc -v | FileCheck %s --check-prefix=VERSION
// RUN: %swcc --version | FileCheck %s --check-prefix=VERSION
// VERSION: weft-swcc
// RUN: %swcc -dumpmachine | FileCheck %s --check-prefix=MACHINE
// MACHINE: {{.+-.+}}
// RUN: %swcc -host -Iinclude -MMD -MP -c %s -o objects/host.o
// RUN: FileCheck %s --check-prefix=RULE < objects/host.d
// RULE: objects/host.o:
// RULE: include/factor.h
// RUN: echo '-slave -msimd -DSLAVE "-DNAME=\"a name\"" -Iinclude' > words && echo '-fno-math-errno -fbranch-predict-hint -O4' >> words
// RUN: %swcc @words -c %s -o objects/slave.o
// RUN: %swcc -host -DNAME -Iinclude -E %s | FileCheck %s --check-prefix=TEXT
// TEXT: factor = 3
// RUN: echo '#include <string>' > more.cpp && echo 'extern "C" int more() { return std::string("four").size(); }' >> more.cpp
// RUN: %swcc -host -c more.cpp -o objects/more.o
// RUN: llvm-ar rcs libboth.a objects/host.o objects/slave.o objects/more.o
// RUN: %swcc -hybrid -o objects/program objects/host.o -L. -lboth && %run %t/objects/program | FileCheck %s
// RUN: %swcc -hybrid -o program libboth.a -lm_slave && %run %t/program | FileCheck %s
// The names of sw5ar and sw5ranlib.
// RUN: mkdir -p bin && ln -sf %swcc bin/sw5ar && ln -sf %swcc bin/sw5ranlib && rm libboth.a
// RUN: %t/bin/sw5ar cq libboth.a objects/host.o objects/slave.o objects/more.o && %t/bin/sw5ranlib libboth.a
// RUN: %swcc -hybrid -o program libboth.a && %run %t/program | FileCheck %s
// sw5gcc's words for the same.
// RUN: %swcc -mhost -Iinclude -c %s -o objects/host.o && %swcc -mslave -msimd -DSLAVE '-DNAME="a name"' -Iinclude -c %s -o objects/slave.o
// RUN: %swcc -mhybrid -o program objects/host.o objects/slave.o objects/more.o && %run %t/program | FileCheck %s
// clang-format on
#include "factor.h"
#ifdef SLAVE
#include <slave.h>

void f(long *out) {
  out[_MYID] = factor * _MYID;
  if (_MYID == 0)
    printf("%s\n", NAME); // CHECK: a name
}
#else
#include <athread.h>
#include <stdio.h>

long out[64];
extern void SLAVE_FUN(f)(long *);
extern int more(void);

int main(void) {
  athread_init();
  athread_spawn(f, out);
  athread_join();
  printf("%ld %d\n", out[63], more()); // CHECK: 189 4
  return 0;
}
#endif
