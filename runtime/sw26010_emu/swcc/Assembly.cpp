// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly becomes calls. Every operand is a register of four 64-bit lanes while the
// statement runs; AsmTable.def says what operands an instruction has, the headers what it does.
#include "Swcc.h"

#include "AsmText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <initializer_list>

using namespace llvm;

namespace weft::swcc {

namespace {

struct Entry {
  enum Kind { Plain, Stem, Load, Store, Send, Address, Atomic } kind;
  StringRef operands; // letters of AsmTable.def
  SmallVector<std::int64_t, 4> allowed = {};
  unsigned digits = 0; // of a stem; bytes of an atomic
};

const StringMap<Entry> &table() {
  static const StringMap<Entry> known = [] {
    StringMap<Entry> made;
#define WEFT_ASM(mnemonic, operands) made[#mnemonic] = {Entry::Plain, operands};
#define WEFT_ASM_NAMED(mnemonic, operands) made[mnemonic] = {Entry::Plain, operands};
#define WEFT_ASM_OF(mnemonic, operands, ...)                                                       \
  made[#mnemonic] = {Entry::Plain, operands, {__VA_ARGS__}};
#define WEFT_ASM_STEM(stem, digits, operands) made[#stem] = {Entry::Stem, operands, {}, digits};
#define WEFT_ASM_LOAD(mnemonic) made[#mnemonic] = {Entry::Load, "dm"};
#define WEFT_ASM_STORE(mnemonic) made[#mnemonic] = {Entry::Store, "vm"};
#define WEFT_ASM_SEND(mnemonic) made[#mnemonic] = {Entry::Send, "dm"};
#define WEFT_ASM_ADDRESS(mnemonic) made[#mnemonic] = {Entry::Address, "da"};
#include "AsmTable.def"
    made["faaw"] = {Entry::Atomic, "dm", {}, 4};
    made["faal"] = {Entry::Atomic, "dm", {}, 8};
    return made;
  }();
  return known;
}

/// The entry of a mnemonic, and for a stem the digits that follow it.
const Entry *find(StringRef mnemonic, StringRef &stem, unsigned &number) {
  stem = mnemonic;
  if (const auto found = table().find(mnemonic);
      found != table().end() && found->second.kind != Entry::Stem)
    return &found->second;
  for (unsigned digits : {1U, 2U}) {
    if (mnemonic.size() <= digits)
      continue;
    stem = mnemonic.drop_back(digits);
    const auto found = table().find(stem);
    if (found != table().end() && found->second.kind == Entry::Stem &&
        found->second.digits == digits && !mnemonic.take_back(digits).getAsInteger(16, number))
      return &found->second;
  }
  stem = mnemonic;
  return nullptr;
}

/// The known mnemonic closest to an unknown one, or "".
std::string closest(StringRef mnemonic) {
  std::string best;
  unsigned least = 3;
  for (const auto &entry : table()) {
    const unsigned distance = mnemonic.edit_distance(entry.first(), true, least);
    if (distance < least ||
        (distance == least && !best.empty() && entry.first() < StringRef(best))) {
      least = distance;
      best = entry.first().str();
    }
  }
  return best;
}

class Statement {
public:
  Statement(Abi &abi, CallInst &call)
      : abi_(abi), call_(call), code_(*cast<InlineAsm>(call.getCalledOperand())), builder_(&call),
        register_(FixedVectorType::get(abi.i64, 4)) {}

  void lower() {
    const AsmStatement statement = readAsm(code_.getAsmString());
    if (!statement.error.empty())
      return error(call_, statement.error, statement.help);
    if (!bind())
      return;
    for (const AsmInstruction &instruction : statement.instructions)
      if (!lowerInstruction(instruction))
        return;
    finish();
    for (CallBase *call : inlined_) {
      InlineFunctionInfo info;
      InlineFunction(*call, info);
    }
  }

private:
  struct Operand {
    Value *value = nullptr;   // as a register
    Value *address = nullptr; // of a memory operand
    Value *constant = nullptr;
    Type *result = nullptr; // of an output
  };

  Abi &abi_;
  CallInst &call_;
  InlineAsm &code_;
  OwnBuilder builder_;
  FixedVectorType *register_;
  SmallVector<Operand> operands_;
  StringMap<Value *> registers_; // named in the text
  SmallVector<CallBase *> inlined_;
  StringRef mnemonic_;

  bool refuse(const Twine &message, const Twine &help = "") {
    error(call_, message, help);
    return false;
  }

  Value *zero() { return Constant::getNullValue(register_); }

  Value *lane0(Value *scalar) {
    return builder_.CreateInsertElement(zero(), scalar, std::uint64_t(0));
  }

  /// A value of the program as a register; null if it does not fit one.
  Value *toRegister(Value *value) {
    Type *type = value->getType();
    if (type->isPointerTy())
      return lane0(builder_.CreatePtrToInt(value, abi_.i64));
    if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
      return lane0(builder_.CreateSExt(value, abi_.i64));
    if (type->isDoubleTy())
      return lane0(builder_.CreateBitCast(value, abi_.i64));
    if (type->isFloatTy())
      return toRegister(builder_.CreateFPExt(value, builder_.getDoubleTy()));
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      if (vector->getPrimitiveSizeInBits() == 256)
        return builder_.CreateBitCast(value, register_);
      if (vector->getElementType()->isFloatTy() && vector->getNumElements() == 4)
        return builder_.CreateBitCast(
            builder_.CreateFPExt(value, FixedVectorType::get(builder_.getDoubleTy(), 4)),
            register_);
      if (vector->getPrimitiveSizeInBits() == 128)
        return builder_.CreateShuffleVector(
            builder_.CreateBitCast(value, FixedVectorType::get(abi_.i64, 2)),
            Constant::getNullValue(FixedVectorType::get(abi_.i64, 2)), ArrayRef<int>{0, 1, 2, 3});
    }
    return nullptr;
  }

  Value *fromRegister(Value *value, Type *type) {
    Value *first = builder_.CreateExtractElement(value, std::uint64_t(0));
    if (type->isPointerTy())
      return builder_.CreateIntToPtr(first, type);
    if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
      return builder_.CreateTrunc(first, type);
    if (type->isDoubleTy())
      return builder_.CreateBitCast(first, type);
    if (type->isFloatTy())
      return builder_.CreateFPTrunc(builder_.CreateBitCast(first, builder_.getDoubleTy()), type);
    if (auto *vector = dyn_cast<FixedVectorType>(type)) {
      if (vector->getPrimitiveSizeInBits() == 256)
        return builder_.CreateBitCast(value, type);
      if (vector->getElementType()->isFloatTy() && vector->getNumElements() == 4)
        return builder_.CreateFPTrunc(
            builder_.CreateBitCast(value, FixedVectorType::get(builder_.getDoubleTy(), 4)), type);
      if (vector->getPrimitiveSizeInBits() == 128)
        return builder_.CreateBitCast(builder_.CreateShuffleVector(value, ArrayRef<int>{0, 1}),
                                      type);
    }
    return nullptr;
  }

  /// The statement's operands by their numbers.
  bool bind() {
    unsigned argument = 0;
    for (const auto &constraint : code_.ParseConstraints()) {
      if (constraint.Type == InlineAsm::isClobber || constraint.Type == InlineAsm::isLabel)
        continue;
      Operand operand;
      if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
        operand.value = PoisonValue::get(register_);
        operand.result = call_.getType(); // one of several: finish() takes the struct apart
        operands_.push_back(operand);
        continue;
      }
      Value *value = call_.getArgOperand(argument++);
      if (constraint.isIndirect || isMemory(constraint)) {
        operand.address = value;
      } else {
        operand.value = toRegister(value);
        operand.constant = isa<ConstantInt>(value) ? value : nullptr;
        if (!operand.value)
          return refuse("an operand of inline assembly that fits no register");
      }
      const int tied = matching(constraint);
      if (tied >= 0)
        operands_[static_cast<unsigned>(tied)].value = operand.value;
      operands_.push_back(operand);
    }
    return true;
  }

