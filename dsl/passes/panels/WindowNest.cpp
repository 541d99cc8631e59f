//===- WindowNest.cpp - sums over windows as loops --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/WindowLoops.h"
#include "passes/transfers/Footprint.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

WindowNest WindowNest::of(ArrayRef<AffineForOp> around, AffineForOp columns,
                          ArrayRef<AffineForOp> terms, PanelAccess left, PanelAccess right,
                          PanelAccess result) {
  WindowNest nest;
  nest.columns = columns;
  nest.filters = around.back();
  around = around.drop_back();
  if (terms.size() > 1) {
    nest.channels = terms.front();
    terms = terms.drop_front();
  }
  nest.taps.assign(terms.begin(), terms.end());
  nest.left = std::move(left);
  nest.right = std::move(right);
  nest.result = std::move(result);
  // A line is what moves both the image and the result on by at least its columns, the result by no
  // more.
  if (!around.empty() && nest.result.strideOf(variableOf(around.back())) == tripsOf(columns) &&
      nest.right.strideOf(variableOf(around.back())) >= tripsOf(columns)) {
    nest.lines = around.back();
    around = around.drop_back();
  }
  size_t choosing = 0;
  for (auto [n, loop] : llvm::enumerate(around))
    if (nest.left.strideOf(variableOf(loop)) != 0)
      choosing = n + 1;
  nest.repeated.assign(around.begin(), around.begin() + choosing);
  nest.images.assign(around.begin() + choosing, around.end());
  nest.outermost = !nest.images.empty() ? nest.images.front()
                   : nest.lines         ? nest.lines
                                        : nest.filters;
  return nest;
}

void WindowNest::findLast(Operation *store, const MeshMachine &machine) {
  auto indices = loopIndices(store);
  auto type = cast<MemRefType>(arrayOf(store).getType());
  if (!indices || !type.hasStaticShape())
    return;
  for (auto [index, extent] : llvm::zip_equal(*indices, type.getShape())) {
    AffineForOp loop = index.value ? affine::getForInductionVarOwner(index.value) : AffineForOp();
    int64_t trips = loop ? tripsOf(loop) : 1;
    if (index.constant != 0 || (index.value && (!loop || index.factor != 1)) || trips != extent)
      return;
  }
  resultIndices = std::move(*indices);
  last = PointNest::behind(outermost, arrayOf(store), machine);
}

AffineForOp WindowNest::reader() const { return repeated.empty() ? outermost : repeated.front(); }

void WindowNest::findBorder() {
  auto type = cast<MemRefType>(right.memref.getType());
  if (!lines || !type.hasStaticShape() || type.getRank() < 2)
    return;
  ArrayRef<int64_t> whole = type.getShape();
  int64_t pitch = whole.back(), plane = whole[whole.size() - 2] * pitch;
  auto isOfPlanes = [&](AffineForOp loop) {
    return !loop || right.strideOf(variableOf(loop)) % plane == 0;
  };
  std::optional<int64_t> constant = right.constant();
  // Of rows of one plane: what windows over several planes read lies in none of them.
  bool isOfRows = llvm::all_of(reaches(), [&](int64_t reach) {
    int64_t last = reach + (tripsOf(lines) - 1) * pitch + tripsOf(columns);
    return reach % pitch + tripsOf(columns) <= pitch && last <= plane;
  });
  if (right.strideOf(variableOf(lines)) != pitch || !constant || *constant % plane != 0 ||
      !isOfRows || !isOfPlanes(channels) || !llvm::all_of(images, isOfPlanes) ||
      !llvm::all_of(repeated, isOfPlanes))
    return;
  auto found = BorderNest::forReader(right.memref, reader(), reader(), result.memref);
  if (!found)
    return;
  ArrayRef<int64_t> extents = cast<MemRefType>(found->source.getType()).getShape();
  if (extents.drop_back(2) == whole.drop_back(2) &&
      llvm::all_of(ArrayRef(found->before).drop_back(2),
                   [](int64_t before) { return before == 0; }))
    border = std::move(found);
}

SmallVector<int64_t> WindowNest::reaches() const {
  SmallVector<int64_t> all{0};
  for (AffineForOp tap : taps) {
    SmallVector<int64_t> next;
    for (int64_t before : all)
      for (int64_t n = 0; n < tripsOf(tap); ++n)
        next.push_back(before + n * right.strideOf(variableOf(tap)));
    all = std::move(next);
  }
  return all;
}

WindowShape WindowNest::shape() const {
  WindowShape shape;
  for (AffineForOp loop : images)
    shape.images *= tripsOf(loop);
  shape.filters = tripsOf(filters);
  shape.columns = tripsOf(columns);
  if (channels)
    shape.channels = tripsOf(channels);
  shape.lines = lines ? tripsOf(lines) : 1;
  shape.pitch = lines ? right.strideOf(variableOf(lines)) : shape.columns;
  SmallVector<int64_t> reach = reaches();
  shape.taps = reach.size();
  shape.reach = *llvm::max_element(reach);
  shape.elementBytes = elementBytes(result.memref);
  shape.keptBytes = last ? last->keptBytes() : 0;
  if (border) {
    ArrayRef<int64_t> extents = cast<MemRefType>(border->source.getType()).getShape();
    shape.rows = extents[extents.size() - 2];
    shape.rowElements = extents.back();
    shape.above = border->before[extents.size() - 2];
    shape.beside = border->before.back();
  }
  return shape;
}

const char *WindowNest::problem() const {
  if (left.strideOf(variableOf(columns)) != 0 || right.strideOf(variableOf(filters)) != 0 ||
      (lines && left.strideOf(variableOf(lines)) != 0))
    return "its factors are not of filters and of images";
  if (right.strideOf(variableOf(columns)) != 1 || result.strideOf(variableOf(columns)) != 1)
    return "columns do not lie side by side in memory";
  int64_t taps = 1;
  for (AffineForOp tap : llvm::reverse(this->taps)) {
    if (left.strideOf(variableOf(tap)) != taps || right.strideOf(variableOf(tap)) < 0)
      return "the taps of a filter do not lie side by side in memory";
    taps *= tripsOf(tap);
  }
  if (channels && left.strideOf(variableOf(channels)) != taps)
    return "the channels of a filter do not lie side by side in memory";
  WindowShape all = shape();
  if (left.strideOf(variableOf(filters)) < all.channels * all.taps ||
      result.strideOf(variableOf(filters)) < all.lines * all.columns)
    return "filters, or their results, overlap in memory";
  if (all.channels > 1 && right.strideOf(variableOf(channels)) < all.stretch())
    return "channels of an image overlap in memory";
  for (AffineForOp loop : images)
    if (right.strideOf(variableOf(loop)) < 0 || result.strideOf(variableOf(loop)) <= 0)
      return "images lie at no equal distances";
  return nullptr;
}

} // namespace weft
