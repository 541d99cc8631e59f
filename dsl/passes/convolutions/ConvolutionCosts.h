//===- ConvolutionCosts.h - what the algorithms of a convolution cost - C++ ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONCOSTS_H
#define WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONCOSTS_H

#include "dialect/Target.h"
#include "passes/convolutions/Convolutions.h"

#include <limits>

namespace weft {

/// An algorithm for a convolution and the cycles that it takes by the machine's table.
struct ConvChoice {
  mlir::DictionaryAttr transform; ///< of Winograd's algorithm; none: the direct sum
  double cycles = 0;
  DirectForm form = DirectForm::Plain; ///< of the direct sum

  /// Cycles of what is not taken whatever it costs.
  static constexpr double never = std::numeric_limits<double>::infinity();
};

/// The form of the direct sum that costs least.
mlir::FailureOr<ConvChoice> bestDirect(ConvOp op, const Target &target);

/// Whether Winograd's algorithm has its sums in the transform of the results: of few channels,
/// where that costs less than products of matrices.
bool sumsInTiles(ConvOp op, mlir::DictionaryAttr transform, const Target &target);

/// Elements of a tile, in and out of whose transforms there is straight-line code, at most: that of
/// 512, of volumes, keeps a C compiler busy for 20 seconds.
constexpr int64_t mostPoints = 256;

/// The algorithms that the op allows, the cheapest first; but first of all the one with the
/// smallest error of which no other one is clearly cheaper.
mlir::FailureOr<llvm::SmallVector<ConvChoice>> rankAlgorithms(ConvOp op, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONCOSTS_H
