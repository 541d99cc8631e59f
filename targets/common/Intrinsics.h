//===- Intrinsics.h - a target's table of vector operations -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_INTRINSICS_H
#define WEFT_TARGETS_COMMON_INTRINSICS_H

#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft {

/// One entry of intrinsics.toml.
struct Intrinsic {
  std::string c;    ///< template: $a $b .. operands, $p address, $imm $bits $mask $index $all
  std::string cost; ///< class under which it is counted
};

/// A target's intrinsics.toml: C types of vectors, and C text of operations on them,
/// found by operation and types as written there ("8xf64, 8xf64 -> 8xf64").
class Intrinsics {
public:
  /// The table must parse: it is part of this library, so a fault in it is ours.
  explicit Intrinsics(llvm::StringRef toml);

  const Intrinsic *find(llvm::StringRef op, llvm::StringRef types) const;
  /// The C type of a vector, or nothing where the target has none.
  llvm::StringRef cType(mlir::Type type) const;

private:
  llvm::StringMap<Intrinsic> entries;
  llvm::StringMap<std::string> types;
};

/// A type as the tables write it: f64, 8xf64, f64*.
std::string typeKey(mlir::Type type);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_INTRINSICS_H
