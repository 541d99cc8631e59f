//===- StayingTables.h - tables that stay with the cores ----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_STAYINGTABLES_H
#define WEFT_PASSES_TRANSFERS_STAYINGTABLES_H

#include "dialect/Cpe.h"

#include "llvm/ADT/SmallVector.h"

namespace weft {

/// Tables and small inputs that parts of a start of the cores only read, and what would be read
/// word by word more often than it has elements: each comes once, before the first part that uses
/// it, and stays in the LDM to the last one.
class StayingTables {
public:
  /// Fetches them, smallest first, as long as those in use at one time take no more than a third
  /// of the `capacity`, in bytes.
  StayingTables(cpe::CoresOp cores, int64_t capacity);

  bool empty() const { return keepers.empty(); }

  /// Leaves the largest one where it is.
  void giveUpLargest();

  /// One core gets for all those that come first, where all begin together.
  void sendToAll();

private:
  void keep(mlir::Value array);
  int64_t keptAt(mlir::Operation *part) const;

  struct Keeper {
    mlir::Value array;
    cpe::DmaGetOp get;
    mlir::Operation *first, *last;
  };
  cpe::CoresOp cores;
  int64_t capacity;
  llvm::SmallVector<Keeper> keepers; ///< rising in size
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_STAYINGTABLES_H
