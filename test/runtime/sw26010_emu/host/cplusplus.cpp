// RUN: %athread %s -o %t && not %run %t | FileCheck %s
// A host in C++: constructors before main, exceptions, streams, exit handlers in their order, and
// the exit status.
#ifdef SLAVE
#include <slave.h>

void f(long *out) { out[_MYID] = _MYID; }
#else
#include <athread.h>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

extern "C" void SLAVE_FUN(f)(long *);

struct Noisy {
  explicit Noisy(const char *name) : name(name) { std::cout << "begin " << name << '\n'; }
  ~Noisy() { std::cout << "end " << name << '\n'; }
  std::string name;
};
static Noisy global("global");
static void atEnd() { std::cout << "exit handler\n"; }

static long sum() {
  long *out = new long[64];
  athread_spawn(f, out);
  athread_join();
  long total = 0;
  for (int i = 0; i < 64; i++)
    total += out[i];
  delete[] out;
  if (total != 2016)
    throw std::logic_error("wrong");
  throw std::runtime_error(std::to_string(total));
}

int main() {
  std::atexit(atEnd);
  Noisy local("local");
  athread_init();
  try {
    sum();
  } catch (const std::runtime_error &error) {
    std::cout << "caught " << error.what() << '\n';
  }
  std::map<std::string, int> words;
  for (int i = 0; i < 1000; i++)
    words["a word that is too long for no allocation" + std::to_string(i)] += i;
  std::cout << words.size() << '\n';
  athread_halt();
  std::exit(7); // no destructor of local
}
// CHECK: begin global
// CHECK-NEXT: begin local
// CHECK-NEXT: caught 2016
// CHECK-NEXT: 1000
// CHECK-NEXT: exit handler
// CHECK-NEXT: end global
// CHECK-NOT: end local
#endif
