// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of which all accesses are proven before they run get a second version: without checks, and
// charged once at the exit for all turns together.
#pragma once

#include "Windows.h"

#include "llvm/IR/Dominators.h"

namespace weft::swcc {

/// Makes the loops of `function` such that versions can be made of them.
void regularize(llvm::Function &function, llvm::DominatorTree &dominators, llvm::LoopInfo &loops,
                llvm::ScalarEvolution &scalars);

/// Makes the fast versions; a covered access of such a loop has its checks in the other version,
/// and is no more in `covered`.
void versionLoops(Abi &abi, llvm::Function &function, llvm::ArrayRef<Access> accesses,
                  Covered &covered, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

} // namespace weft::swcc
