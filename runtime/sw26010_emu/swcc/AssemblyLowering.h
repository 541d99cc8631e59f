// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One statement of inline assembly on its way to calls. Every operand is a register of four 64-bit
// lanes while the statement runs.
#pragma once

#include "AsmText.h"
#include "AssemblyTable.h"
#include "Swcc.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace weft::swcc {

class StatementLowering {
public:
  StatementLowering(Abi &abi, llvm::CallInst &call);
  void lower();

private:
  struct Operand {
    llvm::Value *value = nullptr;   // as a register
    llvm::Value *address = nullptr; // of a memory operand
    llvm::Value *constant = nullptr;
    llvm::Type *result = nullptr; // of an output
  };

  Abi &abi_;
  llvm::CallInst &call_;
  llvm::InlineAsm &code_;
  OwnBuilder builder_;
  llvm::FixedVectorType *register_;
  llvm::SmallVector<Operand> operands_;
  llvm::StringMap<llvm::Value *> registers_; // named in the text
  llvm::SmallVector<llvm::CallBase *> inlined_;
  llvm::StringRef mnemonic_;
  llvm::Value *stackAtEntry_ = nullptr; // where the text uses $sp
  bool stackWritten_ = false;

  // With labels a register has a value for each way to it: it is a slot until all is there.
  bool branches_ = false;
  llvm::SmallVector<llvm::AllocaInst *> slots_;
  struct Label {
    std::string name;
    llvm::BasicBlock *block;
    unsigned position; // among labels and branches, in the order of the text
  };
  struct Branch {
    llvm::BranchInst *instruction;
    std::string target;
    std::string mnemonic;
    unsigned position;
  };
  llvm::SmallVector<Label> labels_;
  llvm::SmallVector<Branch> jumps_;
  unsigned position_ = 0;

  bool refuse(const llvm::Twine &message, const llvm::Twine &help = "");
  llvm::Value *zero();
  llvm::Value *lane0(llvm::Value *scalar);
  /// A value of the program as a register; null if it does not fit one.
  llvm::Value *toRegister(llvm::Value *value);
  llvm::Value *fromRegister(llvm::Value *value, llvm::Type *type);
  /// The statement's operands by their numbers.
  bool bind();
  void finish();

  // ---- labels and branches ----
  llvm::AllocaInst *makeSlot(llvm::Value *value);
  void openSlots();
  /// What is in a register: `value`, or if there are labels what is in the slot `value`.
  llvm::Value *slotValue(llvm::Value *value);
  /// All that is still to come goes to a block of its own, which the block so far leads to.
  llvm::BasicBlock *splitHere();
  void placeLabel(const std::string &name);
  bool lowerBranch(const AsmInstruction &instruction);
  llvm::Value *conditionOf(llvm::StringRef name, llvm::Value *value);
  llvm::BasicBlock *blockOf(const Branch &branch) const;
  bool connectBranches();
  /// The slots' last values are the statement's results.
  bool closeSlots();

  // ---- the stack pointer ----
  static bool isStackPointer(llvm::StringRef name) { return name == "sp" || name == "30"; }
  /// The core's stack pointer as the function has it.
  llvm::Value *readStackPointer();
  /// Text may use $sp for something else if it puts it back.
  void checkStack();

  // ---- operands of one instruction ----
  bool readRegister(const AsmOperand &operand, llvm::Value *&value);
  bool writeRegister(const AsmOperand &operand, llvm::Value *value);
  void write(llvm::Value *&place, llvm::Value *value);
  bool immediate(const AsmOperand &operand, std::int64_t &value);
  bool address(const AsmOperand &operand, llvm::Value *&base, llvm::Value *&offset);
  llvm::Value *pointer(llvm::Value *base, llvm::Value *offset);
  /// The operand as AsmTable.def's letter has it.
  bool readOperand(char letter, const AsmOperand &operand, llvm::Value *&value);

  // ---- calls ----
  /// A call of `name`, whose meaning the headers define. Vectors go by address where the host has
  /// no 256-bit registers.
  llvm::Value *callOperation(const llvm::Twine &marker, const llvm::Twine &meaningName,
                             llvm::ArrayRef<llvm::Value *> arguments);
  /// Puts a load or store in the place of its call.
  void inlineMeaning(llvm::CallBase &call);
  bool lowerInstruction(const AsmInstruction &instruction);
  bool unknown();
  bool allowed(const AssemblyEntry &entry, const AsmInstruction &instruction);
  /// ldi result, offset(register), or ldi result, number.
  bool lowerAddress(const AsmInstruction &instruction);
  /// The word at the address goes up by one; its old value is the result.
  llvm::Value *callAtomic(llvm::Value *at, unsigned bytes);
  /// updt register, offset(register): lane 0 says what happens to the word, lane 1 has the operand.
  llvm::Value *callUpdate(llvm::Value *at, llvm::Value *update);
};

} // namespace weft::swcc
