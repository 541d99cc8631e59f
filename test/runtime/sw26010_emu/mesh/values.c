// RUN: %athread %s -o %t && %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_FUNCTIONAL=1 %run %t 2>&1 | FileCheck %s
// RUN: env WEFT_EMU_MESH_SEND_DEPTH=1 WEFT_EMU_MESH_RECEIVE_DEPTH=1 %run %t 2>&1 | FileCheck %s
// Each instruction of register communication, from each place to each, with values.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local double line[8] __attribute__((aligned(32)));
__thread_local int wrong;

static doublev4 message(int from, int to, int kind) {
  return simd_set_doublev4(from, to, kind, from * 100 + to);
}

static void expect(doublev4 got, double a, double b, double c, double d) {
  double lanes[4] __attribute__((aligned(32)));
  simd_store(got, lanes);
  wrong += lanes[0] != a || lanes[1] != b || lanes[2] != c || lanes[3] != d;
}

void f(int *out) {
  int from, to;
  doublev4 v;
  floatv4 single;
  intv8 words;
  wrong = 0;

  /* One to one: rows and columns at the same time, so that a mix-up is seen. */
  for (from = 0; from < 8; from++)
    for (to = 0; to < 8; to++) {
      if (from == to)
        continue;
      if (_COL == from)
        simd_putr(message(_MYID, _ROW * 8 + to, 1), to);
      if (_ROW == from)
        simd_putc(message(_MYID, to * 8 + _COL, 2), to);
      if (_COL == to) {
        v = simd_getr(v);
        expect(v, _ROW * 8 + from, _MYID, 1, (_ROW * 8 + from) * 100 + _MYID);
      }
      if (_ROW == to) {
        v = simd_getc(v);
        expect(v, from * 8 + _COL, _MYID, 2, (from * 8 + _COL) * 100 + _MYID);
      }
      athread_syn(ARRAY_SCOPE, 0xffff);
    }

  /* One to all others, not to itself; bits 0 to 2 of the target do not matter then. */
  for (from = 0; from < 8; from++) {
    if (_COL == from)
      simd_putr(message(_MYID, 0, 3), 8 + from % 8);
    else {
      v = simd_getr(v);
      expect(v, _ROW * 8 + from, 0, 3, (_ROW * 8 + from) * 100);
    }
    athread_syn(ROW_SCOPE, 0xff);
    if (_ROW == from)
      simd_putc(message(_MYID, 0, 4), 8);
    else {
      v = simd_getc(v);
      expect(v, from * 8 + _COL, 0, 4, (from * 8 + _COL) * 100);
    }
    athread_syn(ARRAY_SCOPE, 0xffff);
  }

  /* From LDM to the sender's register and to all others: 32 bytes, or 8 in all lanes. */
  for (to = 0; to < 8; to++)
    line[to] = 1000 * _MYID + to;
  if (_COL == 5)
    simd_loadr(v, line + 4);
  else
    v = simd_getr(v);
  from = 1000 * (_ROW * 8 + 5);
  expect(v, from + 4, from + 5, from + 6, from + 7);
  if (_COL == 5)
    simd_loader(v, line + 3);
  else
    v = simd_getr(v);
  expect(v, from + 3, from + 3, from + 3, from + 3);
  athread_syn(ARRAY_SCOPE, 0xffff);
  from = 1000 * (8 * 2 + _COL);
  if (_ROW == 2)
    simd_loadc(v, line);
  else
    v = simd_getc(v);
  expect(v, from, from + 1, from + 2, from + 3);
  if (_ROW == 2)
    simd_loadec(v, line + 7);
  else
    v = simd_getc(v);
  expect(v, from + 7, from + 7, from + 7, from + 7);
  athread_syn(ARRAY_SCOPE, 0xffff);

  /* Other types, and ten messages in the order in which they were put. */
  if (_COL == 0) {
    single = 2.5;
    simd_putr(single, 7);
    words = simd_set_intv8(1, 2, 3, 4, 5, 6, 7, -8);
    simd_putr(words, 7);
    for (to = 0; to < 10; to++)
      simd_putr(message(to, 0, 5), 7);
  }
  if (_COL == 7) {
    single = simd_getr(single);
    wrong += simd_vextf3(single) != 2.5f;
    words = simd_getr(words);
    wrong += simd_vextw7(words) != -8 || simd_vextw0(words) != 1;
    for (to = 0; to < 10; to++) {
      v = simd_getr(v);
      expect(v, to, 0, 5, to * 100);
    }
  }
  out[_MYID] = wrong;
}
#else
#include <athread.h>
#include <stdio.h>

extern void SLAVE_FUN(f)(int *);
int out[64];

int main(void) {
  int i, wrong = 0;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  for (i = 0; i < 64; i++)
    wrong += out[i];
  // CHECK-NOT: {{hazard|fault}}
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  athread_halt();
  return 0;
}
#endif
