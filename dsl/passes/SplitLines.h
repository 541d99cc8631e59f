//===- SplitLines.h - lines shared by the cores of a row ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_SPLITLINES_H
#define WEFT_PASSES_SPLITLINES_H

#include "passes/LineChain.h"

#include <optional>

namespace weft {

/// What the cores of a mesh have for lines that they share.
struct MeshRoom {
  int64_t rows = 0, columns = 0;
  int64_t bytes = 0;  ///< of a core, for arrays that stay with it
  int64_t points = 0; ///< of a message
};

/// Shares lines that no core has room for out among the cores of a row: `weft.blocks` that take
/// turns replace the chain, a round of lines each. `tooLong` says why they have to be; where they
/// cannot, the chain stays as it is.
void shareLines(LineChain &chain, std::optional<MeshRoom> room, llvm::StringRef tooLong);

} // namespace weft

#endif // WEFT_PASSES_SPLITLINES_H
