// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: marked instructions of simd.h, inline assembly, LLVM's intrinsics, functions.
#include "Select.h"

#include "Marks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"

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

/// One line of assembly: its mnemonic and the template operands it names ("%0", "$2").
struct AssemblyLine {
  std::string mnemonic;
  SmallVector<unsigned, 4> operands;
};

SmallVector<AssemblyLine, 4> parseAssembly(StringRef text) {
  SmallVector<AssemblyLine, 4> lines;
  SmallVector<StringRef, 8> parts;
  text.split(parts, '\n');
  for (StringRef part : parts) {
    SmallVector<StringRef, 4> statements;
    part.split('#').first.split(statements, ';');
    for (StringRef statement : statements) {
      statement = statement.trim();
      // A label may stand before the instruction.
      if (const std::size_t colon = statement.find(':'); colon != StringRef::npos)
        statement = statement.substr(colon + 1).trim();
      if (statement.empty() || statement.starts_with("."))
        continue;
      AssemblyLine line;
      const std::size_t end = statement.find_first_of(" \t");
      line.mnemonic = statement.substr(0, end).lower();
      for (std::size_t at = statement.find('$'); at != StringRef::npos && end != StringRef::npos;
           at = statement.find('$', at + 1)) {
        // LLVM writes operands as $0 or ${0:c}, and a register $5 as $$5.
        if (at + 1 < statement.size() && statement[at + 1] == '$') {
          ++at;
          continue;
        }
        StringRef digits = statement.substr(at + 1);
        digits.consume_front("{");
        unsigned number = 0;
        if (!digits.consumeInteger(10, number))
          line.operands.push_back(number);
      }
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

} // namespace

bool Selector::isMarker(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && (callee->getName().starts_with(markerPrefix) ||
                    callee->getName().starts_with(memoryPrefix));
}

void Selector::selectCall(const CallBase &call) {
  if (call.isInlineAsm())
    return selectAssembly(call);
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
}

void Selector::selectAssembly(const CallBase &call) {
  const auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  // Outputs come first in the numbering of the template; one result is the call itself.
  SmallVector<Register, 4> numbered;
  unsigned argument = 0;
  const bool manyResults = call.getType()->isStructTy();
  for (const InlineAsm::ConstraintInfo &constraint : assembly->ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber || constraint.Type == InlineAsm::isLabel)
      continue;
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
      numbered.push_back(manyResults && !numbered.empty() ? code_.fresh() : defined(call));
      continue;
    }
    if (argument < call.arg_size())
      numbered.push_back(registerOf(call.getArgOperand(argument++)));
  }
  const bool hasResult = !call.getType()->isVoidTy();
  for (const AssemblyLine &line : parseAssembly(assembly->getAsmString())) {
    const Opcode *opcode = table_.find(line.mnemonic);
    if (!opcode) {
      refuse(call, "inline assembly: no instruction '" + Twine(line.mnemonic) +
                       "' of the CPE is known here");
      return;
    }
    SmallVector<Register, 4> uses;
    Register def = noRegister;
    for (const unsigned number : line.operands)
      if (number < numbered.size())
        uses.push_back(numbered[number]);
    const bool stores = opcode->kind == Kind::Store;
    const bool defines = !stores && opcode->kind != Kind::Put && opcode->kind != Kind::Sync &&
                         opcode->kind != Kind::Control && opcode->kind != Kind::Fence &&
                         opcode->kind != Kind::Transfer && line.mnemonic != "wcsr";
    if (defines && !uses.empty()) {
      // SW writes the destination last; loads and rcsr write it first.
      const bool first = opcode->kind == Kind::Load || opcode->kind == Kind::LoadVector ||
                         opcode->kind == Kind::Csr;
      def = first ? uses.front() : uses.back();
      uses.erase(first ? uses.begin() : uses.end() - 1);
    }
    Operation &operation = emit(line.mnemonic, def, uses);
    operation.reads = readsMemory(*opcode);
    operation.writes = stores;
    operation.interaction = isInteraction(*opcode);
    operation.glue = false;
  }
  // What assembly leaves undefined (a result that no line names) still has to exist.
  if (hasResult && drafts_[current_].body.empty())
    emit("mov", defined(call), {zeroRegister}).copy = true;
}

