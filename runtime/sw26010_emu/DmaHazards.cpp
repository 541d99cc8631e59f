// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of the DMA engine's work races with something else, and addresses that it must not touch.
#include "Clock.h"
#include "Dma.h"
#include "Ldm.h"
#include "Memory.h"

#include <set>
#include <tuple>

namespace weft::emu {

namespace {

/// Whether this is the first time that a hazard is met at a pair of places: the text of one costs
/// more than a transfer.
bool firstAt(std::string_view name, const WeftSite *one, const WeftSite *other) {
  static std::set<std::tuple<std::string_view, const WeftSite *, const WeftSite *>> told;
  return told.emplace(name, one, other).second;
}

std::string bytesAt(std::uint32_t offset, std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " at LDM offset " +
         std::to_string(offset);
}

std::string_view kindOf(const DmaRequest &request) { return request.isPut() ? "put" : "get"; }

} // namespace

void Dma::checkMemory(Transfer &transfer) const {
  const std::uintptr_t address = transfer.memory.first;
  const bool put = transfer.request.isPut();
  if (const int owner = Ldm::owner(address); owner >= 0) {
    Fault fault;
    fault.name = "dma-not-in-memory";
    fault.core = transfer.core;
    fault.cycle = weft_sw_current->now;
    fault.site = transfer.site;
    fault.what = "the main-memory side of a transfer is an address of LDM";
    fault.found =
        describeCore(owner) + "'s LDM, offset " + std::to_string(address - Ldm::base(owner));
    fault.help = "athread_get takes (mode, main memory, LDM, ...), athread_put (mode, LDM, main "
                 "memory, ...), dma (descriptor, main memory, LDM)";
    raise(fault);
  }
  // Gaps are not touched: rows that were allocated one by one may have anything between them.
  const std::uint32_t kind = put ? WEFT_SW_STORE : WEFT_SW_LOAD;
  if (Memory::get().holds(address, transfer.memory.end() - address, kind))
    return;
  for (std::uint64_t index = 0; index < transfer.memory.blocks(); ++index) {
    const std::uintptr_t start = transfer.memory.start(index);
    const std::uint64_t bytes = transfer.memory.bytesOf(index);
    if (put)
      Memory::get().require(transfer.core, start, bytes, kind, "the destination of a put",
                            transfer.site);
    else if (Memory::get().requireForGet(transfer.core, start, bytes, transfer.site))
      transfer.readsBehindBlock = true;
  }
}

void Dma::tellOverlap(const Transfer &later, const Transfer &earlier, std::string what) const {
  Fault fault;
  fault.name = "dma-overlap";
  fault.core = later.core;
  fault.cycle = later.cycle;
  fault.site = later.site;
  fault.what = std::move(what);
  fault.expected = "the earlier transfer complete before this one is given";
  fault.others.push_back({"the " + std::string(kindOf(earlier.request)) + " under way was given by",
                          earlier.core, earlier.cycle, earlier.site});
  fault.help = earlier.core == later.core
                   ? "wait for its reply first"
                   : "have its CPE wait for its reply, and then synchronise (athread_syn)";
  warn(fault);
}

void Dma::checkOverlaps(const Transfer &transfer) const {
  const bool put = transfer.request.isPut();
  for (const Transfer *other : underWay_) {
    const bool otherPut = other->request.isPut();
    // Each other's LDM: reading the same bytes twice is no race.
    if ((transfer.receivers & other->receivers) && !(put && otherPut) &&
        other->overlapsLdm(transfer.request.ldm, transfer.ldmBytes) &&
        firstAt("ldm", transfer.site, other->site)) {
      const std::uint32_t from = std::max(transfer.request.ldm, other->request.ldm);
      const std::uint32_t to =
          std::min(transfer.request.ldm + transfer.ldmBytes, other->request.ldm + other->ldmBytes);
      tellOverlap(transfer, *other,
                  put ? "a put sends LDM that a get is still filling: " + bytesAt(from, to - from)
                  : otherPut
                      ? "a get fills LDM that a put is still sending: " + bytesAt(from, to - from)
                      : "two gets fill the same LDM at the same time: " + bytesAt(from, to - from));
    }
    if ((!put && !otherPut) || farApart(transfer.memory, other->memory))
      continue;
    const auto common = searchCommonByte(transfer.memory, other->memory);
    if (common && firstAt("memory", transfer.site, other->site))
      tellOverlap(transfer, *other,
                  put && otherPut
                      ? "two puts write the same main memory at the same time, from byte " +
                            std::to_string(*common - transfer.memory.first) + " of this one"
                      : "a put writes main memory that a get reads at the same time, from byte " +
                            std::to_string(*common - transfer.memory.first) + " of this one");
  }
}

void Dma::accessed(WeftCore &core, std::uint32_t offset, std::uint64_t bytes, std::uint32_t kind,
                   const WeftSite *site) {
  if (inLdm_[core.index].empty() && replies_[core.index].empty())
    return;
  Clock::get().arrive(); // some may be complete by now
  if (kind & WEFT_SW_LOAD)
    looked(core, offset, bytes, site);
  for (const Transfer *transfer : inLdm_[core.index]) {
    const bool put = transfer->request.isPut();
    if (!transfer->overlapsLdm(offset, bytes) || (put && !(kind & WEFT_SW_STORE)) ||
        !firstAt("access", site, transfer->site))
      continue;
    Fault fault;
    fault.name = "ldm-under-dma";
    fault.core = static_cast<int>(core.index);
    fault.cycle = core.now;
    fault.site = site;
    fault.what = put                    ? "LDM is written while a put still sends it: "
                 : kind & WEFT_SW_STORE ? "LDM is written while a get still fills it: "
                                        : "LDM is read before the get that fills it is complete: ";
    fault.what += std::to_string(bytes) + (bytes == 1 ? " byte at " : " bytes at ") +
                  Ldm::get().place(static_cast<int>(core.index), offset);
    fault.expected = "the reply of the transfer first";
    fault.others.push_back({"the " + std::string(kindOf(transfer->request)) + " was given by",
                            transfer->core, transfer->cycle, transfer->site});
    fault.help = transfer->core == static_cast<int>(core.index)
                     ? "wait for the transfer's reply word before using the buffer"
                     : "the CPE that broadcasts waits for its reply; the others wait for that CPE "
                       "(athread_syn)";
    warn(fault);
  }
}

void Dma::memoryAccessed(const WeftCore &core, std::uintptr_t address, std::uint64_t bytes,
                         std::uint32_t kind, const WeftSite *site) {
  const DmaRegion access(address, bytes);
  for (const Transfer *transfer : underWay_) {
    const bool put = transfer->request.isPut();
    if ((!put && !(kind & WEFT_SW_STORE)) || !commonByte(access, transfer->memory) ||
        !firstAt("memory access", site, transfer->site))
      continue;
    Fault fault;
    fault.name = "memory-under-dma";
    fault.core = static_cast<int>(core.index);
    fault.cycle = core.now;
    fault.site = site;
    fault.what = put ? "main memory is used while a put still writes it"
                     : "main memory is written while a get still reads it";
    fault.others.push_back({"the " + std::string(kindOf(transfer->request)) + " was given by",
                            transfer->core, transfer->cycle, transfer->site});
    warn(fault);
  }
}

void Dma::tellUnderWay(const WeftCore &core) {
  const auto own = static_cast<int>(core.index);
  for (const Transfer *transfer : underWay_) {
    if (transfer->core != own || !firstAt("ended", transfer->site, nullptr))
      continue;
    Fault fault;
    fault.name = "reply-never-awaited";
    fault.core = own;
    fault.cycle = core.now;
    fault.site = transfer->site;
    fault.what = "the function ends while a " + std::string(kindOf(transfer->request)) +
                 " that it gave is under way";
    fault.expected = "its reply awaited: while (reply != n), or dma_wait";
    fault.found = "given at cycle " + std::to_string(transfer->cycle) + ", reply word " +
                  Ldm::get().place(own, transfer->request.reply);
    fault.help = transfer->request.isPut()
                     ? "the host may read main memory before the bytes have arrived"
                     : "the bytes arrive in LDM that the next function may use for something else";
    warn(fault);
  }
}

void Dma::tellUnseen(const WeftCore &core) {
  const auto own = static_cast<int>(core.index);
  for (const Reply &reply : replies_[core.index]) {
    if (!reply.unseen || reply.underWay || !firstAt("unseen", reply.given, nullptr))
      continue;
    const std::string kind = reply.unseenPut ? "put" : "get";
    Fault fault;
    fault.name = "reply-never-awaited";
    fault.core = own;
    fault.cycle = core.now;
    fault.site = reply.given;
    fault.what = "the function ends and has not looked at the reply of a " + kind +
                 " that it gave; it was complete by luck";
    fault.expected = "its reply awaited: while (reply != n), or dma_wait";
    fault.found = "given at cycle " + std::to_string(reply.givenAt) + ", complete at cycle " +
                  std::to_string(reply.cycle) + ", reply word " +
                  Ldm::get().place(own, reply.offset);
    fault.help = reply.unseenPut
                     ? "on a busier machine the host may read main memory before the bytes arrive"
                     : "on a busier machine the bytes may arrive after they are used";
    warn(fault);
  }
}

void Dma::ended(const WeftCore &core) {
  tellUnderWay(core);
  tellUnseen(core);
  auto &replies = replies_[core.index];
  while (!replies.empty()) {
    const std::uint32_t offset = replies.back().offset;
    replies.pop_back();
    markAwaited(core, offset);
  }
}

} // namespace weft::emu
