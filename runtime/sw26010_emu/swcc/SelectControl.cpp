// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a block: branches, switches, and what phis receive.
#include "Select.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft::swcc {

void Selector::selectTerminator(const Instruction &terminator) {
  // What a terminator computes (a comparison, a constant) may stand before phi copies; the branch
  // itself ends the block.
  std::vector<Operation> &branch = drafts_[current_].branch;
  const auto jump = [&](StringRef mnemonic, ArrayRef<Register> uses, const BasicBlock *target) {
    Operation operation;
    operation.opcode = &table_[mnemonic];
    operation.uses.assign(uses.begin(), uses.end());
    operation.source = &terminator;
    operation.target = target;
    branch.push_back(std::move(operation));
  };
  if (const auto *conditional = dyn_cast<BranchInst>(&terminator)) {
    if (conditional->isConditional())
      return selectBranch(*conditional);
    if (numbers_[conditional->getSuccessor(0)] != current_ + 1)
      jump("br", {zeroRegister}, conditional->getSuccessor(0));
    return;
  }
  switch (terminator.getOpcode()) {
  case Instruction::Ret: {
    const Value *result = terminator.getNumOperands() ? terminator.getOperand(0) : nullptr;
    SmallVector<Register, 1> uses;
    if (result && !isa<UndefValue>(result))
      uses.push_back(registerOf(result));
    return jump("ret", uses, nullptr);
  }
  case Instruction::Switch:
    return selectSwitch(cast<SwitchInst>(terminator));
  case Instruction::IndirectBr:
    return jump("jmp", {registerOf(terminator.getOperand(0))}, nullptr);
  case Instruction::Unreachable:
    return;
  default:
    refuse(terminator, Twine("no CPE instruction is known for '") + terminator.getOpcodeName() +
                           "'; this is a fault of Weft, please report it");
  }
}

CmpInst::Predicate Selector::signedPredicate(const CmpInst &instruction) {
  const auto *compare = dyn_cast<ICmpInst>(&instruction);
  return compare && compare->hasSameSign() ? compare->getSignedPredicate()
                                           : instruction.getPredicate();
}

/// What an integer comparison with a constant compares. LLVM likes to test a count before its last
/// step; a compiler that counts in a register tests it after, which needs one register less.
std::optional<std::pair<const Value *, std::int64_t>>
Selector::nextCount(const CmpInst &instruction) const {
  const auto *number = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (!isa<ICmpInst>(instruction) || !number || number->getBitWidth() > 64)
    return std::nullopt;
  const Value *value = instruction.getOperand(0);
  std::int64_t bound = number->getSExtValue();
  const auto *phi = dyn_cast<PHINode>(value);
  const Loop *loop = phi ? loops_.getLoopFor(phi->getParent()) : nullptr;
  const BasicBlock *latch = loop ? loop->getLoopLatch() : nullptr;
  if (latch && latch == instruction.getParent() && loop->getHeader() == phi->getParent() &&
      !CmpInst::isUnsigned(signedPredicate(instruction))) {
    const Value *next = phi->getIncomingValueForBlock(latch);
    const APInt *step = nullptr;
    if (match(next, m_Add(m_Specific(phi), m_APInt(step)))) {
      value = next;
      bound += step->getSExtValue();
    }
  }
  return std::pair(value, bound);
}

void Selector::selectBranch(const BranchInst &branch) {
  Operation operation;
  operation.source = &branch;
  // The branch goes where the text does not; if that is neither way, back in a loop.
  const bool toSecond = numbers_[branch.getSuccessor(0)] == current_ + 1 ||
                        (numbers_[branch.getSuccessor(1)] != current_ + 1 &&
                         numbers_[branch.getSuccessor(1)] <= current_);
  operation.target = branch.getSuccessor(toSecond ? 1 : 0);
  const auto *condition = dyn_cast<CmpInst>(branch.getCondition());
  StringRef taken = "bne", other = "beq";
  if (!condition || !folded_.contains(condition)) {
    operation.uses.push_back(registerOf(branch.getCondition()));
  } else if (const auto next = nextCount(*condition);
             next && next->second == 0 && !CmpInst::isUnsigned(signedPredicate(*condition))) {
    // A comparison with zero is the branch's own.
    operation.uses.push_back(registerOf(next->first));
    switch (signedPredicate(*condition)) {
    case CmpInst::ICMP_EQ:
      taken = "beq", other = "bne";
      break;
    case CmpInst::ICMP_SLT:
      taken = "blt", other = "bge";
      break;
    case CmpInst::ICMP_SLE:
      taken = "ble", other = "bgt";
      break;
    case CmpInst::ICMP_SGT:
      taken = "bgt", other = "ble";
      break;
    case CmpInst::ICMP_SGE:
      taken = "bge", other = "blt";
      break;
    default:
      break;
    }
  } else {
    bool inverted = false;
    operation.uses.push_back(compare(*condition, inverted));
    if (isa<FCmpInst>(condition))
      taken = "fbne", other = "fbeq";
    if (inverted)
      std::swap(taken, other);
  }
  operation.opcode = &table_[toSecond ? other : taken];
  drafts_[current_].branch.push_back(std::move(operation));
}