bool Selector::selectIntrinsic(const IntrinsicInst &call) {
  const Shape shape = shapeOf(call.getType());
  const auto argument = [&](unsigned index) { return registerOf(call.getArgOperand(index)); };
  const auto chain = [&](std::initializer_list<StringRef> names) {
    // The instructions of a short sequence, each using what the one before made.
    SmallVector<Register, 3> uses;
    for (const Use &operand : call.args())
      if (!isa<Constant>(operand) && !operand->getType()->isMetadataTy())
        uses.push_back(registerOf(operand));
    if (uses.empty())
      uses.push_back(zeroRegister);
    for (unsigned part = 0; part < shape.registers; ++part) {
      Register last = noRegister;
      unsigned left = names.size();
      for (StringRef name : names) {
        const Register next = --left ? code_.fresh() : defined(call);
        SmallVector<Register, 3> from(uses);
        if (last != noRegister)
          from.front() = last;
        emit(name, next, from);
        last = next;
      }
    }
    return true;
  };
  const auto minimum = [&](StringRef comparison) {
    const Register a = argument(0), b = argument(1), less = code_.fresh();
    if (shape.vector) {
      for (unsigned part = 0; part < shape.registers; ++part) {
        emit(shape.floating ? "vfcmplt" : "vcmpltw", less, {a, b});
        emit(shape.floating ? "vseleq" : "vseleqw", defined(call), {less, b, a});
      }
      return true;
    }
    emit(shape.floating ? "fcmplt" : comparison, less, {a, b});
    emit(shape.floating ? "fseleq" : "selne", defined(call), {less, a, b});
    return true;
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    selectFused(call, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), false,
                false);
    return true;
  case Intrinsic::sqrt: {
    const Register value = argument(0);
    for (unsigned part = 0; part < shape.registers; ++part)
      emit(shape.vector ? (shape.single ? "vsqrts" : "vsqrtd")
                        : (shape.single ? "fsqrts" : "fsqrtd"),
           defined(call), {value});
    return true;
  }
  case Intrinsic::fabs:
    return chain({shape.vector ? "vcpys" : "fcpys"});
  case Intrinsic::copysign:
    return chain({shape.vector ? "vcpys" : "fcpys"});
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
    return minimum("cmplt");
  case Intrinsic::umin:
  case Intrinsic::umax:
    return minimum("cmpult");
  case Intrinsic::abs:
    return shape.vector ? chain({"vsubw", "vselltw"}) : chain({"subl", "selge"});
  case Intrinsic::ctpop:
    return chain({shape.vector ? "ctpopow" : "ctpop"});
  case Intrinsic::ctlz:
    return chain({shape.vector ? "ctlzow" : "ctlz"});
  case Intrinsic::cttz:
    return shape.vector ? chain({"vsubw", "vandw", "ctlzow"}) : chain({"cttz"});
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
    // Bytes are extracted, shifted and joined; no instruction turns them round.
    return chain({"extlb", "sll", "bis", "extlb", "sll", "bis", "extlb", "sll", "bis", "zapnot"});
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return chain({"sll", "srl", "bis"});
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::usub_with_overflow:
    return chain({"addl", "cmpult"});
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
    return chain({"addl", "sextw", "cmpeq", "xor"});
  case Intrinsic::umul_with_overflow:
  case Intrinsic::smul_with_overflow:
    return chain({"mull", "umulh", "cmpult"});
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
    return shape.vector ? chain({"vucaddw"}) : chain({"addl", "cmpult", "selne"});
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
    return shape.vector ? chain({"vucaddw"}) : chain({"addl", "sextw", "cmplt", "selne", "selne"});
  case Intrinsic::sshl_sat:
  case Intrinsic::ushl_sat:
    return chain({"sll", "srl", "cmpeq", "selne"});
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
    return chain({"cmplt", "cmplt", "subl"});
  case Intrinsic::is_fpclass:
    return chain({"srl", "and", "cmpeq", "bis"});
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return chain({shape.vector ? "vfcvtdl" : "fcvtdl_z"});
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
  case Intrinsic::trunc:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::round:
    // To an integer in the wanted direction, and back.
    return shape.vector ? chain({"vfcvtdl", "vfcvtld"}) : chain({"fcvtdl", "fcvtld"});
  case Intrinsic::lrint:
  case Intrinsic::llrint:
  case Intrinsic::lround:
  case Intrinsic::llround:
    return chain({"fcvtdl"});
  case Intrinsic::ldexp:
  case Intrinsic::frexp:
    return chain({"sll", "addl"});
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
    return chain({"vshfw", "vaddw", "vshfw", "vaddw", "vshfw", "vaddw"});
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
    return chain({"vshff", "vaddd", "vshff", "vaddd"});
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
    selectCopy(cast<MemIntrinsic>(call));
    return true;
  case Intrinsic::vastart:
  case Intrinsic::vacopy:
    emit("stl", noRegister, {zeroRegister, argument(0)}).writes = true;
    return true;
  case Intrinsic::vaend:
  case Intrinsic::stackrestore:
  case Intrinsic::prefetch:
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
    emit("nop", noRegister, {});
    return true;
  case Intrinsic::stacksave:
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::thread_pointer:
  case Intrinsic::threadlocal_address:
  case Intrinsic::ptrmask:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::ssa_copy:
  case Intrinsic::objectsize:
  case Intrinsic::is_constant:
  case Intrinsic::get_rounding:
    return chain({"mov"});
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::sincos:
  case Intrinsic::modf:
    // A call of the library each lane; what happens inside is the library's cost.
    for (unsigned lane = 0; lane < shape.lanes; ++lane)
      selectLibraryCall(call, call.getCalledFunction()->getName());
    return true;
  default:
    // Constrained forms and what else has no effect of its own.
    return call.getType()->isVoidTy() && call.doesNotAccessMemory();
  }
}

