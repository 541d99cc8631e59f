//===- KeepFields.cpp - the fields of a loop over time stay with the cores ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A step over time makes each row of its fields from rows near by. Then each core may have some
// rows of all of them in its own memory, with copies of the rows of its neighbours that it reads
// (halos), which these give it by messages before a nest that needs them. Main memory is read
// before the first step and written behind the last one.
//
// It stands in front of all passes that cut nests at their borders, by which rows of one field
// become several nests.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/WrittenTerms.h"
#include "passes/mesh/FieldCode.h"
#include "passes/mesh/FieldPoints.h"
#include "passes/mesh/WrittenSums.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_KEEPFIELDS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;
using namespace weft;

namespace {

constexpr Notes notes("keep-fields");

/// The loop as what all cores do, each with its rows.
void moveToCores(FieldsPlan &plan) {
  AffineForOp time = plan.fields.time;
  const Ring &ring = plan.ring;
  Location where = time.getLoc();
  notes
      .decided(time, "{0}: its fields stay with the cores, {1} rows with each of {2}",
               spokenLoop(time.getInductionVar()), ring.own, ring.cores)
      .because("each of its {0} steps makes rows from rows near by", tripsOf(time))
      .number("cores", ring.cores)
      .number("rows", ring.own);
  plan.complete();
  OpBuilder builder(time);
  auto cores = cpe::CoresOp::create(builder, where);
  Block &body = cores.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  FieldCode code(plan);
  code.begin(builder);
  int64_t period = plan.turns.period, trips = tripsOf(time), whole = trips / period,
          first = time.getConstantLowerBound();
  int64_t by = time.getStepAsInt();
  auto numberAt = [&](OpBuilder &at, AffineExpr expr, ValueRange values) -> Value {
    return affine::AffineApplyOp::create(at, time.getInductionVar().getLoc(),
                                         AffineMap::get(values.size(), 0, expr), values);
  };
  if (whole != 0) {
    auto loop = AffineForOp::create(builder, time.getLoc(), 0, whole);
    loop.getInductionVar().setLoc(time.getInductionVar().getLoc());
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    for (int64_t n = 0; n < period; ++n) {
      AffineExpr turn = inside.getAffineDimExpr(0);
      code.step(inside, numberAt(inside, (turn * period + n) * by + first, loop.getInductionVar()));
    }
  }
  for (int64_t n = whole * period; n < trips; ++n)
    code.step(builder, numberAt(builder, builder.getAffineConstantExpr(n * by + first), {}));
  code.store(builder);
  // What stands behind finds it in main memory.
  cpe::SyncOp::create(builder, where);
  time.erase();
}

/// The fields of a loop, by those of their dimensions whose rows take the fewest cycles. Why they
/// do not stay is empty where they do.
std::string keepFields(AffineForOp time, Mesh mesh, int64_t capacity, int64_t word,
                       const StartCosts &costs, bool mayCollect) {
  FieldPoints points(time);
  Fields fields(time);
  if (mayCollect)
    fields.mayCollect();
  std::string why;
  AffineForOp best;
  double fewest = 0;
  if (fields.look()) {
    for (AffineForOp rows : fields.rowLoops()) {
      bool isFound = fields.find(rows);
      FieldsPlan plan(fields, mesh, capacity, word, costs);
      if (isFound && plan.fits()) {
        if (!best || plan.cycles() < fewest) {
          best = rows;
          fewest = plan.cycles();
        }
      } else if (why.empty()) {
        why = isFound ? plan.why().str() : fields.why().str();
      }
    }
  } else {
    why = fields.why().str();
  }
  if (!best) {
    points.undo();
    return why.empty() ? "cores can not share its nests" : why;
  }
  fields.find(best);
  FieldsPlan plan(fields, mesh, capacity, word, costs);
  plan.fits();
  moveToCores(plan);
  return {};
}

/// The loops of a function that may be over time.
SmallVector<AffineForOp> loopsOverTime(func::FuncOp func) {
  SmallVector<AffineForOp> loops;
  for (AffineForOp loop : func.getBody().getOps<AffineForOp>())
    if (!loop->hasAttr("weft.independent"))
      loops.push_back(loop);
  return loops;
}

/// Loops that are written out where that makes fields stay.
struct Writing {
  function_ref<bool(AffineForOp, function_ref<void(AffineForOp)>)> write;
  StringRef what, because;
};

bool writeOutWindows(AffineForOp time, function_ref<void(AffineForOp)> told) {
  return writeOutTerms(time, Windows::All, told);
}
constexpr StringLiteral ofWindows = "rows are then read at constants from those that are made";

bool writeOutSmall(AffineForOp time, function_ref<void(AffineForOp)> told) {
  return writeOutSums(time, Fields::mostNumbers, told);
}
constexpr StringLiteral ofSmall = "what it makes are then numbers, which every core has";

struct KeepFields : public weft::impl::KeepFieldsBase<KeepFields> {
  using KeepFieldsBase::KeepFieldsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    std::optional<int64_t> rows = target->numberIfAny("mesh_rows");
    if (!rows)
      return;
    FailureOr<int64_t> capacity = ldmCapacity(*target);
    FailureOr<int64_t> cores = target->number("cores");
    FailureOr<VectorUnit> vectors = target->vectors();
    FailureOr<StartCosts> costs = StartCosts::of(*target);
    if (failed(capacity) || failed(cores) || failed(vectors) || failed(costs))
      return signalPassFailure();
    Mesh mesh{*rows, *cores / *rows, vectors->lanes(64)};
    int64_t word = target->numberIfAny("transfer_word_bytes").value_or(1);
    auto keepBy = [&](AffineForOp loop, bool mayCollect) {
      return keepFields(loop, mesh, *capacity, word, *costs, mayCollect);
    };
    auto keep = [&](AffineForOp loop) { return keepBy(loop, false); };
    const Writing windows{writeOutWindows, "terms", ofWindows},
        smallNests{writeOutSmall, "iterations", ofSmall};
    auto keepCollected = [&](AffineForOp loop) { return keepBy(loop, true); };
    getOperation().walk([&](func::FuncOp func) {
      // Those that stay in the function are the first ones.
      for (size_t staying = 0; staying < loopsOverTime(func).size();) {
        std::string why = keep(loopsOverTime(func)[staying]);
        if (why.empty() || keepWritten(func, staying, keep, windows, why) ||
            keepCollected(loopsOverTime(func)[staying]).empty() ||
            keepWritten(func, staying, keepCollected, smallNests, why))
          continue;
        AffineForOp loop = loopsOverTime(func)[staying++];
        notes
            .rejected(loop, "{0}: its fields stay with the cores",
                      spokenLoop(loop.getInductionVar()))
            .because("{0}", why);
      }
    });
  }

  /// Once more with some loops written out. What does not help is needed as it was by others; why
  /// it does not says more than why the loop did not by itself.
  bool keepWritten(func::FuncOp func, size_t number, function_ref<std::string(AffineForOp)> keep,
                   const Writing &writing, std::string &why) {
    OwningOpRef<func::FuncOp> before = func.clone();
    SmallVector<std::pair<std::string, int64_t>> written;
    AffineForOp time = loopsOverTime(func)[number];
    Location where = time.getLoc();
    bool isAny = writing.write(time, [&](AffineForOp loop) {
      written.emplace_back(spokenLoop(loop.getInductionVar()), tripsOf(loop));
    });
    if (isAny) {
      why = keep(time);
      if (why.empty()) {
        for (auto &[loop, terms] : written)
          notes.decided(where, "{0}: its {1} {2} written out", loop, terms, writing.what)
              .because("{0}", writing.because)
              .number("terms", terms);
        return true;
      }
    }
    func.getBody().takeBody(before->getBody());
    return false;
  }
};

} // namespace
