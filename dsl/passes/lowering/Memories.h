//===- Memories.h - which memory holds which tensor ---------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_MEMORIES_H
#define WEFT_PASSES_LOWERING_MEMORIES_H

#include "passes/loops/Buffers.h"

#include "llvm/ADT/StringMap.h"

namespace weft {

/// The memories of one function and the tensor values that live in them.
class Memories {
public:
  explicit Memories(mlir::OpBuilder &builder) : builder(builder) {}

  /// The new function's block, where scratch is taken.
  void setHome(mlir::Block *block) { homeBlock = block; }
  mlir::Block *home() { return homeBlock; }

  void bindInput(mlir::Value tensor, mlir::Value memref);
  void bindTable(mlir::Value tensor, Buffer buffer);
  /// The result of an op that leaves it where its operand is.
  void bindAlias(mlir::Operation *op);
  unsigned addOutput(mlir::Value memref);

  /// Asks that `tensor`, not computed yet, be computed in a memory; what it
  /// overwrites (an init, a carried value, the lines of the stages before) then had better be
  /// there as well.
  void wantIn(mlir::Value tensor, unsigned memory);

  /// Chooses the memory of a result of `op`; copies `init` (may be null) there
  /// unless the op can overwrite it.
  void place(mlir::Value result, mlir::Operation *op, mlir::Value init);

  mlir::FailureOr<Buffer> bufferOf(mlir::Value tensor);
  bool areTogether(mlir::Value first, mlir::Value second) const {
    return memoryOf.at(first) == memoryOf.at(second);
  }

  /// Complex numbers of a name lie so, as a schedule has it, where they have memory of their own.
  void ask(llvm::StringRef name, Layout layout) { askedLayouts[name] = layout; }

  /// Arrays inside of a block are local to it, complex ones split or interleaved.
  void enterBlock(mlir::Block *newBlock, bool split) {
    localBlock = newBlock;
    splitsComplex = split;
  }
  void leaveBlock() { localBlock = nullptr; }

  /// Arrays outside of blocks that take turns, each of which makes them anew, are marked so.
  void enterTurn() { ++turnsAround; }
  void leaveTurn() { --turnsAround; }

  /// Carried values of a loop live in one memory each, over all iterations.
  void beginCarried(mlir::scf::ForOp loop);
  void endIteration(mlir::scf::ForOp loop, mlir::scf::YieldOp yield);
  void endCarried(mlir::scf::ForOp loop);

  /// Copies a returned value to the caller's memory, unless it was computed there.
  void deliver(mlir::Location loc, mlir::Value tensor, mlir::Value output);

private:
  struct Memory {
    Buffer base;
    int64_t bytes = 0;
    bool writable = true; ///< not an input or a table
    bool pinned = false;  ///< promised to a value: nobody else may take it
    llvm::SmallVector<mlir::Value> holders;
  };

  /// The layout of memory for a value at `loc`.
  Layout layoutFor(mlir::Location loc, mlir::RankedTensorType type, bool isLocal) const;
  unsigned allocate(mlir::Location loc, mlir::RankedTensorType type, bool atHome);
  void bind(mlir::Value tensor, unsigned memory);
  bool isDead(const Memory &memory, mlir::Operation *at, bool includingIt);
  static mlir::Value onlyOverwritten(mlir::Operation *op, mlir::Value result);
  static bool isReadInside(const Memory &memory, mlir::scf::ForOp loop);
  static bool readsElsewhere(mlir::Operation *op, const Memory &memory);
  std::optional<unsigned> overwritable(mlir::Operation *op, mlir::Value result);
  std::optional<unsigned> deadOfSize(mlir::Operation *op, mlir::RankedTensorType type);
  void copy(mlir::Location loc, mlir::Value tensor, unsigned memory);
  /// Notes which memory a value gets.
  void explain(mlir::Value result, unsigned chosen);

  mlir::OpBuilder &builder;
  llvm::StringMap<Layout> askedLayouts;
  bool splitsComplex = true;
  unsigned turnsAround = 0;
  mlir::Block *homeBlock = nullptr;
  mlir::Block *localBlock = nullptr;
  std::vector<Memory> memories;
  llvm::DenseMap<mlir::Value, unsigned> memoryOf;
  llvm::DenseMap<mlir::Value, unsigned> wanted;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
};

/// The operand in whose memory the result of an op lies, where that is all the op does.
mlir::Value sharedBy(mlir::Operation *op);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_MEMORIES_H
