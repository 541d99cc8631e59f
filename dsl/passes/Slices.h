//===- Slices.h - results that no cache holds ------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_SLICES_H
#define WEFT_PASSES_SLICES_H

#include "dialect/Target.h"

#include "llvm/ADT/StringRef.h"

namespace weft {

/// How many times what a core has of the last cache: transforms of 128 x 128 x 128 points of c64,
/// 16 MiB where `l3_bytes` are 8, take 1.2 times as long past the caches, of c128 half as long.
inline constexpr int64_t readAgain = 2;

/// Results of more bytes are stored past the caches, a whole line at a time; nothing where the
/// machine cannot. Nothing else is kept in their memory then, as lines would have to be brought.
inline std::optional<int64_t> bytesStoredPast(const Target &target) {
  return target.flag("stores_past") ? target.numberIfAny("l3_bytes") : std::nullopt;
}

/// The same of results that a later nest of the same kernel reads: of up to twice the bytes, parts
/// are still in a cache then that cores share.
inline std::optional<int64_t> bytesStoredPastReaders(const Target &target) {
  std::optional<int64_t> bytes = bytesStoredPast(target);
  return bytes ? std::optional(readAgain * *bytes) : std::nullopt;
}

/// Of an array in a loop: each iteration keeps its slice of a larger one there, in a cache. It is
/// never a part of the larger one again.
inline constexpr llvm::StringLiteral sliceMark = "weft.slice";

} // namespace weft

#endif // WEFT_PASSES_SLICES_H
