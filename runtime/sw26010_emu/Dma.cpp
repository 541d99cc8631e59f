// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Dma.h"

#include "Clock.h"
#include "Counters.h"
#include "Ldm.h"
#include "Machine.h"
#include "Memory.h"
#include "Mpe.h"
#include "Trace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace weft::emu {

namespace {

constexpr unsigned kRow = 8;           // CPEs of a row
constexpr double kLdmBytesACycle = 32; // what a transfer moves at the LDM in a cycle

DmaRegion regionOf(const DmaRequest &request) {
  const auto bytes = static_cast<std::uint64_t>(request.size);
  const auto block = static_cast<std::uint64_t>(request.block);
  const bool strided =
      request.gap != 0 && block != 0 && block < bytes && !request.is(DmaMode::Rank);
  if (!strided)
    return {request.memory, bytes};
  return {request.memory, block, block + static_cast<std::uint64_t>(request.gap), bytes};
}

std::uint64_t bit(int core) { return std::uint64_t{1} << core; }

/// A step of as many bytes each on both sides. Of small blocks a transfer has hundreds.
template <std::uint64_t bytes>
void copyBlocks(unsigned char *to, std::uint64_t toStep, const unsigned char *from,
                std::uint64_t fromStep, std::uint64_t count) {
  for (; count != 0; --count, to += toStep, from += fromStep)
    std::memcpy(to, from, bytes);
}

/// The blocks of `memory` from there to bytes that lie together, or back.
void gather(unsigned char *to, const DmaRegion &memory) {
  const auto *from = reinterpret_cast<const unsigned char *>(memory.first);
  const std::uint64_t whole = memory.bytes / memory.block;
  if (memory.block == 8)
    copyBlocks<8>(to, 8, from, memory.period, whole);
  else if (memory.block == 16)
    copyBlocks<16>(to, 16, from, memory.period, whole);
  else if (memory.block == 32)
    copyBlocks<32>(to, 32, from, memory.period, whole);
  else
    for (std::uint64_t index = 0; index < whole; ++index)
      std::memcpy(to + index * memory.block, from + index * memory.period, memory.block);
  std::memcpy(to + whole * memory.block, from + whole * memory.period,
              memory.bytes - whole * memory.block);
}

void scatter(const DmaRegion &memory, const unsigned char *from) {
  auto *to = reinterpret_cast<unsigned char *>(memory.first);
  const std::uint64_t whole = memory.bytes / memory.block;
  if (memory.block == 8)
    copyBlocks<8>(to, memory.period, from, 8, whole);
  else if (memory.block == 16)
    copyBlocks<16>(to, memory.period, from, 16, whole);
  else if (memory.block == 32)
    copyBlocks<32>(to, memory.period, from, 32, whole);
  else
    for (std::uint64_t index = 0; index < whole; ++index)
      std::memcpy(to + index * memory.period, from + index * memory.block, memory.block);
  std::memcpy(to + whole * memory.period, from + whole * memory.block,
              memory.bytes - whole * memory.block);
}

template <typename T> void erase(std::vector<T> &from, const T &value) {
  from.erase(std::find(from.begin(), from.end(), value));
}

} // namespace

unsigned char *Dma::ldmAt(int core, std::uint32_t offset) {
  return reinterpret_cast<unsigned char *>(Clock::get().core(core).ldm + offset);
}

Dma &Dma::get() {
  static auto *dma = new Dma; // never destroyed: fibers outlive static objects
  return *dma;
}

Dma::Dma()
    : controller_(DmaParameters::of(Machine::get())),
      ldmConflict_(Machine::get().number("ldm.transfer_conflict")) {
  Clock::get().inDeadlock([](int core, std::vector<Fault::Party> &parties) {
    Dma::get().explainSpin(core, parties);
    for (Fault::Party &reply : get().replies(core))
      parties.push_back(std::move(reply));
  });
}

// ---- giving a transfer ----

