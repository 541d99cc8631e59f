//===- Prefetch.cpp - lines of the next block, asked for in time ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A block's results go to lines that nobody has read, as columns (`ColumnsAhead.cpp`) come from
// many pages: both wait for memory while nothing is computed, unless the block before has asked for
// them. A square of an array that is turned in registers has a line of each of many rows, too: the
// squares before it ask.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Prefetch.h"

#include "passes/loops/BeyondCaches.h"
#include "targets/common/Memory.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// Rows this far apart share a page with a few others, more than a machine follows.
constexpr int64_t farBytes = 1024;
constexpr unsigned manyRows = 8;

/// Lines of fewer bytes follow each other fast enough where the last cache holds their array: those
/// of 1024 and 1280 took 1.05 to 1.2 times as long if they were asked for, of 2048 and more 0.9.
constexpr int64_t shortInLastCache = 2048;

/// Squares between asking for a line and using it: measured with squares of 16 x 16.
constexpr int64_t squaresAhead = 2;

/// Lines between a store and the one that is asked for with it: columns of 31 and 33 numbers of
/// c128 take as long with 2 to 8.
constexpr int64_t linesAheadOfStores = 2;

/// A sum takes its terms in so many parts at most: that part of the next panel is as many times
/// further on, and what lies between panels.
constexpr int64_t mostParts = 4;

/// Whether a loop in the block loads, turn by turn, what lies one behind the other: a stream that
/// the machine follows.
bool isStream(Operation *op, const VectorAccess &access, AffineForOp block) {
  auto loop = op->getParentOfType<AffineForOp>();
  int64_t bytes = 0;
  for (Operation &other : *op->getBlock())
    if (std::optional<VectorAccess> there = accessOf(&other);
        there && !there->isStore && there->memref == access.memref)
      bytes += vectorBytes(&other);
  return loop != block && advance(access, loop) == bytes;
}

/// Of the innermost dimension, of numbers or of pairs of parts.
int64_t bytesInRow(MemRefType type) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t bytes = elementBytes(type.getElementType());
  if (shape.size() > 1 && shape.back() == 2) {
    bytes *= 2;
    shape = shape.drop_back();
  }
  return shape.empty() ? bytes : bytes * shape.back();
}

/// Whether accesses of one body touch many rows of an array that lie far apart.
bool hasFarRows(Operation *op, const VectorAccess &access) {
  SmallVector<int64_t> rows;
  int64_t bytes = elementBytes(cast<MemRefType>(access.memref.getType()).getElementType());
  for (Operation &other : *op->getBlock()) {
    if (other.getName() != op->getName())
      continue;
    std::optional<VectorAccess> there = accessOf(&other);
    if (!there || there->memref != access.memref || there->operands != access.operands)
      continue;
    auto distance = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(there->address - access.address, access.operands.size(), 0));
    if (!distance || llvm::any_of(rows, [&](int64_t row) {
          return std::abs(row - distance.getValue()) * bytes < farBytes;
        }))
      return false;
    rows.push_back(distance.getValue());
  }
  return rows.size() >= manyRows;
}

/// Of an access of a square: its lines some squares further on.
std::optional<int64_t> aheadOfSquare(Operation *op, int64_t cacheBytes) {
  std::optional<VectorAccess> access = accessBeyond(op, cacheBytes);
  if (!access || !hasFarRows(op, *access))
    return std::nullopt;
  int64_t width = vectorBytes(op);
  AffineForOp run = op->getParentOfType<AffineForOp>();
  while (run && advance(*access, run) != width)
    run = run->getParentOfType<AffineForOp>();
  if (!run)
    return std::nullopt;
  // The squares of a small tile end too soon; those of an image's row go on in the next row.
  int64_t squares = affine::getConstantTripCount(run).value_or(0);
  auto around = run->getParentOfType<AffineForOp>();
  std::optional<int64_t> onwards = around ? advance(*access, around) : std::nullopt;
  bool goesOn = onwards && *onwards > 0 && *onwards <= (squares + 1) * width;
  if (squares > 2 * squaresAhead || goesOn)
    return squaresAhead * width;
  return std::nullopt;
}

