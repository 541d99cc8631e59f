//===- PipeModel.cpp - cycles of a body on two in-order pipes ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/pipes/PipeModel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace weft {

/// vshff takes its lower two lanes of one operand and its upper two of the other: a pair of
/// lanes from both needs another shuffle before.
int64_t shuffleInstructions(ArrayRef<int64_t> mask, const VectorUnit &unit) {
  auto lanes = static_cast<int64_t>(mask.size());
  if (!unit.onlyFloats() || lanes != 4)
    return 1;
  auto isMixed = [&](int64_t pair) {
    return mask[pair] >= 0 && mask[pair + 1] >= 0 &&
           (mask[pair] < lanes) != (mask[pair + 1] < lanes);
  };
  return isMixed(0) || isMixed(2) ? 2 : 1;
}

std::optional<PipeModel> PipeModel::of(const Target &target, const VectorUnit &unit) {
  ArrayRef<int64_t> numbers = target.numbers("pipeline");
  if (numbers.size() != size_t{3} * (Control + 1))
    return std::nullopt;
  PipeModel model;
  model.unit = unit;
  model.code = target.numberIfAny("code_instructions").value_or(0);
  if (ArrayRef<int64_t> issue = target.numbers("issue"); issue.size() == 6)
    model.issuing = {issue[0], issue[1], issue[2], issue[3], issue[4], issue[5]};
  for (size_t row = 0; row < numbers.size(); row += 3)
    model.rows.push_back({numbers[row], numbers[row + 1], numbers[row + 2]});
  return model;
}

