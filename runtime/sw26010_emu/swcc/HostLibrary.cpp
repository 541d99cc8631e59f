// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library on the MPE: classes of functions, their cycles in machine.toml [mpe.library].
#include "HostCost.h"
#include "Machine.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace weft::swcc {

namespace {

StringRef classOf(StringRef name) {
  // Single-precision and long forms cost as the double ones.
  const auto known = [](StringRef base) {
    return StringSwitch<StringRef>(base)
        .Cases({"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sincos"}, "elementary")
        .Cases({"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sinh", "cosh", "tanh"},
               "elementary")
        .Cases({"pow", "cbrt", "hypot", "fmod", "erf", "erfc", "tgamma", "lgamma"}, "elementary")
        .Cases({"sqrt", "floor", "ceil", "round", "rint", "trunc", "fabs", "lround"}, "simple")
        .Cases({"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc"}, "memory")
        .Cases({"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"}, "memory")
        .Cases({"printf", "fprintf", "sprintf", "snprintf", "puts", "putchar", "fwrite", "fputs"},
               "output")
        .Cases({"scanf", "fscanf", "sscanf", "fgets", "fread", "fopen", "fclose"}, "output")
        .Cases({"rand", "srand", "drand48", "random", "rand_r"}, "random")
        .Cases({"strlen", "strcpy", "strcmp", "strncpy", "strncmp", "strcat", "atoi", "atof"},
               "text")
        .Default("");
  };
  if (const StringRef exact = known(name); !exact.empty())
    return exact;
  StringRef base = name;
  if (base.consume_back("f") || base.consume_back("l"))
    return known(base) == "elementary" || known(base) == "simple" ? known(base) : StringRef();
  return {};
}

} // namespace

double hostLibraryCycles(StringRef name) {
  const StringRef kind = classOf(name);
  return kind.empty() ? 0 : emu::Machine::get().number(("mpe.library." + kind).str());
}

} // namespace weft::swcc
