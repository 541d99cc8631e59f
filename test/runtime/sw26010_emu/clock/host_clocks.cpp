// RUN: %athread %s -o %t && %run %t > %t.1 && FileCheck %s --input-file %t.1
// RUN: env OTHER=environment %run %t | diff - %t.1
// The MPE's clocks show virtual time: the same in every run.
#ifdef SLAVE
#include <slave.h>

void f(long *out) {
  volatile long i;
  for (i = 0; i < 1000; i++)
    ;
}
#else
#include <athread.h>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <sys/time.h>
#include <unistd.h>

extern "C" void SLAVE_FUN(f)(long *);

static double seconds() {
  timeval now;
  gettimeofday(&now, nullptr);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_usec) / 1e6;
}

int main() {
  timespec before, after;
  athread_init();
  std::printf("%ld\n", static_cast<long>(time(nullptr))); // CHECK: 1500000000
  clock_gettime(CLOCK_MONOTONIC, &before);
  const auto steady = std::chrono::steady_clock::now();
  athread_spawn(f, nullptr);
  athread_join();
  clock_gettime(CLOCK_MONOTONIC, &after);
  const long taken = after.tv_nsec - before.tv_nsec;
  const auto also = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::steady_clock::now() - steady);
  // spawn and join take 15 us, the loop some cycles a turn
  std::printf("%d %d\n", taken > 16000 && taken < 400000,
              also.count() > taken - 1000 && also.count() < taken + 1000); // CHECK: 1 1
  const double start = seconds();
  const clock_t ticks = clock();
  usleep(5000);
  std::printf("%.4f %.4f\n", seconds() - start,
              static_cast<double>(clock() - ticks) / CLOCKS_PER_SEC); // CHECK: 0.0050 0.0050
  std::printf("%ld\n", taken);
  return 0;
}
#endif
