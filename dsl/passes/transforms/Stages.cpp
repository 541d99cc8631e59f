//===- Stages.cpp - the ops of one transform --------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/Stages.h"

#include "passes/transforms/RealArithmetic.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

void Chain::mark(Operation *op, int64_t inner, int64_t innerIn) const {
  op->setAttr("weft.group", builder.getI64IntegerAttr(group));
  op->setAttr("weft.lines", builder.getI64IntegerAttr(axis));
  if (inner != 1)
    op->setAttr("weft.inner", builder.getI64IntegerAttr(inner));
  if (innerIn != 1)
    op->setAttr("weft.inner_in", builder.getI64IntegerAttr(innerIn));
}

Value Chain::stage(Value input, int64_t radix, int64_t done, int64_t sign,
                   std::optional<double> scale, int64_t inner, bool coprime) const {
  auto op = ButterflyOp::create(builder, location, input.getType(), input, axis, radix, done, sign,
                                scale ? builder.getF64FloatAttr(*scale) : FloatAttr(), coprime);
  mark(op, inner, inner);
  return op.getResult();
}

Value Chain::scaled(Value input, double scale) const {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> lower(type.getRank(), 0);
  auto map =
      MapOp::create(builder, location, type, builder.getDenseI64ArrayAttr(lower),
                    builder.getDenseI64ArrayAttr(type.getShape()), ValueRange{},
                    builder.getAffineMapArrayAttr(builder.getMultiDimIdentityMap(type.getRank())),
                    DenseI64ArrayAttr());
  mark(map);
  Location inside = unnamed(location);
  Block *body = &map.getBody().emplaceBlock();
  for (int64_t n = 0; n < type.getRank(); ++n)
    body->addArgument(builder.getIndexType(), inside);
  OpBuilder bodyBuilder = OpBuilder::atBlockBegin(body);
  RealBuilder arithmetic(bodyBuilder, inside, body);
  Value element = tensor::ExtractOp::create(bodyBuilder, inside, input, body->getArguments());
  Parts parts = arithmetic.split(element);
  Real factor = arithmetic.constant(scale, parts.re.value.getType());
  YieldOp::create(bodyBuilder, inside, arithmetic.join(arithmetic.scale(parts, factor)));
  return map.getResult(0);
}

} // namespace weft
