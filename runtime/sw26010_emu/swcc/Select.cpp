// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a function is selected, block by block; Select.h says the idea.
#include "Select.h"

#include "Charge.h"
#include "Marks.h"
#include "Swcc.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft::swcc {

namespace {

/// Loads of LDM words by halves and bytes zero-extend; other sub-registers hold their sign.
bool isNarrowLoad(const Value *value) {
  const auto *load = dyn_cast<LoadInst>(value);
  return load && load->getType()->isIntegerTy() && load->getType()->getIntegerBitWidth() <= 16;
}

bool isIgnored(const Instruction &instruction) {
  if (instruction.isDebugOrPseudoInst() || isCharge(instruction))
    return true;
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

bool isOrderedByAnnotation(const Function &function) {
  const GlobalVariable *all = function.getParent()->getGlobalVariable("llvm.global.annotations");
  const auto *rows =
      all && all->hasInitializer() ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
  if (!rows)
    return false;
  for (const Use &row : rows->operands()) {
    const auto *fields = dyn_cast<ConstantStruct>(row);
    if (!fields || fields->getOperand(0)->stripPointerCasts() != &function)
      continue;
    const auto *text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    const auto *bytes = text && text->hasInitializer()
                            ? dyn_cast<ConstantDataArray>(text->getInitializer())
                            : nullptr;
    if (bytes && bytes->isCString() && bytes->getAsCString() == "weft_ordered")
      return true;
  }
  return false;
}

/// The order of the text: after a block its likeliest successor, loops in one piece.
std::vector<BasicBlock *> layOut(Function &function, const LoopInfo &loops,
                                 const BranchProbabilityInfo &probabilities) {
  std::vector<BasicBlock *> order;
  DenseSet<const BasicBlock *> placed;
  const ReversePostOrderTraversal<Function *> natural(&function);
  BasicBlock *next = &function.getEntryBlock();
  while (next) {
    BasicBlock *block = next;
    order.push_back(block);
    placed.insert(block);
    next = nullptr;
    const Loop *loop = loops.getLoopFor(block);
    const auto inside = [&](const BasicBlock *other) { return !loop || loop->contains(other); };
    BranchProbability best = BranchProbability::getZero();
    for (BasicBlock *successor : successors(block)) {
      const BranchProbability share = probabilities.getEdgeProbability(block, successor);
      if (!placed.contains(successor) && inside(successor) && (!next || share > best)) {
        next = successor;
        best = share;
      }
    }
    for (; !next; loop = loop->getParentLoop()) {
      for (BasicBlock *other : natural)
        if (!placed.contains(other) && inside(other)) {
          next = other;
          break;
        }
      if (!loop)
        break;
    }
  }
  return order;
}

} // namespace

Shape shapeOf(Type *type) {
  Shape shape;
  if (const auto *vector = dyn_cast<FixedVectorType>(type)) {
    Type *element = vector->getElementType();
    shape.vector = true;
    shape.lanes = vector->getNumElements();
    shape.floating = element->isFloatingPointTy();
    shape.single = element->isFloatTy();
    shape.bits = element->isPointerTy() ? 64 : element->getScalarSizeInBits();
    // A register holds four lanes of floating point, whatever their format, or 256 bits.
    shape.registers = shape.floating || shape.bits == 1
                          ? (shape.lanes + 3) / 4
                          : unsigned((std::uint64_t(shape.bits) * shape.lanes + 255) / 256);
    return shape;
  }
  shape.floating = type->isFloatingPointTy();
  shape.single = type->isFloatTy();
  shape.bits = type->isIntegerTy() || shape.floating ? unsigned(type->getScalarSizeInBits()) : 64;
  if (type->isIntegerTy())
    shape.registers = std::max(1U, (shape.bits + 63) / 64);
  return shape;
}

Selector::Selector(Function &function, FunctionAnalysisManager &analyses, Code &code)
    : function_(function), code_(code), loops_(analyses.getResult<LoopAnalysis>(function)),
      dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
      evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
      table_(Instructions::get()), analyses_(analyses) {}

bool select(Function &function, FunctionAnalysisManager &analyses, Code &code) {
  return Selector(function, analyses, code).run();
}

bool Selector::run() {
  code_.function = &function_;
  code_.ordered = isOrderedByAnnotation(function_);
  for (BasicBlock *block :
       layOut(function_, loops_, analyses_.getResult<BranchProbabilityAnalysis>(function_))) {
    numbers_[block] = code_.blocks.size();
    Block made;
    made.ir = block;
    made.depth = loops_.getLoopDepth(block);
    code_.blocks.push_back(std::move(made));
  }
  drafts_.resize(code_.blocks.size());
  for (Block &block : code_.blocks)
    for (const BasicBlock *successor : llvm::successors(block.ir)) {
      const unsigned number = numbers_[successor], own = &block - code_.blocks.data();
      if (is_contained(block.successors, number))
        continue; // several cases of a switch
      block.successors.push_back(number);
      code_.blocks[number].predecessors.push_back(own);
    }

  findNeeded();
  findFolded();
  unsigned index = 0;
  const unsigned inRegisters = table_.core().argumentRegisters;
  for (const Argument &argument : function_.args()) {
    const Register name = code_.fresh();
    registers_[&argument] = name;
    if (argument.use_empty())
      continue;
    if (index++ < inRegisters)
      code_.arguments.push_back(name);
    else
      emit({0, false}, shapeOf(argument.getType()).floating ? "fldd" : "ldl", name, {stackRegister},
           nullptr)
          .reads = true;
  }
  for (const BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
    selectBlock(numbers_[block]);
  if (!failed_) {
    selectPhiCopies();
    finish();
  }
  return !failed_;
}

// ---- what is needed ----

void Selector::need(const Value *value) {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (instruction && needed_.insert(instruction).second)
    worklist_.push_back(instruction);
}

void Selector::needAddress(const Value *pointer, const BasicBlock *where) {
  const SCEV *expression = addressOf(pointer, where);
  if (!expression) {
    need(pointer);
    return;
  }
  struct Visitor {
    Selector &self;
    bool follow(const SCEV *part) {
      if (const auto *unknown = dyn_cast<SCEVUnknown>(part))
        self.need(unknown->getValue());
      return true;
    }
    static bool isDone() { return false; }
  };
  Visitor visitor{*this};
  visitAll(expression, visitor);
}

void Selector::needOperands(const Instruction &instruction) {
  const BasicBlock *where = instruction.getParent();
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return needAddress(load->getPointerOperand(), where);
  if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
    needAddress(store->getPointerOperand(), where);
    return need(store->getValueOperand());
  }
  if (isa<GetElementPtrInst>(instruction) && addressOf(&instruction, where))
    return needAddress(&instruction, where);
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && isMarker(*call)) {
    for (const Use &argument : call->args())
      argument->getType()->isPointerTy() ? needAddress(argument, where) : need(argument);
    return;
  }
  for (const Use &operand : instruction.operands())
    need(operand);
}

