// D1401: 0 is success, so no code of a fault.
// RUN: weft-opt %s -verify-diagnostics

func.func @f(%bad: i1) {
  // expected-error @below {{[D1401] code is 0: expected 1 to 2147483647}}
  weft.fail_if %bad code 0
  return
}
