//===- IndexedOps.cpp - rules of ops whose indices are data ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Weft.h"

#include <limits>

using namespace mlir;
using namespace weft;

/// What a C function of type int returns, and 0 is success.
static LogicalResult checkCode(Operation *op, llvm::StringRef rule, int64_t code) {
  if (code >= 1 && code <= std::numeric_limits<int32_t>::max())
    return success();
  return op->emitOpError() << "[" << rule << "] code is " << code << ": expected 1 to 2147483647";
}

LogicalResult CheckedIndicesOp::verify() {
  if (static_cast<int64_t>(getBelow()) < 1)
    return emitOpError("[D1202] below is ")
           << static_cast<int64_t>(getBelow()) << ": expected a positive number";
  return checkCode(*this, "D1203", getCode());
}

LogicalResult FailIfOp::verify() { return checkCode(*this, "D1401", getCode()); }

LogicalResult ScatterOp::verify() {
  auto base = cast<RankedTensorType>(getBase().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  auto updates = cast<RankedTensorType>(getUpdates().getType());
  if (base.getRank() == 0 || getResult().getType() != base)
    return emitOpError("[D1301] expected a base with a dimension and a result of its type, found ")
           << base << " and " << getResult().getType();
  SmallVector<int64_t> shape(indices.getShape());
  llvm::append_range(shape, base.getShape().drop_front());
  auto expected = RankedTensorType::get(shape, base.getElementType());
  if (updates != expected)
    return emitOpError("[D1302] expected updates ") << expected << ", found " << updates;
  StringRef kind = getKind();
  if (!llvm::is_contained({"add", "mul", "max", "min", "set"}, kind))
    return emitOpError("[D1303] kind '") << kind << "': expected add, mul, max, min or set";
  if (isa<ComplexType>(base.getElementType()) && (kind == "max" || kind == "min"))
    return emitOpError("[D1303] ") << kind << " of complex numbers: they have no order";
  return success();
}