void PipeModel::select(Operation &op, SmallVectorImpl<Class> &into) const {
  auto isVector = [](Value value) { return isa<VectorType>(value.getType()); };
  llvm::TypeSwitch<Operation *>(&op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp, arith::CmpFOp,
            arith::TruncFOp>([&](auto) { into.push_back(Float); })
      .Case<arith::MaximumFOp, arith::MinimumFOp>(
          [&](auto) { into.append({Float, Float, Float, Lane}); })
      .Case<arith::DivFOp>([&](auto) { into.push_back(Divide); })
      .Case<math::SqrtOp>([&](auto) { into.push_back(Root); })
      .Case<vector::ShuffleOp>([&](vector::ShuffleOp shuffle) {
        ArrayRef<int64_t> mask = shuffle.getMask();
        bool one = shuffle.getV1() == shuffle.getV2();
        into.append(one ? 1 : shuffleInstructions(mask, unit), Lane);
      })
      .Case<vector::FromElementsOp>(
          [&](auto elements) { into.append(elements.getElements().size() - 1, Lane); })
      // A number that is loaded for it goes to all lanes by the load.
      .Case<vector::BroadcastOp>([&](auto broadcast) {
        Operation *from = broadcast.getSource().getDefiningOp();
        if (!isa_and_nonnull<affine::AffineLoadOp, memref::LoadOp>(from))
          into.push_back(Lane);
      })
      .Case<vector::ExtractOp, vector::InsertOp, math::AbsFOp, arith::SelectOp, arith::AndIOp,
            arith::OrIOp, arith::XOrIOp>([&](auto) { into.push_back(Lane); })
      // Multiplications take a sign along.
      .Case<arith::NegFOp>([&](auto) {
        if (!llvm::all_of(op.getUsers(), llvm::IsaPred<math::FmaOp>))
          into.push_back(Lane);
      })
      .Case<affine::AffineVectorLoadOp, vector::LoadOp, affine::AffineLoadOp, memref::LoadOp>(
          [&](auto) { into.push_back(Load); })
      .Case<affine::AffineVectorStoreOp, vector::StoreOp, affine::AffineStoreOp, memref::StoreOp>(
          [&](auto) { into.push_back(Store); })
      .Default([&](Operation *other) {
        bool isAddress =
            isa<affine::AffineApplyOp, arith::ConstantOp, arith::IndexCastOp>(other) ||
            llvm::all_of(other->getResultTypes(), [](Type type) { return type.isIndex(); });
        if (!isAddress)
          into.push_back(llvm::any_of(other->getResults(), isVector) ? Float : Integer);
      });
}

SmallVector<PipeModel::Timing, 2> PipeModel::instructions(Operation &op) const {
  SmallVector<Class> classes;
  select(op, classes);
  return llvm::map_to_vector<2>(classes, [&](Class kind) { return rows[kind]; });
}

/// A list schedule: of what is ready, each pipe takes the instruction with the longest way to the
/// end.
SmallVector<int64_t> PipeModel::schedule(MutableArrayRef<Instruction> instructions) const {
  for (Instruction &instruction : llvm::reverse(instructions)) {
    instruction.height += rows[instruction.kind].latency;
    for (unsigned before : instruction.after)
      instructions[before].height = std::max(instructions[before].height, instruction.height);
  }
  SmallVector<int64_t> issued(instructions.size(), -1);
  int64_t freeAt[2] = {0, 0};
  size_t left = instructions.size();
  for (int64_t cycle = 0; left; ++cycle)
    for (int64_t pipe : {1, 0}) {
      if (freeAt[pipe] > cycle)
        continue;
      Instruction *best = nullptr;
      for (auto [number, instruction] : llvm::enumerate(instructions)) {
        const Row &row = rows[instruction.kind];
        bool ready = issued[number] < 0 && (row.pipe == pipe || row.pipe == 2) &&
                     (!best || instruction.height > best->height) &&
                     llvm::all_of(
                         instruction.after,
                         [&](unsigned before) {
                           return issued[before] >= 0 &&
                                  issued[before] + rows[instructions[before].kind].latency <= cycle;
                         });
        if (ready)
          best = &instruction;
      }
      if (!best)
        continue;
      issued[best - instructions.data()] = cycle;
      freeAt[pipe] = cycle + rows[best->kind].busy;
      --left;
    }
  return issued;
}

/// Of results that are used, those issued and not yet used for the last time.
static int64_t mostAlive(ArrayRef<int64_t> issued, ArrayRef<int64_t> lastUse) {
  SmallVector<int64_t> changes(*llvm::max_element(issued) + 2, 0);
  for (auto [from, to] : llvm::zip(issued, lastUse))
    if (to > from) {
      ++changes[from];
      --changes[to];
    }
  int64_t alive = 0, most = 0;
  for (int64_t change : changes)
    most = std::max(most, alive += change);
  return most;
}

PipeModel::Work PipeModel::work(Block &body, int64_t copies) const {
  Work result;
  SmallVector<Instruction> instructions;
  int64_t onPipe[2] = {0, 0};
  DenseMap<Value, unsigned> madeBy;
  auto loop = dyn_cast<affine::AffineForOp>(body.getParentOp());
  for (int64_t copy = 0; copy < copies; ++copy) {
    // What the copy before carries on.
    SmallVector<std::pair<Value, unsigned>> carried;
    if (loop && copy > 0)
      for (auto [variable, next] :
           llvm::zip(loop.getRegionIterArgs(), body.getTerminator()->getOperands()))
        if (auto found = madeBy.find(next); found != madeBy.end())
          carried.push_back({variable, found->second});
    madeBy.clear();
    madeBy.insert(carried.begin(), carried.end());
    for (Operation &op : body.without_terminator()) {
      SmallVector<Class> classes;
      select(op, classes);
      SmallVector<unsigned, 4> after;
      for (Value operand : op.getOperands())
        if (auto found = madeBy.find(operand); found != madeBy.end())
          after.push_back(found->second);
      for (Class kind : classes) {
        instructions.push_back({kind, after});
        after = {static_cast<unsigned>(instructions.size() - 1)};
        result.shuffles += kind == Lane && isa<vector::ShuffleOp>(op);
        result.floats += kind == Float;
        result.memory += kind == Load || kind == Store;
        int64_t pipe = rows[kind].pipe;
        if (pipe < 2)
          onPipe[pipe] += rows[kind].busy;
      }
      // What becomes no instruction passes on what it waits for: signs.
      if (op.getNumResults() == 1 && !after.empty())
        madeBy[op.getResult(0)] = after.back();
    }
  }
  // The loop's variable, its comparison and the branch.
  instructions.push_back({Integer, {}});
  auto counted = static_cast<unsigned>(instructions.size() - 1);
  instructions.push_back({Control, {counted}});
  onPipe[1] += rows[Control].busy;
  result.bound = std::max(onPipe[0], onPipe[1]);
  result.instructions = static_cast<int64_t>(instructions.size());
  SmallVector<int64_t> issued = schedule(instructions), lastUse(instructions.size(), -1);
  for (auto [number, instruction] : llvm::enumerate(instructions))
    for (unsigned before : instruction.after)
      lastUse[before] = std::max(lastUse[before], issued[number]);
  result.live = mostAlive(issued, lastUse);
  result.cycles = *llvm::max_element(issued) + 1;
  return result;
}

} // namespace weft
