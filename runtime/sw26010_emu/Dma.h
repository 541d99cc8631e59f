// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The DMA engine: moves blocks between main memory and the LDMs while the cores go on. The bytes of
// a put are read when it is given, those of a get arrive when it completes; then the reply word in
// the giver's LDM counts one more. When that is, the memory controller's model says.
#pragma once

#include "Abi.h"
#include "DmaController.h"
#include "DmaDescriptor.h"
#include "DmaRegion.h"
#include "Fault.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace weft::emu {

class Dma {
public:
  static Dma &get();

  /// The running CPE gives a transfer; returns when the engine has it.
  void submit(const DmaRequest &request);
  /// The running CPE waits until its reply word at `offset` is `wanted`.
  void wait(std::uint32_t offset, std::uint32_t wanted);
  /// The running CPE waits until all transfers that it gave are complete.
  void barrier();

  /// The running CPE is about to access bytes of its LDM in a granule with a transfer under way:
  /// tells what races. `kind` is WEFT_SW_LOAD or WEFT_SW_STORE.
  void accessed(WeftCore &core, std::uint32_t offset, std::uint64_t bytes, std::uint32_t kind,
                const WeftSite *site);
  /// A core is about to access main memory: tells races with transfers under way.
  void memoryAccessed(const WeftCore &core, std::uintptr_t address, std::uint64_t bytes,
                      std::uint32_t kind, const WeftSite *site);
  /// The running CPE's function ends: tells transfers that it did not wait for.
  void ended(const WeftCore &core);

  /// Transfers under way that `core` gave.
  unsigned outstanding(int core) const { return outstanding_[static_cast<unsigned>(core)]; }
  /// When a loop of `core` should next look whether something has come.
  std::uint64_t limitOf(const WeftCore &core) const;
  /// Whether a reply word that nobody has looked at lies in [begin, end) of a CPE's LDM.
  bool hasReply(const WeftCore &core, std::uint32_t begin, std::uint32_t end) const;
  /// A core has waited from `begin` until now: a span of the trace, with arrows from the transfers
  /// that it waited for.
  void traceWait(const WeftCore &core, std::uint64_t begin, std::string_view name,
                 const WeftSite *site);
  /// What there is to say of a core's reply words when it waits for ever.
  std::vector<Fault::Party> replies(int core) const;
  /// In a deadlock: ends the run with the reason if the core waits in a loop for a reply word that
  /// passed its value, or will not reach it. `parties` say who else waits.
  void explainSpin(int core, const std::vector<Fault::Party> &parties) const;

  /// Main memory, which gld and gst use too.
  DmaController &controller() { return controller_; }

private:
  struct Transfer {
    DmaRequest request;
    DmaRegion memory;
    std::uint64_t cycle = 0; // when given
    const WeftSite *site = nullptr;
    int core = -1;
    std::uint64_t receivers = 0; // CPEs whose LDM it reads or writes
    std::uint32_t ldmBytes = 0;  // in each of these
    std::uint64_t flow = 0;
    bool readsBehindBlock = false;   // a get, and pages of what it reads may be missing
    std::vector<unsigned char> data; // of a put, as main memory gets them
    bool overlapsLdm(std::uint32_t offset, std::uint64_t bytes) const {
      return offset < request.ldm + ldmBytes && request.ldm < offset + bytes;
    }
  };
  using Transfers = std::vector<Transfer *>;

  /// A word that transfers count in, while the CPE's function runs.
  struct Reply {
    std::uint32_t offset = 0;
    std::uint64_t count = 0;        // completions
    const WeftSite *site = nullptr; // of the last
    std::uint64_t cycle = 0;
    // Of transfers that were given: how many are under way, and the last, if nobody has looked at
    // the word since.
    unsigned underWay = 0;
    bool unseen = false, unseenPut = false;
    const WeftSite *given = nullptr;
    std::uint64_t givenAt = 0;
    std::vector<std::uint64_t> flows; // complete, and no wait has seen it
  };

  Dma();
  static unsigned char *ldmAt(int core, std::uint32_t offset);
  Transfer &make(const DmaRequest &request);
  void checkLdm(const Transfer &transfer) const;
  void checkMemory(Transfer &transfer) const;
  void checkOverlaps(const Transfer &transfer) const;
  void tellOverlap(const Transfer &later, const Transfer &earlier, std::string what) const;
  /// Sets or clears the shadow of the LDM that it touches.
  void mark(const Transfer &transfer, bool begins) const;
  void read(Transfer &transfer) const;  // a put's bytes from LDM
  void write(Transfer &transfer) const; // the bytes to where they go
  void complete(Transfer &transfer, std::uint64_t cycle);
  Reply &replyAt(unsigned core, std::uint32_t offset);
  void await(const Transfer &transfer);
  /// The core looks at bytes of its LDM: reply words there are seen.
  void looked(WeftCore &core, std::uint32_t offset, std::uint64_t bytes, const WeftSite *site);
  void markAwaited(const WeftCore &core, std::uint32_t offset) const;
  void tellUnderWay(const WeftCore &core);
  void tellUnseen(const WeftCore &core);
  void arm();
  void advance(std::uint64_t cycle);
  void payForLdm(WeftCore &core);

  DmaController controller_;
  std::unordered_map<std::uint64_t, Transfer *> byTicket_;
  Transfers underWay_;
  std::array<Transfers, WEFT_SW_CPES> inLdm_; // under way, by the LDM they touch
  std::vector<std::unique_ptr<Transfer>> all_;
  Transfers free_;
  std::array<unsigned, WEFT_SW_CPES> outstanding_{};
  std::array<std::vector<Reply>, WEFT_SW_CPES> replies_;
  std::array<bool, WEFT_SW_CPES> waits_{};      // in wait() or barrier()
  std::array<double, WEFT_SW_CPES> ldmTaken_{}; // cycles of LDM that transfers took, not yet paid
  std::uint64_t armed_ = UINT64_MAX;            // the next event that asks the controller
  double ldmConflict_;
};

} // namespace weft::emu
