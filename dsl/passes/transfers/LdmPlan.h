//===- LdmPlan.h - where arrays lie in a core's memory ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_LDMPLAN_H
#define WEFT_PASSES_TRANSFERS_LDMPLAN_H

#include "dialect/Cpe.h"
#include "dialect/Target.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace weft {

/// Marks loops over the rows or the columns of the mesh, of which a core does one iteration.
inline constexpr llvm::StringLiteral meshMark = "weft.mesh";

/// Bytes of a core's memory that are for data; an error where the target has none.
mlir::FailureOr<int64_t> ldmCapacity(const Target &target);

/// Arrays begin at multiples of so many bytes: what vectors and transfers like.
inline constexpr int64_t ldmAlignment = 64;

/// Bytes in use from one op of a block to another, both included.
struct LdmLife {
  int64_t bytes = 0, first = 0, last = 0;
};

/// Offsets such that what is in use at the same time lies apart.
std::vector<int64_t> placedApart(llvm::ArrayRef<LdmLife> lives);

/// Bytes of an array, up to the next multiple of `ldmAlignment`.
int64_t ldmBytesOf(mlir::MemRefType type);
/// Of one that is not made yet.
int64_t ldmBytesOf(int64_t elements, int64_t elementBytes);
/// Those that a core has of an array that `memref.alloca` or `cpe.spread` makes.
int64_t ldmBytesOf(mlir::Operation *array);

/// An array that is not made yet: in use from one op of a block to another, both included, or only
/// while what is not there yet runs before the first or behind the last.
struct LdmDemand {
  enum When { During, Before, Behind };
  int64_t bytes = 0;
  mlir::Operation *first, *last;
  When when = During;
};

/// The places of the arrays that a body makes in a core's memory. In use: from the first to
/// the last op of its block that touches an array, a transfer until it has been waited for.
/// Loops over rows and columns of the mesh (`weft.mesh`), of which a core does one iteration, are
/// as if their bodies stood there alone.
class LdmPlan {
public:
  LdmPlan() = default;
  /// All arrays in a region, and those to come.
  explicit LdmPlan(mlir::Region &region, llvm::ArrayRef<LdmDemand> demands = {})
      : demands(demands) {
    end = place(region);
  }

  /// Of all arrays that there are at last, placed in the better of two orders. Passes that ask what
  /// else there is room for count with one: what they leave unused is for what they do not foresee.
  static LdmPlan settled(mlir::Region &region) {
    LdmPlan plan;
    plan.isSettled = true;
    plan.end = plan.place(region);
    return plan;
  }

  int64_t bytes() const { return end; }
  const llvm::DenseMap<mlir::Operation *, int64_t> &offsets() const { return placed; }

private:
  int64_t place(mlir::Region &region);

  llvm::ArrayRef<LdmDemand> demands;
  int64_t end = 0;
  bool isSettled = false;
  llvm::DenseMap<mlir::Operation *, int64_t> placed;
  llvm::SmallVector<mlir::Operation *> sequence; ///< those placed, in that order
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_LDMPLAN_H
