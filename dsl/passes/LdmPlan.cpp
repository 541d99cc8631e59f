//===- LdmPlan.cpp - where arrays lie in a core's memory ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/LdmPlan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace weft {

constexpr int64_t alignment = 64;

int64_t ldmBytesOf(MemRefType type) {
  int64_t element = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
  return llvm::alignTo(type.getNumElements() * element, alignment);
}

int64_t ldmBytesOf(Operation *array) {
  auto type = cast<MemRefType>(array->getResult(0).getType());
  if (!isa<cpe::SpreadOp>(array))
    return ldmBytesOf(type);
  return ldmBytesOf(MemRefType::get(type.getShape().drop_front(2), type.getElementType()));
}

std::vector<int64_t> placedApart(ArrayRef<LdmLife> lives) {
  // Large ones first, each at the lowest offset where nothing in use overlaps.
  std::vector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) { return lives[a].bytes > lives[b].bytes; });
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

/// Positions of the first and the last op of the array's block that touch it.
static LdmLife lifeOf(Operation *array, const DenseMap<Operation *, int64_t> &position) {
  LdmLife life{ldmBytesOf(array), std::numeric_limits<int64_t>::max(), -1};
  Block *block = array->getBlock();
  SmallVector<Value> views{array->getResult(0)};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user->getNumResults() == 1 && isa<MemRefType>(user->getResult(0).getType())) {
        views.push_back(user->getResult(0));
        continue;
      }
      Operation *here = block->findAncestorOpInBlock(*user);
      life.first = std::min(life.first, position.lookup(here));
      if (isa<cpe::DmaGetOp, cpe::DmaPutOp>(here))
        while (here->getNextNode() && !isa<cpe::DmaWaitOp>(here))
          here = here->getNextNode();
      life.last = std::max(life.last, position.lookup(here));
    }
  if (life.last < 0)
    life.first = life.last = position.lookup(array);
  return life;
}

int64_t LdmPlan::place(Region &region, int64_t from) {
  int64_t most = from;
  for (Block &block : region) {
    DenseMap<Operation *, int64_t> position;
    SmallVector<Operation *> arrays;
    for (auto [number, op] : llvm::enumerate(block)) {
      position[&op] = static_cast<int64_t>(number);
      if (isa<memref::AllocaOp, cpe::SpreadOp>(op))
        arrays.push_back(&op);
    }
    auto lives =
        llvm::map_to_vector(arrays, [&](Operation *array) { return lifeOf(array, position); });
    std::vector<int64_t> offsets = placedApart(lives);
    for (size_t n = 0; n < arrays.size(); ++n) {
      placed[arrays[n]] = from + offsets[n];
      most = std::max(most, from + offsets[n] + lives[n].bytes);
    }
    for (Operation &op : block) {
      int64_t at = position[&op], inUse = from;
      for (size_t n = 0; n < arrays.size(); ++n)
        if (lives[n].first <= at && at <= lives[n].last)
          inUse = std::max(inUse, from + offsets[n] + lives[n].bytes);
      around[&op] = inUse;
      for (Region &inner : op.getRegions())
        most = std::max(most, place(inner, inUse));
    }
  }
  return most;
}

} // namespace weft
