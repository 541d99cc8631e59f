// The program's own names are its own, as in a static program: variables and functions that are
// called as the C library's do not meet it, nor the emulator.
// clang-format off
// RUN: %swcc -slave -DSLAVE -c %s -o %t.slave.o && %swcc -host -O0 -DNAMES -c %s -o %t.names.o
// RUN: %swcc -host -c %s -o %t.host.o
// RUN: %swcc -hybrid %t.host.o %t.names.o %t.slave.o -o %t && %run %t | FileCheck %s
// clang-format on
#if defined(SLAVE)
#include <slave.h>

extern int link;
extern double y1;
long read;
static int wait(int n) { return n + 1; }
int open(int n) { return wait(n) * 2; }
void f(int *out) {
  out[_MYID] = open(_MYID) + link;
  if (_MYID == 0)
    printf("slave %g\n", y1); // CHECK: slave 2.5
}
#elif defined(NAMES)
long times[69];
int time = 3, index = 4, write = 6, link = 7, select = 8, wait = 10, open = 12, close = 13;
int socket = 14, pipe = 15, access = 16, mmap = 17, munmap = 18, sysconf = 19, dladdr = 20;
int clock_gettime = 21, nanosleep = 22, sem_wait = 23, pthread_once = 24, syscall = 25;
int signal = 26, sigaltstack = 27, getenv = 28, environ_ = 29, dlsym = 30, popen = 31, stat = 32;
double y1 = 2.5, j0 = 3.5, gamma = 4.5;
extern long read;

/* Functions by the names of the library's. */
long clock(void) { return 123; }
int usleep(int n) { return n * 2; }
int getrusage(int n) { return n * 3; }
int round(int n) { return n + 100; }
void abort(void) { clock(); }

void fill(void) {
  int n;
  for (n = 0; n < 69; ++n)
    times[n] = n * 1000;
}
long number(int n) {
  switch (n) {
  case 0:
    return times[68];
  case 1:
    return time + index + write + link + select + wait + open + close;
  case 2:
    return clock() + usleep(5) + getrusage(5) + round(1);
  default:
    return read;
  }
}
#else
#include <athread.h>
#include <stdio.h>

int out[64];
extern void fill(void);
extern long number(int);
extern void SLAVE_FUN(f)(int *);

int main(void) {
  fill();
  athread_init();
  athread_spawn(f, out);
  athread_join();
  printf("%d %d\n", out[0], out[63]); // CHECK: 9 135
  FILE *file = fopen("/proc/self/status", "r");
  char line[100];
  printf("%d\n", fgets(line, sizeof line, file) != NULL); // CHECK: 1
  fclose(file);
  char *copy = strdup("copied");
  puts(copy); // CHECK: copied
  free(copy);
  printf("%ld %ld %ld %ld\n", number(0), number(1), number(2), number(3)); // CHECK: 68000 63 249 0
  pthread_t thread;
  extern void *run(void *);
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL); // CHECK: thread
  athread_halt();
  return 0;
}

void *run(void *unused) {
  puts("thread");
  return unused;
}
#endif
