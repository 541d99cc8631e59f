//===- ReadTiles.cpp - reads across rows in tiles -----------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A copy that only transposes goes through registers (TransposeCopy.h). What also computes, reads
// backwards or wraps around has no squares of vectors, and goes element by element; in tiles each
// line of the cache comes from memory once all the same.
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/ReadTiles.h"

#include "passes/loops/AccessPattern.h"
#include "passes/vectors/TransposeCopy.h"

#include "mlir/IR/IRMapping.h"

#include <numeric>

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// Of a tile, along the inner loop and along the outer one: rows a power of two apart share a set
/// of the first cache, of which so many still have a place each; and as many pages are in use.
constexpr int64_t innerTile = 16, outerTile = 64;

/// Of a tile along an outer loop that cores share, where tiles would be fewer than this.
constexpr int64_t sharedTile = 16;

/// Whether lines of so many rows, so far apart, are lost before the next iteration of the outer
/// loop comes to them: the second cache is near enough where the first one loses few of them.
bool areLost(int64_t rows, int64_t apart, int64_t bytes, const ReadCaches &caches) {
  if (bytes > caches.l2Bytes)
    return 2 * rows * caches.lineBytes >= caches.l1Bytes;
  int64_t wayBytes = caches.l1Bytes / caches.ways;
  int64_t sets = wayBytes / std::max(std::gcd(apart, wayBytes), caches.lineBytes);
  return rows > 2 * sets * caches.ways;
}

/// Whether some load of the body goes to another line each time, which those of the outer loop's
/// next iterations share.
bool readsAcrossRows(AffineForOp outer, AffineForOp inner, const ReadCaches &caches) {
  AddressSpace space;
  auto slope = [&](const Access &access, AffineForOp loop) {
    return access.slope({loop.getInductionVar(), extentOf(loop), loop.getConstantLowerBound()},
                        space);
  };
  return llvm::any_of(*inner.getBody(), [&](Operation &op) {
    std::optional<Access> access = Access::of(&op, space);
    if (!access || access->isStore)
      return false;
    Type element = cast<MemRefType>(access->memref.getType()).getElementType();
    if (!element.isIntOrFloat())
      return false;
    int64_t bytes = static_cast<int64_t>(element.getIntOrFloatBitWidth() + 7) / 8;
    std::optional<int64_t> across = slope(*access, inner), along = slope(*access, outer);
    // Of bytes a tile would be less than a vector. What wraps around on its way along the outer
    // loop has neighbours, too.
    return bytes >= 4 && across && std::abs(*across) * bytes >= caches.lineBytes &&
           (!along || (*along != 0 && std::abs(*along) * bytes < caches.lineBytes)) &&
           areLost(extentOf(inner), std::abs(*across) * bytes,
                   extentOf(inner) * std::abs(*across) * bytes, caches);
  });
}

/// A loop like `old`, over other iterations; the builder goes into it.
AffineForOp open(OpBuilder &builder, AffineForOp old, int64_t from, int64_t to, int64_t step) {
  auto loop = AffineForOp::create(builder, old.getLoc(), from, to, step);
  loop->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  loop.getInductionVar().setLoc(old.getInductionVar().getLoc());
  builder.setInsertionPointToStart(loop.getBody());
  return loop;
}

/// Gives the variable of `loop` its value within a tile.
void mapWithin(OpBuilder &builder, IRMapping &variables, AffineForOp loop, Value start,
               Value beyond) {
  AffineMap sum = AffineMap::get(2, 0, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1));
  variables.map(loop.getInductionVar(), affine::AffineApplyOp::create(builder, loop.getLoc(), sum,
                                                                      ValueRange{start, beyond}));
}

} // namespace

bool tileReads(AffineForOp outer, const ReadCaches &caches) {
  AffineForOp inner = onlyLoopIn(outer);
  if (!inner || !isPlainLoop(outer) || !isPlainLoop(inner) || !outer->hasAttr("weft.independent") ||
      outer->hasAttr("weft.lane"))
    return false;
  bool areFew = outer->hasAttr("weft.parallel") && extentOf(outer) < enoughToShare * outerTile;
  int64_t tile = areFew ? sharedTile : outerTile;
  if (extentOf(outer) < tile || extentOf(inner) < 2 * innerTile ||
      !readsAcrossRows(outer, inner, caches))
    return false;
  auto whole = [](AffineForOp loop, int64_t tile) {
    return loop.getConstantLowerBound() + extentOf(loop) / tile * tile;
  };
  int64_t outerWhole = whole(outer, tile), innerWhole = whole(inner, innerTile);
  OpBuilder builder(outer);
  AffineForOp tiles = open(builder, outer, outer.getConstantLowerBound(), outerWhole, tile);
  AffineForOp parts = open(builder, inner, inner.getConstantLowerBound(), innerWhole, innerTile);
  for (NamedAttribute attribute : llvm::to_vector(inner->getDiscardableAttrs()))
    parts->removeDiscardableAttr(attribute.getName());
  AffineForOp rows = open(builder, outer, 0, tile, 1);
  rows->removeDiscardableAttr("weft.parallel");
  IRMapping variables;
  mapWithin(builder, variables, outer, tiles.getInductionVar(), rows.getInductionVar());
  for (Operation &op : outer.getBody()->without_terminator())
    if (&op != inner)
      builder.clone(op, variables);
  AffineForOp elements = open(builder, inner, 0, innerTile, 1);
  mapWithin(builder, variables, inner, parts.getInductionVar(), elements.getInductionVar());
  for (Operation &op : inner.getBody()->without_terminator())
    builder.clone(op, variables);

  // What is left of rows, and what is left of columns.
  builder.setInsertionPoint(outer);
  if (innerWhole < inner.getConstantUpperBound()) {
    auto rest = cast<AffineForOp>(builder.clone(*outer));
    rest.setConstantUpperBound(outerWhole);
    onlyLoopIn(rest).setConstantLowerBound(innerWhole);
  }
  if (outerWhole == outer.getConstantUpperBound()) {
    outer.erase();
  } else {
    outer.setConstantLowerBound(outerWhole);
    outer->removeDiscardableAttr("weft.parallel");
  }
  return true;
}

} // namespace weft
