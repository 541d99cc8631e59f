//===- VerifyEach.h - which pass changes what IR computes? ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TOOLS_VERIFYEACH_H
#define WEFT_TOOLS_VERIFYEACH_H

#include "mlir/Pass/PassManager.h"

namespace weft {

/// Runs the IR before the first pass and after each one on the same random inputs. The
/// first pass after which something else comes out is an error, and the pipeline fails.
void verifyEachNumerically(mlir::PassManager &manager);

} // namespace weft

#endif // WEFT_TOOLS_VERIFYEACH_H
