//===- ArrangeContractions.cpp - sums of products laid out for the caches --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Every contraction becomes a batch of matrix products c[b, row, column] of one form:
// the rows' factor as [b, row, term], read one element at a time, the columns' factor in
// panels [b, panel, term, column of panel], read as vectors. What only maps make and
// read is made in that order in the first place; the rest is copied, which costs little
// beside the products. The codelets around a contraction then find their vectors along
// the contraction's columns or terms, and ask the same of the tensors that they read.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/contractions/Arrangement.h"
#include "passes/contractions/CodeletLanes.h"
#include "passes/contractions/CodeletPlanes.h"
#include "passes/contractions/ColumnBlocks.h"
#include "passes/contractions/ComputedFactors.h"
#include "passes/contractions/TileStrips.h"
#include "passes/contractions/WindowFactors.h"
#include "passes/contractions/WindowSums.h"
#include "passes/tensors/FixedInputs.h"
#include "passes/tensors/TensorLayouts.h"
#include "passes/transforms/WinogradMaps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_ARRANGECONTRACTIONS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

/// A product of so few rows that one panel has them: packed, each vector of columns would be
/// written and read once more than where it lies. Nothing where it has more, or columns lie
/// elsewhere.
std::optional<WindowSum> ofFewRows(const Contraction &contraction, const PanelLimits &limits) {
  constexpr int64_t mostRows = 14; // as panels of two vectors have
  std::optional<WindowSum> sum = WindowSum::of(contraction.map, contraction.reduce);
  if (!sum || sum->turned || !contraction.batch.empty())
    return std::nullopt;
  // Panels of what is computed here, or once for all calls, cost nothing.
  Value image = sum->image.getTensor();
  if (isFreeLayout(image) || isFixed(image))
    return std::nullopt;
  bool areColumns = llvm::is_contained(contraction.columns, sum->column);
  int64_t rows = contraction.count(areColumns ? contraction.rows : contraction.columns);
  int64_t work = rows * sum->columns() * sum->terms();
  if (rows != sum->rows() || rows > mostRows || sum->columns() < fewestVectors * limits.lanes ||
      !hasWindowPanels(rows, sum->columns(), work, limits))
    return std::nullopt;
  return sum;
}

struct ArrangeContractions : public weft::impl::ArrangeContractionsBase<ArrangeContractions> {
  using ArrangeContractionsBase::ArrangeContractionsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<VectorUnit> vectors = target->vectors();
    if (failed(vectors))
      return signalPassFailure();

    std::optional<MeshMachine> mesh = MeshMachine::of(*target);
    SmallVector<std::pair<MapOp, ReduceOp>> sums;
    getOperation().walk([&](ReduceOp reduce) {
      auto map = dyn_cast<MapOp>(reduce->getParentOp());
      if (map && !isa<BlocksOp>(map->getParentOp()))
        sums.push_back({map, reduce});
    });
    SmallVector<MapOp> blocked, others, ofPlanes;
    for (auto [map, reduce] : sums) {
      makeWindows(map, reduce, *target);
      makeFactors(map, reduce, *target);
      if (auto contraction = Contraction::of(map, reduce)) {
        FailureOr<PanelLimits> limits = PanelLimits::of(*target, contraction->element);
        if (failed(limits))
          return signalPassFailure();
        if (auto few = mesh ? std::nullopt : ofFewRows(*contraction, *limits)) {
          arrangeWindows(*few, *limits, mesh);
          continue;
        }
        Arranged arranged = arrange(*contraction, *limits, mesh);
        if (arranged.products && !arranged.parted)
          (arranged.inBlocks   ? blocked
           : arranged.inPlanes ? ofPlanes
                               : others)
              .push_back(arranged.products);
      } else if (isa<FloatType>(reduce.getType())) {
        FailureOr<PanelLimits> limits = PanelLimits::of(*target, reduce.getType());
        if (failed(limits))
          return signalPassFailure();
        auto windows = mesh ? WindowSum::of(map, reduce) : WindowSum::of(map, reduce, *limits);
        if (windows)
          arrangeWindows(*windows, *limits, mesh);
      }
    }

    SmallVector<MapOp> codelets;
    getOperation().walk([&](MapOp map) {
      if (map->hasAttr(codeletMark))
        codelets.push_back(map);
    });
    for (MapOp map : codelets) {
      if (isBeside(map, ofPlanes)) {
        putTogether(map);
        continue;
      }
      Type element = cast<RankedTensorType>(map.getResult(0).getType()).getElementType();
      if (auto real = dyn_cast<FloatType>(element))
        alignCodelet(map, vectors->lanes(real.getWidth()), target->flag("masked_lanes"));
    }
    auto limitsOf = [&](MapOp map) {
      return *PanelLimits::of(*target,
                              cast<RankedTensorType>(map.getResult(0).getType()).getElementType());
    };
    for (MapOp map : blocked)
      joinColumnsMaker(map, limitsOf(map).wayBytes);
    if (!target->numberIfAny("ldm_bytes"))
      for (MapOp map : others)
        cutIntoStrips(map, limitsOf(map));
  }
};

} // namespace
