// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that inline assembly may have, from AsmTable.def.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace weft::swcc {

struct AssemblyEntry {
  enum Kind { Plain, Stem, Load, Store, Send, Address, Atomic, Update } kind;
  llvm::StringRef operands; // letters of AsmTable.def
  llvm::SmallVector<std::int64_t, 4> allowed = {};
  unsigned digits = 0; // of a stem; bytes of an atomic
};

/// The entry of a mnemonic, and for a stem the digits that follow it; null if there is none.
const AssemblyEntry *findAssembly(llvm::StringRef mnemonic, llvm::StringRef &stem,
                                  unsigned &number);

/// The known mnemonic closest to an unknown one, or "".
std::string closestAssembly(llvm::StringRef mnemonic);

} // namespace weft::swcc