  static bool isMemory(const InlineAsm::ConstraintInfo &constraint) {
    for (const std::string &code : constraint.Codes)
      if (code == "m" || code == "o" || code == "Q")
        return true;
    return false;
  }

  /// The output that an input shares its register with ("0"), or -1.
  static int matching(const InlineAsm::ConstraintInfo &constraint) {
    unsigned number = 0;
    for (const std::string &code : constraint.Codes)
      if (!StringRef(code).getAsInteger(10, number))
        return static_cast<int>(number);
    return -1;
  }

  void finish() {
    unsigned outputs = 0;
    for (const Operand &operand : operands_)
      outputs += operand.result != nullptr;
    if (outputs) {
      auto *several = outputs > 1 ? cast<StructType>(call_.getType()) : nullptr;
      Value *result = several ? PoisonValue::get(several) : nullptr;
      for (unsigned i = 0; i < outputs; ++i) {
        Type *type = several ? several->getElementType(i) : call_.getType();
        Value *value = fromRegister(operands_[i].value, type);
        if (!value)
          return error(call_, "a result of inline assembly that is no register");
        result = several ? builder_.CreateInsertValue(result, value, i) : value;
      }
      call_.replaceAllUsesWith(result);
    }
    call_.eraseFromParent();
  }

  // ---- operands of one instruction ----

