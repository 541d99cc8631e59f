// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long runs of code without branches, as unrolled by hand: what they touch at constant distances
// from a few addresses is tested once. Where the tests hold, a second version runs that checks no
// such access.
#pragma once

#include "Windows.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace weft::swcc {

/// Makes such versions of the runs of `accesses`, which are in the order of the code. The accesses
/// of a run are in the version that checks, and added to `cold`; what the other version has to
/// check all the same is added to `accesses` and `cold`.
void versionRuns(Abi &abi, llvm::Function &function, llvm::SmallVectorImpl<Access> &accesses,
                 llvm::SmallPtrSetImpl<llvm::Instruction *> &cold);

} // namespace weft::swcc
