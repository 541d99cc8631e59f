//===- ConvolutionMaps.cpp - what algorithms of a convolution share -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/ConvolutionMaps.h"

#include "passes/ButterflyMaps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

ConvolutionMaps::ConvolutionMaps(ConvOp op)
    : op(op), builder(op), location(op.getLoc()), inner(unnamed(op.getLoc())),
      context(op.getContext()), sizes(ConvSizes::of(op)), layout(*convLayoutNamed(op.getLayout())),
      outLayout(*convLayoutNamed(op.getOutLayout())),
      element(cast<RankedTensorType>(op.getType()).getElementType()) {}

SmallVector<int64_t> ConvolutionMaps::grouped(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  SmallVector<int64_t> shape(before);
  if (sizes.G > 1)
    shape.push_back(sizes.G);
  llvm::append_range(shape, after);
  return shape;
}

Value ConvolutionMaps::reshaped(Value value, ArrayRef<int64_t> shape) {
  if (cast<RankedTensorType>(value.getType()).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, location, RankedTensorType::get(shape, element), value);
}

Value ConvolutionMaps::map(Location where, ArrayRef<int64_t> shape, ArrayRef<Range> ranges,
                           const Indices &store, Body body, Value init) {
  SmallVector<int64_t> lower, upper;
  for (Range range : ranges) {
    lower.push_back(range.lower);
    upper.push_back(range.upper);
  }
  auto made = MapOp::create(
      builder, where, TypeRange{RankedTensorType::get(shape, element)}, lower, upper,
      init ? ValueRange{init} : ValueRange{},
      builder.getAffineMapArrayAttr({AffineMap::get(ranges.size(), 0, store, context)}), nullptr);
  Block *block = &made.getBody().emplaceBlock();
  for (size_t n = 0; n < ranges.size(); ++n)
    block->addArgument(builder.getIndexType(), inner);
  OpBuilder at = OpBuilder::atBlockBegin(block);
  Value value = body(at, block->getArguments());
  YieldOp::create(at, inner, value);
  return made.getResult(0);
}

std::pair<SmallVector<ConvolutionMaps::Range>, ConvolutionMaps::Indices>
ConvolutionMaps::over(ArrayRef<int64_t> shape) {
  std::pair<SmallVector<Range>, Indices> made;
  for (auto [n, extent] : llvm::enumerate(shape)) {
    made.first.push_back({0, extent});
    made.second.push_back(dim(n));
  }
  return made;
}

Value ConvolutionMaps::zero(OpBuilder &at) {
  if (auto type = dyn_cast<ComplexType>(element)) {
    Attribute part = at.getFloatAttr(type.getElementType(), 0.0);
    return complex::ConstantOp::create(at, inner, type, at.getArrayAttr({part, part}));
  }
  return arith::ConstantOp::create(at, inner, at.getFloatAttr(element, 0.0));
}

Value ConvolutionMaps::sumOfProducts(OpBuilder &at, ArrayRef<int64_t> terms, Factors factors) {
  SmallVector<int64_t> lower(terms.size(), 0);
  auto sum = ReduceOp::create(at, inner, element, at.getStringAttr("sum"), lower, terms);
  Block *block = &sum.getBody().emplaceBlock();
  for (size_t n = 0; n < terms.size(); ++n)
    block->addArgument(at.getIndexType(), inner);
  OpBuilder within = OpBuilder::atBlockBegin(block);
  auto [left, right] = factors(within, block->getArguments());
  Value product;
  if (isa<ComplexType>(element))
    product = complex::MulOp::create(within, inner, left, right);
  else
    product = arith::MulFOp::create(within, inner, left, right);
  YieldOp::create(within, inner, product);
  return sum.getResult();
}

Value ConvolutionMaps::pixel(OpBuilder &at, const Images &x, ArrayRef<AffineExpr> logical,
                             ValueRange point) {
  if (x.layout == ConvLayout::NCHW)
    return extractAt(at, inner, x.tensor, logical, point);
  size_t count = logical.size();
  AffineExpr channel = logical[count - 3];
  if (sizes.G > 1)
    channel = logical[1] * sizes.C + channel;
  return extractAt(at, inner, x.tensor,
                   placeIn(x.layout, logical[0], channel, logical[count - 2], logical[count - 1]),
                   point);
}

