//===- TargetEmitter.h - what differs between targets -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_TARGETEMITTER_H
#define WEFT_TARGETS_COMMON_TARGETEMITTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace weft {

/// How a target writes a shuffle: which entry of its table, with what in it.
struct ShuffleForm {
  std::string op;                  ///< entry of intrinsics.toml, e.g. "vector.shuffle:unpacklo"
  bool swapped = false;            ///< the second operand goes first
  int64_t immediate = 0;           ///< `$imm` of the template
  llvm::SmallVector<int64_t> mask; ///< `$index` or `$mask` of the template
};

/// What a target decides in code. All else it says in intrinsics.toml and support.h.
class TargetEmitter {
public:
  virtual ~TargetEmitter() = default;

  /// The cheapest form of a shuffle of two vectors of `lanes` elements; `one` where
  /// both are the same value (then the mask has no index beyond the first).
  virtual ShuffleForm shuffle(llvm::ArrayRef<int64_t> mask, int64_t lanes, bool one) const = 0;
};

/// A folder of targets/, as CMake found it.
struct EmbeddedTarget {
  const char *name;
  const TargetEmitter &(*emitter)();
  const char *intrinsics; ///< text of intrinsics.toml
  const char *support;    ///< text of support.h
};

llvm::ArrayRef<EmbeddedTarget> embeddedTargets();
/// Text of common/support.h.
const char *commonSupport();

} // namespace weft

#endif // WEFT_TARGETS_COMMON_TARGETEMITTER_H
