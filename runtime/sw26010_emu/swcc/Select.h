// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR of a CPE function -> SW instructions on virtual registers, as a compiler with strength
// reduction, hoisting of constants and contraction writes them.
//
// Only what the program needs is selected: index arithmetic that serves addresses alone is replaced
// by pointers, one a group of accesses at constant distances, each advanced once a turn of its
// loop.
#pragma once

#include "Code.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace llvm {
class SCEVAddRecExpr;
class SCEVNAryExpr;
} // namespace llvm

namespace weft::swcc {

/// Selects `function`; false after an error has been told.
bool select(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, Code &code);

/// How a value lies in registers.
struct Shape {
  bool vector = false, floating = false, single = false;
  unsigned registers = 1;
  unsigned lanes = 1;
  unsigned bits = 64; // of a lane
};
Shape shapeOf(llvm::Type *type);

class Selector {
public:
  Selector(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, Code &code);
  bool run();

private:
  /// Where an access goes: displacement(base), or a symbol's place.
  struct Address {
    Register base = zeroRegister;
    std::int64_t displacement = 0;
    const llvm::Value *symbol = nullptr;
  };
  /// A point where code can be put: the body of a block at the moment, or the end of it.
  struct Place {
    unsigned block = 0;
    bool atEnd = false;
  };
  struct Available {
    Place place;
    Register name;
  };
  /// The parts of a block, joined when all is selected.
  struct Draft {
    std::vector<Operation> body, end, increments, copies, branch;
  };

  // ---- what is needed, and what becomes part of another instruction (SelectNeeded.cpp) ----
  void findNeeded();
  void need(const llvm::Value *value);
  void needAddress(const llvm::Value *pointer, const llvm::BasicBlock *where);
  void needOperands(const llvm::Instruction &instruction);
  void findFolded();
  void fold(const llvm::Value *value) { folded_.insert(value); }
  bool canFold(const llvm::Value *value, const llvm::Instruction &into) const;
  static bool isFusedAfterNegation(const llvm::Instruction &negation);
  const llvm::Value *aliased(const llvm::Value *value) const;
  static const llvm::Value *splatSource(const llvm::Value *value);

  // ---- blocks (Select.cpp), and how they end (SelectControl.cpp) ----
  void selectBlock(unsigned index);
  void selectInstruction(const llvm::Instruction &instruction);
  void selectTerminator(const llvm::Instruction &terminator);
  void selectBranch(const llvm::BranchInst &branch);
  static llvm::CmpInst::Predicate signedPredicate(const llvm::CmpInst &instruction);
  std::optional<std::pair<const llvm::Value *, std::int64_t>>
  nextCount(const llvm::CmpInst &instruction) const;
  void selectSwitch(const llvm::SwitchInst &instruction);
  void selectPhiCopies();
  void copyAll(unsigned block,
               llvm::SmallVector<std::pair<Register, const llvm::Value *>, 8> pending);
  void finish();

  // ---- arithmetic (SelectInteger.cpp, SelectFloating.cpp) ----
  void selectBinary(const llvm::BinaryOperator &instruction);
  void selectInteger(const llvm::BinaryOperator &instruction, const Shape &shape);
  void selectDivision(const llvm::BinaryOperator &instruction, const Shape &shape);
  void selectFloating(const llvm::Instruction &instruction);
  void selectFused(const llvm::Instruction &instruction, const llvm::Value *a, const llvm::Value *b,
                   const llvm::Value *c, bool negateProduct, bool negateAddend);
  void selectCast(const llvm::CastInst &instruction);

  // ---- comparisons (SelectCompare.cpp) and lanes (SelectLanes.cpp) ----
  void selectCompare(const llvm::CmpInst &instruction);
  /// The compare of `instruction`; `inverted` says that its result is the opposite.
  Register compare(const llvm::CmpInst &instruction, bool &inverted);
  void selectSelect(const llvm::SelectInst &instruction);
  void selectLanes(const llvm::Instruction &instruction);
  void selectScalarised(const llvm::Instruction &instruction, const Shape &shape,
                        llvm::StringRef mnemonic);

