//===- Threads.cpp - loops that threads share ----------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A loop is shared by an OpenMP `parallel for`. A nest of turns, each of which makes tensors of its
// own and holds loops that may be shared as well, is one parallel region, together with those
// behind it that fill other parts of the same result: in it threads take whole turns, or parts of
// the loops in each and meet behind them. Which it is depends on how many threads there are, so
// that the call decides (`weft_share`), and both are the same code.
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/TurnLoops.h"
#include "targets/common/FunctionEmitter.h"

using namespace mlir;

namespace weft {

LogicalResult FunctionEmitter::emitParallel(ForOp loop) {
  if (loop.getNumIterOperands() != 0)
    return refuse(loop, "a parallel loop carries no values from one iteration to the next");
  if (!turnLoops(loop).empty())
    return emitTurns(nestsTogether(loop));
  place(loop.getLoc());
  bool ownScratch = false;
  loop.walk([&](memref::AllocaOp op) {
    ownScratch |= memory.placeOf(op).kind == MemoryPlan::Kind::Thread;
  });
  loop.walk([&](memref::AllocOp) { ownScratch = true; });
  line("#ifdef _OPENMP");
  line("#pragma omp parallel for schedule(static)" +
       (ownScratch ? " num_threads(weft_threads(" + std::to_string(memory.threads()) + "))"
                   : std::string()));
  line("#endif");
  inParallel = true;
  LogicalResult result = emitFor(loop);
  inParallel = false;
  return result;
}

LogicalResult FunctionEmitter::emitTurns(ArrayRef<ForOp> nests) {
  ForOp first = nests.front(), last = nests.back();
  // What stands between them may be needed behind the region as well.
  for (Operation *op = first->getNextNode(); op != last->getNextNode() && first != last;
       op = op->getNextNode()) {
    if (!llvm::is_contained(nests, op) && failed(emitOp(op)))
      return failure();
    emitted.insert(op);
  }
  int64_t all = 0;
  for (ForOp nest : nests)
    all += turnsOf(turnLoops(nest));
  names.open();
  place(first.getLoc());
  line("#ifdef _OPENMP");
  line("#pragma omp parallel num_threads(weft_threads(" + Twine(MemoryPlan::mostThreads) + "))");
  line("#endif");
  line("{");
  ++depth;
  team = names.unique("team");
  line("const struct weft_team " + team + " = weft_share(" + Twine(all) + ", " +
       Twine(memory.threads()) + ");");
  int64_t before = 0;
  LogicalResult result = success();
  for (ForOp nest : nests) {
    SmallVector<ForOp> loops = turnLoops(nest);
    result = emitTurn(loops, IndexForm(before));
    if (failed(result))
      break;
    before += turnsOf(loops);
  }
  team.clear();
  --depth;
  line("}");
  names.close();
  return result;
}

LogicalResult FunctionEmitter::emitTurn(ArrayRef<ForOp> loops, const IndexForm &before) {
  ForOp loop = loops.front();
  return emitLoop(loop, {}, [&]() -> LogicalResult {
    int64_t step = loop.getStepAsInt(), inside = turnsOf(loops.drop_front());
    IndexForm turn = form(loop.getInductionVar())
                         .plus(IndexForm(-loop.getConstantLowerBound()))
                         .floorDividedBy(step)
                         .times(inside)
                         .plus(before);
    if (loops.size() > 1)
      return emitTurn(loops.drop_front(), turn);
    std::string name = names.unique("turn");
    line("const ptrdiff_t " + name + " = " + turn.text().text + ";");
    line("if (" + name + " < " + team + ".from || " + name + " >= " + team + ".to)");
    line("  continue;");
    return emitBlock(*loop.getBody());
  });
}

/// A loop that members of a team share.
LogicalResult FunctionEmitter::emitShare(ForOp loop) {
  if (loop.getNumIterOperands() != 0)
    return refuse(loop, "a parallel loop carries no values from one iteration to the next");
  inParallel = true;
  LogicalResult result = emitLoop(loop, team, [&] { return emitBlock(*loop.getBody()); });
  inParallel = false;
  line("weft_meet(" + team + ");");
  return result;
}

/// Whether an op that stores nothing loads from an array that its function stores to: before
/// another member does so all must have loaded.
static bool loadsWhatTurnsStore(Operation *op) {
  bool found = false;
  op->walk([&](Operation *inner) {
    if (!isa<affine::AffineReadOpInterface, memref::LoadOp, vector::LoadOp, vector::MaskedLoadOp>(
            inner))
      return;
    Value base = baseOf(inner->getOperand(0));
    auto argument = dyn_cast<BlockArgument>(base);
    bool isTable = isa_and_nonnull<memref::GetGlobalOp>(base.getDefiningOp());
    auto func = op->getParentOfType<func::FuncOp>();
    found |= !isTable && !(argument && func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                                         "weft.role") == "in");
  });
  return found;
}

/// What stands in a turn: loops that members share, others around such loops, and what one of them
/// does, after which the others go on.
LogicalResult FunctionEmitter::emitInTurn(Block &block) {
  bool alone = false;
  auto endAlone = [&] {
    if (!alone)
      return;
    inParallel = alone = false;
    --depth;
    line("}");
    line("weft_meet(" + team + ");");
  };
  for (Operation &op : block) {
    auto loop = dyn_cast<ForOp>(op);
    bool shared = loop && loop->hasAttr("weft.parallel"), around = false, stores = false;
    op.walk([&](Operation *inner) {
      around |= loop && !shared && inner->hasAttr("weft.parallel");
      stores |= isa<affine::AffineWriteOpInterface, memref::StoreOp, vector::StoreOp,
                    vector::MaskedStoreOp, memref::CopyOp>(inner);
    });
    // What is only computed or loaded all members have.
    bool ofOne = !shared && !around && stores;
    if (ofOne && op.getNumResults() != 0)
      return refuse(&op, "one thread does it, others need its value");
    if (!ofOne && !nesting.isSilent(&op))
      endAlone();
    if (ofOne && !alone) {
      line("if (" + team + ".member == 0) {");
      ++depth;
      inParallel = alone = true;
    }
    if (failed(shared ? emitShare(loop) : emitOp(&op)))
      return failure();
    if (!stores && loadsWhatTurnsStore(&op))
      line("weft_meet(" + team + ");");
  }
  endAlone();
  return success();
}

} // namespace weft
