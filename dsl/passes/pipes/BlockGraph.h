//===- BlockGraph.h - what ops in a row wait for --------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Ops that stand one behind the other, as instructions of a core with two pipes, and what
// each waits for: values, and memory that another one writes. In the body of a loop also
// for what an earlier turn has made.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_BLOCKGRAPH_H
#define WEFT_PASSES_PIPES_BLOCKGRAPH_H

#include "passes/pipes/PipeModel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseMap.h"

namespace weft {

class BlockGraph {
public:
  /// Another node, of so many turns before, whose instruction issues so many cycles earlier at
  /// least.
  struct Wait {
    unsigned node;
    int64_t cycles, turns;
  };
  struct Node {
    /// One with instructions, and such as become part of it.
    llvm::SmallVector<mlir::Operation *, 1> ops;
    llvm::SmallVector<PipeModel::Timing, 2> instructions;
    int64_t latency = 0; ///< from the first instruction's issue to a use of the result
    int64_t busy = 0;    ///< cycles for which its pipe takes no other
    int64_t divides = 0; ///< for which the one divider does
    int64_t pipe = 2;
    /// Of a load that is not aligned: cycles after which its halves are joined on pipe 0, wherever
    /// that is free. -1: of others.
    int64_t joinsAt = -1;
    bool isAccess = false;
    bool inRegister = false;            ///< makes a value for others
    bool livesOn = false;               ///< which is needed behind the ops, too
    llvm::SmallVector<Wait, 4> before;  ///< for which it waits
    llvm::SmallVector<Wait, 4> after;   ///< which wait for it
    llvm::SmallVector<Wait, 4> readers; ///< those of them that read its value
  };

  /// What an op becomes, as PipeModel::instructions() tells.
  using Instructions =
      llvm::function_ref<llvm::SmallVector<PipeModel::Timing, 2>(mlir::Operation &)>;

  /// Of ops in one block, none of which moves data or meets other cores. `loop`, where given, is
  /// the loop whose whole body they are.
  BlockGraph(llvm::ArrayRef<mlir::Operation *> ops, const PipeModel &pipes,
             mlir::affine::AffineForOp loop = {})
      : BlockGraph(
            ops, [&](mlir::Operation &op) { return pipes.instructions(op); }, pipes.lane(), loop) {}
  /// `lane` joins the halves of what is loaded across lines.
  BlockGraph(llvm::ArrayRef<mlir::Operation *> ops, Instructions instructions,
             PipeModel::Timing lane, mlir::affine::AffineForOp loop);

  /// Whether an op can be part of one: arithmetic, or a load or a store of elements.
  static bool takes(mlir::Operation &op);

  llvm::ArrayRef<Node> nodes() const { return all; }
  /// Ops without instructions that wait for no node: constants and indices.
  llvm::ArrayRef<mlir::Operation *> free() const { return freeOps; }
  /// The node that makes a value, if one does.
  std::optional<unsigned> maker(mlir::Value value) const;

  /// Whether an op is a sign that products take along: it belongs to what reads it.
  bool isSign(mlir::Operation *op) const;

  int64_t onPipe(int64_t pipe) const { return pipeCycles[pipe]; }
  int64_t eitherPipe() const { return pipeCycles[2]; }
  int64_t instructionCount() const { return count; }
  /// Values in registers that come from outside.
  int64_t outside() const { return outsideValues; }
  /// Groups of accesses whose addresses move together: each takes a register and, in a loop, an
  /// addition a turn.
  int64_t pointers() const { return pointerCount; }

private:
  /// An access to memory, its place as a sum.
  struct Access {
    unsigned node = 0;
    mlir::Value memref;
    bool writes = false, known = false;
    mlir::AffineExpr rest; ///< the place but for its constant, in elements
    int64_t constant = 0;
    int64_t elements = 1;
    std::optional<int64_t> move; ///< elements from turn to turn
  };
  void addInstructions(Node &node, PipeModel::Timing lane);
  void link(unsigned from, unsigned to, int64_t cycles, int64_t turns);
  void linkValues(mlir::affine::AffineForOp loop);
  void linkMemory(mlir::affine::AffineForOp loop);
  Access accessOf(unsigned node, mlir::affine::AffineForOp loop, class AddressSpace &space) const;

  std::vector<Node> all;
  llvm::SmallVector<mlir::Operation *> freeOps;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf;
  int64_t pipeCycles[3] = {0, 0, 0};
  int64_t count = 0, outsideValues = 0, pointerCount = 0;
};

} // namespace weft

#endif // WEFT_PASSES_PIPES_BLOCKGRAPH_H
