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
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/BeyondCaches.h"
#include "passes/loops/Buffers.h"
#include "passes/loops/Places.h"
#include "passes/transfers/StoredBoxes.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

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

  int64_t bytes() const { return bytesOf(type); }
  Value lender() const { return result; }
  int64_t lenderBytes() const { return bytesOf(cast<MemRefType>(result.getType())); }
  /// Whether the nest around reads the result, whose lines are in a cache then.
  bool isBrought() const;

private:
  bool findNests();
  bool storesTo(Value root);
  bool readsOwn();
  bool isKnownBefore(AffineExpr address);
  bool isFreeMeanwhile();
  bool storesBehindReads();

  Operation *array;
  Value memref;
  MemRefType type;
  AddressSpace space;
  SmallVector<Access> accesses;          ///< of the array
  Operation *first = nullptr;            ///< that touches it, beside it
  Operation *last = nullptr;             ///< that touches it, beside it
  SmallVector<const Access *> reads;     ///< there
  llvm::SmallSetVector<Value, 4> stored; ///< memories to which that one stores
  Value result;                          ///< its root
  SmallVector<Access> stores;            ///< of the result, in `last`
  Block *point = nullptr;                ///< in `last`, where all reads and stores are
  AffineExpr start;                      ///< of the array, among its elements
};

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
    if (access.isStore)
      return false;
    reads.push_back(&access);
  }
  last->walk([&](Operation *op) {
    std::optional<Access> access = Access::ofVector(op, space);
    if (access && access->isStore)
      stored.insert(rootOf(access->memref));
  });
  return true;
}

/// Takes a memory for the result; false where it is of another kind.
bool Lending::storesTo(Value root) {
  auto of = cast<MemRefType>(root.getType());
  if (of.getElementType() != type.getElementType() || !of.getLayout().isIdentity())
    return false;
  result = root;
  stores.clear();
  bool isWhole = true;
  last->walk([&](Operation *op) {
    std::optional<Access> access = Access::ofVector(op, space);
    if (!access || !access->isStore || rootOf(access->memref) != root)
      return;
    isWhole &= access->memref == root;
    stores.push_back(std::move(*access));
  });
  return isWhole;
}

/// In each turn of the loops around all of them, all reads come before the stores.
bool Lending::storesBehindReads() {
  point = stores.front().op->getBlock();
  auto holds = [&](Operation *op) { return point->findAncestorOpInBlock(*op) != nullptr; };
  while (!llvm::all_of(reads, [&](const Access *read) { return holds(read->op); }) ||
         !llvm::all_of(stores, [&](const Access &store) { return holds(store.op); })) {
    point = point->getParentOp()->getBlock();
    if (point == array->getBlock())
      return false;
  }
  return llvm::all_of(stores, [&](const Access &store) {
    Operation *behind = point->findAncestorOpInBlock(*store.op);
    return llvm::all_of(reads, [&](const Access *read) {
      return point->findAncestorOpInBlock(*read->op)->isBeforeInBlock(behind);
    });
  });
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
  llvm::SmallPtrSet<Operation *, 16> known;
  for (const Access &store : stores)
    known.insert(store.op);
  SmallVector<Value> views{result};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (auto next = dyn_cast<ViewLikeOpInterface>(user)) {
        views.push_back(next->getResult(0));
        continue;
      }
      Operation *beside = home->findAncestorOpInBlock(*user);
      if (!beside || known.contains(user) || beside->isBeforeInBlock(first) ||
          last->isBeforeInBlock(beside))
        continue;
      return false;
    }
  }
  return true;
}

/// A turn that stores where an element lies is the only one that reads it, and every element is
/// stored to.
bool Lending::readsOwn() {
  constexpr int64_t mostElements = int64_t(1) << 24;
  int64_t elements = type.getNumElements();
  if (elements > mostElements)
    return false;
  Block *home = array->getBlock();
  constexpr int64_t nobody = -1, many = -2;
  std::vector<int64_t> reader(elements, nobody);
  for (const Access *read : reads) {
    std::optional<Places> places = placesOf(*read, home, point, space);
    if (!places || places->elsewhere != getAffineConstantExpr(0, array->getContext()))
      return false;
    bool inside = places->all([&](int64_t turn, int64_t from) {
      if (from < 0 || from + places->width > elements)
        return false;
      for (int64_t element = from; element < from + places->width; ++element)
        reader[element] = reader[element] == nobody || reader[element] == turn ? turn : many;
      return true;
    });
    if (!inside)
      return false;
  }
  SmallVector<Places> all;
  for (const Access &store : stores) {
    std::optional<Places> places = placesOf(store, home, point, space);
    if (!places || (!all.empty() && places->elsewhere != all.front().elsewhere))
      return false;
    all.push_back(std::move(*places));
  }
  int64_t least = all.front().least();
  for (const Places &places : all)
    least = std::min(least, places.least());
  start = all.front().elsewhere + least;
  if (!isKnownBefore(start))
    return false;
  llvm::BitVector seen(elements);
  for (const Places &places : all) {
    bool inside = places.all([&](int64_t turn, int64_t from) {
      from -= least;
      if (from + places.width > elements)
        return false;
      for (int64_t element = from; element < from + places.width; ++element)
        if (reader[element] != nobody && reader[element] != turn)
          return false;
      seen.set(from, from + places.width);
      return true;
    });
    if (!inside)
      return false;
  }
  return seen.all();
}

bool Lending::find() {
  return findNests() && llvm::any_of(stored, [&](Value root) {
           return root != memref && storesTo(root) && storesBehindReads() && isFreeMeanwhile() &&
                  readsOwn();
         });
}

bool Lending::isBrought() const {
  Operation *nest = array;
  while (auto loop = nest->getParentOfType<AffineForOp>())
    nest = loop;
  return loadsIn(nest, result);
}

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
    std::optional<int64_t> pastBytes = bytesStoredPast(*target);
    SmallVector<Operation *> arrays;
    getOperation().walk([&](Operation *op) {
      if (isa<memref::AllocaOp, memref::AllocOp>(op) && !op->hasAttr(sliceMark))
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
      if (pastBytes && lending.lenderBytes() > *pastBytes && !lending.isBrought()) {
        notes.rejected(array, "{0} lies in the memory of {1}", name, of)
            .because("{0} bytes are stored past the caches: no line comes there before",
                     lending.lenderBytes())
            .number("bytes", lending.lenderBytes());
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
