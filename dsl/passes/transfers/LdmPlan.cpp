//===- LdmPlan.cpp - where arrays lie in a core's memory ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/LdmPlan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace weft {

FailureOr<int64_t> ldmCapacity(const Target &target) {
  FailureOr<int64_t> all = target.number("ldm_bytes");
  FailureOr<int64_t> reserved = target.number("ldm_reserved_bytes");
  if (failed(all) || failed(reserved))
    return failure();
  return *all - *reserved;
}

int64_t ldmBytesOf(MemRefType type) {
  return ldmBytesOf(type.getNumElements(), std::max<int64_t>(1, type.getElementTypeBitWidth() / 8));
}

int64_t ldmBytesOf(int64_t elements, int64_t elementBytes) {
  return llvm::alignTo(elements * elementBytes, ldmAlignment);
}

int64_t ldmBytesOf(Operation *array) {
  auto type = cast<MemRefType>(array->getResult(0).getType());
  if (!isa<cpe::SpreadOp>(array))
    return ldmBytesOf(type);
  return ldmBytesOf(MemRefType::get(type.getShape().drop_front(2), type.getElementType()));
}

/// Each in turn at the lowest offset where nothing in use overlaps.
static std::vector<int64_t> placedInOrder(ArrayRef<LdmLife> lives, ArrayRef<size_t> order) {
  std::vector<int64_t> offsets(lives.size(), 0);
  for (size_t n = 0; n < order.size(); ++n) {
    const LdmLife &mine = lives[order[n]];
    int64_t &offset = offsets[order[n]];
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t before : ArrayRef(order).take_front(n)) {
        const LdmLife &other = lives[before];
        bool together = mine.first <= other.last && other.first <= mine.last;
        if (together && offset < offsets[before] + other.bytes &&
            offsets[before] < offset + mine.bytes) {
          offset = offsets[before] + other.bytes;
          moved = true;
        }
      }
    }
  }
  return offsets;
}

/// Large ones first, those of one size as they begin.
static std::vector<size_t> byBytes(ArrayRef<LdmLife> lives) {
  std::vector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return std::pair(-lives[a].bytes, lives[a].first) < std::pair(-lives[b].bytes, lives[b].first);
  });
  return order;
}

std::vector<int64_t> placedApart(ArrayRef<LdmLife> lives) {
  return placedInOrder(lives, byBytes(lives));
}

/// The ops of a block one after the other, those in loops over the mesh among them.
static void collectInOrder(Block &block, SmallVector<Operation *> &ops) {
  for (Operation &op : block)
    if (op.hasAttr(meshMark))
      collectInOrder(op.getRegion(0).front(), ops);
    else
      ops.push_back(&op);
}

/// The op with a position that an op is or stands in.
static Operation *placedAround(Operation *op, const DenseMap<Operation *, int64_t> &position) {
  while (!position.contains(op))
    op = op->getParentOp();
  return op;
}

/// Of a block's ops, the one in or behind which a transfer has been waited for.
static Operation *endOf(Operation *transfer, ArrayRef<Operation *> ops,
                        const DenseMap<Operation *, int64_t> &position) {
  // What comes in parts is waited for in the loop that takes them, and not elsewhere.
  auto get = dyn_cast<cpe::DmaGetOp>(transfer);
  bool inParts = get && get.getInParts();
  auto waits = [&](Operation *op) {
    WalkResult walked = op->walk([&](cpe::DmaWaitOp wait) {
      return (wait.getPart() != nullptr) == inParts ? WalkResult::interrupt()
                                                    : WalkResult::advance();
    });
    return walked.wasInterrupted();
  };
  Operation *at = transfer;
  for (;; at = at->getParentOp()) {
    // A loop beside it may have no iteration for some cores.
    for (Operation *next = at->getNextNode(); next; next = next->getNextNode())
      if ((inParts || isa<cpe::DmaWaitOp>(next)) && waits(next))
        return placedAround(next, position);
    if (position.contains(at))
      break;
  }
  for (Operation *later : ops.drop_front(position.lookup(at) / 2 + 1))
    if (waits(later))
      return later;
  return ops.back();
}

