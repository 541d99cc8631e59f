//===- TransformChoices.h - what a transform's radices could be -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_TRANSFORMCHOICES_H
#define WEFT_PASSES_TRANSFORMS_TRANSFORMCHOICES_H

#include "dialect/Weft.h"
#include "passes/transforms/Factorisation.h"

#include <string>

namespace weft {

/// What factor-transform chooses from for one transform, for those who measure instead.
struct TransformChoices {
  std::string function, name; ///< where it is, and what the source calls its result
  int64_t axis = 0, length = 1;
  bool isGiven = false; ///< radices= or a schedule has decided
  /// None of the orders is what the compiler chooses: `four-step` takes it, or whole lines are a
  /// convolution, unless radices are asked for.
  bool choosesNone = false;
  bool isByTable = false; ///< costs are hundredths of a cycle a point, else operations a point
  std::vector<RankedRadices> orders; ///< the model's choice first, then by cost
};

/// At most `most` orders of radices for a transform, as factor-transform would find it.
TransformChoices choicesOf(DftOp op, size_t most);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_TRANSFORMCHOICES_H
