// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which virtual registers are live where.
#pragma once

#include "Code.h"
#include "llvm/ADT/BitVector.h"

namespace weft::swcc {

struct Liveness {
  explicit Liveness(const Code &code);
  /// A block each; bit n stands for register firstVirtual + n.
  std::vector<llvm::BitVector> in, out;
};

} // namespace weft::swcc
