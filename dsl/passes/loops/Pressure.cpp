//===- Pressure.cpp - vectors that a body keeps at a time ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/Pressure.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace weft {

Pressure pressureOf(Block &body) {
  Pressure pressure;
  llvm::DenseSet<Value> alive, outside;
  for (Operation &op : llvm::reverse(body)) {
    for (Value result : op.getResults())
      alive.erase(result);
    for (Value operand : op.getOperands())
      if (isa<VectorType>(operand.getType()))
        (operand.getParentBlock() == &body ? alive : outside).insert(operand);
    pressure.within = std::max<int64_t>(pressure.within, alive.size());
  }
  llvm::DenseSet<Attribute> constants;
  for (Value value : outside) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      constants.insert(constant);
    else
      ++pressure.distinct;
  }
  pressure.distinct += static_cast<int64_t>(constants.size());
  pressure.outside = outside.size();
  return pressure;
}

} // namespace weft
