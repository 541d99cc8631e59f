//===- Names.h - identifiers of the emitted C -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_NAMES_H
#define WEFT_TARGETS_COMMON_NAMES_H

#include "dialect/Places.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace weft {

/// Identifiers in use, scope by scope. A name is the user's as far as C allows: made
/// of letters, digits and underscores, none of C's own words, and told apart from
/// others in scope by a number.
class Names {
public:
  Names() { open(); }

  std::string unique(llvm::StringRef wanted);
  /// `base` followed by the next number that is free: t0, t1, ...
  std::string numbered(llvm::StringRef base);
  /// The same, known in the whole function: for what is hoisted out of all scopes.
  std::string hoisted(llvm::StringRef base);
  /// Names of a closed scope are free again.
  void open() { scopes.push_back({{}, used, next}); }
  void close();

private:
  bool taken(llvm::StringRef name) const;
  struct Scope {
    llvm::StringSet<> names;
    llvm::StringMap<unsigned> usedBefore, nextBefore;
  };
  std::vector<Scope> scopes;
  llvm::StringMap<unsigned> used, next; ///< last number tried for a name
};

} // namespace weft

#endif // WEFT_TARGETS_COMMON_NAMES_H