  bool readRegister(const AsmOperand &operand, Value *&value) {
    if (operand.kind == AsmOperand::Argument) {
      if (operand.argument >= operands_.size() || !operands_[operand.argument].value)
        return refuse("'" + mnemonic_ + "': %" + Twine(operand.argument) + " is no register");
      value = operands_[operand.argument].value;
      return true;
    }
    if (operand.name == "31") {
      value = zero();
      return true;
    }
    if (const auto found = registers_.find(operand.name); found != registers_.end()) {
      value = found->second;
      return true;
    }
    return refuse("inline assembly reads $" + operand.name + " before it writes it",
                  "the registers of the machine hold nothing that C code put there; pass the "
                  "value as an operand");
  }

  bool writeRegister(const AsmOperand &operand, Value *value) {
    if (operand.kind == AsmOperand::Argument) {
      if (operand.argument >= operands_.size() || operands_[operand.argument].address)
        return refuse("'" + mnemonic_ + "': %" + Twine(operand.argument) + " is no register");
      operands_[operand.argument].value = value;
      return true;
    }
    if (operand.kind != AsmOperand::Register)
      return refuse("'" + mnemonic_ + "' writes to what is no register");
    if (operand.name == "sp" || operand.name == "gp")
      return refuse("inline assembly writes $" + operand.name,
                    "stack and global pointer belong to the compiler");
    if (operand.name != "31")
      registers_[operand.name] = value;
    return true;
  }

  bool immediate(const AsmOperand &operand, std::int64_t &value) {
    if (operand.kind == AsmOperand::Immediate) {
      value = operand.value;
      return true;
    }
    if (operand.kind != AsmOperand::Argument || operand.argument >= operands_.size() ||
        !operands_[operand.argument].constant)
      return false;
    value = cast<ConstantInt>(operands_[operand.argument].constant)->getSExtValue();
    return true;
  }

  bool address(const AsmOperand &operand, Value *&base, Value *&offset) {
    std::int64_t constant = operand.value;
    if (operand.kind == AsmOperand::Argument && operand.argument < operands_.size() &&
        operands_[operand.argument].address) {
      base = lane0(builder_.CreatePtrToInt(operands_[operand.argument].address, abi_.i64));
    } else if (operand.kind == AsmOperand::Memory) {
      AsmOperand inner{};
      inner.kind = operand.hasArgument ? AsmOperand::Argument : AsmOperand::Register;
      inner.argument = operand.argument;
      inner.name = operand.name;
      if (!readRegister(inner, base))
        return false;
      if (operand.hasOffsetArgument) {
        AsmOperand number{};
        number.kind = AsmOperand::Argument;
        number.argument = operand.offsetArgument;
        if (!immediate(number, constant))
          return refuse("'" + mnemonic_ + "': the offset must be a constant");
      }
    } else {
      return refuse("'" + mnemonic_ + "' takes an address, such as 0(%1)");
    }
    offset = ConstantInt::get(abi_.i64, constant, true);
    return true;
  }

  Value *pointer(Value *base, Value *offset) {
    Value *start = builder_.CreateExtractElement(base, std::uint64_t(0));
    return builder_.CreateIntToPtr(builder_.CreateAdd(start, offset), abi_.ptr);
  }

