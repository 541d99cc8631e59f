// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of the pass, in their order; Plugin.cpp says why it is that order.
#pragma once

#include "AbiTypes.h"

#include "llvm/IR/PassManager.h"

namespace weft::swcc {

// ---- before the optimizer ----

/// What the optimizer must not be told, or be told otherwise: loops that wait for memory to change,
/// inline functions by the rules of old C, library functions with an instruction of their own.
void prepareSlave(llvm::Module &module);
void prepareHost(llvm::Module &module);
/// Whether a function is annotated weft_ordered: its statements stand in the order of the
/// instructions.
bool isOrdered(const llvm::Function &function);
/// In ordered functions, what passes from block to block is made where the program makes it: the
/// optimizer would rather make it behind, of what it is made of.
void keepCarried(llvm::Module &module);
/// The instruction of a fused operation changes an operand's sign: where that is a product, the
/// optimizer would rather change the sign of a factor, with an instruction of its own.
void keepProducts(llvm::Module &module);
/// Undoes both, behind the optimizer.
void releaseKept(llvm::Module &module);

// ---- after it, slave code ----

/// Prefixes the program's functions with slave_.
void renameFunctions(llvm::Module &module);
/// Turns inline assembly into calls of __weft_sw_<mnemonic>__r and __weft_mem_<mnemonic>.
void lowerAssembly(Abi &abi, llvm::ModuleAnalysisManager &analyses);
/// Drops what the optimizer deduced of functions: they are about to do more.
void forgetDeductions(llvm::Module &module);
/// One section for all LDM variables, instead of slave.h's one for each declaration.
void joinLdmSections(llvm::Module &module);
/// Gives LDM variables and private variables their places on the running core.
void placeVariables(Abi &abi);
/// Moves arrays and locals whose address is taken to the core's stack.
void placeLocals(Abi &abi);
/// Checks memory accesses and calls through pointers.
void insertChecks(Abi &abi, llvm::ModuleAnalysisManager &analyses);
/// Lets loops that may wait give way to other cores.
void insertPreemption(Abi &abi, llvm::ModuleAnalysisManager &analyses);
/// Says where in the program a call is that may reach the runtime.
void insertSites(Abi &abi);
/// Lets marked operations go to their meanings, and inlines those.
void resolveOperations(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

// ---- after it, host code ----

/// Lets LDM variables that host code names be found.
void placeHostVariables(llvm::Module &module);
/// Says where in the program a call of the machine's functions is.
void insertHostSites(Abi &abi);
/// Turns the MPE's instructions into calls.
void lowerHostAssembly(Abi &abi);
/// The end of a loop of host code that does more than wait: where it goes round.
struct HostLoopEnd {
  llvm::Instruction *from;
  llvm::BasicBlock *to;
};
using HostLoops = llvm::SmallVector<HostLoopEnd>;
/// Loops that only wait say so. Returns the others that may look at what CPEs change.
HostLoops insertHostPreemption(Abi &abi, llvm::ModuleAnalysisManager &analyses);
/// Has such loops give way now and then; after all else, so that it costs the program nothing.
void giveHostWay(Abi &abi, const HostLoops &loops);

// ---- messages ----

/// Tells an error with the instruction's place: `message`, and what to do about it.
void error(const llvm::Instruction &at, const llvm::Twine &message, const llvm::Twine &help = "");
void error(const llvm::Module &module, const llvm::Twine &message, const llvm::Twine &help = "");
/// Ends the compilation if errors were told.
void stopOnErrors();

} // namespace weft::swcc
