// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's intrinsics.
#include "Select.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::swcc {

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

} // namespace weft::swcc
