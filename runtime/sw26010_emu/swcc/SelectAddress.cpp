// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses that loads and stores need. An address is an expression of scalar evolution plus
// a constant, which the access takes as its displacement; what is left is computed once where it
// does not vary, and advanced by one addition a turn where it varies affinely. Accesses that differ
// by constants have the same expression, hence share the pointer.
#include "Select.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Longer expressions are left as the program computes them.
constexpr unsigned longestExpression = 48;

bool canCompute(const SCEV *expression, const BasicBlock *where, LoopInfo &loops) {
  struct Visitor {
    const BasicBlock *where;
    LoopInfo &loops;
    bool fine = true;
    bool follow(const SCEV *part) {
      if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(part)) {
        const Loop *loop = recurrence->getLoop();
        fine = fine && recurrence->isAffine() && loop->contains(where) &&
               loop->getLoopPreheader() && loop->getLoopLatch();
      }
      fine = fine && !isa<SCEVCouldNotCompute>(part) && part->getSCEVType() != scVScale;
      return fine;
    }
    bool isDone() const { return !fine; }
  };
  if (expression->getExpressionSize() > longestExpression)
    return false;
  Visitor visitor{where, loops};
  visitAll(expression, visitor);
  return visitor.fine;
}

} // namespace

// ---- addresses ----

std::pair<const SCEV *, std::int64_t> Selector::splitConstant(const SCEV *expression) {
  if (const auto *number = dyn_cast<SCEVConstant>(expression))
    if (number->getAPInt().isSignedIntN(63))
      return {nullptr, number->getAPInt().getSExtValue()};
  if (const auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
    // Beside terms of inner loops, the constant may be in the start of an outer one's.
    SmallVector<const SCEV *, 4> rest;
    std::int64_t displacement = 0;
    for (const SCEV *operand : sum->operands()) {
      const auto [varying, more] = splitConstant(operand);
      if (AddOverflow(displacement, more, displacement))
        return {expression, 0};
      if (varying)
        rest.push_back(varying);
    }
    if (displacement)
      return {evolution_.getAddExpr(rest), displacement};
  }
  if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression);
      recurrence && recurrence->isAffine()) {
    const auto [start, displacement] = splitConstant(recurrence->getStart());
    if (displacement && start)
      return {evolution_.getAddRecExpr(start, recurrence->getOperand(1), recurrence->getLoop(),
                                       SCEV::FlagAnyWrap),
              displacement};
  }
  return {expression, 0};
}

/// The address as an expression that can be computed in `where`; null where the program's own
/// computation has to do.
const SCEV *Selector::addressOf(const Value *pointer, const BasicBlock *where) {
  if (!evolution_.isSCEVable(pointer->getType()))
    return nullptr;
  const SCEV *expression = evolution_.getSCEV(const_cast<Value *>(pointer));
  if (!canCompute(expression, where, loops_))
    expression = evolution_.getSCEVAtScope(expression, loops_.getLoopFor(where));
  if (!canCompute(expression, where, loops_))
    return nullptr;
  // A pointer that scalar evolution knows nothing about is the value itself.
  const auto *unknown = dyn_cast<SCEVUnknown>(expression);
  return unknown && unknown->getValue() == pointer && isa<GetElementPtrInst>(pointer) ? nullptr
                                                                                      : expression;
}

Selector::Address Selector::address(const Value *pointer, const Instruction &user) {
  const std::int64_t limit = table_.core().displacementLimit;
  const SCEV *expression = addressOf(pointer, user.getParent());
  Address result;
  if (!expression) {
    const auto *element = dyn_cast<GetElementPtrInst>(pointer);
    if (!element || pointer != &user) {
      result.base = registerOf(pointer);
      return result;
    }
    // As the program writes it: a multiplication and an addition an index.
    result.base = registerOf(element->getPointerOperand());
    for (const Use &index : element->indices()) {
      if (isa<Constant>(index))
        continue;
      const Register scaled = code_.fresh(), sum = code_.fresh();
      emit("mull", scaled, {registerOf(index)}).hasImmediate = true;
      emit("addl", sum, {result.base, scaled});
      result.base = sum;
    }
    return result;
  }
  auto [base, displacement] = splitConstant(expression);
  // What a displacement has no bits for is the base's: accesses near each other share that, too.
  if (displacement < -limit || displacement >= limit) {
    const std::int64_t low =
        displacement - 2 * limit * divideFloorSigned(displacement + limit, 2 * limit);
    const SCEV *high = evolution_.getConstant(
        evolution_.getEffectiveSCEVType(expression->getType()), displacement - low, true);
    base = base ? evolution_.getAddExpr(base, high) : high;
    displacement = low;
  }
  result.displacement = displacement;
  if (!base)
    return result;
  if (const auto *unknown = dyn_cast<SCEVUnknown>(base)) {
    const auto *slot = dyn_cast<AllocaInst>(unknown->getValue());
    if (slot && slot->isStaticAlloca()) {
      result.base = stackRegister;
      result.symbol = slot;
      return result;
    }
    if (isLocal(unknown->getValue()))
      result.symbol = unknown->getValue();
  }
  result.base = materialise(base, here());
  return result;
}

