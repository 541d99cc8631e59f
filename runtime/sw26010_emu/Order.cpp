// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Order.h"

#include "Fault.h"

#include <algorithm>

namespace weft::emu {

// Messages meet this once each; wide comparisons make it cheap.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("avx2", "default")))
#endif
void Order::Known::join(const Known &other) {
  for (unsigned index = 0; index < sends.size(); ++index)
    sends[index] = std::max(sends[index], other.sends[index]);
}

Order &Order::get() {
  static auto *order = new Order; // never destroyed: fibers outlive static objects
  return *order;
}

void Order::release(Snapshot *snapshot) {
  if (--snapshot->uses == 0)
    free_.push_back(snapshot);
}

// The next send needs a snapshot of its own, but for sends back to where all came from.
void Order::learnt(Own &core, int from) {
  core.from = !core.learnt || core.from == from ? from : kSeveral;
  core.learnt = true;
}

Order::Stamp Order::sent(int core, unsigned receivers) {
  Own &sender = own(core);
  // Four thousand million messages of one core take hours here.
  if (++sender.known.sends[static_cast<unsigned>(core)] == 0)
    bug("the number of a core's messages does not fit 32 bits");
  if (sender.learnt) {
    if (sender.snapshot)
      release(sender.snapshot);
    if (free_.empty())
      free_.push_back(new Snapshot);
    sender.snapshot = free_.back();
    free_.pop_back();
    sender.snapshot->known = sender.known;
    sender.snapshot->number = ++lastNumber_;
    sender.snapshot->uses = 1;
    sender.learnt = false;
  }
  sender.snapshot->uses += receivers;
  return {sender.known.sends[static_cast<unsigned>(core)], sender.snapshot};
}

Order::Stamp Order::sentAgain(int core, int receiver) {
  Own &sender = own(core);
  if (!sender.learnt || !sender.snapshot || sender.from != receiver)
    return sent(core, 1);
  const std::uint32_t send = ++sender.known.sends[static_cast<unsigned>(core)];
  if (send == 0)
    bug("the number of a core's messages does not fit 32 bits");
  ++sender.snapshot->uses;
  return {send, sender.snapshot};
}

void Order::received(int core, int sender, const Stamp &stamp) {
  Own &receiver = own(core);
  auto &sends = receiver.known.sends[static_cast<unsigned>(sender)];
  auto &seen = receiver.seen[static_cast<unsigned>(sender)];
  if (stamp.send > sends) {
    sends = stamp.send;
    learnt(receiver, sender);
  }
  if (seen != stamp.snapshot->number) {
    seen = stamp.snapshot->number;
    receiver.known.join(stamp.snapshot->known);
    learnt(receiver, sender);
  }
  release(stamp.snapshot);
}

void Order::met(const std::vector<int> &cores) {
  Known all;
  for (const int core : cores)
    all.join(own(core).known);
  for (const int core : cores) {
    own(core).known = all;
    learnt(own(core), kSeveral);
  }
}

void Order::follows(int from, int to) {
  own(to).known.join(own(from).known);
  learnt(own(to), kSeveral);
}

void Order::published(int core, std::uintptr_t address) { words_[address].join(own(core).known); }

void Order::observed(int core, std::uintptr_t address) {
  const auto word = words_.find(address);
  if (word == words_.end())
    return;
  own(core).known.join(word->second);
  learnt(own(core), kSeveral);
}

} // namespace weft::emu