/// Of a load in a sum over a panel that many rows use, of an array that passes by once: its line in
/// the next panel. The machine follows a panel's lines, but begins when they are waited for. Of
/// long panels, such as the blocks of a sum of all elements, the second cache would lose it before.
std::optional<int64_t> aheadOfPanel(Operation *op, int64_t cacheBytes) {
  auto sum = op->getParentOfType<AffineForOp>();
  if (!isa<affine::AffineVectorLoadOp>(op) || !sum || sum.getNumIterOperands() == 0)
    return std::nullopt;
  std::optional<VectorAccess> access = accessBeyond(op, cacheBytes);
  if (!access)
    return std::nullopt;
  int64_t term = advance(*access, sum).value_or(0);
  int64_t panel = term * static_cast<int64_t>(affine::getConstantTripCount(sum).value_or(0));
  if (panel < pageBytes || panel >= cacheBytes / 2)
    return std::nullopt;
  for (auto loop = sum->getParentOfType<AffineForOp>(); loop;
       loop = loop->getParentOfType<AffineForOp>())
    if (int64_t onwards = advance(*access, loop).value_or(0))
      return onwards >= panel && onwards < (mostParts + 1) * panel ? std::optional(onwards)
                                                                   : std::nullopt;
  return std::nullopt;
}

/// Of a store to an array that the first cache does not hold, a line further on each turn, where
/// vectors lie across lines, as those of rows or of parts do that are no whole lines: the next line
/// but one.
std::optional<int64_t> aheadOfParts(Operation *op, const CacheModel &cache) {
  if (!isa<affine::AffineVectorStoreOp>(op) || cache.aheadBytes == 0)
    return std::nullopt;
  std::optional<VectorAccess> access = accessBeyond(op, cache.l1Bytes / 2);
  if (!access)
    return std::nullopt;
  bool goesOn = false, isInParts = false;
  for (auto loop = op->getParentOfType<AffineForOp>(); loop;
       loop = loop->getParentOfType<AffineForOp>()) {
    int64_t bytes = advance(*access, loop).value_or(0);
    goesOn |= bytes == cache.lineBytes;
    isInParts |= bytes % cache.lineBytes != 0;
  }
  for (auto other : op->getBlock()->getOps<affine::AffineVectorStoreOp>()) {
    std::optional<VectorAccess> there = accessOf(other);
    std::optional<int64_t> elements =
        there && there->memref == access->memref ? distance(*access, *there) : std::nullopt;
    int64_t bytes = elementBytes(cast<MemRefType>(access->memref.getType()).getElementType());
    isInParts |= elements && *elements * bytes % cache.lineBytes != 0;
  }
  return goesOn && isInParts ? std::optional(linesAheadOfStores * cache.lineBytes) : std::nullopt;
}

/// Of an access that is none of columns: what it asks for, of its own kind.
std::optional<int64_t> aheadOf(Operation *op, const CacheModel &cache, BroughtBytes &brings) {
  if (std::optional<int64_t> bytes = aheadOfLines(op, cache, brings))
    return bytes;
  if (std::optional<int64_t> bytes = aheadOfSquare(op, cache.bytes))
    return bytes;
  if (std::optional<int64_t> bytes = aheadOfPanel(op, cache.l2Bytes))
    return bytes;
  return aheadOfParts(op, cache);
}

/// The array to whose rows a block's results go, a row a block, if its rows are no whole lines of
/// the cache, short beside the first one, and stored in vectors.
Value rowsOfResults(AffineForOp block, const CacheModel &cache,
                    const llvm::DenseSet<Operation *> &past) {
  Value rows;
  bool isOne = true;
  block->walk([&](affine::AffineVectorStoreOp store) {
    std::optional<VectorAccess> access = accessBeyond(store, cache.l1Bytes / 2);
    if (!access)
      return;
    int64_t bytes = bytesInRow(cast<MemRefType>(access->memref.getType()));
    isOne &= (!rows || rows == access->memref) && !past.contains(store) &&
             bytes % cache.lineBytes != 0 && bytes <= cache.l1Bytes / 4 &&
             advance(*access, block) == bytes;
    rows = access->memref;
  });
  return isOne ? rows : Value();
}

/// Of a load of a row of a block: the same place in the row of results.
class ResultsBeside {
public:
  ResultsBeside(const CacheModel &cache, const llvm::DenseSet<Operation *> &past)
      : cache(cache), past(past) {}

