// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StraightRuns.h"

#include "Abi.h"
#include "Charge.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <cstdint>

using namespace llvm;

namespace weft::swcc {

namespace {

/// Accesses that are worth a test, and those that are worth a second version of the run.
constexpr std::size_t fewestOfTest = 8, fewestOfRun = 32;
/// So far apart, in bytes, accesses may lie that one test covers: to look at a gap takes less time
/// than to check one access, but what is in it may be part of a transfer, and then all is checked.
constexpr std::int64_t widestGap = 1024;
/// How many instructions before it an address may take to compute where the run begins.
constexpr unsigned deepestAddress = 8;

/// Whether a run cannot go on past `instruction`.
bool endsRun(const Instruction &instruction) {
  if (instruction.isTerminator() || interacts(instruction) || isa<AllocaInst>(instruction) ||
      isa<MemIntrinsic>(instruction) || instruction.isAtomic())
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && (call->cannotDuplicate() || call->isConvergent());
}

/// Earlier runs may have replaced what computes the address.
void refresh(MutableArrayRef<Access> accesses) {
  for (Access &access : accesses)
    if (const Value *pointer = getLoadStorePointerOperand(access.at))
      access.pointer = const_cast<Value *>(pointer);
}

/// One access at a constant distance from an address that is known where the run begins.
struct Place {
  const Access *access;
  std::int64_t offset;

  std::int64_t end() const { return offset + std::int64_t(access->bytes); }
  std::uint64_t alignment() const { return access->kind & WEFT_SW_UNALIGNED ? 1 : access->bytes; }
};

/// Accesses that one test covers.
struct Group {
  Value *base;
  SmallVector<Place> places; // by offset
};

class Run {
public:
  Run(Abi &abi, Function &function, ArrayRef<Access> accesses)
      : abi_(abi), function_(function), accesses_(accesses), start_(accesses.front().at) {}

  /// False if it is not worth it; nothing has changed then.
  bool findGroups() {
    MapVector<Value *, SmallVector<Place>> all;
    for (const Access &access : accesses_) {
      APInt offset(64, 0);
      Value *base = access.pointer->stripAndAccumulateConstantOffsets(function_.getDataLayout(),
                                                                      offset, true);
      if (isKnownAtStart(base, deepestAddress))
        all[base].push_back({&access, offset.getSExtValue()});
    }
    for (auto &[base, places] : all)
      split(base, places);
    std::size_t covered = 0;
    for (const Group &group : groups_)
      covered += group.places.size();
    return covered >= fewestOfRun;
  }

  /// Makes the version without checks. What it checks all the same is added to `left`.
  void version(SmallVectorImpl<Access> &left) {
    for (const Group &group : groups_)
      hoist(group.base);
    SmallPtrSet<const Instruction *, 32> covered;
    for (const Group &group : groups_)
      for (const Place &place : group.places)
        covered.insert(place.access->at);

    BasicBlock *before = start_->getParent();
    BasicBlock *checked = SplitBlock(before, start_->getIterator());
    BasicBlock *after = SplitBlock(checked, std::next(accesses_.back().at->getIterator()));
    ValueToValueMapTy values;
    BasicBlock *fast = CloneBasicBlock(checked, values, ".fast", &function_);
    fast->moveBefore(after);
    remapInstructionsInBlocks({fast}, values);
    joinValues(*checked, *fast, *after, values);

    OwnBuilder builder(before->getTerminator());
    Value *plain = nullptr;
    for (const Group &group : groups_) {
      Value *one = test(builder, group);
      plain = plain ? builder.CreateAnd(plain, one) : one;
    }
    builder.CreateCondBr(plain, fast, checked, likely(abi_.context));
    before->getTerminator()->eraseFromParent();

    for (const Access &access : accesses_) {
      if (covered.contains(access.at))
        continue;
      Access copy = access;
      copy.at = cast<Instruction>(values[access.at]);
      if (Value *pointer = values.lookup(access.pointer))
        copy.pointer = pointer;
      left.push_back(copy);
    }
  }

private:
  Abi &abi_;
  Function &function_;
  ArrayRef<Access> accesses_;
  Instruction *start_;
  SmallVector<Group> groups_;

  /// Whether `value` is, or can be made to be, computed where the run begins.
  bool isKnownAtStart(const Value *value, unsigned depth) const {
    const auto *instruction = dyn_cast<Instruction>(value);
    // What another block computes and this one uses is computed before.
    if (!instruction || instruction->getParent() != start_->getParent() ||
        isa<PHINode>(instruction) || instruction->comesBefore(start_))
      return true;
    if (depth == 0 || !isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction) ||
        !isSafeToSpeculativelyExecute(instruction))
      return false;
    return all_of(instruction->operands(),
                  [&](const Use &operand) { return isKnownAtStart(operand.get(), depth - 1); });
  }

