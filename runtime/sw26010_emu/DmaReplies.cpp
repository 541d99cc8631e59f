// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for transfers, and who looks at the words that count them.
#include "Awaited.h"
#include "Clock.h"
#include "Counters.h"
#include "Dma.h"
#include "Ldm.h"
#include "Trace.h"

#include <algorithm>
#include <cstring>

namespace weft::emu {

// ---- waiting ----

namespace {

Fault waitsForEver(bool over, std::uint32_t wanted, std::uint32_t value) {
  Fault fault;
  fault.name = over ? FaultName("reply-overshoot") : FaultName("reply-missing");
  fault.what = over ? "waits for ever: the reply word has passed the value that it waits for"
                    : "waits for ever: no transfer will count in the reply word";
  fault.expected = std::to_string(wanted);
  fault.found = std::to_string(value);
  fault.help = over ? "set the reply word to 0 before the transfers that it counts; each adds 1"
                    : "wait for as many as were given with this reply word";
  return fault;
}

} // namespace

void Dma::wait(std::uint32_t offset, std::uint32_t wanted) {
  WeftCore &core = *weft_sw_current;
  const auto own = static_cast<int>(core.index);
  payForLdm(core);
  Clock &clock = Clock::get();
  const std::uint64_t before = core.now;
  for (;;) {
    clock.arrive();
    std::uint32_t value = 0;
    std::memcpy(&value, ldmAt(own, offset), sizeof value);
    if (value == wanted)
      break;
    const bool over = static_cast<std::int32_t>(value - wanted) > 0;
    const bool hope = std::ranges::any_of(underWay_, [&](const Transfer *transfer) {
      return transfer->core == own && transfer->request.reply == offset;
    });
    if (over || !hope) {
      Fault fault = waitsForEver(over, wanted, value);
      fault.core = own;
      fault.cycle = core.now;
      fault.site = core.site;
      fault.others = replies(own);
      raise(fault);
    }
    waits_[core.index] = true;
    clock.block({"the reply of a transfer that it gave (dma_wait)", core.site});
  }
  if (core.now != before) {
    count(own, Counter::DmaWait, core.now - before, core.site);
    traceWait(core, before, "DMA wait", core.site);
  }
  looked(core, offset, sizeof(std::uint32_t), core.site);
}

void Dma::explainSpin(int core, const std::vector<Fault::Party> &parties) const {
  if (core == WEFT_SW_MPE)
    return;
  const Awaited &awaited = awaitedBy(core);
  const std::uintptr_t offset = awaited.address - Clock::get().core(core).ldm;
  const bool isWord = awaited.bytes == 4 || awaited.bytes == 8;
  if (!isWord || awaited.site != Clock::get().waitOf(core).site || offset >= WEFT_SW_LDM_BYTES)
    return;
  const auto &replies = replies_[static_cast<unsigned>(core)];
  const auto reply = std::ranges::find(replies, offset, &Reply::offset);
  std::uint32_t value = 0;
  std::memcpy(&value, ldmAt(core, static_cast<std::uint32_t>(offset)), sizeof value);
  const auto wanted = static_cast<std::uint32_t>(awaited.value);
  if (reply == replies.end() || value == wanted)
    return;
  const bool over = static_cast<std::int32_t>(value - wanted) > 0;
  Fault fault = waitsForEver(over, wanted, value);
  fault.core = core;
  fault.cycle = Clock::get().core(core).now;
  fault.site = awaited.site;
  fault.others = parties;
  for (Fault::Party &party : this->replies(core))
    fault.others.push_back(std::move(party));
  raise(fault);
}

void Dma::barrier() {
  WeftCore &core = *weft_sw_current;
  payForLdm(core);
  Clock &clock = Clock::get();
  clock.arrive();
  const std::uint64_t before = core.now;
  while (outstanding_[core.index]) {
    waits_[core.index] = true;
    clock.block({"its transfers (DMA barrier)", core.site});
  }
  if (core.now != before) {
    count(static_cast<int>(core.index), Counter::DmaWait, core.now - before, core.site);
    traceWait(core, before, "DMA barrier", core.site);
  }
  looked(core, 0, WEFT_SW_LDM_BYTES, core.site);
}

// ---- whether anybody looks ----

Dma::Reply &Dma::replyAt(unsigned core, std::uint32_t offset) {
  auto &replies = replies_[core];
  const auto known = std::ranges::find(replies, offset, &Reply::offset);
  return known != replies.end() ? *known : replies.emplace_back(Reply{.offset = offset});
}

void Dma::await(const Transfer &transfer) {
  Reply &reply = replyAt(static_cast<unsigned>(transfer.core), transfer.request.reply);
  ++reply.underWay;
  reply.unseen = true;
  reply.unseenPut = transfer.request.isPut();
  reply.given = transfer.site;
  reply.givenAt = transfer.cycle;
  markAwaited(*weft_sw_current, reply.offset);
}

/// A granule is marked while it has a word whose transfers are not complete, or not seen.
void Dma::markAwaited(const WeftCore &core, std::uint32_t offset) const {
  const std::uint32_t granule = offset / WEFT_SW_GRANULE;
  const bool awaited = std::ranges::any_of(replies_[core.index], [&](const Reply &reply) {
    return reply.offset / WEFT_SW_GRANULE == granule &&
           (reply.unseen || reply.underWay || !reply.flows.empty());
  });
  core.shadow[granule] = static_cast<std::uint8_t>(
      awaited ? core.shadow[granule] | kAwaited : core.shadow[granule] & ~unsigned{kAwaited});
}

bool Dma::hasReply(const WeftCore &core, std::uint32_t begin, std::uint32_t end) const {
  return std::ranges::any_of(replies_[core.index], [&](const Reply &reply) {
    return reply.offset < end && begin < reply.offset + sizeof(std::uint32_t);
  });
}

void Dma::looked(WeftCore &core, std::uint32_t offset, std::uint64_t bytes, const WeftSite *site) {
  for (Reply &reply : replies_[core.index]) {
    if (reply.offset + sizeof(std::uint32_t) <= offset || offset + bytes <= reply.offset)
      continue;
    reply.unseen = false;
    if (!reply.flows.empty()) {
      // It was there already: no wait that an arrow could lead to.
      trace::instant(trace::core(static_cast<int>(core.index)), core.now, "reply", site, {},
                     {reply.flows.front(), trace::Flow::Ends, reply.flows});
      reply.flows.clear();
    }
    markAwaited(core, reply.offset);
  }
}

void Dma::traceWait(const WeftCore &core, std::uint64_t begin, std::string_view name,
                    const WeftSite *site) {
  if (!trace::on())
    return;
  std::vector<std::uint64_t> flows;
  if (core.index < WEFT_SW_CPES)
    for (Reply &reply : replies_[core.index]) {
      flows.insert(flows.end(), reply.flows.begin(), reply.flows.end());
      reply.flows.clear();
    }
  trace::Flow flow;
  if (!flows.empty())
    flow = {flows.front(), trace::Flow::Ends, flows};
  trace::span(trace::core(static_cast<int>(core.index)), begin, core.now, name, site, {}, flow);
}

std::vector<Fault::Party> Dma::replies(int core) const {
  std::vector<Fault::Party> parties;
  if (core == WEFT_SW_MPE)
    return parties;
  for (const Reply &reply : replies_[static_cast<unsigned>(core)]) {
    std::uint32_t value = 0;
    std::memcpy(&value, ldmAt(core, reply.offset), sizeof value);
    parties.push_back({"its reply word at LDM offset " + std::to_string(reply.offset) + " is " +
                           std::to_string(value) + "; transfers that counted in it: " +
                           std::to_string(reply.count) + ", the last completed",
                       core, reply.cycle, reply.site});
  }
  return parties;
}

} // namespace weft::emu
