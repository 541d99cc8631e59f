//===- PastStores.cpp - results that go past the caches -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A line that is stored is read from memory first, then goes back there: twice its bytes, and a
// loop that only copies waits for it. Whole lines of an array that leaves the caches anyway need
// not be read, if all of what is stored there is whole lines. Where a loop waits for what it reads
// from memory, nothing is won, nor where copies store here and there. Blocks compute while they
// store, and their lines may lie apart.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/PastStores.h"

#include "passes/loops/BeyondCaches.h"
#include "targets/common/ColumnsAhead.h"
#include "targets/common/Memory.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

/// Whether a vector is a whole line, wherever the loops around it stand, if the array begins with
/// one.
bool isLine(Operation *store, const VectorAccess &access, int64_t lineBytes) {
  auto vector = cast<VectorType>(store->getOperand(0).getType());
  int64_t bytes = elementBytes(vector.getElementType());
  if (vector.getNumElements() * bytes != lineBytes)
    return false;
  SmallVector<AffineExpr> begins;
  for (Value index : access.operands) {
    AffineForOp loop = affine::getForInductionVarOwner(index);
    if (!loop || !loop.hasConstantLowerBound() ||
        advance(access, loop).value_or(1) % lineBytes != 0)
      return false;
    begins.push_back(
        getAffineConstantExpr(loop.getConstantLowerBound(), access.address.getContext()));
  }
  auto first = dyn_cast<AffineConstantExpr>(access.address.replaceDims(begins));
  return first && first.getValue() * bytes % lineBytes == 0;
}

/// Whether what a body loads from arrays that a cache of so many bytes does not hold passes by as a
/// stream: within a page of each array.
bool readsStreams(Block &body, int64_t cacheBytes) {
  SmallVector<VectorAccess> first;
  return llvm::all_of(body, [&](Operation &op) {
    std::optional<VectorAccess> access = accessBeyond(&op, cacheBytes);
    if (!access || access->isStore)
      return true;
    auto *known = llvm::find_if(
        first, [&](const VectorAccess &other) { return other.memref == access->memref; });
    if (known == first.end()) {
      first.push_back(*access);
      return true;
    }
    std::optional<int64_t> by = distance(*known, *access);
    int64_t bytes = elementBytes(cast<MemRefType>(access->memref.getType()).getElementType());
    return by && std::abs(*by) * bytes < pageBytes;
  });
}

/// Whether a body computes what it stores, rather than turning what others have computed.
bool computes(Block &body) {
  return llvm::any_of(body, [](Operation &op) {
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp>(op);
  });
}

/// Whether the stores of a body fill, line by line in any order, what lies between the first and
/// the next turn's: one run of lines, or several that lie apart, each as long as a turn's advance.
bool fillsRuns(Operation *store, const VectorAccess &first, int64_t lineBytes) {
  int64_t bytes = elementBytes(cast<MemRefType>(first.memref.getType()).getElementType());
  SmallVector<int64_t> lines;
  for (Operation &op : *store->getBlock()) {
    std::optional<VectorAccess> access = accessOf(&op);
    if (!access || !access->isStore || access->memref != first.memref)
      continue;
    std::optional<int64_t> by = distance(first, *access);
    if (!by)
      return false;
    lines.push_back(*by * bytes);
  }
  std::optional<int64_t> turn = advance(first, store->getParentOfType<AffineForOp>());
  if (!turn || *turn <= 0)
    return false;
  llvm::sort(lines);
  for (size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    while (end < lines.size() &&
           lines[end] - lines[begin] == static_cast<int64_t>(end - begin) * lineBytes)
      ++end;
    bool isWhole = end - begin == lines.size();
    if (static_cast<int64_t>(end - begin) * lineBytes != *turn ||
        (!isWhole && end - begin < fewestLines))
      return false;
  }
  return true;
}

/// The outermost loop by which an access moves: around it are steps in time, each of which passes
/// over the whole array.
Operation *wholeNest(Operation *op, const VectorAccess &access) {
  Operation *nest = op;
  for (auto loop = op->getParentOfType<AffineForOp>(); loop;
       loop = loop->getParentOfType<AffineForOp>())
    if (advance(access, loop) != 0)
      nest = loop;
  return nest;
}

