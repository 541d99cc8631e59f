//===- ConvolutionInPlanes.cpp - images of other layouts as planes ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionInPlanes.h"

#include "passes/Passes.h"
#include "passes/convolutions/Convolutions.h"
#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

static unsigned dimsOf(ConvOp op) { return op.getStride().size(); }

static ConvLayout layoutOf(ConvOp op, StringRef name) { return *convLayoutNamed(name, dimsOf(op)); }

bool isInPlanes(ConvOp op) {
  return layoutOf(op, op.getLayout()) == ConvLayout::Planes &&
         layoutOf(op, op.getOutLayout()) == ConvLayout::Planes;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// With the last axis where `to` is, and those from there on behind it; or, inverted, the other
/// way.
static Value turned(OpBuilder &builder, Location loc, Value value, unsigned to, bool inverted) {
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  if (inverted)
    std::rotate(perm.begin() + to, perm.begin() + to + 1, perm.end());
  else
    std::rotate(perm.begin() + to, perm.end() - 1, perm.end());
  SmallVector<int64_t> result;
  for (int64_t axis : perm)
    result.push_back(shape[axis]);
  auto type =
      RankedTensorType::get(result, cast<RankedTensorType>(value.getType()).getElementType());
  return TransposeOp::create(builder, loc, type, value, perm);
}

/// [n, pixel, c] or [n, c / 16, pixel, 16] as [n, c, pixel].
static Value toPlanes(OpBuilder &builder, ConvOp op) {
  Value images = op.getInput();
  ConvLayout layout = layoutOf(op, op.getLayout());
  if (layout == ConvLayout::Planes)
    return images;
  bool inBlocks = layout == ConvLayout::Blocks;
  SmallVector<int64_t> planes = *extentsOf(layout, dimsOf(op), shapeOf(images));
  Value made = turned(builder, op.getLoc(), images, inBlocks ? 2 : 1, false);
  made.getDefiningOp()->setAttr(sortedMark, builder.getUnitAttr());
  return reshaped(builder, op.getLoc(), made, planes);
}

/// The results of planes in the layout of `op`.
static Value fromPlanes(OpBuilder &builder, ConvOp op, Value results) {
  ConvLayout layout = layoutOf(op, op.getOutLayout());
  if (layout == ConvLayout::Planes)
    return results;
  bool inBlocks = layout == ConvLayout::Blocks;
  SmallVector<int64_t> shape(shapeOf(results));
  if (inBlocks) {
    shape[1] /= channelBlock;
    shape.insert(shape.begin() + 2, channelBlock);
  }
  return turned(builder, op.getLoc(), reshaped(builder, op.getLoc(), results, shape),
                inBlocks ? 2 : 1, true);
}

ConvOp inPlanes(ConvOp op) {
  OpBuilder builder(op);
  std::string planes = "nc" + StringRef("dhw").take_back(dimsOf(op)).str();
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> results =
      *extentsOf(layoutOf(op, op.getOutLayout()), dimsOf(op), type.getShape());
  Value images = toPlanes(builder, op);
  auto within = cast<ConvOp>(builder.clone(*op));
  within.getInputMutable().assign(images);
  within.setLayout(planes);
  within.setOutLayout(planes);
  within.getResult().setType(RankedTensorType::get(results, type.getElementType()));
  builder.setInsertionPointAfter(within);
  op.replaceAllUsesWith(fromPlanes(builder, op, within.getResult()));
  op.erase();
  return within;
}

} // namespace weft
