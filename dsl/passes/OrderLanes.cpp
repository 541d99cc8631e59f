//===- OrderLanes.cpp - lanes in the order that costs the least ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Pairs of real and imaginary parts are split where they are loaded and joined where they are
// stored. In between it is nobody's business which lane holds which number, as long as all vectors
// that meet in an operation have the same order. A split that keeps every number in its part of 128
// bits, and the join that undoes it, are one instruction each, without an index vector and without
// the two cycles more that crossing these parts takes; a split into the order of memory crosses
// them.
//
// Vectors that an operation takes or makes together have one order, and so have the array and the
// vectors that are stored to it and loaded from it. Where one of them is anything else's business
// (a vector of an argument, a lane on its own, a sum over lanes) all of them keep the order of
// memory.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/vectors/VectorPlace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace weft {
#define GEN_PASS_DEF_ORDERLANES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("order-lanes");

/// Bytes that a shuffle moves numbers within at the least cost.
constexpr int64_t groupBytes = 16;

/// The lanes of a vector, in groups that shuffles need not cross.
struct Lanes {
  int64_t count, inGroup;

  static std::optional<Lanes> of(VectorType type, int64_t vectorBytes) {
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    if (!isa<FloatType>(type.getElementType()) || type.getNumElements() * bytes != vectorBytes ||
        vectorBytes <= groupBytes)
      return std::nullopt;
    return Lanes{vectorBytes / bytes, groupBytes / bytes};
  }
  /// One part of the pairs in two vectors, in order of memory.
  SmallVector<int64_t> split(int64_t part) const {
    return llvm::to_vector(
        llvm::map_range(llvm::seq(count), [&](int64_t n) { return 2 * n + part; }));
  }
  /// The same with each group's pairs in that group: first those of one vector, then of the other.
  SmallVector<int64_t> splitInGroups(int64_t part) const {
    return llvm::to_vector(llvm::map_range(llvm::seq(count), [&](int64_t n) {
      int64_t group = n / inGroup, pair = n % inGroup, half = inGroup / 2;
      return pair / half * count + group * inGroup + 2 * (pair % half) + part;
    }));
  }
  /// One half of the pairs that two vectors of parts make, in order of memory.
  SmallVector<int64_t> join(int64_t half) const {
    return llvm::to_vector(llvm::map_range(
        llvm::seq(count), [&](int64_t n) { return n % 2 * count + half * count / 2 + n / 2; }));
  }
  /// The same of parts that splitInGroups() has made.
  SmallVector<int64_t> joinInGroups(int64_t half) const {
    return llvm::to_vector(llvm::map_range(llvm::seq(count), [&](int64_t n) {
      int64_t group = n / inGroup;
      return n % 2 * count + group * inGroup + half * inGroup / 2 + n % inGroup / 2;
    }));
  }
};

class OrderLanes : public weft::impl::OrderLanesBase<OrderLanes> {
public:
  using OrderLanesBase::OrderLanesBase;
  void runOnOperation() override;

private:
  /// A shuffle that splits or joins, its form within groups, and a vector of parts.
  struct Change {
    vector::ShuffleOp op;
    SmallVector<int64_t> mask;
    Value parts;
  };

  void order(func::FuncOp func);
  void visit(Operation *op);
  bool visitShuffle(vector::ShuffleOp op);
  void visitPlace(const weft::VectorPlace &place);
  void visitLoop(AffineForOp loop);

  static void *node(Value value) { return value.getAsOpaquePointer(); }
  void tie(Value one, Value other) { orders.unionSets(node(one), node(other)); }
  void tieToMemory(Value value) { orders.unionSets(node(value), this); }
  void tieVectorsToMemory(Operation *op);

  llvm::EquivalenceClasses<void *> orders; ///< values and arrays, and `this` for memory's own order
  SmallVector<Change> changes;
  int64_t vectorBytes = 0;
};

bool isVector(Value value) { return isa<VectorType>(value.getType()); }

