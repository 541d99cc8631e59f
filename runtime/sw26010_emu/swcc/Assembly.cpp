// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly becomes calls: AsmTable.def says what operands an instruction has, the headers
// what it does.
#include "AssemblyLowering.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Whether it only says that a scalar is a register's lane 0, and that registers hold doubles.
bool changesNoRegister(const Instruction &instruction) {
  if (isa<FPExtInst, FPTruncInst>(instruction))
    return true;
  const Value *lane = nullptr;
  if (const auto *extract = dyn_cast<ExtractElementInst>(&instruction))
    lane = extract->getIndexOperand();
  else if (isa<InsertElementInst>(instruction))
    lane = instruction.getOperand(2);
  const auto *number = dyn_cast_or_null<ConstantInt>(lane);
  return number && number->isZero();
}

} // namespace

StatementLowering::StatementLowering(Abi &abi, CallInst &call)
    : abi_(abi), call_(call), code_(*cast<InlineAsm>(call.getCalledOperand())), builder_(&call),
      register_(FixedVectorType::get(abi.i64, 4)) {}

void StatementLowering::lower() {
  const AsmStatement statement = readAsm(code_.getAsmString());
  if (!statement.error.empty())
    return error(call_, statement.error, statement.help);
  if (!bind())
    return;
  if (any_of(statement.instructions, [](const auto &one) { return !one.label.empty(); }))
    openSlots();
  for (const AsmInstruction &instruction : statement.instructions) {
    if (!instruction.label.empty())
      placeLabel(instruction.label);
    if (!instruction.mnemonic.empty() && !lowerInstruction(instruction))
      return;
  }
  if (!connectBranches())
    return;
  checkStack();
  Function &function = *call_.getFunction();
  const bool hadLabels = branches_;
  if (hadLabels && !closeSlots())
    return;
  finish();
  if (hadLabels) {
    DominatorTree tree(function);
    PromoteMemToReg(slots_, tree);
  }
  for (CallBase *call : inlined_)
    inlineMeaning(*call);
  if (hadLabels) // what stood behind a br without a label
    EliminateUnreachableBlocks(function);
}

void StatementLowering::inlineMeaning(CallBase &call) {
  BasicBlock *block = call.getParent();
  auto *before = call.getPrevNode();
  const auto *after = call.getNextNode();
  InlineFunctionInfo info;
  InlineFunction(call, info);
  // Loads and stores are one straight run.
  for (auto at = before ? std::next(before->getIterator()) : block->begin();
       at != block->end() && &*at != after; ++at) {
    if (code_.hasSideEffects() && isa<LoadInst, StoreInst>(*at))
      keepInOrder(*at);
    if (changesNoRegister(*at))
      markOwn(*at);
  }
}

bool StatementLowering::refuse(const Twine &message, const Twine &help) {
  error(call_, message, help);
  return false;
}

Value *StatementLowering::zero() { return Constant::getNullValue(register_); }

Value *StatementLowering::lane0(Value *scalar) {
  return builder_.CreateInsertElement(zero(), scalar, std::uint64_t(0));
}

Value *StatementLowering::callOperation(const Twine &marker, const Twine &meaningName,
                                        ArrayRef<Value *> arguments) {
  Function *meaning = abi_.module.getFunction(meaningName.str());
  if (!meaning) {
    refuse("'" + mnemonic_ + "' has no meaning", "a defect of Weft: please report it");
    return nullptr;
  }
  Function *callee = meaning;
  if (!marker.isTriviallyEmpty()) {
    callee = cast<Function>(
        abi_.module.getOrInsertFunction(marker.str(), meaning->getFunctionType()).getCallee());
    callee->setDoesNotThrow();
    callee->copyAttributesFrom(meaning);
    callee->removeFnAttr(Attribute::AlwaysInline);
  }
  SmallVector<Value *> passed;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    Value *argument = arguments[i];
    if (meaning->hasParamAttribute(i, Attribute::ByVal)) {
      BasicBlock &entry = call_.getFunction()->getEntryBlock();
      OwnBuilder early(&entry, entry.getFirstInsertionPt());
      AllocaInst *room = early.CreateAlloca(register_);
      builder_.CreateStore(argument, room);
      argument = room;
    }
    passed.push_back(argument);
  }
  // What the instruction does is the program's, not the pass's.
  IRBuilder<> plain(&call_);
  CallInst *made = plain.CreateCall(callee, passed);
  if (callee == meaning)
    inlined_.push_back(made);
  else if (code_.hasSideEffects())
    keepInOrder(*made);
  return made;
}

