//===- CoreLoops.h - loops that the cores do as a whole -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_CORELOOPS_H
#define WEFT_PASSES_MESH_CORELOOPS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SetVector.h"

namespace weft {

/// How cores put together what each of them has come to.
enum class Combining { Sum, Greatest, Least };

/// Of loops that cores share, beside `weft.sums`: how, where not all are sums ("sum", "max",
/// "min").
inline constexpr llvm::StringLiteral combinesMark = "weft.combines";

/// How the numbers that a loop carries come about, where each is a sum or an extreme of values that
/// do not depend on it so far, from memory that the loop does not write; else nothing.
std::optional<llvm::SmallVector<Combining>> combinedOverCores(mlir::affine::AffineForOp loop);
/// Says so of a loop that the cores share, and reads it.
void markCombined(mlir::affine::AffineForOp loop, llvm::ArrayRef<Combining> how);
llvm::SmallVector<Combining> combiningOf(mlir::affine::AffineForOp loop);

/// Cores that each get as many iterations of a sum as the others.
int64_t partsOfSum(mlir::affine::AffineForOp sum, int64_t cores);

/// Whether the cores can do a loop as a whole, started once: what is in it is theirs (`isOnCores`,
/// at least one op), a sum that they share, or what each of them does for itself. `own`, if given:
/// small arrays for that, of which each core has one.
bool coresMayLoop(mlir::affine::AffineForOp loop, int64_t cores,
                  llvm::function_ref<bool(mlir::Operation *)> isOnCores,
                  llvm::SetVector<mlir::Value> *own = nullptr);

} // namespace weft

#endif // WEFT_PASSES_MESH_CORELOOPS_H