/// Positions of the first and the last op that touch an array.
static LdmLife lifeOf(Operation *array, ArrayRef<Operation *> ops,
                      const DenseMap<Operation *, int64_t> &position) {
  LdmLife life{ldmBytesOf(array), std::numeric_limits<int64_t>::max(), -1};
  SmallVector<Value> views{array->getResult(0)};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType())) {
        views.push_back(user->getResult(0));
        continue;
      }
      Operation *here = placedAround(user, position);
      life.first = std::min(life.first, position.lookup(here));
      if (isa<cpe::DmaGetOp, cpe::DmaPutOp>(user))
        here = endOf(user, ops, position);
      life.last = std::max(life.last, position.lookup(here));
    }
  if (life.last < 0)
    life.first = life.last = position.lookup(array);
  return life;
}

static LdmLife lifeOf(const LdmDemand &demand, const DenseMap<Operation *, int64_t> &position) {
  int64_t first = position.lookup(demand.first), last = position.lookup(demand.last);
  if (demand.when == LdmDemand::Before)
    last = first -= 1;
  else if (demand.when == LdmDemand::Behind)
    first = last += 1;
  return {demand.bytes, first, last};
}

/// The lowest offset at which so many bytes lie apart from all that is in use at a position.
static int64_t lowestFree(ArrayRef<LdmLife> lives, ArrayRef<int64_t> offsets, int64_t at,
                          int64_t bytes) {
  int64_t free = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (auto [life, offset] : llvm::zip(lives, offsets))
      if (life.first <= at && at <= life.last && free < offset + life.bytes &&
          offset < free + bytes) {
        free = offset + life.bytes;
        moved = true;
      }
  }
  return free;
}

int64_t LdmPlan::place(Region &region) {
  int64_t most = 0;
  for (Block &block : region) {
    SmallVector<Operation *> ops, arrays;
    collectInOrder(block, ops);
    DenseMap<Operation *, int64_t> position;
    for (auto [number, op] : llvm::enumerate(ops)) {
      position[op] = 2 * static_cast<int64_t>(number); // there is time between two ops
      if (isa<memref::AllocaOp, cpe::SpreadOp>(op))
        arrays.push_back(op);
    }
    auto lives =
        llvm::map_to_vector(arrays, [&](Operation *array) { return lifeOf(array, ops, position); });
    for (const LdmDemand &demand : demands)
      if (position.contains(demand.first))
        lives.push_back(lifeOf(demand, position));
    llvm::append_range(sequence, arrays);
    // What an op makes inside lies in one piece between what is in use around it.
    struct Inside {
      int64_t at, bytes;
      size_t first, last; ///< of `sequence`
    };
    SmallVector<Inside> insides;
    for (Operation *op : ops) {
      Inside inside{position[op], 0, sequence.size(), 0};
      for (Region &inner : op->getRegions())
        inside.bytes = std::max(inside.bytes, place(inner));
      inside.last = sequence.size();
      if (inside.bytes != 0)
        insides.push_back(inside);
    }
    auto needed = [&](ArrayRef<int64_t> offsets) {
      int64_t bytes = 0;
      for (auto [life, offset] : llvm::zip(lives, offsets))
        bytes = std::max(bytes, offset + life.bytes);
      for (const Inside &inside : insides)
        bytes = std::max(bytes, lowestFree(lives, offsets, inside.at, inside.bytes) + inside.bytes);
      return bytes;
    };
    std::vector<size_t> order = byBytes(lives);
    std::vector<int64_t> offsets = placedInOrder(lives, order);
    int64_t bytes = needed(offsets);
    if (isSettled) {
      // Those that are long in use leave whole pieces to others if they are placed first.
      llvm::stable_sort(order, [&](size_t a, size_t b) {
        return lives[a].last - lives[a].first > lives[b].last - lives[b].first;
      });
      std::vector<int64_t> others = placedInOrder(lives, order);
      if (int64_t fewer = needed(others); fewer < bytes) {
        bytes = fewer;
        offsets = std::move(others);
      }
    }
    for (auto [array, offset] : llvm::zip_first(arrays, offsets))
      placed[array] = offset;
    for (const Inside &inside : insides) {
      int64_t offset = lowestFree(lives, offsets, inside.at, inside.bytes);
      for (Operation *array : ArrayRef(sequence).slice(inside.first, inside.last - inside.first))
        placed[array] += offset;
    }
    most = std::max(most, bytes);
  }
  return most;
}

} // namespace weft