bool StatementLowering::lowerInstruction(const AsmInstruction &instruction) {
  StringRef stem;
  unsigned number = 0;
  mnemonic_ = instruction.mnemonic;
  if (!instruction.target.empty())
    return lowerBranch(instruction);
  const AssemblyEntry *entry = findAssembly(instruction.mnemonic, stem, number);
  if (!entry)
    return unknown();
  if (entry->kind == AssemblyEntry::Address)
    return lowerAddress(instruction);
  if (instruction.operands.size() != entry->operands.size())
    return refuse("'" + mnemonic_ + "' takes " + Twine(entry->operands.size()) +
                  " operands; here are " + Twine(instruction.operands.size()));
  const AsmOperand *result = nullptr;
  SmallVector<Value *> arguments;
  Value *base = nullptr, *offset = nullptr;
  for (unsigned i = 0; i < entry->operands.size(); ++i) {
    const char letter = entry->operands[i];
    const AsmOperand &operand = instruction.operands[i];
    if (letter == 'd') {
      result = &operand;
    } else if (letter == 'm') {
      if (!address(operand, base, offset))
        return false;
    } else {
      Value *value = nullptr;
      if (!readOperand(letter, operand, value))
        return false;
      arguments.push_back(value);
    }
  }
  if (!entry->allowed.empty() && !allowed(*entry, instruction))
    return false;
  if (base)
    arguments.insert(arguments.begin(), pointer(base, offset));
  if (entry->kind == AssemblyEntry::Stem)
    arguments.push_back(ConstantInt::get(abi_.i32, number));
  Value *made = nullptr;
  if (entry->kind == AssemblyEntry::Atomic)
    made = callAtomic(arguments[0], entry->digits);
  else if (entry->kind == AssemblyEntry::Update)
    made = callUpdate(arguments[0], arguments[1]);
  else if (entry->kind == AssemblyEntry::Load || entry->kind == AssemblyEntry::Store)
    made = callOperation("", "__weft_mem_" + stem, arguments);
  else
    made = callOperation("__weft_sw_" + stem + "__r", "__weft_sem_" + stem + "__r", arguments);
  return made && (!result || writeRegister(*result, made));
}

bool StatementLowering::unknown() {
  if (mnemonic_ == "bsr" || mnemonic_ == "call" || mnemonic_ == "jmp" || mnemonic_ == "ret")
    return refuse("a call or jump in inline assembly: '" + mnemonic_ + "'",
                  "a statement can branch to its own labels only; write calls in C");
  if (mnemonic_ == "rtc")
    return refuse("'rtc' is an instruction of the MPE", "rcsr %0, 4 reads a CPE's cycles");
  const std::string close = closestAssembly(mnemonic_);
  return refuse("unknown instruction '" + mnemonic_ + "' in inline assembly",
                close.empty() ? "docs/athread.md lists those that are known"
                              : "did you mean '" + close + "'?");
}

bool StatementLowering::allowed(const AssemblyEntry &entry, const AsmInstruction &instruction) {
  std::int64_t value = 0;
  // The number is the last operand but the result.
  for (const AsmOperand &operand : instruction.operands)
    if (operand.kind == AsmOperand::Immediate)
      value = operand.value;
  std::string known;
  for (const std::int64_t one : entry.allowed) {
    if (one == value)
      return true;
    known += (known.empty() ? "" : ", ") + std::to_string(one);
  }
  return refuse("what '" + mnemonic_ + "' with " + Twine(value) + " does is not known",
                "known are: " + known);
}

bool StatementLowering::lowerAddress(const AsmInstruction &instruction) {
  if (instruction.operands.size() != 2)
    return refuse("'" + mnemonic_ + "' takes 2 operands; here are " +
                  Twine(instruction.operands.size()));
  Value *base = zero(), *offset = nullptr;
  std::int64_t number = 0;
  if (immediate(instruction.operands[1], number))
    offset = ConstantInt::get(abi_.i64, number, true);
  else if (!address(instruction.operands[1], base, offset))
    return false;
  const std::string meaning = ("__weft_sem_" + mnemonic_ + "__r").str();
  if (const Function *function = abi_.module.getFunction(meaning))
    offset = ConstantInt::get(function->getArg(1)->getType(),
                              cast<ConstantInt>(offset)->getSExtValue(), true);
  Value *made = callOperation("__weft_sw_" + mnemonic_ + "__r", meaning, {base, offset});
  return made && writeRegister(instruction.operands[0], made);
}

Value *StatementLowering::callAtomic(Value *at, unsigned bytes) {
  FunctionCallee callee =
      abi_.function("weft_sw_atomic", abi_.i64, {abi_.ptr, abi_.i32, abi_.i32, abi_.i64});
  IRBuilder<> plain(&call_);
  Value *old =
      plain.CreateCall(callee, {at, ConstantInt::get(abi_.i32, bytes),
                                ConstantInt::get(abi_.i32, 0), ConstantInt::get(abi_.i64, 1)});
  if (bytes == 4)
    old = builder_.CreateSExt(builder_.CreateTrunc(old, abi_.i32), abi_.i64);
  return lane0(old);
}

Value *StatementLowering::callUpdate(Value *at, Value *update) {
  FunctionCallee callee =
      abi_.function("weft_sw_atomic", abi_.i64, {abi_.ptr, abi_.i32, abi_.i32, abi_.i64});
  Value *operation =
      builder_.CreateTrunc(builder_.CreateExtractElement(update, std::uint64_t(0)), abi_.i32);
  // 0 is faaw's number here, and none of updt's.
  operation = builder_.CreateSelect(builder_.CreateICmpEQ(operation, ConstantInt::get(abi_.i32, 0)),
                                    ConstantInt::get(abi_.i32, -1, true), operation);
  Value *operand = builder_.CreateExtractElement(update, std::uint64_t(1));
  IRBuilder<> plain(&call_);
  return plain.CreateCall(callee, {at, ConstantInt::get(abi_.i32, 4), operation, operand});
}

void lowerAssembly(Abi &abi, ModuleAnalysisManager &analyses) {
  if (!abi.module.getModuleInlineAsm().empty())
    error(abi.module, "assembly outside functions", "there is no SW assembler here");
  SmallVector<CallInst *> statements;
  for (Function &function : abi.module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
          statements.push_back(call);
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(abi.module).getManager();
  for (CallInst *call : statements) {
    Function &function = *call->getFunction();
    StatementLowering(abi, *call).lower();
    functions.invalidate(function, PreservedAnalyses::none());
  }
}

} // namespace weft::swcc
