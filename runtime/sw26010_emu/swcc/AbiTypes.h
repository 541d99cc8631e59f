// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts and functions of Abi.h as the pass builds them in LLVM IR. Change both together.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace weft::swcc {

/// Fields of WeftCore, in order.
enum CoreField : unsigned {
  Now,
  Limit,
  LdmBase,
  Stack,
  StackEnd,
  Shadow,
  PrivateBase,
  Site,
  Index,
  StackLow,
  Step,
  Fetched,
};

/// Marks what the pass itself inserted: neither charged nor checked. Instructions that the pass
/// takes over from the program are never marked.
inline constexpr llvm::StringLiteral ownMark = "weft.own";
bool isOwn(const llvm::Instruction &instruction);
void markOwn(llvm::Instruction &instruction);

/// Marks an instruction of a volatile asm statement: it is issued whether or not anything needs its
/// result, and these keep the order in which the program has them.
void keepInOrder(llvm::Instruction &instruction);
bool isKeptInOrder(const llvm::Instruction &instruction);

/// A builder whose instructions carry the mark, and no other metadata than the place `at` has.
class OwnBuilder : public llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter> {
public:
  explicit OwnBuilder(llvm::Instruction *before);
  OwnBuilder(llvm::BasicBlock *block, llvm::BasicBlock::iterator before);
};

/// Types and declarations of Abi.h in one module.
class Abi {
public:
  explicit Abi(llvm::Module &module);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::IntegerType *i8, *i16, *i32, *i64;
  llvm::PointerType *ptr;
  llvm::Type *voidType;
  llvm::StructType *site, *core;

  /// The running core in a slave function: weft_sw_current, loaded once at the entry.
  llvm::Value *coreOf(llvm::Function &function);
  llvm::Value *field(llvm::IRBuilderBase &builder, llvm::Value *core, CoreField which) const;
  llvm::Value *load(llvm::IRBuilderBase &builder, llvm::Value *core, CoreField which) const;
  void store(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Value *core,
             CoreField which) const;

  /// A function of the runtime, declared nounwind.
  llvm::FunctionCallee function(llvm::StringRef name, llvm::Type *result,
                                llvm::ArrayRef<llvm::Type *> parameters) const;
  llvm::FunctionCallee preempt() const;
  llvm::FunctionCallee spin() const;
  llvm::FunctionCallee access() const;
  llvm::FunctionCallee range() const;
  llvm::FunctionCallee stackOverflow() const;
  llvm::FunctionCallee indirectCall() const;
  llvm::FunctionCallee hostPreempt() const;

  /// The WeftSite of a place; one constant a place.
  llvm::Constant *siteOf(const llvm::Instruction &instruction);
  llvm::Constant *siteOf(const llvm::Function &function);
  /// A string constant, shared in the module.
  llvm::Constant *text(llvm::StringRef text);

private:
  llvm::DenseMap<llvm::Function *, llvm::Value *> cores_;
  llvm::StringMap<llvm::Constant *> texts_;
  llvm::StringMap<llvm::Constant *> sites_;
  llvm::Constant *makeSite(llvm::StringRef function, llvm::StringRef file, unsigned line,
                           unsigned column);
};

/// The function's name as the programmer wrote it.
llvm::StringRef sourceName(const llvm::Function &function);
/// Functions of headers and runtime that are no code of the program: never renamed, charged,
/// checked.
bool isEmulators(const llvm::Function &function);
/// Functions defined in the module that are the program's.
bool isProgram(const llvm::Function &function);

} // namespace weft::swcc