// ---- places ----

bool Selector::reaches(const Place &from, const Place &to) const {
  if (from.block == to.block)
    return !from.atEnd || to.atEnd;
  return dominators_.dominates(code_.blocks[from.block].ir, code_.blocks[to.block].ir);
}

/// As far out of loops as `expression` does not vary.
Selector::Place Selector::hoisted(const SCEV *expression, Place place) {
  for (const Loop *loop = loops_.getLoopFor(code_.blocks[place.block].ir);
       loop && loop->getLoopPreheader() && evolution_.isLoopInvariant(expression, loop);
       loop = loops_.getLoopFor(code_.blocks[place.block].ir))
    place = {numbers_[loop->getLoopPreheader()], true};
  return place;
}

Selector::Place Selector::outermost(Place place) {
  for (const Loop *loop = loops_.getLoopFor(code_.blocks[place.block].ir);
       loop && loop->getLoopPreheader(); loop = loops_.getLoopFor(code_.blocks[place.block].ir))
    place = {numbers_[loop->getLoopPreheader()], true};
  return place;
}

// ---- expressions ----

Register Selector::materialise(const SCEV *expression, Place place) {
  if (const auto *number = dyn_cast<SCEVConstant>(expression))
    return number->getAPInt().getSignificantBits() <= 64
               ? integerConstant(number->getAPInt().getSExtValue(), place)
               : zeroRegister;
  if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(expression))
    return materialisePointer(*recurrence);
  if (const auto *unknown = dyn_cast<SCEVUnknown>(expression)) {
    const Value *value = unknown->getValue();
    if (const auto *literal = dyn_cast<Constant>(value))
      return isLocal(literal) ? addressConstant(*cast<GlobalValue>(literal), place)
                              : constant(*literal, place);
    const auto *slot = dyn_cast<AllocaInst>(value);
    if (!slot || !slot->isStaticAlloca())
      return registerOf(value);
  }
  switch (expression->getSCEVType()) {
  case scTruncate:
  case scSignExtend:
  case scPtrToInt:
    // The register already holds it.
    return materialise(cast<SCEVCastExpr>(expression)->getOperand(), place);
  default:
    break;
  }

  place = hoisted(expression, place);
  for (const Available &known : expressions_[expression])
    if (reaches(known.place, place))
      return known.name;
  Register name = noRegister;
  switch (expression->getSCEVType()) {
  case scUnknown: { // a local array
    name = code_.fresh();
    Operation &operation = emit(place, "ldi", name, {stackRegister}, source_);
    operation.symbol = cast<SCEVUnknown>(expression)->getValue();
    break;
  }
  case scZeroExtend: {
    const auto *cast = llvm::cast<SCEVZeroExtendExpr>(expression);
    const Register from = materialise(cast->getOperand(), place);
    name = code_.fresh();
    Operation &operation = emit(place, "zapnot", name, {from}, source_);
    operation.immediate = (1 << (cast->getOperand()->getType()->getIntegerBitWidth() / 8)) - 1;
    operation.hasImmediate = true;
    break;
  }
  case scAddExpr:
    name = materialiseSum(*cast<SCEVAddExpr>(expression), place);
    break;
  case scUDivExpr: {
    const auto *division = cast<SCEVUDivExpr>(expression);
    const auto *divisor = dyn_cast<SCEVConstant>(division->getRHS());
    const Register value = materialise(division->getLHS(), place);
    name = code_.fresh();
    if (divisor && divisor->getAPInt().isPowerOf2()) {
      Operation &operation = emit(place, "srl", name, {value}, source_);
      operation.immediate = divisor->getAPInt().logBase2();
      operation.hasImmediate = true;
    } else if (divisor) {
      const Register product = code_.fresh();
      emit(place, "umulh", product, {value, materialise(divisor, place)}, source_);
      emit(place, "srl", name, {product}, source_).hasImmediate = true;
    } else {
      const Register quotient = code_.fresh();
      emit(place, "fdivd", quotient, {value, materialise(division->getRHS(), place)}, source_);
      for (unsigned count = 1; count < table_.core().divideSequence; ++count)
        emit(place, "addl", quotient, {quotient}, source_);
      emit(place, "fcvtdl_z", name, {quotient}, source_);
    }
    break;
  }
  case scMulExpr: {
    const auto *product = cast<SCEVMulExpr>(expression);
    const auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0));
    name = materialise(product->getOperand(product->getNumOperands() - 1), place);
    for (unsigned index = 0; index + 1 < product->getNumOperands(); ++index) {
      const Register next = code_.fresh();
      const bool first = index == 0 && factor;
      if (first && factor->getAPInt().isPowerOf2()) {
        Operation &operation = emit(place, "sll", next, {name}, source_);
        operation.immediate = factor->getAPInt().logBase2();
        operation.hasImmediate = true;
      } else if (first && factor->getAPInt().isAllOnes()) {
        emit(place, "subl", next, {zeroRegister, name}, source_);
      } else {
        const Register other = materialise(product->getOperand(index), place);
        emit(place, "mull", next, {other, name}, source_);
      }
      name = next;
    }
    break;
  }
  default: {
    // Minima and maxima: a comparison and a selection an operand.
    const auto *many = cast<SCEVNAryExpr>(expression);
    name = materialise(many->getOperand(0), place);
    for (const SCEV *operand : drop_begin(many->operands())) {
      const Register other = materialise(operand, place), less = code_.fresh(),
                     next = code_.fresh();
      emit(place, "cmplt", less, {name, other}, source_);
      emit(place, "selne", next, {less, name, other}, source_);
      name = next;
    }
  }
  }
  expressions_[expression].push_back({place, name});
  return name;
}