/// Whether the block of a store has read the array that it stores to, and nothing else in the nest
/// reads it: columns computed in their place, of an array so long that they are stored past the
/// caches. They ask for the next block's then, which through the caches comes with less; but where
/// the second cache still has the lines, or the block before did not ask, that takes longer.
bool isInPlace(Operation *store, Operation *nest, Value array, const CacheModel &cache,
               BroughtBytes &brings) {
  AffineForOp block = blockAround(store);
  if (!block || !cache.resultsAsk || !cache.pastInPlaceBytes ||
      bytesOf(cast<MemRefType>(array.getType())) < *cache.pastInPlaceBytes)
    return false;
  Block *body = block.getBody();
  Operation *part = body->findAncestorOpInBlock(*store);
  bool areLost = false;
  bool isAlone =
      !nest->walk([&](Operation *other) {
             if (other->getNumRegions() != 0 || isa<affine::AffineWriteOpInterface>(other) ||
                 !touches(other, array, /*loads=*/false))
               return WalkResult::advance();
             Operation *readers = body->findAncestorOpInBlock(*other);
             areLost |= areLostInBlock(other, cache, brings) &&
                        !linesOfBlock(other, cache, cache.askedBytes, brings, LinesOf()).empty();
             return readers && readers->isBeforeInBlock(part) ? WalkResult::advance()
                                                              : WalkResult::interrupt();
           })
           .wasInterrupted();
  return isAlone && areLost;
}

/// Whether a store of a block, or of a body that fills one line after the other, fills a line that
/// its own nest does not read, but for a block of columns in its place.
bool isOfBlock(Operation *store, const CacheModel &cache, BroughtBytes &brings) {
  std::optional<VectorAccess> access = accessBeyond(store, cache.bytes);
  if (!access || !access->isStore || !store->getParentOfType<AffineForOp>() ||
      !(blockAround(store) || fillsRuns(store, *access, cache.lineBytes)))
    return false;
  if (!isLine(store, *access, cache.lineBytes) || !computes(*store->getBlock()) ||
      !readsStreams(*store->getBlock(), cache.l2Bytes))
    return false;
  Value array = baseOf(access->memref);
  Operation *nest = wholeNest(store, *access);
  if (touches(nest, array, /*loads=*/true))
    return isInPlace(store, nest, array, cache, brings);
  return bytesOf(cast<MemRefType>(array.getType())) > cache.keptBytes ||
         !touches(store->getParentOfType<func::FuncOp>(), array, /*loads=*/true);
}

/// Whether a store of a copy, as of squares that are turned in registers, fills a line of a result
/// that nobody reads, and of which no cache would have kept a part: results of 13 MB that are
/// images took a sixth longer.
bool isOfCopy(Operation *store, const CacheModel &cache) {
  std::optional<VectorAccess> access = accessBeyond(store, cache.bytes);
  if (!access || !access->isStore || !store->getParentOfType<AffineForOp>())
    return false;
  Value array = baseOf(access->memref);
  return isa<BlockArgument>(array) &&
         bytesOf(cast<MemRefType>(array.getType())) >= cache.keptBytes &&
         isLine(store, *access, cache.lineBytes) && !computes(*store->getBlock()) &&
         !touches(store->getParentOfType<func::FuncOp>(), array, /*loads=*/true);
}

/// Whether the nest around a store past the caches also stores parts of lines to the same array
/// through them: the ends of rows that are no whole lines, which share lines with what has gone
/// past. Each of these goes to memory twice, and waits: lines of 42 points of c128 took six times
/// as long. A slice that stands in for a part of the array has lines of its own.
bool isMixed(Operation *store, const llvm::DenseSet<Operation *> &past, int64_t lineBytes) {
  std::optional<VectorAccess> access = accessOf(store);
  return wholeNest(store, *access)
      ->walk([&](Operation *other) {
        bool stores =
            isa<affine::AffineWriteOpInterface, vector::MaskedStoreOp, memref::StoreOp>(other) &&
            llvm::is_contained(other->getOperands(), access->memref);
        if (!stores || past.contains(other))
          return WalkResult::advance();
        std::optional<VectorAccess> whole = accessOf(other);
        bool sharesNone =
            isa<affine::AffineVectorStoreOp>(other) && whole && isLine(other, *whole, lineBytes);
        return sharesNone ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
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
  BroughtBytes brings(cache.askedBytes);
  func.walk([&](affine::AffineVectorStoreOp store) {
    if (isOfBlock(store, cache, brings) || isOfCopy(store, cache))
      found.insert(store);
  });
  SmallVector<Operation *> mixed = llvm::to_vector(llvm::make_filter_range(
      found, [&](Operation *store) { return isMixed(store, found, cache.lineBytes); }));
  for (Operation *store : mixed)
    found.erase(store);
  return found;
}

} // namespace weft
