//===- PastStores.h - results that go past the caches -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_PASTSTORES_H
#define WEFT_TARGETS_COMMON_PASTSTORES_H

#include "targets/common/Traffic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseSet.h"

namespace weft {

/// The vector stores that may go to memory without their lines being read first, all of whole
/// lines:
/// - one behind the other, of a result that no cache holds and that the function does not read,
///   where all that the loop reads is in a cache;
/// - that blocks compute, or bodies that fill one line after the other from streams; also of
///   columns in the place where their block has read them (`past_in_place_bytes`);
/// - of copies to a result of which no cache keeps a part (`l3_kept_bytes`).
llvm::DenseSet<mlir::Operation *> storesPast(mlir::func::FuncOp func, const CacheModel &cache);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_PASTSTORES_H
