//===- ColumnsAhead.cpp - columns of the next block, asked for --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A block of columns reads a few lines from each of many pages: no stream that the machine would
// follow. Columns whose rows lie a power of two apart drive each other from the second cache to the
// last before they are used: the row before asks once more.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/ColumnsAhead.h"

#include "passes/loops/BeyondCaches.h"
#include "targets/common/Memory.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// Where so many times more lines fall on a set of the second cache than it has ways, most have
/// left it; of 1.25 times, results are stored as fast through the caches.
static constexpr int64_t lostShare = 2;

/// Rows of columns in shorter parts take as long past the caches as through them.
static constexpr int64_t leastRunBytes = 256;

bool broughtBefore(Operation *op, AffineForOp block, Value array) {
  for (Operation *here = op;;) {
    auto around = here->getParentOfType<AffineForOp>();
    if (!around)
      return false;
    bool inside = block->isAncestor(around);
    // Steps in time: an array larger than the cache has left it since.
    if (!inside && !around->hasAttr("weft.independent"))
      return false;
    if (!inside || around == block)
      for (Operation &before : *around.getBody()) {
        if (&before == here)
          break;
        if (touches(&before, array, /*loads=*/false))
          return true;
      }
    here = around;
  }
}

/// By which the innermost loop in the block that goes from page to page moves an access; nothing
/// where none does.
static std::optional<int64_t> bytesToNextRow(Operation *op, const VectorAccess &access,
                                             AffineForOp block) {
  for (auto loop = op->getParentOfType<AffineForOp>(); loop != block;
       loop = loop->getParentOfType<AffineForOp>())
    if (int64_t bytes = advance(access, loop).value_or(0); std::abs(bytes) >= pageBytes)
      return bytes;
  return std::nullopt;
}

Lines linesOfBlock(Operation *op, const CacheModel &cache, int64_t arrayBytes, BroughtBytes &brings,
                   const LinesOf &known) {
  std::optional<VectorAccess> access = accessBeyond(op, arrayBytes);
  if (!access)
    return {};
  Value array = baseOf(access->memref);
  AffineForOp block = blockAround(op);
  if (!block || op->getParentOp() == block)
    return {};
  std::optional<int64_t> ahead = advance(*access, block);
  if (!ahead || *ahead <= 0 || brings.of(block, array, access->isStore) > cache.l2Bytes / 2)
    return {};

  // The nest in the block that the access stands in.
  Operation *nest = op;
  while (nest->getParentOp() != block)
    nest = nest->getParentOp();
  bool brought = broughtBefore(nest, block, array);
  if (!access->isStore) {
    std::optional<int64_t> row = bytesToNextRow(op, *access, block);
    if (brought || !row)
      return {};
    Lines lines{{*ahead, /*isStore=*/false}};
    if (*row > 0)
      lines.push_back({*row, /*isStore=*/false});
    return lines;
  }
  if (!brought)
    return touches(nest, array, /*loads=*/true) ? Lines{} : Lines{{*ahead, /*isStore=*/true}};
  bool asked = block
                   ->walk([&](Operation *other) {
                     if (!known.contains(other))
                       return WalkResult::advance();
                     std::optional<VectorAccess> load = accessOf(other);
                     bool asks = !load->isStore && baseOf(load->memref) == array &&
                                 bytesToNextRow(other, *load, block);
                     return asks ? WalkResult::interrupt() : WalkResult::advance();
                   })
                   .wasInterrupted();
  return asked ? Lines{{*ahead, /*isStore=*/false}} : Lines{};
}

std::optional<Ahead> nextWithResult(Operation *op, const CacheModel &cache, BroughtBytes &brings,
                                    const LinesOf &known) {
  std::optional<VectorAccess> access = accessOf(op);
  AffineForOp block = blockAround(op);
  if (!cache.resultsAsk || !access || !block)
    return std::nullopt;
  std::optional<Ahead> next;
  block->walk([&](Operation *other) {
    std::optional<VectorAccess> load = known.contains(other) ? accessOf(other) : std::nullopt;
    std::optional<int64_t> ahead =
        load && !load->isStore && load->memref.getType() == access->memref.getType()
            ? advance(*load, block)
            : std::nullopt;
    if (!ahead || ahead != advance(*access, block) || !bytesToNextRow(other, *load, block))
      return WalkResult::advance();
    // Where results have lines of their own, those of two blocks are more.
    Value array = baseOf(load->memref);
    bool isInPlace = array == baseOf(access->memref);
    if (!isInPlace && brings.of(block, array, /*isStore=*/false) > cache.l2Bytes / 8)
      return WalkResult::advance();
    next = Ahead{*ahead, /*isStore=*/false, load->memref};
    return WalkResult::interrupt();
  });
  return next;
}

bool areLostInBlock(Operation *load, const CacheModel &cache, BroughtBytes &brings) {
  std::optional<VectorAccess> access = accessOf(load);
  AffineForOp block = blockAround(load);
  std::optional<int64_t> run = access && block ? advance(*access, block) : std::nullopt;
  if (cache.l2Ways == 0 || !run || *run < leastRunBytes)
    return false;
  // Rows are these apart, and begin at so many places of a way.
  int64_t apart = 0, way = cache.l2Bytes / cache.l2Ways;
  for (AffineForOp loop : loopsIn(block, load))
    if (int64_t bytes = std::abs(advance(*access, loop).value_or(0)); bytes >= pageBytes)
      apart = std::gcd(apart, bytes);
  int64_t rows = brings.of(block, baseOf(access->memref), /*isStore=*/false) / *run;
  return apart > 0 && rows * std::gcd(way, apart) > lostShare * cache.l2Ways * way;
}

} // namespace weft