  /// The operand as AsmTable.def's letter has it.
  bool readOperand(char letter, const AsmOperand &operand, Value *&value) {
    std::int64_t number = 0;
    const bool isNumber = operand.kind == AsmOperand::Immediate;
    switch (letter) {
    case 'n':
      if (!immediate(operand, number))
        return refuse("'" + mnemonic_ + "' takes a number here");
      value = ConstantInt::get(abi_.i32, number, true);
      return true;
    case 'i':
      if (immediate(operand, number)) {
        value = ConstantInt::get(abi_.i32, number, true);
        return true;
      }
      if (!readRegister(operand, value))
        return false;
      value =
          builder_.CreateTrunc(builder_.CreateExtractElement(value, std::uint64_t(0)), abi_.i32);
      return true;
    case 'w':
      if (!isNumber)
        return readRegister(operand, value);
      value = builder_.CreateBitCast(
          ConstantVector::getSplat(ElementCount::getFixed(8),
                                   ConstantInt::get(abi_.i32, operand.value, true)),
          register_);
      return true;
    case 'l':
      if (!isNumber)
        return readRegister(operand, value);
      value = ConstantVector::getSplat(ElementCount::getFixed(4),
                                       ConstantInt::get(abi_.i64, operand.value, true));
      return true;
    case 'r':
      if (!isNumber)
        return readRegister(operand, value);
      value = lane0(ConstantInt::get(abi_.i64, operand.value, true));
      return true;
    default:
      if (isNumber)
        return refuse("'" + mnemonic_ + "' takes a register here, not the number " +
                      Twine(operand.value));
      return readRegister(operand, value);
    }
  }

  // ---- calls ----

  /// A call of `name`, whose meaning the headers define. Vectors go by address where the host has
  /// no 256-bit registers.
  Value *callOperation(const Twine &marker, const Twine &meaningName, ArrayRef<Value *> arguments) {
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
    return made;
  }

  bool lowerInstruction(const AsmInstruction &instruction) {
    StringRef stem;
    unsigned number = 0;
    mnemonic_ = instruction.mnemonic;
    const Entry *entry = find(instruction.mnemonic, stem, number);
    if (!entry)
      return unknown();
    if (entry->kind == Entry::Address)
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
    if (entry->kind == Entry::Stem)
      arguments.push_back(ConstantInt::get(abi_.i32, number));
    Value *made = nullptr;
    if (entry->kind == Entry::Atomic)
      made = callAtomic(arguments[0], entry->digits);
    else if (entry->kind == Entry::Load || entry->kind == Entry::Store)
      made = callOperation("", "__weft_mem_" + stem, arguments);
    else
      made = callOperation("__weft_sw_" + stem + "__r", "__weft_sem_" + stem + "__r", arguments);
    return made && (!result || writeRegister(*result, made));
  }

  bool unknown() {
    if (StringRef(mnemonic_).starts_with("b") && table().count(mnemonic_) == 0 &&
        (mnemonic_ == "beq" || mnemonic_ == "bne" || mnemonic_ == "bgt" || mnemonic_ == "blt" ||
         mnemonic_ == "bge" || mnemonic_ == "ble" || mnemonic_ == "br" || mnemonic_ == "bsr"))
      return refuse("a branch in inline assembly: '" + mnemonic_ + "'",
                    "branches in assembly are not served; write the loop in C around it");
    if (mnemonic_ == "rtc")
      return refuse("'rtc' is an instruction of the MPE", "rcsr %0, 4 reads a CPE's cycles");
    const std::string close = closest(mnemonic_);
    return refuse("unknown instruction '" + mnemonic_ + "' in inline assembly",
                  close.empty() ? "docs/athread.md lists those that are known"
                                : "did you mean '" + close + "'?");
  }

  bool allowed(const Entry &entry, const AsmInstruction &instruction) {
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

  /// ldi result, offset(register), or ldi result, number.
  bool lowerAddress(const AsmInstruction &instruction) {
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

  /// The word at the address goes up by one; its old value is the result.
  Value *callAtomic(Value *at, unsigned bytes) {
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
};

} // namespace

void lowerAssembly(Abi &abi) {
  if (!abi.module.getModuleInlineAsm().empty())
    error(abi.module, "assembly outside functions", "there is no SW assembler here");
  SmallVector<CallInst *> statements;
  for (Function &function : abi.module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
          statements.push_back(call);
  for (CallInst *call : statements)
    Statement(abi, *call).lower();
}

} // namespace weft::swcc