Dma::Transfer &Dma::make(const DmaRequest &request) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Transfer>());
    free_.push_back(all_.back().get());
  }
  Transfer &transfer = *free_.back();
  free_.pop_back();
  const WeftCore &core = *weft_sw_current;
  transfer.request = request;
  transfer.memory = regionOf(request);
  transfer.site = core.site;
  transfer.core = static_cast<int>(core.index);
  transfer.ldmBytes = static_cast<std::uint32_t>(request.size);
  transfer.receivers = bit(transfer.core);
  if (request.is(DmaMode::Rank)) {
    transfer.ldmBytes /= kRow;
    transfer.receivers = std::uint64_t{0xff} << (core.index / kRow * kRow);
  } else if (request.is(DmaMode::Broadcast)) {
    transfer.receivers = 0;
    for (unsigned row = 0; row < kRow; ++row)
      if (request.mask >> row & 1)
        transfer.receivers |= std::uint64_t{0xff} << row * kRow;
  }
  return transfer;
}

void Dma::submit(const DmaRequest &request) {
  WeftCore &core = *weft_sw_current;
  const auto own = static_cast<int>(core.index);
  checkDescriptor(request, core);
  if (request.is(DmaOp::Barrier))
    return barrier();

  Clock &clock = Clock::get();
  payForLdm(core);
  const auto issue = static_cast<std::uint64_t>(std::llround(controller_.parameters().issue));
  count(own, Counter::DmaIssue, issue, core.site);
  core.now += issue;
  clock.arrive();

  Transfer &transfer = make(request);
  checkLdm(transfer);
  checkMemory(transfer);
  count(own, request.isPut() ? Counter::DmaPuts : Counter::DmaGets, 1, core.site);
  count(own, request.isPut() ? Counter::DmaPutBytes : Counter::DmaGetBytes, transfer.memory.bytes,
        core.site);
  if (request.isPut())
    read(transfer);
  transfer.cycle = core.now;
  transfer.flow = trace::newFlow();
  Ldm::get().accessed(own, request.ldm, transfer.ldmBytes,
                      request.isPut() ? "a put sends" : "a get fills", transfer.site);
  if (request.isPut())
    Ldm::get().used(own, request.ldm, transfer.ldmBytes, "a put sends", transfer.site);
  else
    for (std::uint64_t rest = transfer.receivers; rest; rest &= rest - 1)
      Ldm::written(std::countr_zero(rest), request.ldm, transfer.ldmBytes);
  await(transfer);
  ++outstanding_[core.index];
  if (clock.functional()) {
    complete(transfer, core.now);
    return;
  }

  checkOverlaps(transfer);
  underWay_.push_back(&transfer);
  const std::uint64_t ticket = controller_.submit(
      core.now, own,
      {.memoryAddress = request.memory,
       .bytes = static_cast<std::uint32_t>(transfer.memory.bytes),
       .block = static_cast<std::uint32_t>(transfer.memory.block),
       .gap = static_cast<std::uint32_t>(transfer.memory.period - transfer.memory.block),
       .toMemory = request.isPut()});
  byTicket_.emplace(ticket, &transfer);
  const std::uint64_t earliest = controller_.nextCompletion().value_or(core.now);
  for (int cpe = 0; cpe < WEFT_SW_CPES; ++cpe) {
    if (!(transfer.receivers & bit(cpe)))
      continue;
    inLdm_[static_cast<unsigned>(cpe)].push_back(&transfer);
    WeftCore &receiver = clock.core(cpe);
    receiver.limit = std::min(receiver.limit, earliest);
  }
  core.limit = std::min(core.limit, earliest);
  mark(transfer, true);
  if (trace::on()) {
    trace::instant(trace::core(own), core.now, request.isPut() ? "DMA put" : "DMA get", core.site,
                   {{"bytes", transfer.memory.bytes}}, {transfer.flow, trace::Flow::Begins});
    trace::curve(trace::Curve::DmaInFlight, own, core.now, underWay_.size());
  }
  arm();
}

