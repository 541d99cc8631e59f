//===- TransposeCopy.cpp - packing and unpacking through registers ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A copy from lines (elements contiguous along the outer loop) to lanes (contiguous
// along the inner one), or back, would be scalar on one of its sides. Moved in
// blocks of as many vectors as a vector has elements, both sides are whole vectors,
// and each cache line is touched once.
//
// Where one side's lines lie pages apart, as the planes of an image, a loop over its rows
// goes between those over squares: what is left of a page is used before the next one is,
// as long as the other side stays in the cache.
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/TransposeCopy.h"
#include "passes/vectors/SquareCopy.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <array>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

int64_t extentOf(AffineForOp loop) {
  return loop.getConstantUpperBound() - loop.getConstantLowerBound();
}

bool isPlainLoop(AffineForOp loop) {
  return loop && loop.hasConstantBounds() && loop.getStepAsInt() == 1 &&
         loop.getNumIterOperands() == 0;
}

AffineForOp onlyLoopIn(AffineForOp outer) {
  AffineForOp found;
  for (Operation &op : outer.getBody()->without_terminator()) {
    auto loop = dyn_cast<AffineForOp>(op);
    if ((loop && found) || (!loop && (!isMemoryEffectFree(&op) || op.getNumRegions() != 0)))
      return {};
    if (loop)
      found = loop;
  }
  return found;
}

namespace {

/// Of a row within a tile: both sides touch one line of each of many rows, and tiles
/// keep the pages and lines of these rows until all of a tile has used them. Measured
/// on matrices of 1000 to 2048 rows.
constexpr int64_t tileBytes = 256;

/// Lines this far apart share a page with a few others only.
constexpr int64_t farBytes = 1024;

/// From the first to before the second.
using Range = std::pair<int64_t, int64_t>;

class TransposeCopy {
public:
  TransposeCopy(AffineForOp outer, AffineForOp inner, const VectorUnit &vectors,
                const CopyCaches &caches, bool masked)
      : outer(outer), inner(inner), first(outer), last(inner), vectors(vectors), caches(caches),
        squares(outer, inner, vectors, masked) {}

  bool analyse();
  void rewrite();

private:
  void findRows();
  void tiled(OpBuilder &builder, Range outerRange, Range innerRange, int64_t tile);
  void blocks(OpBuilder &builder, Range firstRange, Range lastRange);
  AffineForOp remainder(OpBuilder &builder, Range firstRange, Range lastRange);
  Value open(OpBuilder &builder, AffineForOp old, Range range, int64_t step);

