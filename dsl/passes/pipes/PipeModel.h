//===- PipeModel.h - cycles of a body on two in-order pipes ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_PIPEMODEL_H
#define WEFT_PASSES_PIPES_PIPEMODEL_H

#include "dialect/Target.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace weft {

/// Instructions of the target for a shuffle by `mask`.
int64_t shuffleInstructions(llvm::ArrayRef<int64_t> mask, const VectorUnit &unit);

/// A core with two pipes that issue in order, by the target's `pipeline`: what a turn of an
/// innermost loop takes there. An estimate: addresses are taken to be free, registers to
/// suffice, and instructions to stand in the best order that a list schedule finds. What a
/// loop carries goes from copy to copy.
class PipeModel {
public:
  /// Nothing where the target's table does not tell of its pipes.
  static std::optional<PipeModel> of(const Target &target, const VectorUnit &unit);

  struct Work {
    int64_t cycles = 0;
    int64_t instructions = 0, shuffles = 0, floats = 0, memory = 0;
    int64_t live = 0;  ///< results that wait for their last use at one time, at most
    int64_t bound = 0; ///< cycles below which no order of them can be: what the busier pipe issues
  };
  /// `copies` turns of a straight-line body written out together, and the loop's own end.
  Work work(mlir::Block &body, int64_t copies) const;

  /// Instructions that the core's fast memory of instructions holds.
  int64_t codeInstructions() const { return code; }

  /// An instruction's cycles until its result can be used and until its pipe takes the next;
  /// the pipe, 2 for either.
  struct Timing {
    int64_t latency, busy, pipe;
  };
  /// What an op becomes, one behind the other; the last has its result. None for what is part
  /// of others: addresses, signs of products.
  llvm::SmallVector<Timing, 2> instructions(mlir::Operation &op) const;
  Timing lane() const { return rows[Lane]; }
  Timing integer() const { return rows[Integer]; }
  Timing control() const { return rows[Control]; }

  /// How the core issues, by the target's `issue`.
  struct Issue {
    int64_t width = 0, queue = 0;        ///< instructions decoded a cycle; waiting before a pipe
    int64_t taken = 0, mispredicted = 0; ///< cycles of a branch
    int64_t line = 0, miss = 0;          ///< instructions fetched together, and cycles for them
  };
  const Issue &issue() const { return issuing; }

private:
  /// What the table has a row for, in its order.
  enum Class { Float, Divide, Root, Lane, Integer, Load, Store, Control };
  using Row = Timing;
  struct Instruction {
    Class kind;
    llvm::SmallVector<unsigned, 4> after; ///< whose results it needs
    int64_t height = 0; ///< cycles from its issue to the end of what depends on it
  };
  /// Appends what an op becomes; the last one has its result.
  void select(mlir::Operation &op, llvm::SmallVectorImpl<Class> &into) const;
  /// The cycle in which each issues.
  llvm::SmallVector<int64_t> schedule(llvm::MutableArrayRef<Instruction> instructions) const;

  VectorUnit unit;
  llvm::SmallVector<Row, 8> rows;
  int64_t code = 0;
  Issue issuing;
};

} // namespace weft

#endif // WEFT_PASSES_PIPES_PIPEMODEL_H
