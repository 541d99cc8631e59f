// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual registers -> $0 to $28, with spills, reloads, and what the entry and the exits save.
#pragma once

#include "Code.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::swcc {

/// With whatever of these `price` finds cheapest, if not everything fits: ranges split (Split.h) or
/// spilled whole, coloured or scanned (Assign.h). `price` orders the code as it is to be, and says
/// what a call of it costs, as this does in the end. Spills go to the stack, which is charged as
/// LDM wherever it lies.
double allocate(Code &code, llvm::function_ref<double(Code &)> price);

} // namespace weft::swcc