void Selector::findNeeded() {
  for (const BasicBlock &block : function_)
    for (const Instruction &instruction : block)
      if (!isIgnored(instruction) &&
          (instruction.isTerminator() || instruction.mayHaveSideEffects() ||
           isa<CallBase>(instruction) && instruction.getType()->isVoidTy()))
        need(&instruction);
  while (!worklist_.empty())
    needOperands(*worklist_.pop_back_val());
}

// ---- what becomes part of another instruction ----

bool Selector::canFold(const Value *value, const Instruction &into) const {
  const auto *instruction = dyn_cast<Instruction>(value);
  return instruction && instruction->hasOneUse() && instruction->getParent() == into.getParent() &&
         !folded_.contains(instruction);
}

bool Selector::isFusedAfterNegation(const Instruction &negation) {
  return all_of(negation.users(), [](const User *user) {
    const auto *call = dyn_cast<IntrinsicInst>(user);
    return call && (call->getIntrinsicID() == Intrinsic::fma ||
                    call->getIntrinsicID() == Intrinsic::fmuladd);
  });
}

/// The scalar that `value` has in all lanes, if it is a plain splat.
const Value *Selector::splatSource(const Value *value) {
  Value *scalar = nullptr;
  if (match(value, m_Shuffle(m_InsertElt(m_Value(), m_Value(scalar), m_ZeroInt()), m_Value(),
                             m_ZeroMask())))
    return scalar;
  return nullptr;
}

