//===- LaneBody.h - one loop body, one vector lane an iteration ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_VECTORS_LANEBODY_H
#define WEFT_PASSES_VECTORS_LANEBODY_H

#include "dialect/Target.h"
#include "passes/loops/AccessPattern.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace weft {

/// Marks an operation on vectors with the number of lanes that count; without, all do.
inline constexpr llvm::StringLiteral presentMark = "weft.present";

/// A value that a loop carries and only combines with others, in any order.
struct Reduction {
  mlir::Value carried;
  mlir::Operation *combine; ///< of the carried value and another one

  /// Whether an operation combines two values to one whatever their order, but for rounding.
  static bool mayCombine(mlir::Operation *op);
  /// What changes nothing when it is combined.
  mlir::TypedAttr neutral(mlir::OpBuilder &builder) const;
  /// The same operation on two scalars or two vectors.
  mlir::Value combined(mlir::OpBuilder &builder, mlir::Value left, mlir::Value right) const;
  /// All lanes of a vector in one scalar, by halves.
  mlir::Value acrossLanes(mlir::OpBuilder &builder, mlir::Value vector) const;
};

/// The body of a lane loop in vector form. A value of the scalar body has one of
/// three forms: uniform (one scalar for all lanes; a broadcast of it is made when
/// a vector asks), vector, or a scalar for each lane (indices, elements of other
/// widths than the vector's, operations without a vector form).
class LaneBody {
public:
  /// `hasFunctions`: the target has sin and its like of whole vectors.
  LaneBody(mlir::affine::AffineForOp loop, const VectorUnit &vectorUnit, bool hasFunctions);

  /// Decides the form of each value; false, with `reason`, where the loop has to
  /// stay scalar. Changes nothing.
  bool analyse();
  const std::string &reason() const { return why; }
  int64_t lanes() const { return count; }
  /// Whether an iteration that runs twice changes nothing: it reads nothing that the loop
  /// stores.
  bool mayRepeat();
  /// Whether vectors of which only so many lanes are there can do the loop: each element that is
  /// read or stored is in a vector of its own kind, from which others can be left out, or picked
  /// from what these lanes read.
  bool mayBeMasked(int64_t iterations);
  /// Whether the C compiler makes better vectors of the plain loop: all that would go lane by lane
  /// does so because numbers of two widths meet, and what is read and stored lies side by side. It
  /// widens half a vector at once.
  bool isBetterPlain();
  /// So many lanes are there, and no others are read or stored.
  void leaveOut(int64_t iterations) { present = counted = iterations; }
  /// So many lanes do what no other vector does.
  void countOnly(int64_t iterations) { counted = iterations; }

  /// Writes the vector form of the body into `main`, an empty loop whose variable
  /// steps by lanes() times `copies`; each copy has accumulators of its own, which the
  /// loop carries, copy after copy.
  void emitInto(mlir::affine::AffineForOp main, int64_t copies = 1);

  /// What the loop accumulates, where it is marked so that the order is free.
  llvm::ArrayRef<Reduction> reductions() const { return accumulated; }

private:
  bool refuse(mlir::Operation *op, const llvm::Twine &reason);

  // Analysis.
  bool chooseWidth();
  bool analyseBlock(mlir::Block &block, int64_t times);
  bool analyseOp(mlir::Operation &op, int64_t times);
  bool analyseAccess(const Access &access, int64_t times);
  bool analyseReductions();
  bool analyseLoop(mlir::affine::AffineForOp inner, int64_t times);
  void pairStores(mlir::Block &block);
  bool isVarying(mlir::Value value) const { return varying.contains(value); }
  bool anyVarying(mlir::ValueRange values) const {
    return llvm::any_of(values, [&](mlir::Value value) { return isVarying(value); });
  }
  bool hasVectorForm(mlir::Type type) const;
  /// Whether elements of that type fill the lanes of a vector.
  bool isFull(mlir::Type type) const;
  bool hasVectorForm(mlir::Operation *op) const;
  /// Whether an operation has a vector form but for the width of some of its numbers.
  bool isOfOtherWidth(mlir::Operation *op) const;
  /// Whether an access's lanes, where they lie side by side, are a vector: elements of the lanes'
  /// width, and truth values, of which each takes a byte in memory.
  bool hasWholeVectors(const Access &access);
  /// Constant stride from lane to lane of an index computed from loop variables.
  std::optional<int64_t> indexSlope(mlir::Value index);

