//===- OrderAxes.cpp - which axis of a transform comes first ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Transforms along different axes may be done in any order. The innermost axes first:
// what comes before them, elementwise work that makes their input, then shares a row and
// a plane with them, and both have passed through the caches once. The other way round
// the first transform takes columns, whose parts lie far from each other in memory.
// Where all fits the second cache no order passes over memory more often than another.
//
// Behind a transpose a transform along its last axis would read each point of a line from another
// row: it comes before, and stores its lines as columns.
//
// On the way back, behind elementwise work on a spectrum, the axis that came last comes first: the
// two transforms along it and what is between them share a pass.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Buffers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/StringExtras.h"

namespace weft {
#define GEN_PASS_DEF_ORDERAXES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("order-axes");

using Chain = SmallVector<weft::DftOp>;

/// The transform that alone reads `op`, along an axis that none of `chain` has.
weft::DftOp nextAfter(const Chain &chain) {
  Value result = Chain(chain).back().getResult();
  if (!result.hasOneUse())
    return nullptr;
  auto next = dyn_cast<weft::DftOp>(*result.user_begin());
  if (!next || next->getBlock() != result.getParentBlock())
    return nullptr;
  for (weft::DftOp one : chain)
    if (one.getAxis() == next.getAxis())
      return nullptr;
  return next;
}

/// The transform of the same tensor that a value is made of, element by element, if there is one.
class Origins {
public:
  weft::DftOp of(Value value) {
    if (auto before = value.getDefiningOp<weft::DftOp>())
      return before;
    auto map = value.getDefiningOp<weft::MapOp>();
    if (!map || map->getNumResults() != 1 || !map.getInits().empty() ||
        map.getStores().size() != 1 || !map.storeMap(0).isIdentity())
      return nullptr;
    auto known = found.find(value);
    if (known == found.end())
      known = found.try_emplace(value, ofMap(map)).first;
    return known->second;
  }

private:
  weft::DftOp ofMap(weft::MapOp map) {
    Block *body = map.bodyBlock();
    weft::DftOp origin;
    for (auto read : body->getOps<tensor::ExtractOp>()) {
      weft::DftOp from = of(read.getTensor());
      if (!from)
        continue;
      if (from.getType() != map.getResult(0).getType() ||
          !llvm::equal(read.getIndices(), body->getArguments()) || (origin && origin != from))
        return nullptr;
      origin = from;
    }
    return origin;
  }

