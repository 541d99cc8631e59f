//===- InsertExchanges.cpp - arrays that stay with the cores ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Nests that one start of the cores does one after the other pass arrays on. Where all cores
// together have room for such an array, it need not go through memory: the nests are shared
// out over the rows and the columns of the mesh, each core keeps its part, and where the next
// nest wants the array in other parts, cores of a row or of a column exchange them.
//
// Other arrays pass through memory. Where a core alone would fetch short runs of one, the cores of
// a row fetch long ones together and exchange what is in them.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Passes.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/mesh/DropSyncs.h"
#include "passes/mesh/GroupedRuns.h"
#include "passes/mesh/KeptArrays.h"
#include "passes/mesh/LatePuts.h"
#include "passes/mesh/SharedNests.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_INSERTEXCHANGES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

/// Whether a loop is part of what one core does in rounds.
bool isOfRound(affine::AffineForOp loop) {
  bool inMesh = false, inRounds = false;
  for (auto around = loop->getParentOfType<affine::AffineForOp>(); around;
       around = around->getParentOfType<affine::AffineForOp>()) {
    inMesh |= around->hasAttr(weft::meshMark);
    inRounds |= around->hasAttr(weft::inTurnMark);
  }
  return inMesh && inRounds && !loop->hasAttr(weft::meshMark) && !loop->hasAttr("weft.lane");
}

/// Does away with loops of one iteration among those that are `wanted`.
void dropSingle(weft::cpe::CoresOp cores, llvm::function_ref<bool(affine::AffineForOp)> wanted) {
  SmallVector<affine::AffineForOp> once;
  cores.walk([&](affine::AffineForOp loop) {
    if (wanted(loop) && weft::tripsOf(loop) == 1)
      once.push_back(loop);
  });
  for (affine::AffineForOp loop : once)
    weft::dropSingleTurn(loop);
}

struct InsertExchanges : public weft::impl::InsertExchangesBase<InsertExchanges> {
  using InsertExchangesBase::InsertExchangesBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<weft::cpe::CoresOp> all;
    getOperation().walk([&](weft::cpe::CoresOp op) { all.push_back(op); });
    std::optional<int64_t> rows = target->numberIfAny("mesh_rows");
    if (all.empty() || !rows)
      return;
    FailureOr<int64_t> capacity = weft::ldmCapacity(*target);
    FailureOr<weft::VectorUnit> vectors = target->vectors();
    FailureOr<int64_t> cores = target->number("cores");
    if (failed(capacity) || failed(vectors) || failed(cores))
      return signalPassFailure();
    weft::LongRun longRun{target->numberIfAny("long_run_bytes").value_or(0), std::nullopt};
    weft::Mesh mesh{*rows, *cores / *rows, vectors->lanes(64)};
    for (weft::cpe::CoresOp op : all) {
      // What a single round makes shares the bytes of what is made around it, here as at the end.
      dropSingle(op, [](affine::AffineForOp loop) { return loop->hasAttr(weft::inTurnMark); });
      weft::shareNests(op, mesh, *capacity);
      weft::keepArrays(op, mesh, *capacity);
      weft::dropSyncs(op);
      // What a core has one of in a round is no variable: where it is in memory is then told by the
      // round and the core, which mixes with nothing.
      dropSingle(op, isOfRound);
      auto kernel = op->getParentOfType<func::FuncOp>();
      auto asked = kernel ? kernel->getAttrOfType<IntegerAttr>("weft.exchange") : IntegerAttr();
      longRun.asked = asked ? std::optional(asked.getInt()) : std::nullopt;
      weft::groupRuns(op, mesh, *capacity, longRun);
      weft::putLate(op, *capacity);
    }
  }
};

} // namespace
