// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the pass, in the form of the compiler's own.
#include "Swcc.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace weft::swcc {

namespace {

/// What was told, each once: an inlined function would repeat it.
StringSet<> &told() {
  static StringSet<> set;
  return set;
}

void tell(const std::string &place, const Twine &message, const Twine &help) {
  if (!told().insert((place + message).str()).second)
    return;
  errs() << place << ": error: " << message << '\n';
  if (!help.isTriviallyEmpty())
    errs() << place << ": help: " << help << '\n';
}

} // namespace

void error(const Instruction &at, const Twine &message, const Twine &help) {
  std::string place = at.getModule()->getSourceFileName();
  if (const DILocation *location = at.getDebugLoc().get())
    place = (location->getFilename() + ":" + Twine(location->getLine()) + ":" +
             Twine(location->getColumn()))
                .str();
  tell(place, message, help);
}

void error(const Module &module, const Twine &message, const Twine &help) {
  tell(module.getSourceFileName(), message, help);
}

void stopOnErrors() {
  if (told().empty())
    return;
  errs().flush();
  std::_Exit(1);
}

} // namespace weft::swcc
