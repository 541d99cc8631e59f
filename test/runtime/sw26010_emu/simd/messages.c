// RUN: %athread %s -msimd -o %t && %run %t | FileCheck %s
// Register communication of every vector type, to one and to all of a row and a column; the loads
// that send; a floatv4 received as a doublev4.
#ifdef SLAVE
#include <simd.h>
#include <slave.h>

__thread_local doublev4 local;

static int sum(intv8 w) {
  int i, all = 0;
  for (i = 0; i < 8; ++i)
    all += ((int *)&w)[i];
  return all;
}

void f(double *all) {
  double *out = all + 8 * _MYID;
  doublev4 d, e;
  floatv4 s;
  intv8 w;
  int256 l;
  // Along the row: column 2 to column 5, as floats; then as doubles.
  if (_COL == 2) {
    s = simd_set_floatv4(0.5f, 1.5f, 2.5f, _ROW);
    simd_putr(s, 5);
    simd_putr(s, 5);
    w = simd_set_intv8(1, 2, 3, 4, 5, 6, 7, -_ROW);
    simd_putr(w, 5);
  }
  if (_COL == 5) {
    simd_getr(s);
    out[0] = simd_vextf3(s) + simd_vextf1(s);
    simd_getr(d);
    out[1] = simd_vextf3(d) + simd_vextf2(d);
    w = simd_getr(w);
    out[2] = sum(w);
  }
  // Row 3 to all of its column, by a load that sends 32 bytes and one that sends 8.
  local = simd_set_doublev4(_MYID, 2.0, 3.0, 4.0);
  if (_ROW == 3) {
    simd_loadc(d, &local);
    simd_loadec(e, &local);
    l = (int256)simd_set_doublev4(7, 7, 7, 7);
    simd_putc(l, 8);
  } else {
    simd_getc(d);
    simd_getc(e);
    simd_getc(l);
    out[6] = simd_vextf2((doublev4)l);
  }
  out[3] = simd_vextf0(d) + simd_vextf3(d);
  out[4] = simd_vextf3(e);
}
#else
#include <athread.h>
#include <stdio.h>

double out[64][8];
extern void SLAVE_FUN(f)(double *);

int main(void) {
  int cpe, wrong = 0;
  athread_init();
  athread_spawn(f, out);
  athread_join();
  for (cpe = 0; cpe < 64; ++cpe) {
    int row = cpe / 8, column = cpe % 8, sender = 24 + column;
    if (column == 5)
      wrong += out[cpe][0] != row + 1.5 || out[cpe][1] != row + 2.5 || out[cpe][2] != 28 - row;
    wrong += out[cpe][3] != sender + 4.0 || out[cpe][4] != sender;
    wrong += row != 3 && out[cpe][6] != 7.0;
  }
  // CHECK: 0 CPEs are wrong
  printf("%d CPEs are wrong\n", wrong);
  athread_halt();
  return 0;
}
#endif
