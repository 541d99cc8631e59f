// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: marked instructions of simd.h, functions of the runtime, of the library and of the
// program.
#include "Select.h"

#include "AbiTypes.h"
#include "Marks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr StringLiteral markerPrefix = "__weft_sw_";

constexpr StringLiteral memoryPrefix = "__weft_mem_";

/// Functions of the runtime that headers call for one instruction.
StringRef runtimeInstruction(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("weft_sw_read_csr", "rcsr")
      .Case("weft_sw_write_csr", "wcsr")
      .Case("weft_sw_sync_row", "synr")
      .Case("weft_sw_sync_column", "sync")
      .Case("weft_sw_put_row", "putr")
      .Case("weft_sw_put_column", "putc")
      .Case("weft_sw_get_row", "getr")
      .Case("weft_sw_get_column", "getc")
      .Case("weft_sw_load_row", "vldr")
      .Case("weft_sw_load_column", "vldc")
      .Case("weft_sw_carry", "rcsr")
      .Case("weft_sw_set_carry", "wcsr")
      .Cases({"weft_sw_table_word", "weft_sw_table_result"}, "selldw")
      .Default({});
}

/// Messages, synchronization, control registers, transfers: what others can see.
bool isInteraction(const Opcode &opcode) {
  switch (opcode.kind) {
  case Kind::Put:
  case Kind::Get:
  case Kind::Csr:
  case Kind::Sync:
  case Kind::Transfer:
  case Kind::Atomic:
  case Kind::Fence:
    return true;
  default:
    // Loads that send what they load.
    return opcode.mnemonic == "vldr" || opcode.mnemonic == "vldc" || opcode.mnemonic == "ldder" ||
           opcode.mnemonic == "lddec";
  }
}

bool readsMemory(const Opcode &opcode) {
  return opcode.kind == Kind::Load || opcode.kind == Kind::LoadVector ||
         opcode.kind == Kind::LoadConstant;
}

} // namespace

bool Selector::isMarker(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && (callee->getName().starts_with(markerPrefix) ||
                    callee->getName().starts_with(memoryPrefix));
}

void Selector::selectCall(const CallBase &call) {
  if (call.isInlineAsm()) // other assembly has become calls before
    return refuse(call, "inline assembly that jumps (asm goto)");
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    if (!selectIntrinsic(*intrinsic))
      refuse(call, "no CPE instructions are known for '" +
                       intrinsic->getCalledFunction()->getName() +
                       "'; this is a fault of Weft, please report it");
    return;
  }
  const Function *callee = call.getCalledFunction();
  const StringRef name = callee ? callee->getName() : StringRef();
  if (name.starts_with(markerPrefix))
    return selectMarker(call, name.drop_front(markerPrefix.size()));
  if (name.starts_with(memoryPrefix))
    return selectMarker(call, name.drop_front(memoryPrefix.size()));
  if (const StringRef instruction = runtimeInstruction(name); !instruction.empty())
    return selectMarker(call, instruction);
  selectLibraryCall(call, name);
}

/// A marker is an instruction with the call's operands; its suffix is no part of the mnemonic.
void Selector::selectMarker(const CallBase &call, StringRef name) {
  const StringRef mnemonic = name.split("__").first;
  const Opcode *opcode = table_.find(mnemonic);
  if (!opcode)
    return refuse(call, "no timing is known for the instruction '" + mnemonic +
                            "'; this is a fault of Weft, please report it");
  SmallVector<Register, 3> uses;
  std::int64_t immediate = 0;
  bool hasImmediate = false;
  Address place;
  const Value *pointer = nullptr;
  for (const Use &argument : call.args()) {
    if (argument->getType()->isPointerTy()) {
      place = address(argument, call);
      pointer = argument;
    } else if (const auto *integer = dyn_cast<ConstantInt>(argument); integer && !hasImmediate) {
      immediate = integer->getSExtValue();
      hasImmediate = true;
    } else {
      uses.push_back(registerOf(argument));
    }
  }
  if (pointer)
    uses.push_back(place.base);
  const Register result = call.getType()->isVoidTy() ? noRegister : defined(call);
  const bool splitFormats = call.getType()->isStructTy();
  Operation &operation = emit(mnemonic, splitFormats ? registerOf(&call) : result, uses);
  operation.immediate = pointer ? place.displacement : immediate;
  operation.hasImmediate = hasImmediate || pointer;
  operation.symbol = place.symbol;
  operation.pointer = pointer;
  operation.bytes = pointer ? 32 : 0;
  operation.writes = opcode->kind == Kind::Store;
  operation.reads = !operation.writes && (pointer || readsMemory(*opcode));
  operation.interaction = isInteraction(*opcode);
  if (isKeptInOrder(call)) { // its own integers are no glue
    operation.inOrder = true;
    operation.glue = false;
  }
}

void Selector::selectLibraryCall(const CallBase &call, StringRef name) {
  const CoreParameters &core = table_.core();
  SmallVector<Register, 6> passed;
  unsigned index = 0;
  for (const Use &argument : call.args()) {
    if (argument->getType()->isMetadataTy() || argument->getType()->isTokenTy())
      continue;
    const auto *integer = dyn_cast<ConstantInt>(argument);
    const bool small = integer && integer->getValue().isSignedIntN(16);
    if (index++ >= core.argumentRegisters) {
      const Register value = small && integer->isZero() ? zeroRegister : registerOf(argument);
      emit("stl", noRegister, {value, stackRegister}).writes = true;
      continue;
    }
    const Register into = code_.fresh();
    if (small) {
      Operation &operation = emit("mov", into, {zeroRegister});
      operation.immediate = integer->getSExtValue();
      operation.hasImmediate = true;
    } else {
      const Register from = registerOf(argument);
      emit("mov", into, {from}).copy = true;
    }
    passed.push_back(into);
  }
  if (!call.getCalledFunction())
    passed.push_back(registerOf(call.getCalledOperand()));
  Operation &operation = emit(call.getCalledFunction() ? "bsr" : "call",
                              call.getType()->isVoidTy() ? noRegister : defined(call), passed);
  operation.symbol = call.getCalledFunction();
  operation.call = operation.interaction = true;
  operation.reads = operation.writes = true;
  code_.calls = true;
  // The callee has its own global pointer.
  emit("ldih", 29, {returnAddressRegister}).glue = false;
  emit("ldi", 29, {29}).glue = false;
  code_.usesGlobals = true;
}

} // namespace weft::swcc
