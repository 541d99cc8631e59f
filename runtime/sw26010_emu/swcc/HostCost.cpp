// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An out-of-order core overlaps blocks, so a block costs what the busiest of its resources is busy:
// issue slots, memory ports, floating-point pipes. Latencies count only where a loop carries them
// from turn to turn. Address arithmetic counts as the ISA has it: base and displacement are free, a
// scaled index is one operation.
#include "HostCost.h"

#include "Machine.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace weft::swcc {

namespace {

/// What one instruction needs.
struct Need {
  double slots = 0, memory = 0, floats = 0, extra = 0; // extra: cycles that nothing hides
  double latency = 0;
  std::uint32_t flops = 0;
};

std::uint64_t inSixteenths(double cycles) {
  return static_cast<std::uint64_t>(std::llround(cycles * 16));
}

std::uint32_t lanes(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// A product that only feeds a sum is one operation with it.
bool fusesIntoUser(const Instruction &product) {
  if (product.getOpcode() != Instruction::FMul || !product.hasOneUse())
    return false;
  const auto *user = dyn_cast<Instruction>(*product.user_begin());
  return user &&
         (user->getOpcode() == Instruction::FAdd || user->getOpcode() == Instruction::FSub) &&
         user->getParent() == product.getParent();
}

bool isAddressOnly(const Instruction &instruction) {
  return !instruction.use_empty() && all_of(instruction.users(), [&](const User *user) {
    if (const auto *load = dyn_cast<LoadInst>(user))
      return load->getPointerOperand() == &instruction;
    if (const auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperand() == &instruction && store->getValueOperand() != &instruction;
    return false;
  });
}

/// The count of a loop that also moves pointers: the pointers are moved instead of the count.
bool isCountBesidePointers(const Instruction &instruction, const HostFolding &folding) {
  const auto *carried = dyn_cast<PHINode>(instruction.getOperand(0));
  return carried && carried->getParent() == instruction.getParent() &&
         any_of(carried->users(), [&](const User *user) {
           if (folding.isFolded(*cast<Instruction>(user)))
             return true;
           if (isa<SExtInst>(user) || isa<ZExtInst>(user))
             return any_of(user->users(), [](const User *next) { return isa<GEPOperator>(next); });
           return isa<GEPOperator>(user);
         });
}

Need needOf(const Instruction &instruction, const HostParameters &p, const HostFolding &folding) {
  const std::uint32_t width = lanes(instruction.getType());
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
  case Instruction::BitCast:
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Freeze:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Unreachable:
    return {};
  case Instruction::SExt:
  case Instruction::ZExt:
    // Longs are sign-extended words already; only an index of a narrower type needs the operation.
    return {.slots = instruction.getOperand(0)->getType()->getScalarSizeInBits() < 32 ? 1.0 : 0.0,
            .latency = 0};
  case Instruction::GetElementPtr: {
    const auto &address = cast<GEPOperator>(instruction);
    if (address.hasAllConstantIndices())
      return {.slots = isAddressOnly(instruction) ? 0.0 : 1.0, .latency = p.integerLatency};
    return {.slots = 1, .latency = p.integerLatency};
  }
  case Instruction::Load:
    return {.slots = 1, .memory = 1, .latency = p.loadLatency};
  case Instruction::Store:
    return {.slots = 1, .memory = 1};
  case Instruction::FAdd:
  case Instruction::FSub:
    return {.slots = 1, .floats = 1, .latency = p.floatLatency, .flops = width};
  case Instruction::FMul:
    if (fusesIntoUser(instruction))
      return {.latency = 0, .flops = width};
    return {.slots = 1, .floats = 1, .latency = p.floatLatency, .flops = width};
  case Instruction::FDiv:
    return {.slots = 1,
            .floats = 1,
            .extra = p.divideCycles,
            .latency = p.floatLatency,
            .flops = width};
  case Instruction::FNeg:
  case Instruction::FCmp:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return {.slots = 1, .floats = 1, .latency = p.floatLatency};
  case Instruction::Add:
    return {.slots = isCountBesidePointers(instruction, folding) ? 0.0 : 1.0,
            .latency = p.integerLatency};
  case Instruction::Mul:
    return {.slots = 1, .latency = p.multiplyLatency};
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return {.slots = 1, .extra = p.integerDivideCycles, .latency = p.multiplyLatency};
  case Instruction::Br:
    // Falling through costs nothing, but which way a block falls is not known yet.
    return {.slots = cast<BranchInst>(instruction).isConditional() ? 1.0 : 0.5};
  case Instruction::Switch:
    return {.slots = 4, .extra = p.branchMissCycles * p.branchMissShare};
  case Instruction::Call:
  case Instruction::Invoke: {
    const auto &call = cast<CallBase>(instruction);
    if (call.isDebugOrPseudoInst() || isa<LifetimeIntrinsic>(instruction) ||
        isa<AssumeInst>(instruction))
      return {};
    const Function *callee = call.getCalledFunction();
    if (callee && callee->isIntrinsic()) {
      switch (callee->getIntrinsicID()) {
      case Intrinsic::fmuladd:
      case Intrinsic::fma:
        return {.slots = 1, .floats = 1, .latency = p.floatLatency, .flops = 2 * width};
      case Intrinsic::sqrt:
        return {.slots = 1,
                .floats = 1,
                .extra = p.squareRootCycles,
                .latency = p.floatLatency,
                .flops = width};
      case Intrinsic::memcpy:
      case Intrinsic::memmove:
      case Intrinsic::memset:
        // A word a slot; what the caches add is charged by the access itself.
        return {.slots = 4, .extra = p.callCycles};
      default:
        return {.slots = 1, .latency = p.integerLatency};
      }
    }
    const double library =
        callee && callee->isDeclaration() ? hostLibraryCycles(callee->getName()) : 0;
    return {.slots = 2.0 + call.arg_size(), .extra = p.callCycles + library};
  }
  case Instruction::Ret:
    return {.slots = 1};
  default:
    return {.slots = 1, .latency = p.integerLatency};
  }
}

} // namespace

HostParameters HostParameters::fromMachine() {
  const auto &machine = emu::Machine::get();
  const auto of = [&](const char *name) { return machine.number(std::string("mpe.") + name); };
  return {.issueWidth = of("issue_width"),
          .memoryPorts = of("memory_ports"),
          .floatPipes = of("float_pipes"),
          .integerLatency = of("integer_latency"),
          .loadLatency = of("load_latency"),
          .floatLatency = of("float_latency"),
          .multiplyLatency = of("multiply_latency"),
          .divideCycles = of("divide_cycles"),
          .squareRootCycles = of("square_root_cycles"),
          .integerDivideCycles = of("integer_divide_cycles"),
          .windowInstructions = of("window_instructions"),
          .branchMissCycles = of("branch_miss_cycles"),
          .branchMissShare = of("branch_miss_share"),
          .callCycles = of("call_cycles"),
          .branchHistoryTurns = machine.cycles("mpe.branch_history_turns"),
          .order = {.loadLatency = of("load_latency"),
                    .forwardLatency = of("forward_latency"),
                    .storeAddressCycles = of("store_address_cycles")}};
}

HostCost::HostCost(const Function &function, const LoopInfo &loops, const DominatorTree &dominators,
                   const HostParameters &parameters)
    : loops_(loops), parameters_(parameters), folding_(function, loops) {
  for (const BasicBlock &block : function)
    this->block(block);
  for (const Loop *loop : loops.getLoopsInPreorder())
    chain(*loop, dominators);
}

/// Where what a turn carries takes longer than its blocks, the last of them has the difference.
void HostCost::chain(const Loop &loop, const DominatorTree &dominators) {
  const HostChain chain = hostChainOf(loop, dominators, folding_, parameters_.order,
                                      [&](const Instruction &instruction) {
                                        return needOf(instruction, parameters_, folding_).latency;
                                      });
  if (chain.turn <= 0)
    return;
  std::uint64_t sixteenths = 0;
  double slots = 0;
  for (const BasicBlock *block : loop.blocks())
    if (dominators.dominates(block, loop.getLoopLatch())) {
      sixteenths += blocks_[block].sixteenths;
      slots += slots_[block];
    }
  HostBlockCost &last = blocks_[loop.getLoopLatch()];
  const std::uint64_t ordered = inSixteenths(chain.order), whole = inSixteenths(chain.turn);
  const std::uint64_t own = last.sixteenths;
  if (ordered > sixteenths)
    last.sixteenths = own + ordered - sixteenths;
  if (whole > std::max(sixteenths, ordered)) {
    last.chainSixteenths = own + whole - sixteenths;
    last.chainAfter =
        static_cast<std::uint64_t>(parameters_.windowInstructions / std::max(slots, 1.0));
  }
}

void HostCost::block(const BasicBlock &block) {
  HostBlockCost cost;
  Need sum;
  std::uint32_t line =
      block.getParent()->getSubprogram() ? block.getParent()->getSubprogram()->getLine() : 0;
  for (const Instruction &instruction : block) {
    if (folding_.isFolded(instruction))
      continue;
    const Need need = needOf(instruction, parameters_, folding_);
    if (const DebugLoc &place = instruction.getDebugLoc(); place && place.getLine())
      line = place.getLine();
    if (need.slots == 0 && need.extra == 0 && need.flops == 0)
      continue;
    sum.slots += need.slots;
    sum.memory += need.memory;
    sum.floats += need.floats;
    sum.extra += need.extra;
    auto &own = cost.lines[line];
    own.operations += need.slots + need.extra * parameters_.issueWidth;
    own.flops += need.flops;
  }
  double cycles =
      std::max({sum.slots / parameters_.issueWidth, sum.memory / parameters_.memoryPorts,
                sum.floats / parameters_.floatPipes}) +
      sum.extra;

  const Loop *loop = loops_.getLoopFor(&block);
  const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  const bool conditional = branch && branch->isConditional();
  // Leaving a loop is charged where it is left (HostCharge.cpp).
  if (conditional && !(loop && loop->isLoopExiting(&block)))
    cycles += parameters_.branchMissCycles * parameters_.branchMissShare;

  cost.sixteenths = inSixteenths(cycles);
  slots_[&block] = sum.slots;
  blocks_.insert({&block, std::move(cost)});
}

} // namespace weft::swcc