  void hoist(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != start_->getParent() ||
        isa<PHINode>(instruction) || instruction->comesBefore(start_))
      return;
    for (Value *operand : instruction->operands())
      hoist(operand);
    instruction->moveBefore(start_->getIterator());
  }

  /// Groups of places that lie close together and are aligned alike.
  void split(Value *base, SmallVectorImpl<Place> &places) {
    stable_sort(places, [](const Place &a, const Place &b) { return a.offset < b.offset; });
    Group group{base, {}};
    std::int64_t end = 0;
    const auto finish = [&] {
      keepAligned(group);
      if (group.places.size() >= fewestOfTest)
        groups_.push_back(group);
      group.places.clear();
    };
    for (const Place &place : places) {
      if (!group.places.empty() && place.offset > end + widestGap)
        finish();
      end = group.places.empty() ? place.end() : std::max(end, place.end());
      group.places.push_back(place);
    }
    finish();
  }

  /// The place with the strictest alignment: if its address is aligned, so are the others'.
  static const Place &strictest(const Group &group) {
    return *std::max_element(
        group.places.begin(), group.places.end(),
        [](const Place &a, const Place &b) { return a.alignment() < b.alignment(); });
  }

  static void keepAligned(Group &group) {
    if (group.places.empty())
      return;
    const std::int64_t aligned = strictest(group).offset;
    erase_if(group.places, [&](const Place &place) {
      return (place.offset - aligned) % std::int64_t(place.alignment()) != 0;
    });
  }

  Value *test(OwnBuilder &builder, const Group &group) const {
    const Place &aligned = strictest(group);
    const auto alignment = std::int64_t(aligned.alignment());
    std::int64_t begin = group.places.front().offset, end = begin;
    for (const Place &place : group.places)
      end = std::max(end, place.end());
    // Down to where the alignment can be seen.
    begin = aligned.offset - alignTo(std::uint64_t(aligned.offset - begin), alignment);
    Value *base = builder.CreatePtrToInt(group.base, abi_.i64);
    const auto at = [&](std::int64_t offset) {
      return builder.CreateAdd(base, ConstantInt::getSigned(abi_.i64, offset));
    };
    return testWindow(abi_, function_, builder, at(begin), at(end), std::uint64_t(alignment));
  }

  /// What the run computes for what follows comes from either version.
  static void joinValues(BasicBlock &checked, BasicBlock &fast, BasicBlock &after,
                         ValueToValueMapTy &values) {
    for (Instruction &instruction : checked) {
      SmallVector<Use *> uses;
      for (Use &use : instruction.uses())
        if (cast<Instruction>(use.getUser())->getParent() != &checked)
          uses.push_back(&use);
      if (uses.empty())
        continue;
      PHINode *either = PHINode::Create(instruction.getType(), 2, "", after.begin());
      either->addIncoming(&instruction, &checked);
      either->addIncoming(values[&instruction], &fast);
      for (Use *use : uses)
        use->set(either);
    }
  }
};

} // namespace

void versionRuns(Abi &abi, Function &function, SmallVectorImpl<Access> &accesses,
                 SmallPtrSetImpl<Instruction *> &cold) {
  const SmallVector<Access> all(accesses.begin(), accesses.end());
  DenseMap<const Instruction *, std::size_t> numbers;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!cold.contains(all[i].at))
      numbers[all[i].at] = i;
  // The accesses of each run stand together in `all`.
  SmallVector<std::pair<std::size_t, std::size_t>> runs;
  for (BasicBlock &block : function) {
    std::size_t first = 0, count = 0;
    const auto finish = [&] {
      if (count >= fewestOfRun)
        runs.push_back({first, count});
      count = 0;
    };
    for (Instruction &instruction : block) {
      if (endsRun(instruction))
        finish();
      const auto found = numbers.find(&instruction);
      if (found == numbers.end())
        continue;
      if (count && found->second != first + count)
        finish();
      if (!count)
        first = found->second;
      ++count;
    }
  }
  for (const auto &[first, count] : runs) {
    SmallVector<Access> own(all.begin() + first, all.begin() + first + count);
    refresh(own);
    Run run(abi, function, own);
    if (!run.findGroups())
      continue;
    for (std::size_t i = first; i < first + count; ++i)
      cold.insert(all[i].at);
    const std::size_t known = accesses.size();
    run.version(accesses);
    for (std::size_t i = known; i < accesses.size(); ++i)
      cold.insert(accesses[i].at);
  }
  refresh(accesses);
}

} // namespace weft::swcc
