//===- Convolutions.h - a convolution by one of its algorithms -------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// With groups, channels are counted as [group, channel of the group] in all that lies
// between the op's operands and its result; without, there is no such dimension. Images
// get their border of zeros by a copy, into the order that later passes want: no second
// one is needed for it. Those with channels behind rows are read and copied as they are, and
// results are stored in their layout at once.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_H
#define WEFT_PASSES_CONVOLUTIONS_H

#include "dialect/ConvLayout.h"
#include "dialect/Weft.h"

namespace weft {

/// The extents of a convolution, by the letters of its definition; C and K of one group.
struct ConvSizes {
  int64_t N, G, C, H, W, K, R, S, rows, columns;

  static ConvSizes of(ConvOp op);

  /// Rows and columns of an image, borders included, that leave the same remainder by the stride.
  int64_t phaseRows(int64_t stride) const { return rows + (R - 1) / stride; }
  int64_t phaseColumns(int64_t stride) const { return columns + (S - 1) / stride; }
  /// Of a result whose rows lie one behind the other, each as long as the image's.
  int64_t flatColumns(int64_t stride) const { return (rows - 1) * phaseColumns(stride) + columns; }
};

/// How the direct sum reads the images.
enum class DirectForm {
  Plain,   ///< as it is written
  Rows,    ///< along their rows: with strides, those of each remainder are brought together first
  Flat,    ///< as Rows, but over all rows as one; what lies between the result's rows is left out
  Filters, ///< an element at a time: vectors lie along filters, which results have side by side
};

/// How many filters of a group lie side by side in results of a layout; nothing where they do not.
std::optional<int64_t> filtersSideBySide(const ConvSizes &sizes, ConvLayout outLayout);

/// Replaces the op by its sum, written out.
void expandDirect(ConvOp op, DirectForm form);

/// Replaces the op by Winograd's transforms and the products between them.
/// `transform` is an entry of the op's transforms.
void expandWinograd(ConvOp op, mlir::DictionaryAttr transform);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_H
