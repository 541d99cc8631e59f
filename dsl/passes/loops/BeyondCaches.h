//===- BeyondCaches.h - arrays that no cache holds --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_BEYONDCACHES_H
#define WEFT_PASSES_LOOPS_BEYONDCACHES_H

#include "dialect/Target.h"

namespace weft {

/// Streams are followed within a page of this size only.
inline constexpr int64_t pageBytes = 4096;

/// Results of more bytes are stored past the caches, a whole line at a time; nothing where the
/// machine cannot. Nothing else is kept in their memory then, as lines would have to be brought.
inline std::optional<int64_t> bytesStoredPast(const Target &target) {
  return target.flag("stores_past") ? target.numberIfAny("l3_bytes") : std::nullopt;
}

/// The same of results that a later nest of the same kernel reads: of up to so many bytes, parts
/// are still in a cache then that cores share.
inline std::optional<int64_t> bytesStoredPastReaders(const Target &target) {
  return target.flag("stores_past") ? target.numberIfAny("l3_kept_bytes") : std::nullopt;
}

/// Of an array in a loop: each iteration keeps its slice of a larger one there, in a cache. It is
/// never a part of the larger one again.
inline constexpr llvm::StringLiteral sliceMark = "weft.slice";

} // namespace weft

#endif // WEFT_PASSES_LOOPS_BEYONDCACHES_H
