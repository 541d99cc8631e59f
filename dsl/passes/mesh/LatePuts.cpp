//===- LatePuts.cpp - puts of a round behind its last nest -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Rounds in which all cores exchange have their gets, their computing and their puts one after the
// other. The memory serves puts that no gets come between at nearly twice the rate, and so those
// of a first stage wait for those of the last.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/LatePuts.h"

#include "passes/Notes.h"
#include "passes/loops/TurnLoops.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/transfers/Footprint.h"
#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

constexpr Notes notes("insert-exchanges");

/// An exchange into runs that a put alone takes, and the loops over the mesh around this.
struct RunsOut {
  cpe::ExchangeOp exchange;
  AffineForOp loops;
  cpe::DmaPutOp put;

  static std::optional<RunsOut> of(cpe::ExchangeOp exchange) {
    auto loops = dyn_cast_or_null<AffineForOp>(exchange->getNextNode());
    if (!loops || !loops->hasAttr(meshMark))
      return std::nullopt;
    RunsOut runs{exchange, loops, {}};
    bool all = true;
    loops.walk([&](Operation *op) {
      if (auto put = dyn_cast<cpe::DmaPutOp>(op)) {
        all &= !runs.put && put.getLdm() == exchange.getTo();
        runs.put = put;
      } else {
        all &= isa<AffineForOp, affine::AffineApplyOp, affine::AffineYieldOp, cpe::DmaWaitOp>(op);
      }
    });
    for (Operation *user : exchange.getTo().getUsers())
      all &= user == exchange || user == runs.put;
    return all && runs.put ? std::optional(runs) : std::nullopt;
  }

  /// Whether an op has nothing to do with what is put, there and here.
  bool isApartFrom(Operation &op) const {
    Value main = rootOf(cpe::DmaPutOp(put).getMain());
    Value own = cpe::ExchangeOp(exchange).getFrom();
    return !op.walk([&](Operation *inner) {
                for (Value operand : inner->getOperands())
                  if (isa<MemRefType>(operand.getType()) &&
                      (rootOf(operand) == main || rootOf(operand) == own))
                    return WalkResult::interrupt();
                return WalkResult::advance();
              }).wasInterrupted();
  }
};

} // namespace

static bool hasSync(Operation &op) {
  return op.walk([](cpe::SyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

void putLate(cpe::CoresOp cores, int64_t capacity) {
  SmallVector<RunsOut> all;
  cores.walk([&](cpe::ExchangeOp exchange) {
    auto round = dyn_cast<AffineForOp>(exchange->getParentOp());
    if (round && round->hasAttr(inTurnMark))
      if (auto runs = RunsOut::of(exchange))
        all.push_back(*runs);
  });
  auto goesOut = [&](Operation &op) {
    return llvm::any_of(all, [&](RunsOut &one) { return one.exchange == &op || one.loops == &op; });
  };
  for (RunsOut &runs : all) {
    Operation *next = runs.loops->getNextNode(), *end = runs.exchange->getBlock()->getTerminator();
    auto behind = llvm::make_range(next->getIterator(), end->getIterator());
    // A sync is for nests that find what is put, in this round or the next one.
    if (llvm::all_of(behind, goesOut) || llvm::any_of(behind, hasSync) ||
        !llvm::all_of(behind, [&](Operation &op) { return runs.isApartFrom(op); }))
      continue;
    runs.exchange->moveBefore(end);
    runs.loops->moveBefore(end);
    if (int64_t bytes = LdmPlan(cores.getBody()).bytes(); bytes > capacity) {
      runs.exchange->moveBefore(next);
      runs.loops->moveBefore(next);
      notes.rejected(runs.exchange, "{0}: put at the end of the round", spoken(runs.put.getMain()))
          .because("until then {0} bytes are in use, and a core has {1}", bytes, capacity);
      continue;
    }
    notes.decided(runs.exchange, "{0}: put at the end of the round", spoken(runs.put.getMain()))
        .because("puts are served faster where no gets come between them");
  }
}

} // namespace weft
