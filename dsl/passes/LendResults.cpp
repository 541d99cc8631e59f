//===- LendResults.cpp - arrays between nests in the memory of a result ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The last stage of a transform reads an array and fills the result. Where each of its turns
// stores what it has read to the very places where that would have lain, had the array had the
// result's memory, it has it from here on: the stage works in place, and one array less is written
// and leaves the first cache. Only vectors know of this: of a row of eight complex numbers
// the array has the real parts first, the result has pairs, so that element by element the one
// would overwrite the other before it is read.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/AccessPattern.h"
#include "passes/Notes.h"
#include "passes/Passes.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace weft {
#define GEN_PASS_DEF_LENDRESULTS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("lend-results");

/// An array between nests, the nest that reads it last, and the result that this fills.
class Lending {
public:
  explicit Lending(Operation *array)
      : array(array), memref(array->getResult(0)), type(cast<MemRefType>(memref.getType())) {}

  /// Finds the result and where the array begins in it; false where there is none.
  bool find();
  /// Replaces the array by its place in the result.
  void lend();

  int64_t bytes() const {
    return type.getNumElements() * type.getElementType().getIntOrFloatBitWidth() / 8;
  }
  Value lender() const { return result; }

private:
  bool findNests();
  bool findResult();
  bool isKnownBefore(AffineExpr address);
  bool isFreeMeanwhile();
  bool readsEachOnce();

  Operation *array;
  Value memref;
  MemRefType type;
  AddressSpace space;
  SmallVector<Access> accesses;      ///< of the array
  Operation *first = nullptr;        ///< that touches it, beside it
  Operation *last = nullptr;         ///< that touches it, beside it
  Block *point = nullptr;            ///< in `last`, where it is read
  SmallVector<const Access *> reads; ///< there
  SmallVector<AffineForOp> around;   ///< `point`, in `last`, outermost first
  Value result;                      ///< its root
  AffineExpr start;                  ///< of the array, among its elements
};

int64_t widthOf(const Access &access) {
  Type moved =
      access.isStore ? access.op->getOperand(0).getType() : access.op->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(moved);
  return vector ? vector.getNumElements() : 1;
}

bool Lending::findNests() {
  Block *home = array->getBlock();
  for (Operation *user : memref.getUsers()) {
    std::optional<Access> access = Access::ofVector(user, space);
    Operation *beside = home->findAncestorOpInBlock(*user);
    if (!access || !beside)
      return false;
    accesses.push_back(std::move(*access));
    if (!first || beside->isBeforeInBlock(first))
      first = beside;
    if (!last || last->isBeforeInBlock(beside))
      last = beside;
  }
  if (!last || first == last)
    return false;
  for (const Access &access : accesses) {
    if (!last->isAncestor(access.op))
      continue;
    if (access.isStore || (point && point != access.op->getBlock()))
      return false;
    point = access.op->getBlock();
    reads.push_back(&access);
  }
  for (Operation *op = point->getParentOp(); op != home->getParentOp(); op = op->getParentOp()) {
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop || !loop.hasConstantBounds() || loop.getNumIterOperands() != 0)
      return false;
    around.insert(around.begin(), loop);
  }
  return true;
}

bool Lending::findResult() {
  // What is stored where the array is read: of one memory, as much as is read, behind all reads.
  SmallVector<Access> stores;
  Operation *lastRead = nullptr;
  for (const Access *read : reads)
    if (!lastRead || lastRead->isBeforeInBlock(read->op))
      lastRead = read->op;
  for (Operation &op : *point) {
    std::optional<Access> access = Access::ofVector(&op, space);
    if (!access || !access->isStore)
      continue;
    Value root = rootOf(access->memref);
    if (result && root != result)
      return false;
    result = root;
    if (op.isBeforeInBlock(lastRead) || access->memref != root)
      return false;
    stores.push_back(std::move(*access));
  }
  if (stores.size() != reads.size() || result == memref ||
      cast<MemRefType>(result.getType()).getElementType() != type.getElementType() ||
      !cast<MemRefType>(result.getType()).getLayout().isIdentity())
    return false;

  // The start is the same for all pairs of a read and a store, and for all turns.
  auto startOf = [&](const Access &read, const Access &store) {
    AffineExpr difference = store.address - read.address;
    for (AffineForOp loop : around)
      if (affine::getConstantTripCount(loop) == 1)
        difference = difference.replace(
            space.dim(loop.getInductionVar()),
            getAffineConstantExpr(loop.getConstantLowerBound(), array->getContext()));
    return simplifyAffineExpr(difference, space.size(), 0);
  };
  for (const Access &candidate : stores) {
    AffineExpr tried = startOf(*reads.front(), candidate);
    if (llvm::any_of(around, [&](AffineForOp loop) {
          return tried.isFunctionOfDim(
              cast<AffineDimExpr>(space.dim(loop.getInductionVar())).getPosition());
        }))
      continue;
    llvm::SmallBitVector taken(stores.size());
    bool all = llvm::all_of(reads, [&](const Access *read) {
      for (auto [number, store] : llvm::enumerate(stores))
        if (!taken.test(number) && widthOf(store) == widthOf(*read) &&
            startOf(*read, store) == tried) {
          taken.set(number);
          return true;
        }
      return false;
    });
    if (!all || !isKnownBefore(tried))
      continue;
    start = tried;
    return true;
  }
  return false;
}

