// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Allocate.h"

#include "Assign.h"
#include "Spill.h"
#include "Split.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace weft::swcc {

namespace {

class Allocator {
public:
  Allocator(Code &code, Assigner assigner)
      : code_(code), assigner_(assigner), table_(Instructions::get()),
        usable_(table_.core().registers - table_.core().reservedRegisters) {}

  void run() {
    firstFixed_ = code_.next;
    // Each round spills what did not fit; what it adds lives too briefly to be spilled again.
    while (!assign())
      insertSpills();
    rewrite();
    saveRegisters();
  }

private:
  bool assign();
  bool isCalleeSaved(unsigned physical) const {
    return physical >= firstCalleeSaved &&
           physical < firstCalleeSaved + table_.core().calleeSavedRegisters;
  }
  bool isSpilled(Register name) const { return isVirtual(name) && spilled_.contains(name); }
  void insertSpills();
  void rewrite();
  void saveRegisters();

  Code &code_;
  const Assigner assigner_;
  const Instructions &table_;
  const unsigned usable_;
  Register firstFixed_ = 0;
  std::vector<unsigned> assigned_; // physical register of each virtual one
  DenseSet<Register> spilled_;
};

bool Allocator::assign() {
  std::vector<LiveRange> ranges = liveRanges(code_);
  for (LiveRange &range : ranges)
    range.fixed = range.name >= firstFixed_;
  Assignment assignment = assigner_(std::move(ranges));
  assigned_ = std::move(assignment.registers);
  spilled_.clear();
  spilled_.insert(assignment.spilled.begin(), assignment.spilled.end());
  return spilled_.empty();
}

void Allocator::insertSpills() {
  const std::vector<SpillKind> kinds = spillKinds(code_);
  DenseMap<Register, unsigned> slots;
  const auto kindOf = [&](Register name) -> const SpillKind & {
    return kinds[name - firstVirtual];
  };
  // By name: the order of a set may differ from run to run.
  SmallVector<Register, 32> names(spilled_.begin(), spilled_.end());
  sort(names);
  for (const Register name : names)
    if (!kindOf(name).isRemade())
      slots[name] = code_.spilled++;

  for (const Register argument : code_.arguments)
    if (isSpilled(argument) && !code_.blocks.empty()) {
      const Register arrived = code_.fresh();
      auto &entry = code_.blocks.front().operations;
      entry.insert(entry.begin(),
                   spillAccess(arrived, slots[argument], true, kindOf(argument).vector, nullptr));
      replace(code_.arguments, argument, arrived);
    }
  for (Block &block : code_.blocks) {
    std::vector<Operation> all;
    all.reserve(block.operations.size() + 8);
    for (Operation &operation : block.operations) {
      const bool defSpilled = isSpilled(operation.def);
      if (defSpilled && kindOf(operation.def).isRemade())
        continue;
      DenseMap<Register, Register> reloaded;
      for (Register &use : operation.uses) {
        if (!isSpilled(use))
          continue;
        const SpillKind &kind = kindOf(use);
        auto [known, isNew] = reloaded.try_emplace(use, noRegister);
        if (isNew) {
          known->second = code_.fresh();
          if (kind.isRemade()) {
            Operation again = kind.remade;
            again.def = known->second;
            again.source = operation.source;
            all.push_back(std::move(again));
          } else {
            all.push_back(
                spillAccess(known->second, slots[use], false, kind.vector, operation.source));
          }
        }
        use = known->second;
      }
      operation.copy = operation.copy && !defSpilled;
      operation.lastCopy = operation.lastCopy && !defSpilled;
      if (!defSpilled) {
        all.push_back(std::move(operation));
        continue;
      }
      const unsigned slot = slots[operation.def];
      const bool vector = kindOf(operation.def).vector;
      operation.def = code_.fresh();
      const Register made = operation.def;
      const llvm::Instruction *source = operation.source;
      all.push_back(std::move(operation));
      all.push_back(spillAccess(made, slot, true, vector, source));
    }
    block.operations = std::move(all);
  }
}

void Allocator::rewrite() {
  const auto physical = [&](Register name) {
    return isVirtual(name) ? assigned_[name - firstVirtual] : name;
  };
  const auto save = [&](Register name) {
    if (name != noRegister && isCalleeSaved(name))
      code_.calleeSaved |= 1U << name;
  };
  for (const Register argument : code_.arguments)
    save(physical(argument));
  for (Block &block : code_.blocks) {
    for (Operation &operation : block.operations) {
      operation.def = physical(operation.def);
      for (Register &use : operation.uses)
        use = physical(use) == noRegister ? zeroRegister : physical(use);
      save(operation.def);
    }
    erase_if(block.operations, [](const Operation &operation) {
      return operation.copy && operation.def == operation.uses[0];
    });
  }
}

/// The stack pointer, the return address, the global pointer and saved registers, as the vendor's
/// compiler keeps them.
void Allocator::saveRegisters() {
  const bool frame = code_.frameBytes || code_.spilled || code_.calleeSaved || code_.calls;
  const auto make = [&](StringRef mnemonic, Register def, ArrayRef<Register> uses,
                        std::int64_t immediate) {
    Operation operation;
    operation.opcode = &table_[mnemonic];
    operation.def = def;
    operation.uses.assign(uses.begin(), uses.end());
    operation.immediate = immediate;
    operation.hasImmediate = true;
    operation.reads = operation.opcode->kind == Kind::Load;
    operation.writes = operation.opcode->kind == Kind::Store;
    operation.spill = operation.reads || operation.writes;
    return operation;
  };
  SmallVector<Register, 8> saved;
  if (code_.calls)
    saved.push_back(returnAddressRegister);
  for (unsigned physical = 0; physical < usable_; ++physical)
    if (code_.calleeSaved & (1U << physical))
      saved.push_back(physical);
  const std::int64_t first = 32 * std::int64_t(code_.spilled);
  const std::int64_t size =
      (first + 8 * std::int64_t(saved.size()) + std::int64_t(code_.frameBytes) + 31) / 32 * 32;

  std::vector<Operation> entry;
  if (code_.usesGlobals) {
    entry.push_back(make("ldih", 29, {27}, 0));
    entry.push_back(make("ldi", 29, {29}, 0));
  }
  if (frame)
    entry.push_back(make("ldi", stackRegister, {stackRegister}, -size));
  for (const auto &[index, physical] : enumerate(saved))
    entry.push_back(make("stl", noRegister, {physical, stackRegister}, first + 8 * index));
  std::vector<Operation> &begin = code_.blocks.front().operations;
  begin.insert(begin.begin(), entry.begin(), entry.end());
  if (!frame)
    return;
  for (Block &block : code_.blocks) {
    if (block.operations.empty() || block.operations.back().opcode->mnemonic != "ret")
      continue;
    std::vector<Operation> exit;
    for (const auto &[index, physical] : enumerate(saved))
      exit.push_back(make("ldl", physical, {stackRegister}, first + 8 * index));
    exit.push_back(make("ldi", stackRegister, {stackRegister}, size));
    block.operations.back().uses.push_back(returnAddressRegister);
    block.operations.insert(block.operations.end() - 1, exit.begin(), exit.end());
  }
}

} // namespace

double allocate(Code &code, function_ref<double(Code &)> price) {
  Code best = code;
  Allocator(best, assignByScan).run();
  if (best.spilled == 0) {
    code = best;
    return price(best);
  }
  double cheapest = price(best);
  const auto consider = [&](Code candidate, Assigner assigner) {
    Allocator(candidate, assigner).run();
    if (const double cost = price(candidate); cost < cheapest) {
      cheapest = cost;
      best = std::move(candidate);
    }
  };
  consider(code, assignByColour);
  // Long functions are not tried in all ways.
  constexpr std::uint64_t longFunction = 8000; // bytes
  const SmallVector<unsigned, 6> spares = code.bytes() > longFunction
                                              ? SmallVector<unsigned, 6>{0, 4}
                                              : SmallVector<unsigned, 6>{0, 1, 2, 3, 4, 6};
  for (const unsigned spare : spares) {
    Code split = code;
    if (!splitRanges(split, spare))
      break;
    consider(split, assignByScan);
    consider(std::move(split), assignByColour);
  }
  code = std::move(best);
  return cheapest;
}

} // namespace weft::swcc