  // Emission.
  void emitBlock(mlir::Block &block);
  void emitOp(mlir::Operation &op);
  void emitVector(mlir::Operation &op);
  void emitLanes(mlir::Operation &op);
  void emitIndexCast(mlir::Operation &op, int64_t stride);
  void emitInner(mlir::affine::AffineForOp inner);
  void emitLoad(const Access &access);
  void emitStore(const Access &access);
  void emitPairedStore(const Access &lower, const Access &upper, mlir::Location where);
  void emitAccessLanes(const Access &access);
  bool isHalfOfPair(const Access &access);
  /// Whether lanes can be picked from vectors that lie side by side: elements a few apart.
  bool isPicked(const Access &access);
  mlir::Value pickedLoad(const Access &access);

  mlir::VectorType vectorOf(mlir::Type element) const;
  /// True for the lanes that are there.
  mlir::Value mask(mlir::Location where);
  mlir::Value uniform(mlir::Value value) const { return scalars.lookupOrDefault(value); }
  mlir::Value vector(mlir::Value value);
  mlir::Value lane(mlir::Value value, int64_t number);
  void setLanes(mlir::Value value, llvm::SmallVector<mlir::Value> scalarsOfLanes);
  llvm::SmallVector<mlir::Value> mapped(const Access &access);
  mlir::Value vectorLoad(const Access &access, int64_t ahead);
  /// All lanes, from so many elements behind that.
  mlir::Value wholeLoad(const Access &access, int64_t ahead, int64_t elements);
  /// Lanes that are there.
  int64_t there() const { return present != 0 ? present : count; }
  mlir::Value reversed(mlir::Location where, mlir::Value value);
  mlir::Value scalarLoad(const Access &access, int64_t ahead);
  void vectorStore(const Access &access, mlir::Value value, int64_t ahead);
  /// The access's indices `ahead` lanes on, as values.
  llvm::SmallVector<mlir::Value> indices(const Access &access, int64_t ahead);
  mlir::Value constantVector(mlir::Location where, mlir::Attribute element, mlir::Type type);

  mlir::affine::AffineForOp loop;
  mlir::affine::AffineForOp main;
  mlir::OpBuilder builder;
  VectorUnit unit;
  bool hasFunctions;
  int64_t count = 0;
  int64_t present = 0;  ///< lanes that are there, where not all are
  int64_t counted = 0;  ///< lanes whose operations count, where not all do
  mlir::Value presence; ///< true for these
  int64_t offset = 0;   ///< of the copy's first lane from the loop's variable
  unsigned width = 0;
  int64_t vectorOps = 0, laneOps = 0;
  int64_t otherWidths = 0; ///< of those lane by lane: for the width of their numbers alone
  std::string why;

  AddressSpace space;
  LaneBlock block;
  llvm::DenseMap<mlir::Operation *, Access> accesses;
  llvm::DenseSet<mlir::Value> varying;
  llvm::SmallVector<Reduction> accumulated;
  /// A store of one part of a complex element -> the store of the other part that
  /// it waits for, and back.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> waitsFor, completes;

  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, mlir::Value> vectors;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> laneScalars;
  /// Elements a few apart in registers: the vectors between the first lane's and the last one's as
  /// they lie, for the accesses of one block that read from them, and what was picked for each.
  struct Run {
    Access first; ///< the one with the least address
    int64_t slope = 0;
    llvm::SmallVector<int64_t> starts; ///< of the vectors, in elements from the least address
    llvm::SmallVector<mlir::Value> loads;
    llvm::SmallDenseMap<int64_t, mlir::Value> picked; ///< by the distance from `first`
  };
  Run runOf(const Access &access, int64_t slope);
  llvm::SmallVector<Run, 2> runs;
};

} // namespace weft

#endif // WEFT_PASSES_VECTORS_LANEBODY_H