/// Terms times 4 or 8 are added by one instruction.
Register Selector::materialiseSum(const SCEVNAryExpr &sum, Place place) {
  SmallVector<std::pair<const SCEV *, unsigned>, 4> scaled;
  SmallVector<const SCEV *, 4> plain;
  std::int64_t number = 0;
  for (const SCEV *operand : sum.operands()) {
    if (const auto *literal = dyn_cast<SCEVConstant>(operand)) {
      number = literal->getAPInt().getSExtValue();
      continue;
    }
    const auto *product = dyn_cast<SCEVMulExpr>(operand);
    const auto *factor = product && product->getNumOperands() == 2
                             ? dyn_cast<SCEVConstant>(product->getOperand(0))
                             : nullptr;
    if (factor && (factor->getAPInt() == 4 || factor->getAPInt() == 8))
      scaled.emplace_back(product->getOperand(1), factor->getAPInt().getZExtValue());
    else
      plain.push_back(operand);
  }
  Register total = noRegister;
  for (const SCEV *term : plain) {
    const Register name = materialise(term, place);
    if (total == noRegister) {
      total = name;
      continue;
    }
    const Register next = code_.fresh();
    emit(place, "addl", next, {name, total}, source_);
    total = next;
  }
  for (const auto &[term, factor] : scaled) {
    const Register name = materialise(term, place), next = code_.fresh();
    emit(place, factor == 4 ? "s4addl" : "s8addl", next,
         {name, total == noRegister ? zeroRegister : total}, source_);
    total = next;
  }
  if (number) {
    const Register next = code_.fresh();
    if (isInt<16>(number)) {
      Operation &operation = emit(place, "ldi", next, {total}, source_);
      operation.immediate = number;
      operation.hasImmediate = true;
    } else {
      const Register literal = integerConstant(number, place);
      emit(place, "addl", next, {total, literal}, source_);
    }
    total = next;
  }
  return total;
}

/// A register that starts in the preheader and advances at the latch.
Register Selector::materialisePointer(const SCEVAddRecExpr &recurrence) {
  auto &known = expressions_[&recurrence];
  if (!known.empty())
    return known.front().name;
  const Loop *loop = recurrence.getLoop();
  const Register name = code_.fresh();
  const Place before = {numbers_[loop->getLoopPreheader()], true};
  known.push_back({before, name}); // before its parts: they may make the map grow
  const Register start = materialise(recurrence.getStart(), before);
  Operation &copy = emit(before, "mov", name, {start}, source_);
  copy.copy = start != zeroRegister && start != stackRegister;

  Operation advance;
  advance.opcode = &table_["addl"];
  advance.def = name;
  advance.uses = {name};
  advance.glue = true;
  advance.source = loop->getLoopLatch()->getTerminator();
  const auto *step = dyn_cast<SCEVConstant>(recurrence.getOperand(1));
  if (step && step->getAPInt().isSignedIntN(16)) {
    advance.opcode = &table_["ldi"];
    advance.immediate = step->getAPInt().getSExtValue();
    advance.hasImmediate = true;
  } else {
    advance.uses.push_back(materialise(recurrence.getOperand(1), before));
  }
  drafts_[numbers_[loop->getLoopLatch()]].increments.push_back(std::move(advance));
  return name;
}

} // namespace weft::swcc
