// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the text, and the selection of instructions block by block; Select.h says the idea.
#include "Select.h"

#include "Swcc.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace weft::swcc {

namespace {

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
  code_.ordered = isOrdered(function_);
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
  operation.inOrder = source && isKeptInOrder(*source) && !operation.glue &&
                      operation.opcode->kind != Kind::LoadConstant;
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
  if (const auto *slot = dyn_cast<AllocaInst>(value); slot && slot->isStaticAlloca()) {
    // The address of a local is cheaper to make again than to keep.
    const Register place = code_.fresh();
    Operation &operation = emit("ldi", place, {stackRegister});
    operation.symbol = slot;
    operation.hasImmediate = true;
    return place;
  }
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