  std::optional<Ahead> of(Operation *op) {
    AffineForOp block = isa<affine::AffineVectorLoadOp>(op) ? blockAround(op) : nullptr;
    std::optional<VectorAccess> access =
        block && cache.aheadBytes > 0 ? accessBeyond(op, cache.l1Bytes / 2) : std::nullopt;
    if (!access)
      return std::nullopt;
    auto [known, isNew] = results.try_emplace(block);
    if (isNew)
      known->second = rowsOfResults(block, cache, past);
    Value rows = known->second;
    auto type = cast<MemRefType>(access->memref.getType());
    if (!rows || rows == access->memref || rows.getType() != type || !isNamedAt(rows, op) ||
        advance(*access, block) != bytesInRow(type))
      return std::nullopt;
    asking.insert(block);
    return Ahead{0, /*isStore=*/true, rows};
  }

  /// Whether loads of the block around a store ask for its rows.
  bool areAskedFor(Operation *store) const {
    AffineForOp block = blockAround(store);
    std::optional<VectorAccess> access = block ? accessOf(store) : std::nullopt;
    return access && asking.contains(block) && results.lookup(block) == access->memref;
  }

private:
  /// Whether C has a name for an array where an operation stands.
  static bool isNamedAt(Value array, Operation *op) {
    Operation *made = array.getDefiningOp();
    Operation *here = made ? made->getBlock()->findAncestorOpInBlock(*op) : nullptr;
    return !made || (here && made->isBeforeInBlock(here));
  }

  const CacheModel &cache;
  const llvm::DenseSet<Operation *> &past;
  llvm::DenseMap<Operation *, Value> results;
  llvm::DenseSet<Operation *> asking; ///< blocks whose loads do
};

/// Of all arrays in memory that vectors are loaded from or stored to.
int64_t bytesInVectors(func::FuncOp func) {
  llvm::DenseSet<Value> arrays;
  int64_t bytes = 0;
  func.walk([&](Operation *op) {
    std::optional<VectorAccess> access = accessBeyond(op, 0);
    if (access && arrays.insert(baseOf(access->memref)).second)
      bytes += bytesOf(cast<MemRefType>(baseOf(access->memref).getType()));
  });
  return bytes;
}

} // namespace

std::optional<int64_t> aheadOfLines(Operation *op, const CacheModel &cache, BroughtBytes &brings) {
  std::optional<VectorAccess> access = accessBeyond(op, cache.askedBytes);
  AffineForOp block = blockAround(op);
  if (!access || access->isStore || !block || isStream(op, *access, block))
    return std::nullopt;
  std::optional<int64_t> ahead = advance(*access, block);
  int64_t shortBytes = accessBeyond(op, cache.bytes) ? cache.shortLineBytes : shortInLastCache;
  if (bytesInRow(cast<MemRefType>(access->memref.getType())) < shortBytes || !ahead ||
      *ahead <= 0 || broughtBefore(block, block, baseOf(access->memref)))
    return std::nullopt;
  // What is asked for stays in the second cache, beside much else, until it is read.
  int64_t blocks = llvm::divideCeil(cache.aheadBytes, *ahead);
  if (*ahead * blocks > cache.l2Bytes / 8 ||
      brings.of(block, baseOf(access->memref), /*isStore=*/false) * blocks > cache.l2Bytes / 2)
    return std::nullopt;
  return blocks == 0 ? std::nullopt : std::optional(*ahead * blocks);
}

LinesOf linesAhead(func::FuncOp func, const CacheModel &cache,
                   const llvm::DenseSet<Operation *> &past,
                   const llvm::DenseSet<Operation *> &inOrder) {
  LinesOf found;
  // Columns come from the last cache soon enough; it holds all arrays, or parts of each.
  int64_t columnsBeyond = bytesInVectors(func) > cache.bytes ? cache.askedBytes : cache.bytes;
  BroughtBytes brings(cache.askedBytes);
  ResultsBeside results(cache, past);
  func.walk([&](Operation *op) {
    if (past.contains(op)) {
      if (std::optional<Ahead> next = nextWithResult(op, cache, brings, found))
        found[op].push_back(*next);
      return;
    }
    bool isAsked =
        inOrder.contains(op) || (isa<affine::AffineVectorStoreOp>(op) && results.areAskedFor(op));
    Lines lines =
        inOrder.contains(op) ? Lines() : linesOfBlock(op, cache, columnsBeyond, brings, found);
    if (std::optional<int64_t> bytes =
            lines.empty() && !isAsked ? aheadOf(op, cache, brings) : std::nullopt)
      lines.push_back({*bytes, isa<affine::AffineVectorStoreOp>(op)});
    if (std::optional<Ahead> beside = results.of(op))
      lines.push_back(*beside);
    if (!lines.empty())
      found[op] = std::move(lines);
  });
  return found;
}

} // namespace weft
