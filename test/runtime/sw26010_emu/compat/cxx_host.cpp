// RUN: %athread %s -o %t && %run %t | FileCheck %s
// A host in C++, linked with -lstdc++ as public programs do: the library's operator new must not
// take the place of the emulator's.
#ifdef SLAVE
#include <slave.h>

extern double halves[64];
void halve(void) { halves[_MYID] = _MYID / 2.0; }
#else
#include <athread.h>
#include <cstdio>
#include <map>
#include <string>

double halves[64];
extern "C" void slave_halve();

int main() {
  std::map<std::string, double> found;
  athread_init();
  __real_athread_spawn(reinterpret_cast<void *>(slave_halve), 0);
  athread_join();
  for (int core = 0; core < 64; ++core)
    found["core " + std::to_string(core)] = halves[core];
  // CHECK: 64 31.5
  std::printf("%zu %.1f\n", found.size(), found.at("core 63"));
  athread_halt();
}
#endif