void Dma::checkLdm(const Transfer &transfer) const {
  const DmaRequest &request = transfer.request;
  if (request.ldm + transfer.ldmBytes <= WEFT_SW_LDM_BYTES)
    return;
  Fault fault;
  fault.name = request.is(DmaMode::Rank) ? FaultName("DMAE4") : FaultName("LDME");
  fault.core = transfer.core;
  fault.cycle = weft_sw_current->now;
  fault.site = transfer.site;
  fault.what = "the transfer goes past the end of LDM";
  fault.expected = "at most " + std::to_string(WEFT_SW_LDM_BYTES - request.ldm) +
                   " bytes from LDM offset " + std::to_string(request.ldm);
  fault.found = std::to_string(transfer.ldmBytes) + " bytes" +
                (request.is(DmaMode::Rank) ? " for each CPE of the row" : "");
  raise(fault);
}

void Dma::mark(const Transfer &transfer, bool begins) const {
  const std::uint32_t first = transfer.request.ldm / WEFT_SW_GRANULE;
  const std::uint32_t end =
      (transfer.request.ldm + transfer.ldmBytes + WEFT_SW_GRANULE - 1) / WEFT_SW_GRANULE;
  for (std::uint64_t rest = transfer.receivers; rest; rest &= rest - 1) {
    const int cpe = std::countr_zero(rest);
    std::uint8_t *shadow = Clock::get().core(cpe).shadow;
    if (!shadow)
      continue;
    for (std::uint32_t granule = first; granule < end; ++granule)
      shadow[granule] = static_cast<std::uint8_t>(
          begins ? shadow[granule] | kUnderTransfer : shadow[granule] & ~unsigned{kUnderTransfer});
    if (begins)
      continue;
    // Others may be under way in the same granules.
    for (const Transfer *other : inLdm_[static_cast<unsigned>(cpe)]) {
      const std::uint32_t from = std::max(first, other->request.ldm / WEFT_SW_GRANULE);
      const std::uint32_t to = std::min(
          end, (other->request.ldm + other->ldmBytes + WEFT_SW_GRANULE - 1) / WEFT_SW_GRANULE);
      for (std::uint32_t granule = from; granule < to; ++granule)
        shadow[granule] |= kUnderTransfer;
    }
  }
}

// ---- moving bytes ----

void Dma::read(Transfer &transfer) const {
  const DmaRequest &request = transfer.request;
  transfer.data.resize(transfer.memory.bytes);
  if (!request.is(DmaMode::Rank)) {
    std::memcpy(transfer.data.data(), ldmAt(transfer.core, request.ldm), transfer.data.size());
    return;
  }
  const auto granule = static_cast<std::uint64_t>(request.block);
  const int row = transfer.core / static_cast<int>(kRow) * static_cast<int>(kRow);
  for (std::uint64_t index = 0; index * granule < transfer.data.size(); ++index)
    std::memcpy(transfer.data.data() + index * granule,
                ldmAt(row + static_cast<int>(index % kRow),
                      request.ldm + static_cast<std::uint32_t>(index / kRow * granule)),
                granule);
}

void Dma::write(Transfer &transfer) const {
  const DmaRequest &request = transfer.request;
  const DmaRegion &memory = transfer.memory;
  if (request.isPut()) {
    scatter(memory, transfer.data.data());
    Mpe::get().changed(memory);
    return;
  }
  const auto copy = [&](unsigned char *to, std::uintptr_t from, std::uint64_t bytes) {
    if (transfer.readsBehindBlock)
      Memory::copyAnyway(to, from, bytes);
    else
      std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  };
  if (request.is(DmaMode::Rank)) {
    const auto granule = static_cast<std::uint64_t>(request.block);
    const int row = transfer.core / static_cast<int>(kRow) * static_cast<int>(kRow);
    for (std::uint64_t index = 0; index * granule < memory.bytes; ++index)
      copy(ldmAt(row + static_cast<int>(index % kRow),
                 request.ldm + static_cast<std::uint32_t>(index / kRow * granule)),
           memory.first + index * granule, granule);
    return;
  }
  for (std::uint64_t rest = transfer.receivers; rest; rest &= rest - 1) {
    const int cpe = std::countr_zero(rest);
    if (!Clock::get().core(cpe).ldm)
      continue;
    unsigned char *to = ldmAt(cpe, request.ldm);
    if (!transfer.readsBehindBlock)
      gather(to, memory);
    else
      for (std::uint64_t index = 0; index < memory.blocks(); ++index)
        Memory::copyAnyway(to + index * memory.block, memory.start(index), memory.bytesOf(index));
  }
}

