//===- LineShape.cpp - few columns as lines, or beside many -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/LineShape.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

int64_t mostAlongOne(ArrayRef<int64_t> lines) {
  return lines.empty() ? 1 : *llvm::max_element(lines);
}

int64_t fewestBeside(int64_t complexLanes, int64_t lines, const Target &target) {
  if (!target.flag("masked_lanes"))
    return complexLanes;
  return lines < 2 * complexLanes ? 2 : complexLanes / 4 + 1;
}

LineShape lineShapeOf(RankedTensorType type, int64_t axis, bool hasOthers, const Target &target) {
  // Of several whole vectors, and what is left of one, columns are as good; of three to six where
  // a line passes through the second cache, as their blocks have rows that are whole vectors, or
  // where planes are shared with transforms along other axes.
  constexpr int64_t fewVectors = 3, fewVectorsNear = 6, nearShare = 8;
  LineShape lines{llvm::to_vector(type.getShape()), axis};
  FailureOr<VectorUnit> vectors = target.vectors();
  auto complexType = dyn_cast<ComplexType>(type.getElementType());
  if (failed(vectors) || !complexType || vectors->onlyFloats() || target.numberIfAny("cores"))
    return lines;
  int64_t lanes = vectors->lanes(complexType.getElementType().getIntOrFloatBitWidth());
  if (lanes < 4)
    return lines;
  ArrayRef<int64_t> before = type.getShape().take_front(axis);
  ArrayRef<int64_t> behind = type.getShape().drop_front(axis + 1);
  int64_t beside = ShapedType::getNumElements(behind), length = type.getDimSize(axis);
  int64_t others = ShapedType::getNumElements(before);
  if (beside == 1 && !behind.empty()) {
    lines.shape.assign(before.begin(), before.end());
    lines.shape.push_back(length);
    lines.why = "a point lies beside the next one";
    return lines;
  }
  // Vectors lie along what is beside a point, or across other lines, which are packed, all columns
  // at once. A vector full of columns alone is as good as it is.
  int64_t lineBytes = length * beside * vectors->bytes / (lanes / 2);
  bool isNear = !hasOthers && lineBytes <= target.numberIfAny("l2_bytes").value_or(0) / nearShare;
  int64_t few = (isNear ? fewVectorsNear : fewVectors) * lanes;
  bool isFull = beside == lanes / 2 && mostAlongOne(before) == 1;
  if (beside > 1 && beside < few && beside % lanes != 0 && !isFull) {
    lines.shape.assign(before.begin(), before.end());
    lines.shape.push_back(length * beside);
    lines.beside = beside;
    lines.why =
        llvm::formatv("{0} columns, counted as points of one line, fill vectors better", beside);
  } else if (behind.size() > 1 && behind.back() < lanes && beside >= lanes) {
    lines.shape.assign(before.begin(), before.end());
    lines.shape.append({length, beside});
    lines.why = llvm::formatv("of {0} columns only {1} lie in one row", beside, behind.back());
  } else if (behind.empty() && before.size() > 1 && before.back() < lanes && others >= lanes) {
    lines.shape = {others, length};
    lines.axis = 1;
    lines.why = llvm::formatv("of {0} lines only {1} are neighbours", others, before.back());
  }
  return lines;
}

} // namespace weft
