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

#ifndef WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONS_H
#define WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONS_H

#include "dialect/ConvLayout.h"
#include "dialect/Weft.h"

namespace weft {

/// The extents of a convolution; C and K of one group. A pixel's dimensions are numbered as its
/// indices are, the innermost last.
struct ConvSizes {
  using Extents = llvm::SmallVector<int64_t, mostPixelDims>;

  int64_t N, G, C, K;
  Extents image, filter, result, pad, stride;

  static ConvSizes of(ConvOp op);

  unsigned dims() const { return result.size(); }
  /// Of an image, of a filter and of a result.
  int64_t pixels() const { return productOf(image); }
  int64_t window() const { return productOf(filter); }
  int64_t results() const { return productOf(result); }
  bool hasStrides() const { return productOf(stride) > 1; }
  /// Whether a pixel of the result is of one pixel: products of matrices, all pixels the columns.
  bool isOfPixels() const { return window() == 1 && !hasStrides() && result == image; }
  Extents padded() const;
  /// The same convolution, where it is one of single pixels with strides and without a border, of
  /// the pixels that it reads, without strides; any other one as it is.
  ConvSizes sampled() const;

  /// Pixels of an image, borders included, that leave the same remainder by the stride.
  int64_t phase(unsigned dim) const { return result[dim] + (filter[dim] - 1) / stride[dim]; }
  /// Of a result whose rows lie one behind the other, each as long as the image's.
  int64_t flatColumns() const;
  /// The same convolution, where it is one of single pixels in short rows, with several rows as
  /// one.
  ConvSizes withJoinedRows() const;
  /// With the channels and filters of all groups as those of one: for what goes through them all.
  ConvSizes asOneGroup() const;

  static int64_t productOf(llvm::ArrayRef<int64_t> extents);
};

/// A row with fewer pixels leaves registers for sums unused; joined rows have up to so many: then
/// panels have enough of them, whatever is left over.
constexpr int64_t shortRow = 14, joinedRow = 64;

/// Marks a map that brings pixels together, for vectors: it is not to be read through.
inline constexpr llvm::StringLiteral sortedMark = "weft.sorted";

/// How the direct sum reads the images.
enum class DirectForm {
  Plain,    ///< as it is written
  Windows,  ///< of the windows of few results, each with its terms in the order of the filters'
  Rows,     ///< along their rows: with strides, those of each remainder are brought together first
  Flat,     ///< as Rows, but over all rows of a plane as one; what lies between those of the result
            ///< is left out
  Pixels,   ///< as products of matrices, one an image or of all of them with channels last, where a
            ///< pixel of the result is of one pixel
  Filters,  ///< an element at a time: vectors lie along filters, which results have side by side
  Blocks,   ///< as Filters, of images and results in planes that are put in blocks and back
  Channels, ///< a filter for each channel, images in any layout
  TurnedChannels, ///< as Channels, of images and results in planes that are put in blocks and back
};

/// How many filters of a group lie side by side in results of a layout; nothing where they do not.
std::optional<int64_t> filtersSideBySide(const ConvSizes &sizes, ConvLayout outLayout);

/// Whether each channel has one filter of its own, and images and results have one layout.
bool isChannelByChannel(const ConvSizes &sizes, ConvLayout layout, ConvLayout outLayout);

/// Replaces the op by its sum, written out.
void expandDirect(ConvOp op, DirectForm form);

/// Replaces the op by Winograd's transforms and the products between them.
/// `transform` is an entry of the op's transforms.
void expandWinograd(ConvOp op, mlir::DictionaryAttr transform);

/// The same, with the sums of the products written out where the transform of the results reads
/// them: of few channels, real numbers, one group and filters that results have side by side.
void expandInTiles(ConvOp op, mlir::DictionaryAttr transform);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONS_H