// ---- completing ----

void Dma::arm() {
  const auto next = controller_.nextCompletion();
  if (!next || *next >= armed_)
    return;
  armed_ = *next;
  Clock::get().at(armed_, [this, cycle = armed_] {
    if (armed_ != cycle)
      return; // an earlier one took its place
    armed_ = UINT64_MAX;
    advance(cycle);
  });
}

void Dma::advance(std::uint64_t cycle) {
  while (const auto completion = controller_.popCompletion(cycle)) {
    const auto found = byTicket_.find(completion->ticket);
    if (found == byTicket_.end())
      bug("the memory controller completed a transfer that nobody gave");
    Transfer &transfer = *found->second;
    byTicket_.erase(found);
    erase(underWay_, &transfer);
    for (std::uint64_t rest = transfer.receivers; rest; rest &= rest - 1)
      erase(inLdm_[static_cast<unsigned>(std::countr_zero(rest))], &transfer);
    mark(transfer, false);
    count(transfer.core, transfer.request.isPut() ? Counter::DmaPutLines : Counter::DmaGetLines,
          completion->lines, transfer.site);
    complete(transfer, cycle);
  }
  arm();
}

void Dma::complete(Transfer &transfer, std::uint64_t cycle) {
  Clock &clock = Clock::get();
  const DmaRequest &request = transfer.request;
  const auto giver = static_cast<unsigned>(transfer.core);
  write(transfer);
  if (request.isPut())
    clock.changed();

  std::uint32_t count = 0;
  std::memcpy(&count, ldmAt(transfer.core, request.reply), sizeof count);
  ++count;
  std::memcpy(ldmAt(transfer.core, request.reply), &count, sizeof count);
  Reply &reply = replyAt(giver, request.reply);
  ++reply.count;
  reply.site = transfer.site;
  reply.cycle = cycle;
  if (reply.underWay)
    --reply.underWay;
  if (transfer.flow)
    reply.flows.push_back(transfer.flow);
  --outstanding_[giver];

  for (std::uint64_t rest = transfer.receivers; rest; rest &= rest - 1) {
    const int cpe = std::countr_zero(rest);
    // Who waits loses nothing.
    if (!clock.functional() && !clock.blocked(cpe) && !clock.idle(cpe))
      ldmTaken_[static_cast<unsigned>(cpe)] += transfer.ldmBytes / kLdmBytesACycle * ldmConflict_;
    if (cpe != transfer.core && !request.isPut())
      clock.touched(cpe, cycle);
  }
  clock.touched(transfer.core, cycle);
  if (waits_[giver] && clock.blocked(transfer.core)) {
    waits_[giver] = false;
    clock.wake(transfer.core, cycle);
  }
  if (trace::on()) {
    trace::span(trace::dma(transfer.core), transfer.cycle, cycle, request.isPut() ? "put" : "get",
                transfer.site,
                {{"bytes", transfer.memory.bytes},
                 {"block", transfer.memory.block},
                 {"mode", request.mode}},
                {transfer.flow, trace::Flow::Passes});
    trace::curve(trace::Curve::DmaInFlight, transfer.core, cycle, underWay_.size());
  }
  free_.push_back(&transfer);
}

void Dma::payForLdm(WeftCore &core) {
  double &taken = ldmTaken_[core.index];
  const auto whole = static_cast<std::uint64_t>(taken);
  if (!whole)
    return;
  taken -= static_cast<double>(whole);
  core.now += whole;
  count(static_cast<int>(core.index), Counter::LdmBusy, whole, core.site);
}

std::uint64_t Dma::limitOf(const WeftCore &core) const {
  if (core.index >= WEFT_SW_CPES)
    return UINT64_MAX;
  if (inLdm_[core.index].empty() && !outstanding_[core.index])
    return core.now + Clock::kHorizon;
  // The controller's answer may be early; looking a little later costs nothing that is seen.
  constexpr std::uint64_t kPause = 16;
  return std::max(core.now + kPause, controller_.nextCompletion().value_or(core.now));
}

} // namespace weft::emu