  AffineForOp outer, inner;
  AffineForOp first, last; ///< the same two, as loops over squares are nested
  AffineForOp rows;        ///< around both, to go between them; none if it stays where it is
  VectorUnit vectors;
  CopyCaches caches;
  SquareCopy squares;
  /// What is left of whole squares goes in one that begins earlier.
  bool firstRepeats = false, lastRepeats = false;
  bool shares = false; ///< the next loop over more than one square is shared by cores
};

Range rangeOf(AffineForOp loop) {
  return {loop.getConstantLowerBound(), loop.getConstantUpperBound()};
}

bool TransposeCopy::analyse() {
  if (!squares.find() || extentOf(inner) < squares.blockOf(inner) ||
      extentOf(outer) < squares.blockOf(outer))
    return false;
  // Of less than half a square, beside one block of channels: a vector for each pixel, of single
  // elements, takes less. 16 images of 2048x7x7 by 512 filters of one place ran at 0.94 in squares.
  if (AffineForOp narrow = squares.narrowLoop()) {
    AffineForOp other = narrow == outer ? inner : outer;
    if (2 * extentOf(narrow) < squares.blockOf(other) &&
        extentOf(other) < 2 * squares.blockOf(other))
      return false;
  }
  findRows();
  return true;
}

/// Whether the loop around goes along lines of the side that has them far apart.
void TransposeCopy::findRows() {
  auto around = dyn_cast<AffineForOp>(outer->getParentOp());
  // A line is touched once only if squares are as wide. No row may store what another one does.
  if (!around || !around->hasAttr("weft.independent") || vectors.onlyFloats() ||
      vectors.bytes < caches.lineBytes || !isPlainLoop(around) || onlyLoopIn(around) != outer)
    return;
  auto stride = [&](AffineForOp along, AffineForOp by) {
    return squares.strideOf(along, by) * squares.numberBytes();
  };
  // Rows that are shorter than a vector share the lines of one side.
  AffineForOp narrow = squares.narrowLoop();
  bool outerIsFar = narrow ? narrow == outer : stride(outer, inner) > stride(inner, outer);
  AffineForOp along = outerIsFar ? outer : inner, across = outerIsFar ? inner : outer;
  int64_t apart = stride(along, across), rowsApart = stride(along, around);
  if ((apart < farBytes && !narrow) || rowsApart == 0 || rowsApart >= apart)
    return;
  // A line of each of the other side's rows is touched before the next one of the first.
  int64_t passed = extentOf(around) * extentOf(along) * stride(across, along);
  if (2 * passed > caches.l2Bytes)
    return;
  int64_t many = extentOf(across) / squares.blockOf(across);
  if (around->hasAttr("weft.parallel") && many < std::min(extentOf(around), enoughToShare))
    return;
  rows = around;
  first = across;
  last = along;
}

/// The scalar nest over a part of its domain.
AffineForOp TransposeCopy::remainder(OpBuilder &builder, Range firstRange, Range lastRange) {
  auto copy = cast<AffineForOp>(builder.clone(*(rows ? rows : outer)));
  copy->removeDiscardableAttr("weft.parallel");
  AffineForOp copiedOuter = rows ? onlyLoopIn(copy) : copy;
  AffineForOp copiedInner = onlyLoopIn(copiedOuter);
  copiedOuter->removeDiscardableAttr("weft.parallel");
  for (auto [loop, old] : {std::pair(copiedOuter, outer), std::pair(copiedInner, inner)}) {
    const Range &range = old == first ? firstRange : lastRange;
    loop.setConstantLowerBound(range.first);
    loop.setConstantUpperBound(range.second);
  }
  return copy;
}

Value TransposeCopy::open(OpBuilder &builder, AffineForOp old, Range range, int64_t step) {
  auto loop = AffineForOp::create(builder, old.getLoc(), range.first, range.second, step);
  loop->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  loop->removeDiscardableAttr("weft.lane");
  loop->removeDiscardableAttr("weft.parallel");
  if (range.second - range.first > step && std::exchange(shares, false))
    loop->setAttr("weft.parallel", builder.getUnitAttr());
  loop.getInductionVar().setLoc(old.getInductionVar().getLoc());
  builder.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

/// Threads that each have a part of rows share a line at both ends of every part. Of shorter rows
/// than this each has rows of its own: 1024 rows of 512 bytes take 0.77 of the time on two threads,
/// 4096 rows of 1024 bytes 1.08.
static constexpr int64_t leastSharedBytes = 1024;

/// Whole blocks in registers over a part of the domain, in square tiles.
void TransposeCopy::tiled(OpBuilder &builder, Range outerRange, Range innerRange, int64_t tile) {
  OpBuilder::InsertionGuard guard(builder);
  shares = outer->hasAttr("weft.parallel");
  // Tiles follow one another, and so do blocks within a tile, along the lines that
  // are written: those stay until they are full.
  Value starts[2], offsets[2];
  std::pair<AffineForOp, Range> sides[] = {{outer, outerRange}, {inner, innerRange}};
  int written = squares.storesAlongInner() ? 1 : 0, read = 1 - written;
  auto bytesOf = [&](int side) {
    return (sides[side].second.second - sides[side].second.first) * squares.elementBytes();
  };
  bool areRowsShared =
      shares && bytesOf(written) < leastSharedBytes && bytesOf(written) < bytesOf(read);
  for (int side : areRowsShared ? std::array{read, written} : std::array{written, read})
    starts[side] = open(builder, sides[side].first, sides[side].second, tile);
  for (int side : {read, written})
    offsets[side] = open(builder, sides[side].first, {0, tile}, squares.blockOf(sides[side].first));
  AffineMap plus = AffineMap::get(2, 0, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1));
  IRMapping variables;
  for (int side : {0, 1})
    variables.map(sides[side].first.getInductionVar(),
                  affine::AffineApplyOp::create(builder, outer.getLoc(), plus,
                                                ValueRange{starts[side], offsets[side]}));
  squares.move(builder, variables);
}

/// Whole blocks in registers over a part of the domain.
void TransposeCopy::blocks(OpBuilder &builder, Range firstRange, Range lastRange) {
  if (firstRange.first == firstRange.second || lastRange.first == lastRange.second)
    return;
  OpBuilder::InsertionGuard guard(builder);
  shares = outer->hasAttr("weft.parallel") || (rows && rows->hasAttr("weft.parallel"));
  IRMapping variables;
  variables.map(first.getInductionVar(), open(builder, first, firstRange, squares.blockOf(first)));
  if (rows) {
    variables.map(rows.getInductionVar(), open(builder, rows, rangeOf(rows), 1));
    for (Operation &op : rows.getBody()->without_terminator())
      if (&op != outer)
        builder.clone(op, variables);
  }
  variables.map(last.getInductionVar(), open(builder, last, lastRange, squares.blockOf(last)));
  squares.move(builder, variables);
  int64_t end = rangeOf(last).second;
  if (!lastRepeats || lastRange.second == end)
    return;
  // A row's last square behind the others of that row: lines of the cache are written whole.
  builder.setInsertionPointAfter(
      variables.lookup(last.getInductionVar()).getParentRegion()->getParentOp());
  variables.map(last.getInductionVar(), arith::ConstantIndexOp::create(
                                            builder, last.getLoc(), end - squares.blockOf(last)));
  squares.move(builder, variables);
}

void TransposeCopy::rewrite() {
  auto whole = [](Range range, int64_t step) {
    return range.first + (range.second - range.first) / step * step;
  };
  Range firstAll = rangeOf(first), lastAll = rangeOf(last);
  int64_t firstWhole = whole(firstAll, squares.blockOf(first)),
          lastWhole = whole(lastAll, squares.blockOf(last));

  // The last squares of rows and columns that are no multiple begin earlier, and move some elements
  // once more.
  firstRepeats = squares.mayRepeat(first);
  lastRepeats = squares.mayRepeat(last);
  OpBuilder builder(rows ? rows : outer);
  int64_t tile = tileBytes / squares.elementBytes();
  int64_t firstTiled = whole(firstAll, tile), lastTiled = whole(lastAll, tile);
  if (rows || firstTiled - firstAll.first < 2 * tile || lastTiled - lastAll.first < 2 * tile) {
    blocks(builder, {firstAll.first, firstWhole}, {lastAll.first, lastWhole});
  } else {
    tiled(builder, {firstAll.first, firstTiled}, {lastAll.first, lastTiled}, tile);
    Range behind{lastTiled, lastWhole};
    if (lastTiled == lastWhole && lastWhole < lastAll.second && lastRepeats)
      behind = {lastAll.second - squares.blockOf(last), lastAll.second};
    blocks(builder, {firstAll.first, firstTiled}, behind);
    blocks(builder, {firstTiled, firstWhole}, {lastAll.first, lastWhole});
  }
  if (firstWhole < firstAll.second && firstRepeats)
    blocks(builder, {firstAll.second - squares.blockOf(first), firstAll.second},
           {lastAll.first, lastWhole});
  else if (firstWhole < firstAll.second)
    remainder(builder, {firstWhole, firstAll.second},
              {lastAll.first, lastRepeats ? lastAll.second : lastWhole});
  if (lastWhole < lastAll.second && !lastRepeats)
    remainder(builder, firstAll, {lastWhole, lastAll.second});
  (rows ? rows : outer).erase();
}

} // namespace

bool transposeInRegisters(AffineForOp outer, const VectorUnit &vectors, const CopyCaches &caches,
                          bool masked) {
  AffineForOp inner = onlyLoopIn(outer);
  if (!isPlainLoop(outer) || !isPlainLoop(inner))
    return false;
  TransposeCopy copy(outer, inner, vectors, caches, masked);
  if (!copy.analyse())
    return false;
  copy.rewrite();
  return true;
}

} // namespace weft
