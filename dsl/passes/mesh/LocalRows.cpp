//===- LocalRows.cpp - how rows of a field lie in a core ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/LocalRows.h"

#include "passes/transfers/Footprint.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

LocalRows LocalRows::of(Value array, const Field &field, const Ring &ring, int64_t firstLane,
                        int64_t word) {
  LocalRows rows{array, field, 1, {}, {}, 0, 0, {}, array};
  rows.extents.assign(cast<MemRefType>(array.getType()).getShape());
  if (rows.extents.size() > 1 && rows.extents.back() == 2 && field.dim + 1 < rows.extents.size()) {
    rows.parts = 2;
    rows.extents.pop_back();
  }
  int64_t whole = std::max<int64_t>(1, messageBytes / (elementBytes(array) * rows.parts));
  bool isLast = field.dim + 1 == rows.extents.size();
  rows.strides.resize(rows.extents.size());
  if (!isLast && elementBytes(array) * rows.parts % word == 0)
    rows.lead = (whole - firstLane % whole) % whole;
  int64_t stride = isLast && field.before + field.after != 0 ? whole : 1;
  for (unsigned dim = rows.extents.size(); dim-- > 0;) {
    rows.strides[dim] = stride;
    int64_t extent = dim == field.dim ? rows.rowsOfCore(ring) : rows.extents[dim];
    stride *= extent;
    if (dim + 1 == rows.extents.size() && !isLast)
      stride = static_cast<int64_t>(llvm::alignTo(rows.lead + extent, whole));
  }
  rows.elements = static_cast<int64_t>(llvm::alignTo(stride, whole));
  return rows;
}

bool LocalRows::movesWords(int64_t word) const {
  int64_t each = elementBytes(array) * parts;
  bool isLast = field.dim + 1 == extents.size();
  return each % word == 0 || (!isLast && extents.back() * each % word == 0);
}

int64_t LocalRows::bytes() const { return elements * parts * elementBytes(array); }

} // namespace weft