/// Few cases are compared one after the other; many jump through a table in main memory.
void Selector::selectSwitch(const SwitchInst &instruction) {
  constexpr unsigned mostCompared = 4;
  const Register value = registerOf(instruction.getCondition());
  std::vector<Operation> &branch = drafts_[current_].branch;
  const auto add = [&](StringRef mnemonic, Register def, ArrayRef<Register> uses) -> Operation & {
    Operation operation;
    operation.opcode = &table_[mnemonic];
    operation.def = def;
    operation.uses.assign(uses.begin(), uses.end());
    operation.source = &instruction;
    branch.push_back(std::move(operation));
    return branch.back();
  };
  if (instruction.getNumCases() <= mostCompared) {
    // On average half of the comparisons run; the last branch stands for the one taken.
    const unsigned compared = (instruction.getNumCases() + 1) / 2;
    for (unsigned number = 0; number < compared; ++number) {
      const Register equal = code_.fresh();
      emit("cmpeq", equal, {value}).hasImmediate = true;
      if (number + 1 == compared)
        add("bne", noRegister, {equal});
    }
    return;
  }
  const Register index = code_.fresh(), inside = code_.fresh(), target = code_.fresh();
  emit("subw", index, {value}).hasImmediate = true;
  emit("cmpult", inside, {index}).hasImmediate = true;
  emit("s4addl", target, {index, inside});
  Operation &load = emit("ldl_literal", target, {target});
  load.reads = true;
  add("jmp", noRegister, {target});
}

/// Copies to phis at the ends of predecessors, so ordered that none overwrites what another reads.
void Selector::selectPhiCopies() {
  for (unsigned index = 0; index < code_.blocks.size(); ++index) {
    current_ = index;
    SmallVector<std::pair<Register, const Value *>, 8> pending;
    for (const unsigned successor : code_.blocks[index].successors)
      for (const PHINode &phi : code_.blocks[successor].ir->phis()) {
        const Value *value = phi.getIncomingValueForBlock(code_.blocks[index].ir);
        if (needed_.contains(&phi) && !isa<UndefValue>(value))
          pending.emplace_back(registerOf(&phi), value);
      }
    copyAll(index, std::move(pending));
  }
}

void Selector::copyAll(unsigned block, SmallVector<std::pair<Register, const Value *>, 8> pending) {
  struct Move {
    Register to, from;
  };
  SmallVector<Move, 8> moves;
  const auto move = [&](Register to, Register from) {
    Operation operation;
    operation.opcode = &table_["mov"];
    operation.def = to;
    operation.uses = {from};
    operation.copy = operation.lastCopy = operation.glue = true;
    operation.source = code_.blocks[block].ir->getTerminator();
    drafts_[block].copies.push_back(std::move(operation));
  };
  for (const auto &[to, value] : pending) {
    const auto *integer = dyn_cast<ConstantInt>(value);
    if (integer && integer->getValue().isSignedIntN(16) && !integer->isZero())
      continue; // below: nothing reads it
    if (const Register from = registerOf(value); from != to)
      moves.push_back({to, from});
  }
  while (!moves.empty()) {
    auto *free = find_if(moves, [&](const Move &candidate) {
      return none_of(moves, [&](const Move &other) { return other.from == candidate.to; });
    });
    if (free == moves.end()) {
      const Register saved = code_.fresh();
      move(saved, moves.front().from);
      for (Move &other : moves)
        if (other.from == moves.front().from && &other != &moves.front())
          other.from = saved;
      moves.front().from = saved;
      // Whoever was to overwrite the saved register is free now.
      free = find_if(moves, [&](const Move &candidate) {
        return none_of(moves, [&](const Move &other) { return other.from == candidate.to; });
      });
      if (free == moves.end())
        free = moves.begin();
    }
    move(free->to, free->from);
    moves.erase(free);
  }
  for (const auto &[to, value] : pending) {
    const auto *integer = dyn_cast<ConstantInt>(value);
    if (!integer || !integer->getValue().isSignedIntN(16) || integer->isZero())
      continue;
    move(to, zeroRegister);
    Operation &operation = drafts_[block].copies.back();
    operation.copy = false;
    operation.immediate = integer->getSExtValue();
    operation.hasImmediate = true;
  }
}

} // namespace weft::swcc
