// clang-format off
// RUN: %athread %s -o %t && %run %t 2> %t.told | FileCheck %s --check-prefixes=CHECK,TIMED && FileCheck %s --check-prefix=TOLD < %t.told
// RUN: env WEFT_EMU_FUNCTIONAL=1 %t 2> %t.told | FileCheck %s
// RUN: %run %t > %t.first 2>&1 && %run %t > %t.second 2>&1 && cmp %t.first %t.second
// clang-format on
// Threads of the host, as programs use one for each core group: they take turns on the MPE and its
// CPEs, in virtual time, the same way in every run. Each has its own variables and stack.
// TOLD: note: several threads of the host spawn at a time
// TOLD-NOT: note
#ifdef SLAVE
#include <slave.h>

struct Part {
  long number, *out;
};
void work(struct Part *part) {
  part->out[64 * part->number + _MYID] += 1000 * part->number + _MYID;
}
#else
#include <athread.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/time.h>

enum { threads = 4, turns = 3 };
struct Part {
  long number, *out;
};
long out[64 * threads];
extern void SLAVE_FUN(work)(struct Part *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
static sem_t places;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static __thread long mine = 7;
static long turn, sum, most, inside, begun;
static volatile long flag;

static void begin(void) { ++begun; }

static void *run(void *argument) {
  struct Part part = {(long)argument, out}; // on this thread's own stack
  pthread_once(&once, begin);
  athread_init();
  for (int n = 0; n < turns; ++n) {
    athread_spawn(work, &part);
    athread_join();
  }
  mine += part.number;
  // Two at a time.
  sem_wait(&places);
  ++inside;
  most = inside > most ? inside : most;
  usleep(500); // longer than its turn of spawns
  --inside;
  sem_post(&places);
  // In the order of their numbers, whoever comes first.
  pthread_mutex_lock(&lock);
  while (turn != threads - 1 - part.number)
    pthread_cond_wait(&turned, &lock);
  ++turn;
  printf("thread %ld\n", part.number);
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
  if (pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD)
    printf("barrier\n");
  pthread_rwlock_wrlock(&table);
  sum += mine;
  pthread_rwlock_unlock(&table);
  if (part.number == 1)
    pthread_exit((void *)mine);
  return (void *)mine;
}

static void *wait_for_flag(void *unused) {
  (void)unused;
  while (!flag)
    ;
  flag = 2;
  return NULL;
}

static void *sleep_long(void *unused) {
  (void)unused;
  usleep(1000);
  return NULL;
}

int main(void) {
  pthread_t handles[threads], other;
  pthread_barrier_init(&all, NULL, threads);
  sem_init(&places, 0, 2);
  athread_init();
  for (long n = 0; n < threads; ++n)
    if (pthread_create(&handles[n], NULL, run, (void *)n))
      return 1;
  // CHECK: thread 3
  // CHECK-NEXT: thread 2
  // CHECK-NEXT: thread 1
  // CHECK-NEXT: thread 0
  // CHECK-NEXT: barrier
  long results = 0;
  for (int n = 0; n < threads; ++n) {
    void *result;
    pthread_join(handles[n], &result);
    results += (long)result;
  }
  // CHECK: 34 34 7 1
  printf("%ld %ld %ld %ld\n", results, sum, mine, begun);
  printf("at a time: %ld\n", most); // TIMED: at a time: 2
  long wrong = 0;
  for (int n = 0; n < 64 * threads; ++n)
    wrong += out[n] != turns * (1000 * (n / 64) + n % 64);
  printf("wrong: %ld\n", wrong); // CHECK: wrong: 0

  // Loops that look at what another thread changes give way.
  pthread_create(&other, NULL, wait_for_flag, NULL);
  for (volatile long n = 0; n < 1000; ++n)
    ;
  flag = 1;
  while (flag != 2)
    ;
  pthread_join(other, NULL);

  // A condition that nobody signals: the time passes, and no more.
  struct timeval before, after;
  gettimeofday(&before, NULL);
  struct timespec until = {before.tv_sec, before.tv_usec * 1000 + 2000000};
  pthread_create(&other, NULL, sleep_long, NULL);
  pthread_mutex_lock(&lock);
  printf("%d\n", pthread_cond_timedwait(&turned, &lock, &until) == ETIMEDOUT); // CHECK: 1
  pthread_mutex_unlock(&lock);
  gettimeofday(&after, NULL);
  pthread_join(other, NULL);
  const long passed = (after.tv_sec - before.tv_sec) * 1000000 + after.tv_usec - before.tv_usec;
  printf("%d\n", passed >= 1999 && passed < 2100); // CHECK: 1
  athread_halt();
  printf("end\n"); // CHECK: end
  return 0;
}
#endif
