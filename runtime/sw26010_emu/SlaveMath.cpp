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

double slave_fma(double a, double b, double c) {
  charge(Cost::Simple);
  return ::fma(a, b, c);
}
float slave_fmaf(float a, float b, float c) {
  charge(Cost::Simple);
  return ::fmaf(a, b, c);
}
double slave_ldexp(double a, int exponent) {
  charge(Cost::Simple);
  return ::ldexp(a, exponent);
}
float slave_ldexpf(float a, int exponent) {
  charge(Cost::Simple);
  return ::ldexpf(a, exponent);
}
double slave_scalbn(double a, int exponent) { return slave_ldexp(a, exponent); }
float slave_scalbnf(float a, int exponent) { return slave_ldexpf(a, exponent); }
double slave_frexp(double a, int *exponent) {
  charge(Cost::Simple);
  writes(exponent, sizeof *exponent);
  return ::frexp(a, exponent);
}
float slave_frexpf(float a, int *exponent) {
  charge(Cost::Simple);
  writes(exponent, sizeof *exponent);
  return ::frexpf(a, exponent);
}
double slave_modf(double a, double *whole) {
  charge(Cost::Simple);
  writes(whole, sizeof *whole);
  return ::modf(a, whole);
}
float slave_modff(float a, float *whole) {
  charge(Cost::Simple);
  writes(whole, sizeof *whole);
  return ::modff(a, whole);
}
void slave_sincos(double a, double *sine, double *cosine) {
  charge(Cost::Elementary, 2);
  writes(sine, sizeof *sine);
  writes(cosine, sizeof *cosine);
  ::sincos(a, sine, cosine);
}
void slave_sincosf(float a, float *sine, float *cosine) {
  charge(Cost::Elementary, 2);
  writes(sine, sizeof *sine);
  writes(cosine, sizeof *cosine);
  ::sincosf(a, sine, cosine);
}
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
