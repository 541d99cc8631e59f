//===- StoredBoxes.cpp - the elements that loops store ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/StoredBoxes.h"

#include "passes/loops/LoopIndices.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

bool touches(Operation *op, Value root) {
  return !isa<ViewLikeOpInterface>(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<MemRefType>(operand.getType()) && rootOf(operand) == root;
  });
}

template <typename Access> static bool accessesIn(Operation *op, Value root) {
  return op
      ->walk([&](Access access) {
        return touches(access, root) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool loadsIn(Operation *op, Value root) {
  return accessesIn<affine::AffineReadOpInterface>(op, root);
}

bool storesIn(Operation *op, Value root) {
  return accessesIn<affine::AffineWriteOpInterface>(op, root);
}

/// One index: loops of which each steps over all that those inside of it reach. Those that it
/// takes join `seen`.
static std::optional<Stretch> stretchOf(AffineExpr index, unsigned dims, ArrayRef<Value> operands,
                                        SmallVectorImpl<Value> &seen) {
  SmallVector<int64_t> factors; // of the values, and what is added
  if (failed(getFlattenedAffineExpr(index, dims, operands.size() - dims, &factors)) ||
      factors.size() != operands.size() + 1)
    return std::nullopt;
  Stretch found;
  found.first = factors.back();
  SmallVector<std::pair<int64_t, int64_t>> loops; // by how much, how often
  for (auto [factor, value] : llvm::zip(factors, operands)) {
    if (factor == 0)
      continue;
    AffineForOp loop = affine::getForInductionVarOwner(value);
    if (!loop || !loop.hasConstantBounds() || tripsOf(loop) == 0 || llvm::is_contained(seen, value))
      return std::nullopt;
    seen.push_back(value);
    // Where the index falls, the last turn comes first.
    int64_t turn = factor < 0 ? tripsOf(loop) - 1 : 0;
    found.first += factor * (loop.getConstantLowerBound() + turn * loop.getStepAsInt());
    if (tripsOf(loop) > 1)
      loops.emplace_back(std::abs(factor) * loop.getStepAsInt(), tripsOf(loop));
  }
  llvm::sort(loops);
  for (auto [by, times] : loops) {
    if (found.count == 1)
      found.step = by;
    else if (by != found.step * found.count)
      return std::nullopt;
    found.count *= times;
  }
  return found;
}

std::optional<Box> Box::of(Operation *access) {
  auto [map, operands] = indicesOf(access);
  Box box;
  SmallVector<Value> seen;
  for (AffineExpr index : map.getResults()) {
    auto stretch = stretchOf(index, map.getNumDims(), operands, seen);
    if (!stretch)
      return std::nullopt;
    box.stretches.push_back(*stretch);
  }
  return box;
}

int64_t Box::elements() const {
  int64_t all = 1;
  for (const Stretch &stretch : stretches)
    all *= stretch.count;
  return all;
}

bool Box::overlaps(const Box &other) const {
  return llvm::all_of(llvm::zip_equal(stretches, other.stretches), [](auto both) {
    const auto &[one, two] = both;
    bool interleave = one.step == two.step && (one.first - two.first) % one.step != 0;
    return !interleave && one.first < two.end() && two.first < one.end();
  });
}

namespace {

/// One access of a nest to memory.
struct Touched {
  Value array;
  Type as; ///< the view of it that the indices are of
  bool isStored;
  std::optional<Box> box;
};

} // namespace

/// The accesses of a nest; nothing where what else it does may touch memory.
static std::optional<SmallVector<Touched>> touchedBy(Operation *nest) {
  SmallVector<Touched> all;
  WalkResult known = nest->walk([&](Operation *op) {
    bool reads = isa<affine::AffineReadOpInterface>(op);
    if (reads || isa<affine::AffineWriteOpInterface>(op)) {
      Value memref = reads ? cast<affine::AffineReadOpInterface>(op).getMemRef()
                           : cast<affine::AffineWriteOpInterface>(op).getMemRef();
      bool isScalar =
          !isa<VectorType>(reads ? op->getResult(0).getType() : op->getOperand(0).getType());
      all.push_back({rootOf(memref), memref.getType(), !reads,
                     isScalar ? Box::of(op) : std::optional<Box>()});
      return WalkResult::advance();
    }
    return isa<AffineForOp, affine::AffineIfOp>(op) || isMemoryEffectFree(op)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (known.wasInterrupted())
    return std::nullopt;
  return all;
}

bool areApart(Operation *one, Operation *other) {
  auto ofOne = touchedBy(one), ofOther = touchedBy(other);
  if (!ofOne || !ofOther)
    return false;
  for (const Touched &first : *ofOne)
    for (const Touched &second : *ofOther)
      if (first.array == second.array && (first.isStored || second.isStored) &&
          (first.as != second.as || !first.box || !second.box || first.box->overlaps(*second.box)))
        return false;
  return true;
}

bool areWhole(ArrayRef<Box> boxes, MemRefType type) {
  if (!type.hasStaticShape())
    return false;
  int64_t all = 0;
  for (auto [n, box] : llvm::enumerate(boxes)) {
    if (llvm::any_of(boxes.take_front(n), [&](const Box &other) { return box.overlaps(other); }))
      return false;
    all += box.elements();
  }
  return all == type.getNumElements();
}

/// Whether what stands between an op and a loop around it are loops that run as often as they say.
static bool alwaysRuns(Operation *op, AffineForOp nest) {
  for (Operation *around = op->getParentOp(); around != nest; around = around->getParentOp()) {
    auto loop = dyn_cast<AffineForOp>(around);
    if (!loop || !loop.hasConstantBounds())
      return false;
  }
  return nest.hasConstantBounds();
}

namespace {

/// What a nest stores in an array, or in one view of it. Nothing where it stores what is no box, or
/// reads it and may not.
struct Stores {
  SmallVector<Box> boxes;
  Value into;

  static std::optional<Stores> of(AffineForOp nest, Value root, bool mayRead);
};

std::optional<Stores> Stores::of(AffineForOp nest, Value root, bool mayRead) {
  Stores found;
  WalkResult walked = nest->walk([&](Operation *op) {
    if (!touches(op, root) || (mayRead && isa<affine::AffineLoadOp>(op)))
      return WalkResult::advance();
    auto store = dyn_cast<affine::AffineStoreOp>(op);
    if (!store || (found.into && found.into != store.getMemRef()) || !alwaysRuns(op, nest))
      return WalkResult::interrupt();
    found.into = store.getMemRef();
    auto box = Box::of(op);
    if (!box)
      return WalkResult::interrupt();
    found.boxes.push_back(*box);
    return WalkResult::advance();
  });
  return walked.wasInterrupted() || !found.into ? std::nullopt : std::optional(found);
}

} // namespace

std::optional<SmallVector<Box>> boxesStored(AffineForOp nest, Value array) {
  auto stores = Stores::of(nest, array, /*mayRead=*/true);
  if (!stores || stores->into != array)
    return std::nullopt;
  return stores->boxes;
}

unsigned fillersOf(ArrayRef<AffineForOp> nests, Value root) {
  auto whole = cast<MemRefType>(root.getType());
  SmallVector<Box> boxes;
  Value into;
  for (auto [n, nest] : llvm::enumerate(nests)) {
    auto stores = Stores::of(nest, root, /*mayRead=*/false);
    if (!stores || (into && into != stores->into))
      return 0;
    into = stores->into;
    boxes.append(stores->boxes);
    // A view may be of a part.
    auto type = cast<MemRefType>(into.getType());
    if (type.getLayout().isIdentity() && whole.hasStaticShape() && areWhole(boxes, type) &&
        type.getNumElements() == whole.getNumElements())
      return n + 1;
  }
  return 0;
}

} // namespace weft