/// Short copies of constant length are loads and stores, others the library's loop, whose turns are
/// charged when the length is known.
void Selector::selectCopy(const MemIntrinsic &call) {
  const auto *length = dyn_cast<ConstantInt>(call.getLength());
  const auto *transfer = dyn_cast<MemTransferInst>(&call);
  const unsigned most = table_.core().copyInlineBytes, chunk = table_.core().copyChunkBytes;
  if (length && length->getLimitedValue() <= most) {
    const std::uint64_t bytes = length->getZExtValue();
    const Address to = address(call.getRawDest(), call);
    const Address from = transfer ? address(transfer->getRawSource(), call) : Address();
    const Register value = transfer ? code_.fresh() : registerOf(call.getArgOperand(1));
    const std::uint64_t aligned =
        std::min<std::uint64_t>(call.getDestAlign().valueOrOne().value(),
                                transfer ? transfer->getSourceAlign().valueOrOne().value() : chunk);
    const std::uint64_t step = std::clamp<std::uint64_t>(aligned, 1, chunk);
    LLVMContext &context = function_.getContext();
    for (std::uint64_t done = 0; done < bytes;) {
      std::uint64_t part = step;
      while (part > bytes - done)
        part /= 2;
      part = part > 8 && part < 32 ? 8 : part;
      Type *type = part >= 32
                       ? static_cast<Type *>(FixedVectorType::get(Type::getInt64Ty(context), 4))
                       : Type::getIntNTy(context, part * 8);
      const Register moved = transfer ? code_.fresh() : value;
      Address source = from, target = to;
      source.displacement += std::int64_t(done);
      target.displacement += std::int64_t(done);
      if (transfer)
        emitLoad(type, 32, source, moved, call, nullptr);
      emitStore(type, 32, target, moved, call, nullptr);
      done += part;
    }
    return;
  }
  // The loop of the library: a load and a store a chunk on P1, each turn two cycles and a branch.
  selectLibraryCall(call, transfer ? "memcpy" : "memset");
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
