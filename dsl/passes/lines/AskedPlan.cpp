//===- AskedPlan.cpp - blocks of lines as they are asked for ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/AskedPlan.h"

#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/lines/LineRoom.h"
#include "passes/lines/PutChoice.h"

using namespace mlir;

namespace weft {

namespace {
constexpr Notes notes("tile-for-ldm");
} // namespace

LogicalResult AskedPlan::checkRoom(const ChainPlan &plan) const {
  MapOp last = chain.last();
  StringRef directive = !asked.tile.empty()         ? asked.tile
                        : !asked.vectorize.empty()  ? asked.vectorize
                        : !asked.distribute.empty() ? asked.distribute
                                                    : asked.fold;
  int64_t stays = bytesPerLine(chain);
  int64_t comes = plan.packs ? bytesPerLine(chain, chain.stages.back()) : 0;
  int64_t all = plan.width * (stays + comes);
  if (all <= machine.room)
    return success();
  std::string parts = llvm::formatv("what its stages read and store has {0}", stays);
  if (comes)
    parts += llvm::formatv(", and as it comes {0}", comes);
  return refuse(
      last.getLoc(), directive,
      llvm::formatv(
          "{0} lines of {1} take {2} bytes, {3} more than a core has for them: of each {4}",
          plan.width, spoken(last), all, all - machine.room, parts),
      machine.room < stays + comes
          ? std::string("none: cores share a line")
          : llvm::formatv("1 to {0} lines", machine.room / (stays + comes)).str());
}

FailureOr<std::optional<ChainPlan>> AskedPlan::acrossLines(unsigned lane) {
  ChainPlan plan;
  plan.lane = lane;
  plan.packs = chain.post == 0 || lane != chain.lineDims() - 1;
  int64_t extent = chain.extents[lane], each = bytesPerLine(chain);
  each += plan.packs ? bytesPerLine(chain, chain.stages.back()) : 0;
  plan.width = std::min(machine.lanes, extent);
  while (plan.width > 1 && plan.width * each > machine.room)
    plan.width /= 2;
  plan.width = asked.width.value_or(plan.width);
  if (!asked.vectorize.empty() && plan.width < machine.lanes)
    return refuse(
        chain.last()->getLoc(), asked.vectorize,
        llvm::formatv("{0} lines side by side do not fill {1} lanes", plan.width, machine.lanes),
        llvm::formatv("an axis, or blocks, of {0} or more", machine.lanes));
  plan.last = extent % plan.width;
  plan.again = machine.cores == 1 && plan.packs && plan.last != 0 && plan.width == machine.lanes &&
               extent > plan.width;
  if (failed(checkRoom(plan)))
    return failure();
  MapOp last = chain.last();
  Note note =
      notes.decided(last, "{0}: its stages ({1}) over blocks of {2} lines{3}", spoken(last),
                    chain.stages.size(), plan.width, plan.packs ? ", packed line beside line" : "");
  if (put && asked.fold.empty())
    note.because("stored where {0} has them", spoken(put->map));
  else
    note.because("the schedule asks for it");
  note.number("lines", plan.width);
  return std::optional(plan);
}

FailureOr<std::optional<ChainPlan>>
AskedPlan::make(function_ref<std::optional<ChainPlan>()> byCost) {
  std::optional<unsigned> lane = asked.lane;
  // What lies as columns elsewhere comes from vectors across the lines.
  if (put && !lane && chain.post == 0)
    lane = lastLineOf(chain, *put);
  if (lane)
    return acrossLines(*lane);
  std::optional<ChainPlan> plan = byCost();
  if (!plan && put)
    return acrossLines(chain.lineDims() - 1);
  ChainPlan one;
  one.width = 1;
  if (failed(checkRoom(plan.value_or(one))))
    return failure();
  return plan;
}

} // namespace weft
