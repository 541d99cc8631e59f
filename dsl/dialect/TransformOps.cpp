//===- TransformOps.cpp - rules of tables, transforms and shape ops --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Weft.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <numeric>

using namespace mlir;
using namespace weft;

namespace {

LogicalResult checkAxis(Operation *op, llvm::StringRef rule, int64_t axis, RankedTensorType type) {
  if (axis >= 0 && axis < type.getRank())
    return success();
  return op->emitOpError() << "[" << rule << "] axis " << axis
                           << " is outside of the input: expected 0 to " << type.getRank() - 1;
}

LogicalResult checkSign(Operation *op, llvm::StringRef rule, int64_t sign) {
  if (sign == 1 || sign == -1)
    return success();
  return op->emitOpError() << "[" << rule << "] sign is " << sign << ": expected 1 or -1";
}

} // namespace

LogicalResult TwiddleOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t rows = getRows(), cols = getCols();
  if (rows < 1 || cols < 1 || type.getShape() != ArrayRef<int64_t>{rows, cols})
    return emitOpError("[D201] expected a result of shape ")
           << rows << "x" << cols << " with positive rows and cols, found " << type;
  return checkSign(*this, "D202", getSign());
}

LogicalResult DftOp::verify() {
  auto type = cast<RankedTensorType>(getInput().getType());
  int64_t axis = getAxis();
  if (failed(checkAxis(*this, "D301", axis, type)) || failed(checkSign(*this, "D302", getSign())))
    return failure();
  if (auto radices = getRadices()) {
    int64_t product = 1;
    for (int64_t radix : *radices) {
      if (radix < 1 || product > type.getDimSize(axis))
        break;
      product *= radix;
    }
    if (product != type.getDimSize(axis))
      return emitOpError("[D303] the product of radices is ")
             << product << ": expected the length " << type.getDimSize(axis) << " of axis " << axis;
  }
  return success();
}

LogicalResult ButterflyOp::verify() {
  auto type = cast<RankedTensorType>(getInput().getType());
  int64_t axis = getAxis(), radix = getRadix(), done = getDone();
  if (failed(checkAxis(*this, "D401", axis, type)) || failed(checkSign(*this, "D402", getSign())))
    return failure();
  int64_t length = type.getDimSize(axis);
  if (radix < 2 || done < 1 || radix > length || done > length || length % (radix * done) != 0)
    return emitOpError("[D403] radix ")
           << radix << " after " << done << " does not divide the length " << length << " of axis "
           << axis;
  if (int64_t common = std::gcd(radix, length / radix); getCoprime() && common != 1)
    return emitOpError("[D404] radix ")
           << radix << " is not coprime: the other " << length / radix << " of the length "
           << length << " have the factor " << common << " as well";
  return success();
}

LogicalResult TransposeOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  ArrayRef<int64_t> perm = getPerm();
  if (static_cast<int64_t>(perm.size()) != input.getRank() || !isPermutationVector(perm))
    return emitOpError("[D501] perm is not a permutation of the input's ")
           << input.getRank() << " dimensions";
  SmallVector<int64_t> shape = applyPermutation(input.getShape(), perm);
  if (result.getShape() != ArrayRef<int64_t>(shape) ||
      result.getElementType() != input.getElementType())
    return emitOpError("[D502] expected the result ")
           << RankedTensorType::get(shape, input.getElementType()) << ", found " << result;
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  auto numbers = [](RankedTensorType type) {
    return type.getNumElements() * (isa<ComplexType>(type.getElementType()) ? 2 : 1);
  };
  auto number = [](RankedTensorType type) {
    auto complexType = dyn_cast<ComplexType>(type.getElementType());
    return complexType ? complexType.getElementType() : type.getElementType();
  };
  if (numbers(input) != numbers(result) || number(input) != number(result))
    return emitOpError("[D601] ") << input << " and " << result
                                  << " differ in number of elements or element type";
  return success();
}
