// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves of and between lanes, and what has to be done lane by lane.
#include "Select.h"

using namespace llvm;

namespace weft::swcc {

/// Lane by lane: out of the vectors, the operation, and back.
void Selector::selectScalarised(const Instruction &instruction, const Shape &shape,
                                StringRef mnemonic) {
  const Register result = defined(instruction);
  SmallVector<Register, 3> from;
  for (const Use &operand : instruction.operands())
    if (!isa<BasicBlock>(operand))
      from.push_back(registerOf(operand));
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    SmallVector<Register, 3> scalars;
    for (const Register vector : from) {
      scalars.push_back(code_.fresh());
      emitWithImmediate("vextw", scalars.back(), vector, lane);
    }
    const Register done = code_.fresh();
    emit(mnemonic, done, scalars);
    Operation &operation = emit("vinsw", result, {done, lane ? result : zeroRegister});
    operation.immediate = lane;
    operation.hasImmediate = true;
  }
}

void Selector::selectLanes(const Instruction &instruction) {
  const Register result = defined(instruction);
  if (isa<ExtractElementInst>(instruction)) {
    const Shape shape = shapeOf(instruction.getOperand(0)->getType());
    const Register vector = registerOf(instruction.getOperand(0));
    if (!isa<Constant>(instruction.getOperand(1))) {
      // No instruction takes the lane from a register: through memory.
      emit("vstd", noRegister, {vector, stackRegister}).writes = true;
      emit(shape.floating ? "fldd" : "ldw", result,
           {registerOf(instruction.getOperand(1)), stackRegister})
          .reads = true;
      return;
    }
    emit(shape.floating ? "vextf" : "vextw", result, {vector}).hasImmediate = true;
    at(here()).back().immediate = cast<ConstantInt>(instruction.getOperand(1))->getZExtValue();
    return;
  }
  if (isa<InsertElementInst>(instruction)) {
    const Shape shape = shapeOf(instruction.getType());
    const Register scalar = registerOf(instruction.getOperand(1));
    const auto *lane = dyn_cast<ConstantInt>(instruction.getOperand(2));
    const Register vector = registerOf(instruction.getOperand(0));
    if (!lane) {
      emit("vstd", noRegister, {vector, stackRegister}).writes = true;
      emit(shape.floating ? "fstd" : "stw", noRegister, {scalar, stackRegister}).writes = true;
      emit("vldd", result, {stackRegister}).reads = true;
      return;
    }
    emit(shape.floating ? "vinsf" : "vinsw", result, {scalar, vector}).hasImmediate = true;
    at(here()).back().immediate = lane->getZExtValue();
    return;
  }
  const auto &shuffle = cast<ShuffleVectorInst>(instruction);
  const Shape shape = shapeOf(instruction.getType());
  if (const Value *scalar = splatSource(&instruction)) {
    const auto *load = dyn_cast<LoadInst>(scalar);
    if (load && folded_.contains(load))
      return selectSplatLoad(instruction, *load);
    const Register from = folded_.contains(instruction.getOperand(0))
                              ? registerOf(scalar)
                              : registerOf(instruction.getOperand(0));
    for (unsigned index = 0; index < shape.registers; ++index)
      emit(shape.floating ? "vcpyf" : "vcpyw", result, {from});
    return;
  }
  // One vshff takes its high lanes from one source and its low lanes from one: others take more.
  const int sourceLanes = shapeOf(shuffle.getOperand(0)->getType()).lanes;
  const ArrayRef<int> mask = shuffle.getShuffleMask();
  unsigned sourcesInHalves = 0;
  for (const bool high : {false, true}) {
    bool first = false, second = false;
    for (std::size_t lane = high ? mask.size() / 2 : 0;
         lane < (high ? mask.size() : mask.size() / 2); ++lane) {
      first = first || (mask[lane] >= 0 && mask[lane] < sourceLanes);
      second = second || mask[lane] >= sourceLanes;
    }
    sourcesInHalves += (first ? 1 : 0) + (second ? 1 : 0);
  }
  const bool isPlain = shuffle.isIdentity() || shuffle.isIdentityWithExtract();
  const Register a = registerOf(shuffle.getOperand(0)),
                 b = isa<UndefValue>(shuffle.getOperand(1)) ? a : registerOf(shuffle.getOperand(1));
  if (isPlain) {
    emit("vfmov", result, {a}).copy = true;
    return;
  }
  // Both sources in one half: a shuffle each for the parts, one to join them.
  const unsigned needed = sourcesInHalves <= 2 ? 1 : sourcesInHalves == 3 ? 2 : 3;
  const StringRef name = shape.floating || shape.bits == 64 ? "vshff" : "vshfw";
  for (unsigned part = 0; part < shape.registers; ++part) {
    Register left = a, right = b;
    for (unsigned index = 0; index + 1 < needed; ++index) {
      const Register joined = code_.fresh();
      emit(name, joined, {left, right}).hasImmediate = true;
      (index ? right : left) = joined;
    }
    emit(name, result, {left, right}).hasImmediate = true;
  }
}

} // namespace weft::swcc