  llvm::DenseMap<Value, weft::DftOp> found; ///< of the maps that were asked for
};

std::string listed(const Chain &chain) {
  return llvm::join(
      llvm::map_range(chain, [](weft::DftOp op) { return std::to_string(op.getAxis()); }), ", ");
}

/// Bytes of the part of a tensor that a transpose takes together: what lies behind the axes that
/// stay in front.
int64_t bytesTurned(weft::TransposeOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t bytes = weft::bytesOf(type);
  for (auto [place, from] : llvm::enumerate(op.getPerm())) {
    if (static_cast<int64_t>(place) != from)
      break;
    bytes /= type.getDimSize(static_cast<int64_t>(place));
  }
  return bytes;
}

/// Transforms of fewer points read columns as fast as they come.
constexpr int64_t fewPoints = 8;

/// Of rows that no cache holds. Those of 64 bytes are columns of a line of the cache each; of 128
/// and more they are read as lines.
constexpr int64_t shortRowBytes = 128;

/// Directives of axes and values as they are written.
constexpr StringRef asWritten[] = {"distribute", "fold",  "fuse", "layout",
                                   "overlap",    "place", "tile", "vectorize"};

/// The transpose that transforms one after the other come before: where the lines of one would be
/// read across rows, or all stays in a cache of so many bytes, from where columns are read as well
/// as they are written. Not where more is done with the spectrum: it would read across rows
/// instead.
weft::TransposeOp transposeAfter(const Chain &chain, int64_t cacheBytes) {
  weft::DftOp front = chain.front(), behind = chain.back();
  auto transpose = front.getInput().getDefiningOp<weft::TransposeOp>();
  bool endsAlone = llvm::all_of(behind->getUsers(), [](Operation *user) {
    return isa<weft::DftOp, weft::TransposeOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
  });
  if (!transpose || !transpose->hasOneUse() || transpose->getBlock() != behind->getBlock() ||
      !endsAlone)
    return nullptr;
  auto type = cast<RankedTensorType>(transpose.getType());
  int64_t last = type.getRank() - 1;
  if (transpose.getPerm().back() == last)
    return nullptr;
  bool readsAcrossRows = llvm::any_of(
      chain, [&](weft::DftOp op) { return static_cast<int64_t>(op.getAxis()) == last; });
  if (bytesTurned(transpose) <= cacheBytes)
    return readsAcrossRows || llvm::all_of(chain,
                                           [&](weft::DftOp op) {
                                             return type.getDimSize(op.getAxis()) >= fewPoints;
                                           })
               ? transpose
               : nullptr;
  auto from = cast<RankedTensorType>(transpose.getInput().getType());
  int64_t rowBytes = weft::bytesOf(from) / from.getNumElements() * from.getShape().back();
  return readsAcrossRows && rowBytes >= shortRowBytes ? transpose : nullptr;
}

/// Takes transforms to before the transpose that the first of them reads.
void moveBefore(weft::TransposeOp transpose, Chain &chain) {
  weft::DftOp behind = chain.back();
  notes.decided(behind, "{0}: before its input is transposed", weft::spoken(behind))
      .because("it stores what is transposed, rather than to read each point from another row");
  auto type = cast<RankedTensorType>(transpose.getInput().getType());
  chain.front().getInputMutable().assign(transpose.getInput());
  for (weft::DftOp op : chain) {
    op.setAxis(transpose.getPerm()[op.getAxis()]);
    op.getResult().setType(type);
  }
  OpBuilder builder(behind->getContext());
  builder.setInsertionPointAfter(behind);
  auto turned = weft::TransposeOp::create(builder, transpose.getLoc(), transpose.getType(),
                                          behind.getResult(), transpose.getPermAttr());
  behind.getResult().replaceAllUsesExcept(turned, turned);
  transpose.erase();
}

struct OrderAxes : public weft::impl::OrderAxesBase<OrderAxes> {
  using OrderAxesBase::OrderAxesBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<int64_t> cache = target->number("l2_bytes");
    if (failed(cache))
      return signalPassFailure();
    Origins origins;
    llvm::SmallPtrSet<Operation *, 8> seen;
    SmallVector<weft::DftOp> all;
    getOperation().walk([&](weft::DftOp op) { all.push_back(op); });
    for (weft::DftOp op : all) {
      if (seen.contains(op))
        continue;
      Chain chain{op};
      while (weft::DftOp next = nextAfter(chain))
        chain.push_back(next);
      for (weft::DftOp one : chain)
        seen.insert(one);
      auto func = op->getParentOfType<func::FuncOp>();
      if (!func || weft::directivesOf(func, asWritten).empty())
        if (weft::TransposeOp transpose = transposeAfter(chain, *cache))
          moveBefore(transpose, chain);
      order(chain, *cache, origins);
    }
  }

  /// Every op of the chain keeps its place and becomes another one of its transforms.
  static void order(Chain &chain, int64_t cacheBytes, Origins &origins) {
    if (chain.size() < 2)
      return;
    weft::DftOp before = origins.of(chain.front().getInput()), last = chain.back();
    auto isOfBefore = [&](weft::DftOp one) { return before && one.getAxis() == before.getAxis(); };
    bool isBack = llvm::any_of(chain, isOfBefore);
    auto comesFirst = [&](weft::DftOp one, weft::DftOp other) {
      if (isBack && isOfBefore(one) != isOfBefore(other))
        return isOfBefore(one);
      return one.getAxis() > other.getAxis();
    };
    if (llvm::is_sorted(chain, comesFirst))
      return;
    int64_t bytes = weft::bytesOf(cast<RankedTensorType>(last.getType()));
    std::string name = weft::Notes::wanted(last.getLoc()) ? weft::spoken(last) : std::string();
    if (bytes <= cacheBytes) {
      notes.rejected(last, "{0}: innermost axes first", name)
          .because("{0} bytes stay in a cache of {1} (l2_bytes)", bytes, cacheBytes)
          .number("bytes", bytes);
      return;
    }
    Chain sorted(chain);
    llvm::sort(sorted, comesFirst);
    notes.decided(last, "{0}: axes in the order {1}", name, listed(sorted))
        .because(isBack ? "what comes before ends along axis {2}: there and back in one pass over "
                          "memory of {0} bytes; as written: {1}"
                        : "rows and planes pass memory together, {0} bytes of them; as written: "
                          "{1}",
                 bytes, listed(chain), sorted.front().getAxis())
        .number("bytes", bytes);
    struct Transform {
      IntegerAttr axis, sign;
      FloatAttr scale;
      DenseI64ArrayAttr radices;
    };
    SmallVector<Transform> transforms;
    for (weft::DftOp op : sorted)
      transforms.push_back(
          {op.getAxisAttr(), op.getSignAttr(), op.getScaleAttr(), op.getRadicesAttr()});
    // An attribute that is null removes the one that was there.
    for (auto [op, transform] : llvm::zip(chain, transforms)) {
      op.setAxisAttr(transform.axis);
      op.setSignAttr(transform.sign);
      op.setScaleAttr(transform.scale);
      op.setRadicesAttr(transform.radices);
    }
  }
};

} // namespace