void Selector::findFolded() {
  for (const BasicBlock &block : function_)
    for (const Instruction &instruction : block) {
      if (!needed_.contains(&instruction))
        continue;
      const auto *branch = dyn_cast<BranchInst>(&instruction);
      if (branch && branch->isConditional()) {
        if (isa<CmpInst>(branch->getCondition()) && canFold(branch->getCondition(), instruction))
          fold(branch->getCondition());
      } else if (const auto *choice = dyn_cast<SelectInst>(&instruction)) {
        if (isa<CmpInst>(choice->getCondition()) && canFold(choice->getCondition(), instruction))
          fold(choice->getCondition());
      } else if (instruction.getOpcode() == Instruction::FAdd ||
                 instruction.getOpcode() == Instruction::FSub) {
        for (const Use &operand : instruction.operands()) {
          Value *a = nullptr, *b = nullptr;
          if (match(operand.get(), m_FMul(m_Value(a), m_Value(b))) &&
              instruction.hasAllowContract() && cast<Instruction>(operand)->hasAllowContract() &&
              canFold(operand, instruction)) {
            fold(operand);
            break;
          }
        }
      } else if (instruction.getOpcode() == Instruction::FNeg) {
        if (isFusedAfterNegation(instruction))
          fold(&instruction);
      } else if (instruction.getOpcode() == Instruction::Add ||
                 instruction.getOpcode() == Instruction::Sub) {
        // s4addl a,b = 4 * a + b; for a difference only the first operand is scaled.
        const unsigned last = instruction.getOpcode() == Instruction::Sub ? 1 : 2;
        for (unsigned index = 0; index < last && !instruction.getType()->isVectorTy(); ++index) {
          const APInt *amount = nullptr;
          if (match(instruction.getOperand(index), m_Shl(m_Value(), m_APInt(amount))) &&
              (*amount == 2 || *amount == 3) &&
              canFold(instruction.getOperand(index), instruction)) {
            fold(instruction.getOperand(index));
            break;
          }
        }
      } else if (isa<ShuffleVectorInst>(instruction)) {
        if (const Value *scalar = splatSource(&instruction)) {
          const Value *insertion = instruction.getOperand(0);
          if (!insertion->hasOneUse())
            continue;
          fold(insertion);
          const auto *load = dyn_cast<LoadInst>(scalar);
          if (load && load->getType()->isFloatingPointTy() && load->isSimple() &&
              load->hasOneUse() && load->getParent() == instruction.getParent())
            fold(load);
        }
      }
    }
}

/// Conversions that change nothing in a register stand for their operand.
const Value *Selector::aliased(const Value *value) const {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !instruction->getNumOperands())
    return nullptr;
  const Value *operand = instruction->getOperand(0);
  switch (instruction->getOpcode()) {
  case Instruction::Trunc:
    return shapeOf(operand->getType()).vector ? nullptr : operand;
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
  case Instruction::FPExt: // a register holds the format of a double
    return operand;
  case Instruction::SExt:
    // 32-bit operations leave their result sign-extended; what a truncation leaves has to be.
    return !operand->getType()->isVectorTy() && operand->getType()->getIntegerBitWidth() == 32 &&
                   !isa<TruncInst>(operand)
               ? operand
               : nullptr;
  case Instruction::ZExt:
    return !operand->getType()->isVectorTy() &&
                   (operand->getType()->isIntegerTy(1) || isNarrowLoad(operand) ||
                    cast<PossiblyNonNegInst>(instruction)->hasNonNeg())
               ? operand
               : nullptr;
  case Instruction::ExtractElement: {
    const auto *lane = dyn_cast<ConstantInt>(instruction->getOperand(1));
    return lane && lane->isZero() ? operand : nullptr; // a scalar lies in lane 0
  }
  case Instruction::ExtractValue:
    return operand;
  default:
    return nullptr;
  }
}

// ---- registers and instructions ----

std::vector<Operation> &Selector::at(Place place) {
  Draft &draft = drafts_[place.block];
  return place.atEnd ? draft.end : draft.body;
}

Operation &Selector::emit(Place place, StringRef mnemonic, Register def, ArrayRef<Register> uses,
                          const Instruction *source) {
  Operation operation;
  operation.opcode = &table_[mnemonic];
  operation.def = def;
  operation.uses.assign(uses.begin(), uses.end());
  operation.source = source;
  operation.glue = operation.opcode->kind == Kind::Integer;
  at(place).push_back(std::move(operation));
  return at(place).back();
}

Operation &Selector::emit(StringRef mnemonic, Register def, ArrayRef<Register> uses) {
  return emit(here(), mnemonic, def, uses, source_);
}

void Selector::operand(Operation &operation, const Value *value) {
  const auto *integer = dyn_cast<ConstantInt>(value);
  if (integer && !integer->isZero() && !operation.hasImmediate &&
      integer->getValue().ule(table_.core().literalLimit)) {
    operation.immediate = integer->getZExtValue();
    operation.hasImmediate = true;
    return;
  }
  operation.uses.push_back(registerOf(value));
}

Operation &Selector::emitWith(StringRef mnemonic, Register def, ArrayRef<const Value *> operands) {
  // Registers first: making one may add instructions, which must precede this one.
  Operation made;
  for (const Value *value : operands)
    operand(made, value);
  Operation &operation = emit(mnemonic, def, made.uses);
  operation.immediate = made.immediate;
  operation.hasImmediate = made.hasImmediate;
  return operation;
}

