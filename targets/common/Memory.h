//===- Memory.h - where a function's buffers lie -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_MEMORY_H
#define WEFT_TARGETS_COMMON_MEMORY_H

#include "dialect/Cpe.h"
#include "passes/loops/Buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <string>

namespace weft {

/// The outermost `weft.parallel` loop around an op; null where there is none.
mlir::affine::AffineForOp parallelLoopAround(mlir::Operation *op);

/// Where the buffers that a function makes lie: in the caller's scratch memory, in the
/// part of it that belongs to one thread, on the stack, or in a compute core's own memory.
class MemoryPlan {
public:
  enum class Kind { Shared, Thread, Stack, Ldm };
  struct Place {
    Kind kind;
    int64_t offset = 0; ///< from the start of the scratch memory, or of the thread's part
    bool alone = true;  ///< no other buffer uses these bytes
  };

  /// Threads that a loop may have when each needs scratch memory of its own. Room for
  /// all of them is part of the scratch memory; pages never touched cost nothing.
  static constexpr int64_t mostThreads = 256;
  /// The same of whole turns, whose memory is as large as the second cache: more threads share
  /// each.
  static constexpr int64_t mostTeams = 64;

  MemoryPlan(mlir::func::FuncOp func, int64_t stackBytes);

  const Place &placeOf(mlir::Operation *op) const { return places.find(op)->second; }
  int64_t sharedBytes() const { return shared; }
  int64_t threadBytes() const { return thread; }
  int64_t threads() const { return slots; }
  /// Of a core's own memory, what a body needs at once.
  int64_t ldmBytes(cpe::CoresOp cores) const { return ldm.lookup(cores); }
  int64_t totalBytes() const { return shared + thread * slots; }

private:
  void placeShared(mlir::func::FuncOp func, llvm::ArrayRef<mlir::Operation *> buffers);

  llvm::DenseMap<mlir::Operation *, Place> places;
  llvm::DenseMap<mlir::Operation *, int64_t> ldm;
  int64_t shared = 0, thread = 0, slots = 0;
};

/// What a memref value is a view of: an argument, an allocation or a table.
mlir::Value baseOf(mlir::Value memref);

/// `_Alignas(n) ` where it is said that an array begins at multiples of n bytes; else nothing.
std::string alignedAs(mlir::Operation *array);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_MEMORY_H
