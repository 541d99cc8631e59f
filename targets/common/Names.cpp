//===- Names.cpp - identifiers of the emitted C -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Names.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

/// Words that a C file may not define anew, or that its text uses: keywords, the
/// functions of the C library (compilers know their types without a header), types.
static constexpr const char *reserved =
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while asm typeof bool true false size_t ptrdiff_t wchar_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t NULL "
    "NAN INFINITY offsetof linux unix main scratch acos acosh asin asinh atan atan2 atanh cbrt "
    "ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod "
    "frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb "
    "lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round "
    "scalb scalbn scalbln significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn drem "
    "finite isnan isinf isfinite isnormal signbit signgam fpclassify isgreater isgreaterequal "
    "isless islessequal islessgreater isunordered abort abs alloca atexit atof atoi atol bcmp "
    "bcopy bsearch bzero calloc clock div exit ffs fputs fprintf fputc free fwrite getenv "
    "imaxabs index isalnum isalpha isdigit islower isspace isupper labs ldiv llabs malloc "
    "memchr memcmp memcpy memmove memset printf putchar puts qsort rand realloc rindex scanf "
    "snprintf sprintf sscanf strcat strchr strcmp strcpy strlen system time tolower toupper "
    "vprintf write read open close cabs carg cexp cimag clog conj cpow cproj creal csin ccos "
    "csqrt ctan "
    "HUGE_VAL HUGE_VALF HUGE_VALL M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_E M_LN2 M_LN10 "
    "M_LOG2E M_LOG10E M_SQRT2 M_SQRT1_2 double_t float_t intmax_t uintmax_t errno math_errhandling "
    "SLAVE_FUN doublev4 floatv4 intv8 int256 uint256 uint ulong ushort IO_addr h2ldm malloc_cross "
    "start_routine SW3_SIGMAX DMAE1 DMAE2 DMAE3 DMAE4 DMAE5 INV DBZ OVF UNF INE DNO MATNO LDME "
    "ILLEGAL CLASSE1 CLASSE2 BIG_ENDIAN LITTLE_ENDIAN BYTE_ORDER EDOM ERANGE EINVAL ENOMEM EIO "
    "signal kill raise random srandom select setenv unsetenv putenv timezone daylight tzname "
    "time ctime gmtime localtime mktime difftime strftime asctime nanosleep";

static const llvm::StringSet<> &reservedWords() {
  static const llvm::StringSet<> words = [] {
    llvm::StringSet<> all;
    llvm::SmallVector<StringRef> list;
    StringRef(reserved).split(list, ' ');
    for (StringRef word : list)
      all.insert(word);
    return all;
  }();
  return words;
}

/// Whether every name that begins like this one belongs to somebody else.
static bool beginsReserved(StringRef name) {
  constexpr const char *prefixes[] = {"weft_", "omp_", "athread_", "penv_", "pthread_"};
  return llvm::any_of(prefixes, [&](const char *prefix) { return name.starts_with(prefix); });
}

/// Limits of integers, and their types: INT32_MAX, int_least8_t.
static bool isOfIntegers(StringRef name) {
  bool isLimit = name.ends_with("_MAX") || name.ends_with("_MIN");
  return (isLimit && (name.starts_with("INT") || name.starts_with("UINT"))) ||
         (name.ends_with("_t") && (name.starts_with("int_") || name.starts_with("uint_")));
}

static bool isReserved(StringRef name) {
  // The functions of the library exist for float and long double too.
  return reservedWords().contains(name) || beginsReserved(name) || isOfIntegers(name) ||
         ((name.ends_with("f") || name.ends_with("l")) &&
          reservedWords().contains(name.drop_back()));
}

static std::string legal(StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  // Leading underscores belong to the compiler.
  size_t first = name.find_first_not_of('_');
  name = first == std::string::npos ? "t" : name.substr(first);
  if (llvm::isDigit(name.front()) || beginsReserved(name))
    name.insert(0, 1, 'n');
  return name;
}

bool Names::taken(StringRef name) const {
  return isReserved(name) ||
         llvm::any_of(scopes, [&](const Scope &scope) { return scope.names.contains(name); });
}

std::string Names::unique(StringRef wanted) {
  std::string base = legal(wanted), name = base;
  while (taken(name))
    name = base + "_" + std::to_string(++used[base]);
  scopes.back().names.insert(name);
  return name;
}

std::string Names::numbered(StringRef base) {
  std::string name;
  do
    name = base.str() + std::to_string(next[base]++);
  while (taken(name));
  scopes.back().names.insert(name);
  return name;
}

std::string Names::hoisted(StringRef base) {
  std::string name;
  unsigned n = 0;
  do
    name = (base + Twine(n++)).str();
  while (taken(name));
  scopes.front().names.insert(name);
  return name;
}

void Names::close() {
  used = std::move(scopes.back().usedBefore);
  next = std::move(scopes.back().nextBefore);
  scopes.pop_back();
}

} // namespace weft
