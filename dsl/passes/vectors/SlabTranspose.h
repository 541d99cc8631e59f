//===- SlabTranspose.h - lines one behind the other, turned to lanes -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_SLABTRANSPOSE_H
#define WEFT_PASSES_VECTORS_SLABTRANSPOSE_H

#include "mlir/IR/Builders.h"

namespace weft {

/// As many lines as a vector has elements, without a gap between them, fill as many vectors as a
/// line has elements, however many these are. Turned in registers: the vectors of memory, in order,
/// on one side; on the other vector k, which holds element k of all lines.
///
/// Turning to memory, elements grow together to runs of 2, 4, 8 of them, a run a shuffle of two
/// vectors. Run m goes to the place that it has in the vector of memory in the end, wherever a
/// vector's runs have places that differ: all further shuffles then leave elements where they are
/// and choose between two vectors only, for which more ports serve. For lines of odd length these
/// are all shuffles but the first; a factor of 2 takes one of the others away.
///
/// Of vectors of two units of 128 bits with two elements each, neighbours of a line come together
/// within their units, where a CPU without shuffles over all of two vectors (AVX2) has one for it;
/// units then change places as wholes.
class SlabTranspose {
public:
  /// `lines` is a power of two, `perUnit` how many elements 128 bits have.
  SlabTranspose(int64_t elements, int64_t lines, int64_t perUnit);

  /// Elements have `size` reals.
  llvm::SmallVector<mlir::Value> toMemory(mlir::OpBuilder &builder, mlir::Location where,
                                          llvm::ArrayRef<mlir::Value> vectors, int64_t size) const;
  llvm::SmallVector<mlir::Value> fromMemory(mlir::OpBuilder &builder, mlir::Location where,
                                            llvm::ArrayRef<mlir::Value> vectors,
                                            int64_t size) const;
  /// In one direction.
  int64_t shuffles() const;

private:
  /// Of each vector, which element stands where, by its place in memory.
  using Layout = llvm::SmallVector<llvm::SmallVector<int64_t>>;

  void add(Layout layout);
  Layout inOrder(int64_t run, int64_t slabs, bool placed) const;

  int64_t elements, lines;
  llvm::SmallVector<Layout> layouts; ///< from lanes to memory
};

} // namespace weft

#endif // WEFT_PASSES_VECTORS_SLABTRANSPOSE_H
