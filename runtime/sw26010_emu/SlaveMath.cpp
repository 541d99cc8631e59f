// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <math.h> of the slave side: values are the host's, cycles those of the function's class.
#include "SlaveLibrary.h"

#include <cmath>

using namespace weft::emu::slave;

// A function in double and single precision: what it costs, and how many operands it has.
#define WEFT_SLAVE_1(cost, name)                                                                   \
  double slave_##name(double a) {                                                                  \
    charge(Cost::cost);                                                                            \
    return ::name(a);                                                                              \
  }                                                                                                \
  float slave_##name##f(float a) {                                                                 \
    charge(Cost::cost);                                                                            \
    return ::name##f(a);                                                                           \
  }
#define WEFT_SLAVE_2(cost, name)                                                                   \
  double slave_##name(double a, double b) {                                                        \
    charge(Cost::cost);                                                                            \
    return ::name(a, b);                                                                           \
  }                                                                                                \
  float slave_##name##f(float a, float b) {                                                        \
    charge(Cost::cost);                                                                            \
    return ::name##f(a, b);                                                                        \
  }
// To an integer.
#define WEFT_SLAVE_TO(type, name)                                                                  \
  type slave_##name(double a) {                                                                    \
    charge(Cost::Simple);                                                                          \
    return ::name(a);                                                                              \
  }                                                                                                \
  type slave_##name##f(float a) {                                                                  \
    charge(Cost::Simple);                                                                          \
    return ::name##f(a);                                                                           \
  }
// Those of other operands, for one precision: its type and the letter in its names.
// NOLINTBEGIN(bugprone-macro-parentheses): `number` is a type
#define WEFT_SLAVE_OTHERS(number, f)                                                               \
  number slave_fma##f(number a, number b, number c) {                                              \
    charge(Cost::Simple);                                                                          \
    return ::fma##f(a, b, c);                                                                      \
  }                                                                                                \
  number slave_ldexp##f(number a, int exponent) {                                                  \
    charge(Cost::Simple);                                                                          \
    return ::ldexp##f(a, exponent);                                                                \
  }                                                                                                \
  number slave_scalbn##f(number a, int exponent) { return slave_ldexp##f(a, exponent); }           \
  number slave_frexp##f(number a, int *exponent) {                                                 \
    charge(Cost::Simple);                                                                          \
    writes(exponent, sizeof *exponent);                                                            \
    return ::frexp##f(a, exponent);                                                                \
  }                                                                                                \
  number slave_modf##f(number a, number *whole) {                                                  \
    charge(Cost::Simple);                                                                          \
    writes(whole, sizeof *whole);                                                                  \
    return ::modf##f(a, whole);                                                                    \
  }                                                                                                \
  void slave_sincos##f(number a, number *sine, number *cosine) {                                   \
    charge(Cost::Elementary, 2);                                                                   \
    writes(sine, sizeof *sine);                                                                    \
    writes(cosine, sizeof *cosine);                                                                \
    ::sincos##f(a, sine, cosine);                                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {

WEFT_SLAVE_1(Simple, fabs)
WEFT_SLAVE_1(Simple, floor)
WEFT_SLAVE_1(Simple, ceil)
WEFT_SLAVE_1(Simple, trunc)
WEFT_SLAVE_1(Simple, round)
WEFT_SLAVE_1(Simple, rint)
WEFT_SLAVE_1(Simple, nearbyint)
WEFT_SLAVE_1(Simple, logb)
WEFT_SLAVE_1(Root, sqrt)
WEFT_SLAVE_1(Elementary, cbrt)
WEFT_SLAVE_1(Elementary, sin)
WEFT_SLAVE_1(Elementary, cos)
WEFT_SLAVE_1(Elementary, tan)
WEFT_SLAVE_1(Elementary, asin)
WEFT_SLAVE_1(Elementary, acos)
WEFT_SLAVE_1(Elementary, atan)
WEFT_SLAVE_1(Elementary, sinh)
WEFT_SLAVE_1(Elementary, cosh)
WEFT_SLAVE_1(Elementary, tanh)
WEFT_SLAVE_1(Elementary, asinh)
WEFT_SLAVE_1(Elementary, acosh)
WEFT_SLAVE_1(Elementary, atanh)
WEFT_SLAVE_1(Elementary, exp)
WEFT_SLAVE_1(Elementary, exp2)
WEFT_SLAVE_1(Elementary, expm1)
WEFT_SLAVE_1(Elementary, log)
WEFT_SLAVE_1(Elementary, log2)
WEFT_SLAVE_1(Elementary, log10)
WEFT_SLAVE_1(Elementary, log1p)
WEFT_SLAVE_1(Elementary, erf)
WEFT_SLAVE_1(Elementary, erfc)
WEFT_SLAVE_1(Power, tgamma)
WEFT_SLAVE_1(Power, lgamma)
WEFT_SLAVE_2(Simple, fmin)
WEFT_SLAVE_2(Simple, fmax)
WEFT_SLAVE_2(Simple, fdim)
WEFT_SLAVE_2(Simple, copysign)
WEFT_SLAVE_2(Simple, nextafter)
WEFT_SLAVE_2(Elementary, fmod)
WEFT_SLAVE_2(Elementary, remainder)
WEFT_SLAVE_2(Elementary, hypot)
WEFT_SLAVE_2(Elementary, atan2)
WEFT_SLAVE_2(Power, pow)
WEFT_SLAVE_TO(long, lround)
WEFT_SLAVE_TO(long, lrint)
WEFT_SLAVE_TO(long long, llround)
WEFT_SLAVE_TO(long long, llrint)
WEFT_SLAVE_OTHERS(double, )
WEFT_SLAVE_OTHERS(float, f)

int slave_isnan(double a) {
  charge(Cost::Simple);
  return std::isnan(a);
}
int slave_isinf(double a) {
  charge(Cost::Simple);
  return std::isinf(a) ? (a > 0 ? 1 : -1) : 0;
}
int slave_finite(double a) {
  charge(Cost::Simple);
  return std::isfinite(a);
}

} // extern "C"
