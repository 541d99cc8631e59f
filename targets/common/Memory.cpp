//===- Memory.cpp - where a function's buffers lie -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Memory.h"

#include "passes/loops/Alignment.h"
#include "passes/loops/TurnLoops.h"
#include "passes/transfers/LdmPlan.h"
#include "targets/common/Text.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

affine::AffineForOp parallelLoopAround(Operation *op) {
  affine::AffineForOp outermost;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (auto loop = dyn_cast<affine::AffineForOp>(parent); loop && loop->hasAttr("weft.parallel"))
      outermost = loop;
  return outermost;
}

Value baseOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::ReinterpretCastOp, memref::CastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

std::string alignedAs(Operation *array) {
  int64_t bytes = alignmentOf(array);
  return bytes == 1 ? "" : "_Alignas(" + std::to_string(bytes) + ") ";
}

/// Of which an array's offset is a multiple.
static int64_t stepOf(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  return std::max(alignmentOf(op), elementBytes(type.getElementType()));
}

static int64_t alignedBytes(Operation *op) {
  return llvm::alignTo(bytesOf(cast<MemRefType>(op->getResult(0).getType())), stepOf(op));
}

/// Whether an array of a nest of turns is made by one member of a team for itself.
static bool isOfMember(affine::AffineForOp nest, Operation *op) {
  for (auto around = op->getParentOfType<affine::AffineForOp>(); around != nest;
       around = around->getParentOfType<affine::AffineForOp>())
    if (around->hasAttr("weft.parallel"))
      return true;
  return false;
}

/// How many threads may need memory of their own for an array in a parallel loop.
static int64_t slotsFor(affine::AffineForOp loop, Operation *op) {
  SmallVector<affine::AffineForOp> turns = turnLoops(loop);
  if (turns.empty())
    return std::clamp<int64_t>(affine::getConstantTripCount(loop).value_or(MemoryPlan::mostThreads),
                               1, MemoryPlan::mostThreads);
  // Threads that share a turn are as many as there are.
  if (isOfMember(loop, op))
    return MemoryPlan::mostThreads;
  int64_t trips = 0;
  for (affine::AffineForOp nest : nestsTogether(loop))
    trips += turnsOf(turnLoops(nest));
  return std::clamp<int64_t>(trips, 1, MemoryPlan::mostTeams);
}

MemoryPlan::MemoryPlan(func::FuncOp func, int64_t stackBytes) {
  SmallVector<Operation *> inShared;
  int64_t mostStep = 1; // of what belongs to threads
  // One parallel loop runs at a time: each begins anew.
  DenseMap<Operation *, int64_t> onStack, ofThread;
  func.walk([&](cpe::CoresOp cores) {
    auto plan = LdmPlan::settled(cores.getBody());
    ldm[cores] = plan.bytes();
    for (auto [array, offset] : plan.offsets())
      places[array] = {Kind::Ldm, offset};
  });
  func.walk([&](Operation *op) {
    if (!isa<memref::AllocOp, memref::AllocaOp>(op) || places.contains(op))
      return;
    int64_t bytes = alignedBytes(op);
    affine::AffineForOp loop = parallelLoopAround(op);
    int64_t &stack = onStack[loop];
    bool ofTeam = loop && !turnLoops(loop).empty() && !isOfMember(loop, op);
    if (isa<memref::AllocaOp>(op) && !ofTeam && stack + bytes <= stackBytes) {
      stack += bytes;
      places[op] = {Kind::Stack};
      return;
    }
    if (!loop) {
      inShared.push_back(op);
      return;
    }
    int64_t &offset = ofThread[loop];
    offset = llvm::alignTo(offset, stepOf(op));
    places[op] = {Kind::Thread, offset};
    offset += bytes;
    mostStep = std::max(mostStep, stepOf(op));
    thread = llvm::alignTo(std::max(thread, offset), mostStep);
    slots = std::max(slots, slotsFor(loop, op));
  });
  placeShared(func, inShared);
  // What belongs to threads lies behind.
  shared = llvm::alignTo(shared, mostStep);
}

/// Buffers that are never in use at the same time may share bytes. In use: from the
/// first to the last op at the top of the function that touches a buffer.
void MemoryPlan::placeShared(func::FuncOp func, ArrayRef<Operation *> buffers) {
  Block &top = func.getBody().front();
  DenseMap<Operation *, int64_t> position;
  for (auto [number, op] : llvm::enumerate(top))
    position[&op] = number;
  // Threads may be in any of the nests whose turns they share at once.
  for (auto loop : top.getOps<affine::AffineForOp>())
    if (loop->hasAttr("weft.parallel") && !turnLoops(loop).empty())
      position[loop] = position[nestsTogether(loop).front()];

  struct Life {
    Operation *op;
    int64_t bytes, first = INT64_MAX, last = -1;
  };
  SmallVector<Life> lives;
  for (Operation *op : buffers) {
    Life life{op, alignedBytes(op)};
    SmallVector<Value> views{op->getResult(0)};
    while (!views.empty())
      for (Operation *user : views.pop_back_val().getUsers()) {
        if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType())) {
          views.push_back(user->getResult(0));
          continue;
        }
        int64_t at = position[top.findAncestorOpInBlock(*user)];
        life.first = std::min(life.first, at);
        life.last = std::max(life.last, at);
      }
    lives.push_back(life);
  }

  // Large ones first, each at the lowest offset where nothing in use overlaps.
  llvm::stable_sort(lives, [](const Life &a, const Life &b) { return a.bytes > b.bytes; });
  for (size_t n = 0; n < lives.size(); ++n) {
    const Life &mine = lives[n];
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (const Life &other : ArrayRef(lives).take_front(n)) {
        int64_t start = places[other.op].offset;
        bool together = mine.first <= other.last && other.first <= mine.last;
        if (together && offset < start + other.bytes && start < offset + mine.bytes) {
          offset = llvm::alignTo(start + other.bytes, stepOf(mine.op));
          moved = true;
        }
      }
    }
    places[mine.op] = {Kind::Shared, offset};
    shared = std::max(shared, offset + mine.bytes);
  }
  for (const Life &one : lives)
    for (const Life &other : lives)
      if (one.op != other.op && places[one.op].offset < places[other.op].offset + other.bytes &&
          places[other.op].offset < places[one.op].offset + one.bytes)
        places[one.op].alone = false;
}

} // namespace weft
