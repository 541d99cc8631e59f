// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a program happens before what, whatever the timing: by program order, messages,
// synchronisation, spawn and join. Vector clocks; only sends of messages are counted in them, for
// only these are compared.
#pragma once

#include "Abi.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace weft::emu {

class Order {
public:
  /// What each CPE is known to have sent: the number of its last send.
  struct alignas(32) Known {
    std::array<std::uint32_t, WEFT_SW_CPES> sends{};
    void join(const Known &other);
  };

  /// What a core knew when it sent a message. Shared by the messages it sends until it learns more.
  struct Snapshot {
    Known known;
    std::uint64_t number = 0; // none has the same
    std::uint32_t uses = 0;
  };

  /// A send: which one of its core, and what it knew.
  struct Stamp {
    std::uint32_t send = 0;
    Snapshot *snapshot = nullptr;
  };

  static Order &get();

  /// `core` sends to `receivers` cores; each calls `received` once.
  Stamp sent(int core, unsigned receivers);
  /// The same to one core, if the message before in its buffer is this sender's too. Whoever has
  /// learnt from the receiver alone has nothing new for it.
  Stamp sentAgain(int core, int receiver);
  void received(int core, int sender, const Stamp &stamp);
  /// Whether send number `send` of `earlier` happened before the send `later`.
  static bool before(int earlier, std::uint32_t send, const Stamp &later) {
    return later.snapshot->known.sends[static_cast<unsigned>(earlier)] >= send;
  }

  /// All of these cores wait for one another: each knows afterwards what any of them knew.
  void met(const std::vector<int> &cores);
  /// What `to` does from now on comes after all that `from` has done.
  void follows(int from, int to);
  /// The same through a word of memory that both update atomically.
  void published(int core, std::uintptr_t address);
  void observed(int core, std::uintptr_t address);

private:
  static constexpr int kSeveral = -1;
  struct Own {
    Known known;
    Snapshot *snapshot = nullptr;                   // of the last send that had one of its own
    bool learnt = true;                             // something since that snapshot,
    int from = kSeveral;                            // and from this core alone
    std::array<std::uint64_t, WEFT_SW_CPES> seen{}; // number of the last snapshot of each sender
  };
  std::array<Own, WEFT_SW_CORES> cores_;
  std::vector<Snapshot *> free_;
  std::uint64_t lastNumber_ = 0;
  std::unordered_map<std::uintptr_t, Known> words_;

  Own &own(int core) { return cores_[static_cast<unsigned>(core)]; }
  static void learnt(Own &core, int from);
  void release(Snapshot *snapshot);
};

} // namespace weft::emu
