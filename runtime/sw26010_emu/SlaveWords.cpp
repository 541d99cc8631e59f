// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <ctype.h>, numbers from text, searching in text, complex products and small things of <stdlib.h>
// on the slave side.
#include "SlaveLibrary.h"

#include "Clock.h"

#include <algorithm>
#include <cctype>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <strings.h>

using namespace weft::emu;
using namespace weft::emu::slave;

namespace {

/// What two doubles of C's complex type are in registers.
struct Pair {
  double real, imaginary;
};
struct SinglePair {
  float real, imaginary;
};

/// Text is read to its end; `end`, if wanted, is written.
void readsNumber(const char *text, char **end) {
  charge(Cost::Byte, lengthOf(text));
  if (end)
    writes(static_cast<void *>(end), sizeof *end);
}

} // namespace

extern "C" {

// ---- characters ----

#define WEFT_SLAVE_KIND(cost, name)                                                                \
  int slave_##name(int character) {                                                                \
    charge(Cost::cost);                                                                            \
    return std::name(character);                                                                   \
  }
WEFT_SLAVE_KIND(Call, isalnum)
WEFT_SLAVE_KIND(Call, isalpha)
WEFT_SLAVE_KIND(Call, iscntrl)
WEFT_SLAVE_KIND(Call, isdigit)
WEFT_SLAVE_KIND(Call, isgraph)
WEFT_SLAVE_KIND(Call, islower)
WEFT_SLAVE_KIND(Call, isprint)
WEFT_SLAVE_KIND(Call, ispunct)
WEFT_SLAVE_KIND(Call, isspace)
WEFT_SLAVE_KIND(Call, isupper)
WEFT_SLAVE_KIND(Call, isxdigit)
WEFT_SLAVE_KIND(Call, tolower)
WEFT_SLAVE_KIND(Call, toupper)
#undef WEFT_SLAVE_KIND

// ---- numbers from text ----

long long slave_atoll(const char *text) {
  readsNumber(text, nullptr);
  return std::strtoll(text, nullptr, 10);
}
long long slave_strtoll(const char *text, char **end, int base) {
  readsNumber(text, end);
  return std::strtoll(text, end, base);
}
unsigned long slave_strtoul(const char *text, char **end, int base) {
  readsNumber(text, end);
  return std::strtoul(text, end, base);
}
unsigned long long slave_strtoull(const char *text, char **end, int base) {
  readsNumber(text, end);
  return std::strtoull(text, end, base);
}
float slave_strtof(const char *text, char **end) {
  readsNumber(text, end);
  return std::strtof(text, end);
}

// ---- text ----

int slave_strcasecmp(const char *a, const char *b) {
  charge(Cost::Call);
  lengthOf(a);
  lengthOf(b);
  return ::strcasecmp(a, b);
}
int slave_strncasecmp(const char *a, const char *b, std::size_t most) {
  charge(Cost::Call);
  lengthOf(a, most);
  lengthOf(b, most);
  return ::strncasecmp(a, b, most);
}
std::size_t slave_strspn(const char *text, const char *accepted) {
  charge(Cost::Call);
  lengthOf(text);
  lengthOf(accepted);
  return std::strspn(text, accepted);
}
std::size_t slave_strcspn(const char *text, const char *refused) {
  charge(Cost::Call);
  lengthOf(text);
  lengthOf(refused);
  return std::strcspn(text, refused);
}
char *slave_strpbrk(const char *text, const char *wanted) {
  charge(Cost::Call);
  lengthOf(text);
  lengthOf(wanted);
  return const_cast<char *>(std::strpbrk(text, wanted));
}
char *slave_index(const char *text, int wanted) {
  charge(Cost::Call);
  lengthOf(text);
  return const_cast<char *>(std::strchr(text, wanted));
}
char *slave_rindex(const char *text, int wanted) {
  charge(Cost::Call);
  lengthOf(text);
  return const_cast<char *>(std::strrchr(text, wanted));
}
char *slave_stpcpy(char *to, const char *from) {
  charge(Cost::Call);
  const std::size_t length = lengthOf(from);
  writes(to, length + 1);
  std::memmove(to, from, length + 1);
  return to + length;
}

// ---- <stdlib.h> ----

div_t slave_div(int a, int b) {
  charge(Cost::Simple);
  return std::div(a, b);
}
ldiv_t slave_ldiv(long a, long b) {
  charge(Cost::Simple);
  return std::ldiv(a, b);
}
void *slave_bsearch(const void *wanted, const void *base, std::size_t count, std::size_t bytes,
                    int (*compare)(const void *, const void *)) {
  charge(Cost::Call);
  return std::bsearch(wanted, base, count, bytes, compare);
}

// As with rand, the generators are one for the whole program, in the order of virtual time.
long slave_random() {
  Clock::get().arrive();
  charge(Cost::Simple);
  return ::random();
}
void slave_srandom(unsigned seed) {
  Clock::get().arrive();
  charge(Cost::Simple);
  ::srandom(seed);
}
double slave_drand48() {
  Clock::get().arrive();
  charge(Cost::Simple);
  return ::drand48();
}
long slave_lrand48() {
  Clock::get().arrive();
  charge(Cost::Simple);
  return ::lrand48();
}
void slave_srand48(long seed) {
  Clock::get().arrive();
  charge(Cost::Simple);
  ::srand48(seed);
}

// ---- complex numbers: what the compiler calls for * and /, and <complex.h> ----

// NOLINTBEGIN(bugprone-reserved-identifier)
Pair slave___muldc3(double a, double b, double c, double d) {
  charge(Cost::Simple);
  const auto product = std::complex(a, b) * std::complex(c, d);
  return {product.real(), product.imag()};
}
Pair slave___divdc3(double a, double b, double c, double d) {
  charge(Cost::Elementary);
  const auto quotient = std::complex(a, b) / std::complex(c, d);
  return {quotient.real(), quotient.imag()};
}
SinglePair slave___mulsc3(float a, float b, float c, float d) {
  charge(Cost::Simple);
  const auto product = std::complex(a, b) * std::complex(c, d);
  return {product.real(), product.imag()};
}
SinglePair slave___divsc3(float a, float b, float c, float d) {
  charge(Cost::Elementary);
  const auto quotient = std::complex(a, b) / std::complex(c, d);
  return {quotient.real(), quotient.imag()};
}
// NOLINTEND(bugprone-reserved-identifier)

double slave_cabs(Pair a) {
  charge(Cost::Elementary);
  return std::abs(std::complex(a.real, a.imaginary));
}
double slave_carg(Pair a) {
  charge(Cost::Elementary);
  return std::arg(std::complex(a.real, a.imaginary));
}
Pair slave_cexp(Pair a) {
  charge(Cost::Elementary, 2);
  const auto power = std::exp(std::complex(a.real, a.imaginary));
  return {power.real(), power.imag()};
}

} // extern "C"