bool OrderLanes::visitShuffle(vector::ShuffleOp op) {
  std::optional<Lanes> lanes = Lanes::of(op.getResultVectorType(), vectorBytes);
  if (!lanes || op.getV1VectorType() != op.getResultVectorType() || op.getV1() == op.getV2())
    return false;
  for (int64_t which = 0; which < 2; ++which) {
    if (op.getMask() == ArrayRef(lanes->split(which))) {
      tieToMemory(op.getV1());
      tieToMemory(op.getV2());
      changes.push_back({op, lanes->splitInGroups(which), op.getResult()});
      return true;
    }
    if (op.getMask() == ArrayRef(lanes->join(which))) {
      tie(op.getV1(), op.getV2());
      tieToMemory(op.getResult());
      changes.push_back({op, lanes->joinInGroups(which), op.getV1()});
      return true;
    }
  }
  return false;
}

/// All vectors of an array have the array's order if each has a place of its own there.
void OrderLanes::visitPlace(const weft::VectorPlace &place) {
  Value root = weft::rootOf(place.memref);
  tie(place.vector, root);
  bool isOwn = isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp());
  if (!isOwn || place.memref != root || !Lanes::of(place.type(), vectorBytes) ||
      !place.isMultiple())
    tieToMemory(root);
}

void OrderLanes::visitLoop(AffineForOp loop) {
  auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
  for (auto [start, carried, next, result] :
       llvm::zip(loop.getInits(), loop.getRegionIterArgs(), yield.getOperands(), loop.getResults()))
    if (isVector(start)) {
      tie(start, carried);
      tie(start, next);
      tie(start, result);
    }
}

void OrderLanes::tieVectorsToMemory(Operation *op) {
  auto isOrdered = [](Value value) { return isa<VectorType, BaseMemRefType>(value.getType()); };
  for (Value value : llvm::make_filter_range(op->getOperands(), isOrdered))
    tieToMemory(weft::rootOf(value));
  for (Value value : llvm::make_filter_range(op->getResults(), isOrdered))
    tieToMemory(value);
}

void OrderLanes::visit(Operation *op) {
  if (auto place = weft::VectorPlace::of(op))
    return visitPlace(*place);
  if (auto loop = dyn_cast<AffineForOp>(op))
    return visitLoop(loop);
  if (isa<affine::AffineYieldOp>(op) && isa<AffineForOp>(op->getParentOp()))
    return;
  if (auto shuffle = dyn_cast<vector::ShuffleOp>(op); shuffle && visitShuffle(shuffle))
    return;
  // What all lanes have is in any order.
  DenseElementsAttr constant;
  if (isa<vector::BroadcastOp>(op) && !isVector(op->getOperand(0)))
    return;
  if (matchPattern(op, m_Constant(&constant)) && constant.isSplat())
    return;
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, ViewLikeOpInterface>(op))
    return;
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return tieVectorsToMemory(op);
  SmallVector<Value> all(op->getOperands());
  llvm::append_range(all, op->getResults());
  llvm::erase_if(all, [](Value value) { return !isVector(value); });
  for (Value value : all)
    tie(all.front(), value);
}

void OrderLanes::order(func::FuncOp func) {
  orders = {};
  changes.clear();
  orders.insert(this);
  func.walk([&](Operation *op) { visit(op); });
  int64_t changed = 0;
  for (Change &change : changes)
    if (!orders.isEquivalent(node(change.parts), this)) {
      change.op.setMask(change.mask);
      ++changed;
    }
  if (changed > 0)
    notes
        .decided(func, "{0} of {1} shuffles of parts within {2} bytes", changed, changes.size(),
                 groupBytes)
        .because("no other order meets theirs between loads and stores of pairs")
        .number("shuffles", changed);
  if (changed < static_cast<int64_t>(changes.size()))
    notes
        .rejected(func, "{0} of {1} shuffles of parts within {2} bytes", changes.size() - changed,
                  changes.size(), groupBytes)
        .because("their vectors meet others whose lanes are in order of memory")
        .number("shuffles", changes.size() - changed);
}

void OrderLanes::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<weft::VectorUnit> unit = target->vectors();
  if (failed(unit))
    return signalPassFailure();
  vectorBytes = unit->bytes;
  getOperation()->walk([&](func::FuncOp func) { order(func); });
}

} // namespace
