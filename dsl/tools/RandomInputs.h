//===- RandomInputs.h - something to run IR on ---------------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TOOLS_RANDOMINPUTS_H
#define WEFT_TOOLS_RANDOMINPUTS_H

#include "dialect/Interpreter.h"

#include <random>

namespace weft {

/// Reals in -1 to 1, integers from 0 and below `integers`: small, and different from
/// each other. The same on every machine.
void fillRandomly(interpreter::HostArray &input, std::mt19937_64 &engine, uint64_t integers = 10);

} // namespace weft

#endif // WEFT_TOOLS_RANDOMINPUTS_H
