//===- PastStores.cpp - results that go past the caches -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A line that is stored is read from memory first, then goes back there: twice its bytes, and a
// loop that only copies waits for it. Whole lines of an array that leaves the caches anyway need
// not be read. Where a loop waits for what it reads from memory, or stores here and there, nothing
// is won.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/PastStores.h"

#include "targets/common/Memory.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// Vectors one behind the other in a body: with fewer, lines may wait half full for the others.
constexpr size_t fewestLines = 4;

/// The stores to one array in a loop's body; nothing where something else is there than arithmetic
/// and loads of arrays that the cache holds.
std::optional<SmallVector<Operation *>> storesOf(AffineForOp loop, int64_t cacheBytes) {
  SmallVector<Operation *> stores;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions() != 0)
      return std::nullopt;
    std::optional<VectorAccess> access = accessOf(&op);
    if (!access) {
      if (!isMemoryEffectFree(&op))
        return std::nullopt;
      continue;
    }
    if (access->isStore)
      stores.push_back(&op);
    else if (bytesOf(cast<MemRefType>(baseOf(access->memref).getType())) > cacheBytes)
      return std::nullopt;
  }
  return stores;
}

/// Whether vectors of whole lines lie one behind the other.
bool areLines(ArrayRef<Operation *> stores, const VectorAccess &first, int64_t lineBytes) {
  auto vector = cast<VectorType>(stores.front()->getOperand(0).getType());
  int64_t lanes = vector.getNumElements();
  if (lanes * elementBytes(vector.getElementType()) != lineBytes)
    return false;
  for (auto [n, op] : llvm::enumerate(stores)) {
    std::optional<VectorAccess> next = accessOf(op);
    if (next->memref != first.memref || op->getOperand(0).getType() != vector ||
        distance(first, *next) != static_cast<int64_t>(n) * lanes)
      return false;
  }
  return true;
}

} // namespace

llvm::DenseSet<Operation *> storesPast(func::FuncOp func, const CacheModel &cache) {
  llvm::DenseSet<Operation *> found;
  func.walk([&](AffineForOp loop) {
    auto stores = storesOf(loop, cache.l2Bytes);
    if (!stores || stores->size() < fewestLines)
      return;
    std::optional<VectorAccess> first = accessBeyond(stores->front(), cache.bytes);
    if (!first || !isa<BlockArgument>(baseOf(first->memref)) ||
        !areLines(*stores, *first, cache.lineBytes) ||
        touches(func, baseOf(first->memref), /*loads=*/true))
      return;
    // In the order of the loop, too.
    int64_t bytes = static_cast<int64_t>(stores->size()) * cache.lineBytes;
    if (advance(*first, loop) != bytes)
      return;
    found.insert_range(*stores);
  });
  return found;
}

} // namespace weft
