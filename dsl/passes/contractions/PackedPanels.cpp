//===- PackedPanels.cpp - a factor's columns as panels ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/PackedPanels.h"

#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

/// The elements of `source` at `index`, or zeros, stored into `init` at `store`.
static Value partial(OpBuilder &builder, Location loc, RankedTensorType type, Value init,
                     ArrayRef<int64_t> extents, AffineMap store, Value source, AffineMap index) {
  SmallVector<int64_t> lower(extents.size(), 0);
  auto map = MapOp::create(builder, loc, TypeRange{type}, lower, extents,
                           init ? ValueRange{init} : ValueRange{},
                           builder.getAffineMapArrayAttr({store}), nullptr);
  Block *body = &map.getBody().emplaceBlock();
  for (size_t dim = 0; dim < extents.size(); ++dim)
    body->addArgument(builder.getIndexType(), loc);
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  Value element;
  if (source) {
    element = elementAt(inner, loc, source, index, body->getArguments());
  } else {
    element = arith::ConstantOp::create(inner, loc, inner.getFloatAttr(type.getElementType(), 0.0));
  }
  YieldOp::create(inner, loc, element);
  return map.getResult(0);
}

Value packedInPanels(OpBuilder &builder, Location loc, Value source, bool termsLast, int64_t width,
                     int64_t lanes) {
  MLIRContext *context = builder.getContext();
  auto given = cast<RankedTensorType>(source.getType());
  int64_t batch = given.getDimSize(0), terms = given.getDimSize(termsLast ? 2 : 1),
          columns = given.getDimSize(termsLast ? 1 : 2);
  int64_t whole = columns / width, rest = columns % width;
  int64_t filled = llvm::alignTo(rest, lanes);
  auto type = RankedTensorType::get(
      {batch, static_cast<int64_t>(llvm::divideCeil(columns, width)), terms, width},
      given.getElementType());
  AffineExpr b = getAffineDimExpr(0, context), d1 = getAffineDimExpr(1, context),
             d2 = getAffineDimExpr(2, context), d3 = getAffineDimExpr(3, context);
  auto indexOf = [&](unsigned dims, AffineExpr term, AffineExpr column) {
    return termsLast ? AffineMap::get(dims, 0, {b, column, term}, context)
                     : AffineMap::get(dims, 0, {b, term, column}, context);
  };
  Value panels;
  if (rest) {
    panels =
        tensor::EmptyOp::create(builder, source.getLoc(), type.getShape(), type.getElementType());
    AffineExpr last = getAffineConstantExpr(whole, context);
    // What fills the last vector takes part in sums that nobody reads: zeros, since
    // numbers that happen to lie there may be slow ones.
    if (filled > rest)
      panels = partial(builder, loc, type, panels, {batch, terms, filled - rest},
                       AffineMap::get(3, 0, {b, last, d1, d2 + rest}, context), {}, {});
    panels = partial(builder, loc, type, panels, {batch, terms, rest},
                     AffineMap::get(3, 0, {b, last, d1, d2}, context), source,
                     indexOf(3, d1, d2 + whole * width));
  }
  if (!whole)
    return panels;
  // Along the contiguous dimension of the source.
  if (termsLast)
    return partial(builder, loc, type, panels, {batch, whole, terms, width},
                   AffineMap::get(4, 0, {b, d1, d2, d3}, context), source,
                   indexOf(4, d2, d1 * width + d3));
  return partial(builder, loc, type, panels, {batch, terms, whole, width},
                 AffineMap::get(4, 0, {b, d2, d1, d3}, context), source,
                 indexOf(4, d1, d2 * width + d3));
}

} // namespace weft
