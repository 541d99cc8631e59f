// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weft::swcc {

namespace {

constexpr std::string_view notPro = "that is SW26010-Pro's compiler; this is SW26010's: -host, "
                                    "-slave and -hybrid";
constexpr std::string_view notOpenMp =
    "write the parallel part with athread; a plain -host compile leaves the pragmas out";
constexpr std::string_view notStandard =
    "programs are linked with the emulator and the C library; leave the word out";

// Longer words before their own beginnings where a Joined one could swallow them.
constexpr Option table[] = {
    {"-host", Form::Alone, Effect::Host},
    {"-slave", Form::Alone, Effect::Slave},
    {"-hybrid", Form::Alone, Effect::Hybrid},
    // The same to sw5gcc and mpiswgcc (and to SW26010-Pro's compiler).
    {"-mhost", Form::Alone, Effect::Host},
    {"-mslave", Form::Alone, Effect::Slave},
    {"-mhybrid", Form::Alone, Effect::Hybrid},
    {"-c", Form::Alone, Effect::CompileOnly},
    {"-S", Form::Alone, Effect::ToAssembly},
    {"-E", Form::Alone, Effect::PreprocessOnly},
    {"-r", Form::Alone, Effect::Relocate},
    {"-o", Form::Either, Effect::Output},
    {"--emit=", Form::Joined, Effect::Emit},
    {"--listing=", Form::Joined, Effect::Listing},
    {"-O", Form::Joined, Effect::Optimize},
    {"-x", Form::Either, Effect::Language},
    {"-v", Form::Alone, Effect::Verbose},
    {"-show", Form::Alone, Effect::Verbose},
    {"--help", Form::Alone, Effect::Help},
    {"-help", Form::Alone, Effect::Help},
    {"--version", Form::Alone, Effect::Version},
    {"-V", Form::Alone, Effect::Version},
    {"-dumpversion", Form::Alone, Effect::ToClang},
    {"-dumpfullversion", Form::Alone, Effect::ToClang},
    {"-dumpmachine", Form::Alone, Effect::ToClang},
    {"-print-", Form::Joined, Effect::ToClang},
    {"--print-", Form::Joined, Effect::ToClang},
    {"-dM", Form::Alone, Effect::Compile},
    {"-dD", Form::Alone, Effect::Compile},
    {"-H", Form::Alone, Effect::Compile},

    {"-I", Form::Either, Effect::Compile},
    {"-D", Form::Either, Effect::Compile},
    {"-U", Form::Either, Effect::Compile},
    {"-include", Form::Separate, Effect::Compile},
    {"-isystem", Form::Separate, Effect::Compile},
    {"-iquote", Form::Separate, Effect::Compile},
    {"-idirafter", Form::Separate, Effect::Compile},
    {"-std=", Form::Joined, Effect::Compile},
    {"-ansi", Form::Alone, Effect::Compile},
    {"-pedantic", Form::Alone, Effect::Compile},
    {"-W", Form::Joined, Effect::Compile}, // -Wl, and -Wa, are taken out before
    {"-w", Form::Alone, Effect::Compile},
    {"-g", Form::Alone, Effect::Compile},
    {"-g0", Form::Alone, Effect::Ignored},
    {"-g1", Form::Alone, Effect::Compile},
    {"-g2", Form::Alone, Effect::Compile},
    {"-g3", Form::Alone, Effect::Compile},
    {"-ggdb", Form::Alone, Effect::Compile},
    {"-gno-inline-line-tables", Form::Alone, Effect::Compile},
    {"-nostdinc", Form::Alone, Effect::Compile},
    {"-undef", Form::Alone, Effect::Compile},
    {"-M", Form::Alone, Effect::Dependencies},
    {"-MM", Form::Alone, Effect::Dependencies},
    {"-MD", Form::Alone, Effect::Compile},
    {"-MMD", Form::Alone, Effect::Compile},
    {"-MP", Form::Alone, Effect::Compile},
    {"-MF", Form::Either, Effect::Compile},
    {"-MT", Form::Either, Effect::Compile},
    {"-MQ", Form::Either, Effect::Compile},
    {"-P", Form::Alone, Effect::Compile},
    {"-C", Form::Alone, Effect::Compile},
    {"-cpp", Form::Alone, Effect::Ignored},
    {"-fgnu89-inline", Form::Alone, Effect::Compile},
    {"-fno-gnu89-inline", Form::Alone, Effect::Compile},
    {"-fsigned-char", Form::Alone, Effect::Compile},
    {"-funsigned-char", Form::Alone, Effect::Compile},
    {"-fshort-enums", Form::Alone, Effect::Compile},
    {"-fpack-struct", Form::Alone, Effect::Compile},
    {"-fno-builtin", Form::Alone, Effect::Compile},
    {"-fno-strict-aliasing", Form::Alone, Effect::Compile},
    {"-fstrict-aliasing", Form::Alone, Effect::Compile},
    {"-ffast-math", Form::Alone, Effect::Compile},
    {"-fno-fast-math", Form::Alone, Effect::Compile},
    {"-fwrapv", Form::Alone, Effect::Compile},
    {"-fno-inline", Form::Alone, Effect::Compile},
    {"-finline-functions", Form::Alone, Effect::Compile},
    {"-fno-exceptions", Form::Alone, Effect::Compile},
    {"-fexceptions", Form::Alone, Effect::Compile},
    {"-fno-rtti", Form::Alone, Effect::Compile},
    {"-fpermissive", Form::Alone, Effect::Ignored},
    {"-fno-common", Form::Alone, Effect::Compile},
    {"-fcommon", Form::Alone, Effect::Compile},
    {"-fdiagnostics-color", Form::Alone, Effect::Compile},

    {"-pedantic-errors", Form::Alone, Effect::Compile},
    {"-fmath-errno", Form::Alone, Effect::Compile},
    {"-fno-math-errno", Form::Alone, Effect::Compile},
    {"-ftrapping-math", Form::Alone, Effect::Compile},
    {"-fno-trapping-math", Form::Alone, Effect::Compile},
    {"-funsafe-math-optimizations", Form::Alone, Effect::Compile},
    {"-ffinite-math-only", Form::Alone, Effect::Compile},
    {"-fassociative-math", Form::Alone, Effect::Compile},
    {"-freciprocal-math", Form::Alone, Effect::Compile},
    {"-fno-signed-zeros", Form::Alone, Effect::Compile},
    {"-frounding-math", Form::Alone, Effect::Compile},
    {"-fno-inline-functions", Form::Alone, Effect::Compile},
    {"-fkeep-inline-functions", Form::Alone, Effect::Compile},
    {"-fms-extensions", Form::Alone, Effect::Compile},
    {"-fno-builtin-", Form::Joined, Effect::Compile},
    {"-fno-unsigned-char", Form::Alone, Effect::Compile},
    {"-fno-signed-char", Form::Alone, Effect::Compile},
    {"-fno-short-enums", Form::Alone, Effect::Compile},
    {"-frtti", Form::Alone, Effect::Compile},
    {"-trigraphs", Form::Alone, Effect::Compile},
    {"-fdollars-in-identifiers", Form::Alone, Effect::Compile},
    {"-fno-operator-names", Form::Alone, Effect::Compile},
    {"-fno-threadsafe-statics", Form::Alone, Effect::Compile},
    {"-fconserve-space", Form::Alone, Effect::Ignored},
    {"-ftemplate-depth", Form::Joined, Effect::Compile},
    {"-fconstexpr-depth", Form::Joined, Effect::Compile},
    {"-fmacro-prefix-map=", Form::Joined, Effect::Compile},
    {"-ffile-prefix-map=", Form::Joined, Effect::Compile},
    {"-fvisibility=", Form::Joined, Effect::Compile},
    {"-fdiagnostics-color=", Form::Joined, Effect::Compile},
    {"-ferror-limit=", Form::Joined, Effect::Compile},
    {"-fmax-errors=", Form::Joined, Effect::Compile},
    {"-ffp-contract=", Form::Joined, Effect::Compile},
    {"--sysroot=", Form::Joined, Effect::Compile},
    {"-imacros", Form::Separate, Effect::Compile},
    {"-isysroot", Form::Separate, Effect::Compile},

    {"-L", Form::Either, Effect::Link},
    {"-l", Form::Either, Effect::Library},
    {"-Wl,", Form::Joined, Effect::Link},
    {"-Xlinker", Form::Separate, Effect::Link},
    {"-u", Form::Either, Effect::Link},
    {"-s", Form::Alone, Effect::Link},
    {"-rdynamic", Form::Alone, Effect::Link},
    {"-pthread", Form::Alone, Effect::Link},
    {"-z", Form::Separate, Effect::Link},

    // Of the vendor's code generator, machine or linker.
    {"-msimd", Form::Alone, Effect::Ignored},
    {"-mieee", Form::Alone, Effect::Ignored},
    {"-mfma", Form::Alone, Effect::Ignored},
    {"-mftz", Form::Alone, Effect::Ignored},
    {"-ftz", Form::Alone, Effect::Ignored},
    {"-mpc64", Form::Alone, Effect::Ignored},
    {"-m64", Form::Alone, Effect::Ignored},
    {"-mtune=", Form::Joined, Effect::Ignored},
    {"-march=", Form::Joined, Effect::Ignored},
    {"-allshare", Form::Alone, Effect::Ignored},
    {"-share_libs", Form::Alone, Effect::Ignored},
    {"-static", Form::Alone, Effect::Ignored},
    {"-fPIC", Form::Alone, Effect::Ignored},
    {"-fpic", Form::Alone, Effect::Ignored},
    {"-fPIE", Form::Alone, Effect::Ignored},
    {"-pipe", Form::Alone, Effect::Ignored},
    {"-keep", Form::Alone, Effect::Ignored},
    {"-pg", Form::Alone, Effect::Ignored},
    {"-p", Form::Alone, Effect::Ignored},
    {"-OPT:", Form::Joined, Effect::Ignored},
    {"-LNO:", Form::Joined, Effect::Ignored},
    {"-CG:", Form::Joined, Effect::Ignored},
    {"-WOPT:", Form::Joined, Effect::Ignored},
    {"-TENV:", Form::Joined, Effect::Ignored},
    {"-INLINE:", Form::Joined, Effect::Ignored},
    {"-IPA:", Form::Joined, Effect::Ignored},
    {"-LANG:", Form::Joined, Effect::Ignored},
    {"-LIST:", Form::Joined, Effect::Ignored},
    {"-TARG:", Form::Joined, Effect::Ignored},
    {"-pjump_static", Form::Alone, Effect::Ignored},
    {"-pjump_all", Form::Alone, Effect::Ignored},
    {"-ipa", Form::Alone, Effect::Ignored},
    {"-funroll-loops", Form::Alone, Effect::Ignored},
    {"-funroll-all-loops", Form::Alone, Effect::Ignored},
    {"-fomit-frame-pointer", Form::Alone, Effect::Ignored},
    {"-fno-omit-frame-pointer", Form::Alone, Effect::Ignored},
    {"-faddress_align=", Form::Joined, Effect::Ignored},
    {"-ftree-vectorize", Form::Alone, Effect::Ignored},
    {"-fno-tree-vectorize", Form::Alone, Effect::Ignored},

    {"-fno-pic", Form::Alone, Effect::Ignored},
    {"-fno-PIC", Form::Alone, Effect::Ignored},
    {"-fno-pie", Form::Alone, Effect::Ignored},
    {"-fno-PIE", Form::Alone, Effect::Ignored},
    {"-fpie", Form::Alone, Effect::Ignored},
    {"-pie", Form::Alone, Effect::Ignored},
    {"-no-pie", Form::Alone, Effect::Ignored},
    {"-nopie", Form::Alone, Effect::Ignored},
    {"-fbranch-predict-hint", Form::Alone, Effect::Ignored},
    {"-fprefetch-loop-arrays", Form::Alone, Effect::Ignored},
    {"-fno-prefetch-loop-arrays", Form::Alone, Effect::Ignored},
    {"-fno-unroll-loops", Form::Alone, Effect::Ignored},
    {"-fno-unroll-all-loops", Form::Alone, Effect::Ignored},
    {"-fsingle-precision-constant", Form::Alone, Effect::Ignored},
    {"-fschedule-insns", Form::Alone, Effect::Ignored},
    {"-fno-schedule-insns", Form::Alone, Effect::Ignored},
    {"-fschedule-insns2", Form::Alone, Effect::Ignored},
    {"-fno-schedule-insns2", Form::Alone, Effect::Ignored},
    {"-fmodulo-sched", Form::Alone, Effect::Ignored},
    {"-fgcse", Form::Alone, Effect::Ignored},
    {"-fno-gcse", Form::Alone, Effect::Ignored},
    {"-fgcse-las", Form::Alone, Effect::Ignored},
    {"-frename-registers", Form::Alone, Effect::Ignored},
    {"-fpeel-loops", Form::Alone, Effect::Ignored},
    {"-fsplit-loops", Form::Alone, Effect::Ignored},
    {"-fivopts", Form::Alone, Effect::Ignored},
    {"-fstack-protector", Form::Alone, Effect::Ignored},
    {"-fstack-protector-all", Form::Alone, Effect::Ignored},
    {"-fstack-protector-strong", Form::Alone, Effect::Ignored},
    {"-fno-stack-protector", Form::Alone, Effect::Ignored},
    {"-fstack-check", Form::Alone, Effect::Ignored},
    {"-fasynchronous-unwind-tables", Form::Alone, Effect::Ignored},
    {"-fno-asynchronous-unwind-tables", Form::Alone, Effect::Ignored},
    {"-funwind-tables", Form::Alone, Effect::Ignored},
    {"-fno-unwind-tables", Form::Alone, Effect::Ignored},
    {"-fno-plt", Form::Alone, Effect::Ignored},
    {"-fdata-sections", Form::Alone, Effect::Ignored},
    {"-ffunction-sections", Form::Alone, Effect::Ignored},
    {"-fmerge-all-constants", Form::Alone, Effect::Ignored},
    {"-fno-ident", Form::Alone, Effect::Ignored},
    {"-flto", Form::Alone, Effect::Ignored},
    {"-fno-lto", Form::Alone, Effect::Ignored},
    {"-fwhole-program", Form::Alone, Effect::Ignored},
    {"-fopenmp-simd", Form::Alone, Effect::Ignored},
    {"-fno-openmp", Form::Alone, Effect::Ignored},
    {"-fno-tree-pre", Form::Alone, Effect::Ignored},
    {"-ftree-loop-distribution", Form::Alone, Effect::Ignored},
    {"-fno-tree-slp-vectorize", Form::Alone, Effect::Ignored},
    {"-ftree-slp-vectorize", Form::Alone, Effect::Ignored},
    {"-fno-semantic-interposition", Form::Alone, Effect::Ignored},
    {"-fdiagnostics-show-option", Form::Alone, Effect::Ignored},
    {"-fno-diagnostics-show-caret", Form::Alone, Effect::Ignored},
    {"-static-libgcc", Form::Alone, Effect::Ignored},
    {"-static-libstdc++", Form::Alone, Effect::Ignored},
    {"-static-intel", Form::Alone, Effect::Ignored},
    {"-shared-libgcc", Form::Alone, Effect::Ignored},
    {"-save-temps", Form::Alone, Effect::Ignored},
    {"-time", Form::Alone, Effect::Ignored},
    {"-msse", Form::Alone, Effect::Ignored},
    {"-msse2", Form::Alone, Effect::Ignored},
    {"-msse3", Form::Alone, Effect::Ignored},
    {"-mavx", Form::Alone, Effect::Ignored},
    {"-mavx2", Form::Alone, Effect::Ignored},
    {"-mno-simd", Form::Alone, Effect::Ignored},
    {"-mno-ieee", Form::Alone, Effect::Ignored},
    {"-mieee-with-inexact", Form::Alone, Effect::Ignored},
    {"-mieee-conformant", Form::Alone, Effect::Ignored},
    {"-mlong-double-64", Form::Alone, Effect::Ignored},
    {"-mlong-double-128", Form::Alone, Effect::Ignored},
    {"-mcmodel=small", Form::Alone, Effect::Ignored},
    {"-mcmodel=medium", Form::Alone, Effect::Ignored},
    {"-mcmodel=large", Form::Alone, Effect::Ignored},
    {"-Bstatic", Form::Alone, Effect::Ignored},
    {"-Bdynamic", Form::Alone, Effect::Ignored},
    {"-multiple", Form::Alone, Effect::Ignored},
    {"-OPT", Form::Alone, Effect::Ignored},
    {"-noinline", Form::Alone, Effect::Ignored},
    {"-mcpu=", Form::Joined, Effect::Ignored},
    {"-flto=", Form::Joined, Effect::Ignored},
    {"-finline-limit=", Form::Joined, Effect::Ignored},
    {"-falign-functions", Form::Joined, Effect::Ignored},
    {"-falign-loops", Form::Joined, Effect::Ignored},
    {"-falign-labels", Form::Joined, Effect::Ignored},
    {"-falign-jumps", Form::Joined, Effect::Ignored},
    {"-fmessage-length=", Form::Joined, Effect::Ignored},
    {"-fdebug-prefix-map=", Form::Joined, Effect::Ignored},
    {"-fuse-ld=", Form::Joined, Effect::Ignored},
    {"-ftls-model=", Form::Joined, Effect::Ignored},
    {"--param=", Form::Joined, Effect::Ignored},
    {"-SWP:", Form::Joined, Effect::Ignored},
    {"-PHASE:", Form::Joined, Effect::Ignored},
    {"-VHO:", Form::Joined, Effect::Ignored},
    {"-IPL:", Form::Joined, Effect::Ignored},
    {"--param", Form::Separate, Effect::Ignored},

    {"-mhybrid-coding", Form::Alone, Effect::Refused, notPro},
    {"-openmp", Form::Alone, Effect::Refused, notOpenMp},
    {"-fopenmp", Form::Alone, Effect::Refused, notOpenMp},
    {"-qopenmp", Form::Alone, Effect::Refused, notOpenMp},
    {"-mp", Form::Alone, Effect::Refused, notOpenMp},
    {"-nostdlib", Form::Alone, Effect::Refused, notStandard},
    {"-nostartfiles", Form::Alone, Effect::Refused, notStandard},
    {"-nodefaultlibs", Form::Alone, Effect::Refused, notStandard},
    {"-T", Form::Either, Effect::Link},
    {"-B", Form::Either, Effect::Ignored},
    {"-shared", Form::Alone, Effect::Refused,
     "slave code is part of the program itself; link its objects or an archive of them"},
    {"-Wa,", Form::Joined, Effect::Refused, "there is no SW assembler here"},
    {"-i8", Form::Alone, Effect::Refused, "Fortran is not served; rewrite the file in C"},
    {"-r8", Form::Alone, Effect::Refused, "Fortran is not served; rewrite the file in C"},
};

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool matches(const Option &option, std::string_view word) {
  switch (option.form) {
  case Form::Alone:
  case Form::Separate:
    return word == option.word;
  case Form::Joined:
  case Form::Either:
    return startsWith(word, option.word);
  }
  return false;
}

/// Edit distance, for the close match.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

/// -O takes a level only, and -x a language; words such as -offload or -xHost are others.
bool plausible(const Option &option, std::string_view word) {
  const std::string_view rest = word.substr(option.word.size());
  if (option.effect == Effect::Optimize)
    return rest.empty() || rest == "0" || rest == "1" || rest == "2" || rest == "3" ||
           rest == "4" || rest == "s" || rest == "z" || rest == "g" || rest == "fast";
  if (option.effect == Effect::Language)
    return rest.empty() || startsWith(rest, "c") || startsWith(rest, "assembler") || rest == "none";
  if (option.word == "-z" || option.word == "-u")
    return rest.empty() || option.word == "-u";
  return true;
}

} // namespace

const Option *findOption(std::string_view word) {
  // The longest word that fits: -Wl, before -W, -MMD before -M.
  const Option *best = nullptr;
  for (const Option &option : table)
    if (matches(option, word) && plausible(option, word) &&
        (!best || option.word.size() > best->word.size()))
      best = &option;
  return best;
}

std::string closestOption(std::string_view word) {
  std::string closest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const Option &option : table) {
    if (option.effect == Effect::Refused || option.word.size() < 3)
      continue;
    if (const std::size_t d = distance(word, option.word); d < least) {
      least = d;
      closest = option.word;
    }
  }
  return closest;
}

} // namespace weft::swcc