Operation &Selector::emitWithImmediate(StringRef mnemonic, Register def, Register use,
                                       std::int64_t immediate) {
  Operation &operation = emit(mnemonic, def, {use});
  operation.immediate = immediate;
  operation.hasImmediate = true;
  return operation;
}

Register Selector::registerOf(const Value *value) {
  if (const Value *same = aliased(value))
    return registerOf(same);
  if (const auto *literal = dyn_cast<Constant>(value))
    return constant(*literal, here());
  Register &name = registers_[value];
  if (!name)
    name = code_.fresh();
  return name;
}

Register Selector::defined(const Instruction &instruction) { return registerOf(&instruction); }

void Selector::refuse(const Instruction &instruction, const Twine &what) {
  failed_ = true;
  error(instruction, what);
}

// ---- blocks ----

void Selector::selectBlock(unsigned index) {
  current_ = index;
  for (const Instruction &instruction : *code_.blocks[index].ir) {
    if (!needed_.contains(&instruction) || folded_.contains(&instruction) ||
        isa<PHINode>(instruction) || aliased(&instruction))
      continue;
    source_ = &instruction;
    if (instruction.isTerminator() && !isa<CallBase>(instruction))
      selectTerminator(instruction);
    else
      selectInstruction(instruction);
    if (failed_)
      return;
  }
}

void Selector::selectInstruction(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Load:
    return selectLoad(cast<LoadInst>(instruction));
  case Instruction::Store:
    return selectStore(cast<StoreInst>(instruction));
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FNeg:
    return selectFloating(instruction);
  case Instruction::ICmp:
  case Instruction::FCmp:
    return selectCompare(cast<CmpInst>(instruction));
  case Instruction::Select:
    return selectSelect(cast<SelectInst>(instruction));
  case Instruction::InsertElement:
  case Instruction::ExtractElement:
  case Instruction::ShuffleVector:
    return selectLanes(instruction);
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    return selectCall(cast<CallBase>(instruction));
  case Instruction::Alloca: {
    const auto &slot = cast<AllocaInst>(instruction);
    if (slot.isStaticAlloca())
      return; // its address is made where it is used
    const Register bytes = registerOf(slot.getArraySize());
    emit("subl", stackRegister, {stackRegister, bytes});
    emit("mov", defined(instruction), {stackRegister});
    return;
  }
  case Instruction::GetElementPtr: {
    const Address place = address(&instruction, instruction);
    Operation &operation = emit("ldi", defined(instruction), {place.base});
    operation.immediate = place.displacement;
    operation.hasImmediate = true;
    operation.symbol = place.symbol;
    // Without a displacement the pointer is its base.
    if (!place.displacement && !place.symbol) {
      operation.opcode = &table_["mov"];
      operation.copy = true;
      operation.hasImmediate = false;
    }
    return;
  }
  case Instruction::InsertValue:
    // Parts of an aggregate are registers of their own: only the new one moves.
    emitWith("mov", defined(instruction),
             {cast<InsertValueInst>(instruction).getInsertedValueOperand()})
        .copy = true;
    return;
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg: {
    Operation &operation = emitWith("faal", defined(instruction),
                                    {instruction.getOperand(1), instruction.getOperand(0)});
    operation.reads = operation.writes = operation.interaction = true;
    return;
  }
  case Instruction::Fence:
    emit("memb", noRegister, {}).interaction = true;
    return;
  case Instruction::VAArg:
    emitWith("ldl", defined(instruction), {instruction.getOperand(0)}).reads = true;
    emitWithImmediate("ldi", code_.fresh(), registerOf(instruction.getOperand(0)), 8);
    return;
  default:
    if (const auto *binary = dyn_cast<BinaryOperator>(&instruction))
      return selectBinary(*binary);
    if (const auto *cast = dyn_cast<CastInst>(&instruction))
      return selectCast(*cast);
    refuse(instruction, Twine("no CPE instruction is known for '") + instruction.getOpcodeName() +
                            "'; this is a fault of Weft, please report it");
  }
}

// ---- the end of a block ----

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

void Selector::finish() {
  for (unsigned index = 0; index < code_.blocks.size(); ++index) {
    std::vector<Operation> &all = code_.blocks[index].operations;
    Draft &draft = drafts_[index];
    for (std::vector<Operation> *part :
         {&draft.body, &draft.end, &draft.increments, &draft.copies, &draft.branch})
      std::move(part->begin(), part->end(), std::back_inserter(all));
  }
}

} // namespace weft::swcc
