//===- ConvolutionCosts.h - what the algorithms of a convolution cost - C++ ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONCOSTS_H
#define WEFT_PASSES_CONVOLUTIONCOSTS_H

#include "dialect/Target.h"
#include "passes/Convolutions.h"

namespace weft {

/// An algorithm for a convolution and the cycles that it takes by the machine's table.
struct ConvChoice {
  mlir::DictionaryAttr transform; ///< of Winograd's algorithm; none: the direct sum
  double cycles = 0;
  DirectForm form = DirectForm::Plain; ///< of the direct sum
};

/// The form of the direct sum that costs least.
mlir::FailureOr<ConvChoice> bestDirect(ConvOp op, const Target &target);

/// The algorithms that the op allows, the cheapest first; but first of all the one with the
/// smallest error of which no other one is clearly cheaper.
mlir::FailureOr<llvm::SmallVector<ConvChoice>> rankAlgorithms(ConvOp op, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONCOSTS_H
