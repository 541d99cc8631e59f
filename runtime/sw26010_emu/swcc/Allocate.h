// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual registers -> $0 to $28, with spills, reloads, and what the entry and the exits save.
#pragma once

#include "Code.h"

namespace weft::swcc {

/// By whichever of the two ways of Assign.h has the cheaper spills. They go to the stack, which is
/// charged as LDM wherever it lies.
void allocate(Code &code);

} // namespace weft::swcc