/// The result, and what the start is counted from, are there when the array is first touched.
bool Lending::isKnownBefore(AffineExpr address) {
  DominanceInfo dominance(array->getParentOp());
  SmallVector<Value> values = space.values();
  for (auto [dim, value] : llvm::enumerate(values))
    if (address.isFunctionOfDim(dim) && !dominance.properlyDominates(value, first))
      return false;
  return dominance.properlyDominates(result, first);
}

/// Nobody else touches the result from the first access of the array on to the last one.
bool Lending::isFreeMeanwhile() {
  Block *home = array->getBlock();
  SmallVector<Value> views{result};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (auto next = dyn_cast<ViewLikeOpInterface>(user)) {
        views.push_back(next->getResult(0));
        continue;
      }
      Operation *beside = home->findAncestorOpInBlock(*user);
      if (!beside || user->getBlock() == point || beside->isBeforeInBlock(first) ||
          last->isBeforeInBlock(beside))
        continue;
      return false;
    }
  }
  // In `point` there are the stores; the result's old elements must not be asked for.
  return llvm::none_of(*point, [&](Operation &op) {
    std::optional<Access> access = Access::ofVector(&op, space);
    return access ? !access->isStore && rootOf(access->memref) == result
                  : llvm::any_of(op.getOperands(), [&](Value operand) {
                      return isa<MemRefType>(operand.getType()) && rootOf(operand) == result;
                    });
  });
}

/// Every element of the array is read by one turn only, and none is left out: turns do not see
/// what others have stored.
bool Lending::readsEachOnce() {
  constexpr int64_t mostElements = int64_t(1) << 24;
  int64_t elements = type.getNumElements(), count = 0;
  if (elements > mostElements)
    return false;
  llvm::BitVector seen(elements);
  for (const Access *read : reads) {
    // What each loop adds to the address, and its constant; other values must play no part.
    SmallVector<int64_t> flat;
    if (failed(getFlattenedAffineExpr(read->address, space.size(), 0, &flat)) ||
        flat.size() != space.size() + 1)
      return false;
    SmallVector<int64_t> strides;
    int64_t address = flat.back(), turns = 1;
    for (AffineForOp loop : around) {
      int64_t &factor = flat[cast<AffineDimExpr>(space.dim(loop.getInductionVar())).getPosition()];
      address += factor * loop.getConstantLowerBound();
      strides.push_back(factor * loop.getStepAsInt());
      turns *= *affine::getConstantTripCount(loop);
      factor = 0;
    }
    if (llvm::any_of(ArrayRef(flat).drop_back(), [](int64_t factor) { return factor != 0; }))
      return false;
    int64_t width = widthOf(*read);
    count += turns * width;
    if (count > elements)
      return false;
    for (int64_t turn = 0; turn < turns; ++turn) {
      int64_t from = address, rest = turn;
      for (auto [loop, stride] : llvm::reverse(llvm::zip(around, strides))) {
        int64_t trips = *affine::getConstantTripCount(loop);
        from += rest % trips * stride;
        rest /= trips;
      }
      if (from < 0 || from + width > elements || seen.find_first_in(from, from + width) != -1)
        return false;
      seen.set(from, from + width);
    }
  }
  return count == elements;
}

bool Lending::find() { return findNests() && findResult() && isFreeMeanwhile() && readsEachOnce(); }

void Lending::lend() {
  OpBuilder builder(array);
  auto whole = cast<MemRefType>(result.getType());
  MemRefType flat = MemRefType::get({whole.getNumElements()}, whole.getElementType());
  builder.setInsertionPointAfterValue(result);
  Value line = memref::ReinterpretCastOp::create(
      builder, array->getLoc(), flat, result, builder.getIndexAttr(0),
      ArrayRef<OpFoldResult>{builder.getIndexAttr(whole.getNumElements())},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
  for (Access &access : accesses) {
    AffineExpr place = simplifyAffineExpr(access.address + start, space.size(), 0);
    AffineMap map = AffineMap::get(space.size(), 0, place);
    SmallVector<Value> operands = space.values();
    affine::canonicalizeMapAndOperands(&map, &operands);
    accessElsewhere(access.op, line, map, operands);
  }
  array->erase();
}

struct LendResults : public weft::impl::LendResultsBase<LendResults> {
  using LendResultsBase::LendResultsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<int64_t> firstCache = target->number("l1d_bytes");
    if (failed(firstCache))
      return signalPassFailure();
    SmallVector<Operation *> arrays;
    getOperation().walk([&](Operation *op) {
      if (isa<memref::AllocaOp, memref::AllocOp>(op))
        arrays.push_back(op);
    });
    for (Operation *array : arrays) {
      Lending lending(array);
      if (!lending.find())
        continue;
      std::string name = spoken(array->getResult(0)), of = spoken(lending.lender());
      int64_t bytes = lending.bytes();
      if (bytes < *firstCache && isMadeAnew(array)) {
        notes.rejected(array, "{0} lies in the memory of {1}", name, of)
            .because("{0} bytes stay in the first cache from one turn to the next", bytes)
            .number("bytes", bytes);
        continue;
      }
      notes.decided(array, "{0} lies in the memory of {1}", name, of)
          .because("the last nest that reads it stores where it has read: {0} bytes less", bytes)
          .number("bytes", bytes);
      lending.lend();
    }
  }

  /// Whether a loop around the array has more than one turn.
  static bool isMadeAnew(Operation *array) {
    for (Operation *op = array->getParentOp(); op; op = op->getParentOp())
      if (auto loop = dyn_cast<AffineForOp>(op); loop && affine::getConstantTripCount(loop) != 1)
        return true;
    return false;
  }
};

} // namespace