  // ---- addresses (SelectAddress.cpp) ----
  std::pair<const llvm::SCEV *, std::int64_t> splitConstant(const llvm::SCEV *expression);
  const llvm::SCEV *addressOf(const llvm::Value *pointer, const llvm::BasicBlock *where);
  Address address(const llvm::Value *pointer, const llvm::Instruction &user);
  Register materialise(const llvm::SCEV *expression, Place place);
  Register materialiseSum(const llvm::SCEVNAryExpr &sum, Place place);
  Register materialisePointer(const llvm::SCEVAddRecExpr &recurrence);
  Place hoisted(const llvm::SCEV *expression, Place place);
  Place outermost(Place place);
  bool reaches(const Place &from, const Place &to) const;

  // ---- constants (SelectConstant.cpp) ----
  static bool isLocal(const llvm::Value *value);
  Register constant(const llvm::Constant &value, Place place);
  Register integerConstant(std::int64_t value, Place place);
  /// (high * 65536 + low) << shift.
  struct ConstantParts {
    std::int64_t high = 0, low = 0;
    unsigned shift = 0;
    bool fits = true;
    unsigned count() const {
      return fits ? unsigned(high != 0) + unsigned(low != 0) + unsigned(shift != 0) : ~0U;
    }
  };
  static ConstantParts partsOf(std::int64_t value);
  void build(const ConstantParts &parts, Register name, Place place);
  static std::optional<std::int64_t> registerBits(const llvm::Constant &value);
  Register addressConstant(const llvm::GlobalValue &global, Place place);

  // ---- loads and stores (SelectMemory.cpp) ----
  void selectLoad(const llvm::LoadInst &load);
  void selectSplatLoad(const llvm::Instruction &splat, const llvm::LoadInst &load);
  void selectStore(const llvm::StoreInst &store);
  void emitLoad(llvm::Type *type, unsigned alignment, const Address &from, Register into,
                const llvm::Instruction &source, const llvm::Value *pointer);
  void emitStore(llvm::Type *type, unsigned alignment, const Address &to, Register value,
                 const llvm::Instruction &source, const llvm::Value *pointer);

  // ---- calls (SelectCall.cpp, SelectIntrinsic.cpp) ----
  void selectCall(const llvm::CallBase &call);
  /// Whether the call stands for one instruction, which forms addresses itself.
  static bool isMarker(const llvm::CallBase &call);
  void selectMarker(const llvm::CallBase &call, llvm::StringRef name);
  bool selectIntrinsic(const llvm::IntrinsicInst &call);
  void selectCopy(const llvm::MemIntrinsic &call);
  void selectLibraryCall(const llvm::CallBase &call, llvm::StringRef name);
  void refuse(const llvm::Instruction &instruction, const llvm::Twine &what);

  // ---- registers and instructions ----
  Register registerOf(const llvm::Value *value);
  Register defined(const llvm::Instruction &instruction);
  Place here() const { return {current_, false}; }
  std::vector<Operation> &at(Place place);
  Operation &emit(Place place, llvm::StringRef mnemonic, Register def,
                  llvm::ArrayRef<Register> uses, const llvm::Instruction *source);
  Operation &emit(llvm::StringRef mnemonic, Register def, llvm::ArrayRef<Register> uses);
  /// Adds `value` to `operation` as a literal if it fits, else as a register.
  void operand(Operation &operation, const llvm::Value *value);
  /// `emit` with operands that may be literals.
  Operation &emitWith(llvm::StringRef mnemonic, Register def,
                      llvm::ArrayRef<const llvm::Value *> operands);
  Operation &emitWithImmediate(llvm::StringRef mnemonic, Register def, Register use,
                               std::int64_t immediate);

  llvm::Function &function_;
  Code &code_;
  llvm::LoopInfo &loops_;
  llvm::DominatorTree &dominators_;
  llvm::ScalarEvolution &evolution_;
  const Instructions &table_;
  llvm::FunctionAnalysisManager &analyses_;

  llvm::DenseSet<const llvm::Value *> needed_, folded_;
  llvm::SmallVector<const llvm::Instruction *, 64> worklist_;
  llvm::DenseMap<const llvm::Value *, Register> registers_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> numbers_;
  llvm::DenseMap<const llvm::SCEV *, llvm::SmallVector<Available, 1>> expressions_;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Available, 1>> constants_;
  /// Any number may be one, those that llvm::DenseMap keeps for itself too.
  std::unordered_map<std::int64_t, llvm::SmallVector<Available, 1>> integers_;
  std::vector<Draft> drafts_;
  unsigned current_ = 0;
  const llvm::Instruction *source_ = nullptr;
  bool failed_ = false;
};

} // namespace weft::swcc
