// The address of a local is made again where it is read, one instruction, instead of being kept over
// the call in a register that has to be saved: only `first` is.
//
// RUN: %swcc -slave --emit=asm -c %s -o %t.s
// RUN: FileCheck %s < %t.s
// CHECK: # {{[0-9]+}} bytes of code, 0 values spilled
// CHECK: stl $26,0($sp) {{.*}} spill
// CHECK-NEXT: stl $9,8($sp) {{.*}} spill
// CHECK-NEXT: ldi $[[#]],local($sp)
// CHECK-NEXT: bsr $26,fill
// CHECK: ldi $[[#]],local($sp)
// CHECK-NEXT: ldl $9,local($sp)
// CHECK: bsr $26,fill
void fill(long *p);
long twice(void) {
  long place[4];
  fill(place);
  long first = place[0];
  fill(place);
  return first + place[1];
}
