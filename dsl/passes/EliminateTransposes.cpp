//===- EliminateTransposes.cpp - reads instead of transposed copies ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A transposed copy costs a pass over memory. Where runs stay as long as they are, whoever reads
// the copy can fetch the same elements from where they come from, with another stride: the Finish
// pass of FT's layout_1D (Tao et al. 2019, section 4.3). `fuse` does it where the copy is read as
// it stands; here it may be read in another shape, of which an extent is several of the source.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/convolutions/NeighbouringAxes.h"
#include "passes/tensors/TransposedCopy.h"

#include "dialect/Weft.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace weft {
#define GEN_PASS_DEF_ELIMINATETRANSPOSES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("eliminate-transposes");

/// Indices into a shape, from indices into another one of as many elements.
SmallVector<AffineExpr> reshaped(ArrayRef<AffineExpr> indices, ArrayRef<int64_t> from,
                                 ArrayRef<int64_t> to, MLIRContext *context) {
  SmallVector<AffineExpr> result(to.size());
  size_t end = from.size(), place = to.size();
  // Groups of dimensions with the same number of elements, from the innermost on.
  while (place > 0) {
    AffineExpr inner = getAffineConstantExpr(0, context);
    int64_t mine = 1, others = 1;
    size_t last = place;
    do {
      if (others <= mine && place > 0)
        others *= to[--place];
      while (mine < others && end > 0) {
        inner = inner + indices[--end] * mine;
        mine *= from[end];
      }
    } while (mine != others);
    int64_t stride = 1;
    for (size_t n = last; n-- > place; stride *= to[n]) {
      AffineExpr index = stride == 1 ? inner : inner.floorDiv(stride);
      result[n] = n == place ? index : index % to[n];
    }
  }
  return result;
}

class Elimination {
public:
  Elimination(weft::TransposedCopy transpose, bool asked)
      : copy(transpose.map), transpose(std::move(transpose)), asked(asked) {}

  bool isPossible();
  void rewrite();

private:
  bool collect(Value value);

  weft::MapOp copy;
  weft::TransposedCopy transpose;
  bool asked; ///< by a schedule: however short runs become
  SmallVector<weft::ReshapeOp> shapes;
  SmallVector<tensor::ExtractOp> reads;
};

/// All that read the copy, in the shapes that it is given.
bool Elimination::collect(Value value) {
  for (Operation *user : value.getUsers()) {
    if (auto reshape = dyn_cast<weft::ReshapeOp>(user)) {
      shapes.push_back(reshape);
      if (!collect(reshape.getResult()))
        return false;
      continue;
    }
    auto read = dyn_cast<tensor::ExtractOp>(user);
    if (!read || read.getTensor() != value)
      return false;
    reads.push_back(read);
  }
  return true;
}

bool Elimination::isPossible() {
  if (!collect(copy->getResult(0)) || reads.empty())
    return false;
  auto rejected = [&](const Twine &why) {
    notes
        .rejected(copy, "{0}: read where it comes from instead of being copied",
                  weft::spoken(copy->getResult(0)))
        .because("{0}", why.str());
    return false;
  };
  auto type = cast<RankedTensorType>(copy->getResult(0).getType());
  unsigned innermost = type.getRank() - 1;
  if (!asked && transpose.indexAt.back() != innermost)
    return rejected("its rows are columns there: elements would be fetched one by one");
  for (weft::ReshapeOp shape : shapes) {
    int64_t row = cast<RankedTensorType>(shape.getResult().getType()).getShape().back();
    if (!asked && row != type.getShape().back())
      return rejected("its rows are read as something else");
  }
  return true;
}

void Elimination::rewrite() {
  MLIRContext *context = copy.getContext();
  auto type = cast<RankedTensorType>(copy->getResult(0).getType());
  notes
      .decided(copy, "{0}: read where it comes from instead of being copied",
               weft::spoken(copy->getResult(0)))
      .because(asked ? "the schedule asks for it"
                     : "its rows of {0} elements are rows there, at other distances",
               type.getShape().back())
      .number("run", type.getShape().back());
  for (tensor::ExtractOp read : reads) {
    auto shape = cast<RankedTensorType>(read.getTensor().getType());
    SmallVector<AffineExpr> own;
    for (unsigned n = 0; n < shape.getRank(); ++n)
      own.push_back(getAffineDimExpr(n, context));
    SmallVector<AffineExpr> copied = reshaped(own, shape.getShape(), type.getShape(), context);
    OpBuilder builder(read);
    SmallVector<Value> indices;
    for (unsigned number : transpose.indexAt) {
      AffineMap map = AffineMap::get(shape.getRank(), 0, copied[number]);
      if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(0)))
        indices.push_back(read.getIndices()[dim.getPosition()]);
      else
        indices.push_back(
            affine::AffineApplyOp::create(builder, read.getLoc(), map, read.getIndices()));
    }
    read.replaceAllUsesWith(
        tensor::ExtractOp::create(builder, read.getLoc(), transpose.source, indices).getResult());
    read.erase();
  }
  for (weft::ReshapeOp shape : llvm::reverse(shapes))
    shape.erase();
  copy.erase();
}

struct EliminateTransposes : public weft::impl::EliminateTransposesBase<EliminateTransposes> {
  using EliminateTransposesBase::EliminateTransposesBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::isGiven(getOperation())
                                         ? weft::Target::of(getOperation())
                                         : FailureOr<weft::Target>(failure());
    bool hasCores = succeeded(target) && target->numberIfAny("cores").has_value();
    getOperation().walk([&](func::FuncOp func) {
      weft::AskedFolds folds(func);
      SmallVector<weft::MapOp> maps;
      func.walk([&](weft::MapOp map) { maps.push_back(map); });
      for (weft::MapOp map : maps)
        if (auto copy = weft::transposedCopyOf(map)) {
          // Who computes what it copies may put it there; else its readers get it from there.
          bool asked = folds.of(*copy).has_value() && !weft::maybePut(*copy);
          Elimination elimination(*copy, asked);
          if (elimination.isPossible())
            elimination.rewrite();
        }
      maps.clear();
      if (hasCores)
        func.walk([&](weft::MapOp map) { maps.push_back(map); });
      for (weft::MapOp map : maps)
        weft::joinNeighbours(map, notes);
    });
  }
};

} // namespace
