// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks as functions, for code that has too many accesses to check each in place: a check in place
// splits its block, and what clang needs for a function grows faster than its blocks do.
#pragma once

#include "Windows.h"

namespace weft::swcc {

/// A function, still without code, that a function such as `caller` calls without losing a register
/// to the call; one a program and name. Values that live long then stay where they are.
llvm::Function *makeHelper(const llvm::Function &caller, llvm::StringRef name, unsigned pointers);
/// `name`, made different where helpers keep other registers.
std::string helperName(const llvm::Function &caller, llvm::StringRef name);
llvm::CallInst *callHelper(llvm::IRBuilderBase &builder, llvm::Function *helper,
                           llvm::ArrayRef<llvm::Value *> arguments);

class CheckCalls {
public:
  CheckCalls(Abi &abi, llvm::Function &function) : abi_(abi), function_(function) {}

  /// Checks `access` by a call before it.
  void check(const Access &access);
  /// Leaves an access that is not plain to the runtime.
  void leave(OwnBuilder &builder, const Access &access);

private:
  Abi &abi_;
  llvm::Function &function_;

  /// A function of address and site; made when the module has none yet. `slow` leaves it all to the
  /// runtime, the other looks first whether the access is plain.
  llvm::Function *checker(const Access &access, bool slow);
  void defineSlow(llvm::Function &checker, const Access &access) const;
  void defineQuick(llvm::Function &checker, const Access &access);
  llvm::Value *currentCore(llvm::IRBuilderBase &builder) const;
};

/// Whether `instruction` calls such a check.
bool isCheckCall(const llvm::Instruction &instruction);

/// Whether `offset` in LDM, aligned or not as the access says, is outside of the window.
llvm::Value *isOutside(llvm::IRBuilderBase &builder, llvm::Value *offset, const Access &access);
/// Whether a transfer is under way in a granule of the access, which lies in the window.
llvm::Value *isBusy(llvm::IRBuilderBase &builder, llvm::Value *shadow, llvm::Value *offset,
                    const Access &access);

} // namespace weft::swcc