ConvolutionMaps::Images ConvolutionMaps::images(int64_t rows, int64_t columns, bool inPlanes) {
  Images x{op.getInput(), layout};
  if (layout == ConvLayout::NCHW)
    x.tensor = reshaped(x.tensor, grouped({sizes.N}, {sizes.C, sizes.H, sizes.W}));
  inPlanes |= layout == ConvLayout::NCHW;
  if (rows == sizes.H && columns == sizes.W && (!inPlanes || layout == ConvLayout::NCHW))
    return x;
  SmallVector<int64_t> shape = inPlanes
                                   ? grouped({sizes.N}, {sizes.C, rows, columns})
                                   : *shapeIn(layout, sizes.N, sizes.G * sizes.C, rows, columns);
  auto [whole, store] = over(shape);
  unsigned row = inPlanes ? shape.size() - 2 : layout == ConvLayout::NHWC ? 1 : 2;
  unsigned column = row + 1;
  int64_t above = op.getPad()[0], left = op.getPad()[1];
  Value made;
  auto box = [&](Range ofRows, Range ofColumns, bool inside) {
    ofRows.upper = std::min(ofRows.upper, rows);
    ofColumns.upper = std::min(ofColumns.upper, columns);
    if (ofRows.lower >= ofRows.upper || ofColumns.lower >= ofColumns.upper)
      return;
    SmallVector<Range> ranges = whole;
    ranges[row] = ofRows;
    ranges[column] = ofColumns;
    if (!made && llvm::any_of(llvm::zip(ranges, whole), [](auto both) {
          return std::get<0>(both).lower != 0 || std::get<0>(both).upper != std::get<1>(both).upper;
        }))
      made = tensor::EmptyOp::create(builder, location, shape, element);
    made = map(
        location, shape, ranges, store,
        [&](OpBuilder &at, ValueRange point) {
          if (!inside)
            return zero(at);
          Indices read = store;
          read[row] = read[row] - above;
          read[column] = read[column] - left;
          return inPlanes ? pixel(at, x, read, point) : extractAt(at, inner, x.tensor, read, point);
        },
        made);
  };
  int64_t bottom = above + sizes.H, right = left + sizes.W;
  box({0, above}, {0, columns}, false);
  box({bottom, rows}, {0, columns}, false);
  box({above, bottom}, {0, left}, false);
  box({above, bottom}, {right, columns}, false);
  box({above, bottom}, {left, right}, true);
  return {made, inPlanes ? ConvLayout::NCHW : layout};
}

ConvolutionMaps::Lead ConvolutionMaps::lead() {
  Lead made;
  auto add = [&](int64_t extent) {
    made.ranges.push_back({0, extent});
    return dim(made.ranges.size() - 1);
  };
  made.logical.push_back(add(sizes.N));
  if (sizes.G > 1)
    made.logical.push_back(add(sizes.G));
  AffineExpr filter;
  if (outLayout == ConvLayout::NCHW16c && sizes.K % channelBlock == 0) {
    made.block = add(sizes.K / channelBlock);
    made.within = add(channelBlock);
    filter = made.block * channelBlock + made.within;
  } else {
    filter = add(sizes.K);
  }
  made.logical.push_back(filter);
  made.filter = sizes.G > 1 ? made.logical[1] * sizes.K + filter : filter;
  if (made.block && sizes.G > 1)
    made.block = made.logical[1] * (sizes.K / channelBlock) + made.block;
  return made;
}

SmallVector<int64_t> ConvolutionMaps::resultShape() {
  if (outLayout == ConvLayout::NCHW)
    return grouped({sizes.N}, {sizes.K, sizes.rows, sizes.columns});
  return SmallVector<int64_t>(cast<RankedTensorType>(op.getType()).getShape());
}

ConvolutionMaps::Indices ConvolutionMaps::resultPlace(const Lead &lead, AffineExpr row,
                                                      AffineExpr column) {
  if (outLayout == ConvLayout::NCHW) {
    Indices place = lead.logical;
    place.append({row, column});
    return place;
  }
  if (lead.block)
    return {lead.logical[0], lead.block, row, column, lead.within};
  return placeIn(outLayout, lead.logical[0], lead.filter, row, column);
}

Value ConvolutionMaps::filters() {
  return reshaped(op.getFilters(), grouped({}, {sizes.K, sizes.C, sizes.R, sizes.S}));
}

void ConvolutionMaps::finish(Value result) {
  op.replaceAllUsesWith(reshaped(result, cast<RankedTensorType>(op.getType()).getShape()));
  op.erase();
}

} // namespace weft
