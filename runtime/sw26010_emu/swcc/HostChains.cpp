// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some turns are followed as if the core had any number of units: each operation begins when its
// operands are there. What a turn adds in the end is what the chain of the loop takes.
#include "HostChains.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr unsigned kTurns = 16, kSettled = 8;

class Turns {
public:
  Turns(const Loop &loop, const DominatorTree &dominators, const HostFolding &folding,
        const HostOrder &order, function_ref<double(const Instruction &)> latency)
      : loop_(loop), folding_(folding), order_(order), latency_(latency),
        layout_(loop.getHeader()->getModule()->getDataLayout()) {
    for (const BasicBlock *block : loop.blocks())
      if (dominators.dominates(block, loop.getLoopLatch()))
        blocks_.push_back(block);
    // Of blocks that all dominate the latch, each dominates those behind it.
    llvm::sort(blocks_, [&](const BasicBlock *a, const BasicBlock *b) {
      return a != b && dominators.dominates(a, b);
    });
  }

  HostChain measure() {
    double settledEnd = 0, settledOrder = 0;
    for (unsigned turn = 0; turn < kTurns; ++turn) {
      if (turn == kSettled)
        settledEnd = end_, settledOrder = addressesKnown_;
      before_ = std::move(now_);
      now_.clear();
      for (const BasicBlock *block : blocks_)
        for (const Instruction &instruction : *block)
          if (!folding_.isFolded(instruction))
            follow(instruction);
    }
    return {.turn = (end_ - settledEnd) / (kTurns - kSettled),
            .order = (addressesKnown_ - settledOrder) / (kTurns - kSettled)};
  }

private:
  using Place = std::pair<const Value *, std::int64_t>;

  /// What is at one address in all turns has a place.
  std::optional<Place> placeOf(const Value *pointer) const {
    APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base =
        pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
    if (!loop_.isLoopInvariant(base))
      return std::nullopt;
    return Place{base, offset.getSExtValue()};
  }

  double at(const Value *value) const {
    const auto found = now_.find(value);
    return found == now_.end() ? 0 : found->second;
  }

  void follow(const Instruction &instruction) {
    if (isa<DbgInfoIntrinsic>(instruction) || instruction.isTerminator())
      return;
    double ready = 0;
    if (const auto *phi = dyn_cast<PHINode>(&instruction)) {
      if (phi->getParent() == loop_.getHeader()) {
        const auto found = before_.find(phi->getIncomingValueForBlock(loop_.getLoopLatch()));
        ready = found == before_.end() ? 0 : found->second;
      } else {
        for (const Value *value : phi->incoming_values())
          ready = std::max(ready, at(value));
      }
    } else if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
      const double address = at(store->getPointerOperand());
      if (address > 0)
        addressesKnown_ = std::max(addressesKnown_, address + order_.storeAddressCycles);
      const double stored = std::max(address, at(store->getValueOperand()));
      end_ = std::max(end_, stored);
      if (const auto place = placeOf(store->getPointerOperand()))
        stored_[*place] = stored + order_.forwardLatency;
      return;
    } else if (const auto *load = dyn_cast<LoadInst>(&instruction)) {
      ready = std::max(at(load->getPointerOperand()), addressesKnown_) + order_.loadLatency;
      if (const auto place = placeOf(load->getPointerOperand()))
        if (const auto found = stored_.find(*place); found != stored_.end())
          ready = std::max(ready, found->second);
    } else {
      for (const Value *operand : instruction.operands())
        ready = std::max(ready, at(operand));
      ready += latency_(instruction);
    }
    now_[&instruction] = ready;
    end_ = std::max(end_, ready);
  }

  const Loop &loop_;
  const HostFolding &folding_;
  const HostOrder &order_;
  function_ref<double(const Instruction &)> latency_;
  const DataLayout &layout_;
  SmallVector<const BasicBlock *> blocks_;
  DenseMap<const Value *, double> before_, now_; // when values of a turn are there
  DenseMap<Place, double> stored_;               // when a load there may have what was stored
  double addressesKnown_ = 0;                    // of all stores so far
  double end_ = 0;
};

} // namespace

HostChain hostChainOf(const Loop &loop, const DominatorTree &dominators, const HostFolding &folding,
                      const HostOrder &order, function_ref<double(const Instruction &)> latency) {
  if (!loop.isInnermost() || !loop.getLoopLatch())
    return {};
  return Turns(loop, dominators, folding, order, latency).measure();
}

} // namespace weft::swcc
