// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sync.h"

#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Machine.h"
#include "Order.h"
#include "Trace.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

namespace weft::emu {

namespace {

constexpr unsigned kMembers = 8;
constexpr unsigned kMask = 0xff;

int member(int core, Way way, unsigned position) {
  return way == Way::Row ? core / 8 * 8 + static_cast<int>(position)
                         : static_cast<int>(position) * 8 + core % 8;
}

std::string hex(unsigned value) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "0x%02x", value);
  return text.data();
}

} // namespace

Sync &Sync::get() {
  static auto *sync = new Sync; // never destroyed: fibers outlive static objects
  return *sync;
}

Sync::Sync() : latency_(Machine::get().cycles("sync.latency")) {
  Clock::get().inDeadlock([](int core, std::vector<Fault::Party> &parties) {
    if (std::string missing = get().describe(core); !missing.empty())
      parties.push_back({"CPE " + std::to_string(core) + " " + missing, core,
                         Clock::get().core(core).now, Clock::get().waitOf(core).site});
  });
}

bool Sync::here(int core, Way way, unsigned mask) const {
  const Waiting &waiting = waiting_[static_cast<unsigned>(core)];
  return waiting.mask == mask && waiting.way == way;
}

void Sync::meet(Way way, int operand) {
  WeftCore *core = weft_sw_current;
  const auto own = static_cast<int>(core->index);
  Fault fault;
  fault.core = own;
  fault.cycle = core->now;
  fault.site = core->site;
  if (own == WEFT_SW_MPE) {
    fault.name = "sync-on-mpe";
    fault.what = "synchronisation of CPEs called on the MPE";
    fault.help = "athread_join waits for the CPEs";
    raise(fault);
  }
  const unsigned mask = static_cast<unsigned>(operand) & kMask;
  const auto position = static_cast<unsigned>(way == Way::Row ? own % 8 : own / 8);
  if (!(mask >> position & 1)) {
    fault.name = "SYNE1";
    fault.what = std::string("the mask of a ") + (way == Way::Row ? "row" : "column") +
                 " synchronisation does not name the caller";
    fault.expected = "bit " + std::to_string(position) + " set: the caller is in " +
                     (way == Way::Row ? "column " : "row ") + std::to_string(position);
    fault.found = hex(mask);
    fault.help = "call it only on the CPEs that the mask names";
    raise(fault);
  }

  std::vector<int> members;
  bool complete = true;
  std::uint64_t last = core->now;
  for (unsigned index = 0; index < kMembers; ++index) {
    if (!(mask >> index & 1))
      continue;
    const int other = member(own, way, index);
    members.push_back(other);
    if (other == own)
      continue;
    complete = complete && here(other, way, mask);
    last = std::max(last, Clock::get().core(other).now);
  }
  count(own, Counter::Syncs, 1, core->site);
  if (way == Way::Row)
    count(own, Counter::RowSyncs, 1, core->site);
  const std::uint64_t before = core->now;
  if (complete) {
    const std::uint64_t cycle = last + latency_;
    for (const int other : members) {
      if (other == own)
        continue;
      waiting_[static_cast<unsigned>(other)] = {};
      Clock::get().wake(other, cycle);
    }
    Order::get().met(members);
    core->now = std::max(core->now, cycle);
  } else {
    waiting_[core->index] = {mask, way};
    Clock::get().block(
        {way == Way::Row ? "others of its row (synr)" : "others of its column (sync)", core->site});
  }
  count(own, Counter::SyncWait, core->now - before, core->site);
  trace::span(trace::core(own), before, core->now, way == Way::Row ? "sync row" : "sync column",
              core->site, {{"mask", mask}});
}

std::string Sync::describe(int core) const {
  if (core == WEFT_SW_MPE || !waiting_[static_cast<unsigned>(core)].mask)
    return {};
  const auto &[mask, way] = waiting_[static_cast<unsigned>(core)];
  std::string text = "synchronises with mask " + hex(mask) + ", still without ";
  bool first = true;
  for (unsigned index = 0; index < kMembers; ++index) {
    const int other = member(core, way, index);
    if (!(mask >> index & 1) || other == core || here(other, way, mask))
      continue;
    text += first ? "" : ", ";
    first = false;
    text += "CPE " + std::to_string(other);
    const Waiting &theirs = waiting_[static_cast<unsigned>(other)];
    if (Clock::get().idle(other))
      text += " (its function has ended)";
    else if (theirs.mask)
      text += " (which is in a " + std::string(theirs.way == Way::Row ? "row" : "column") +
              " synchronisation with mask " + hex(theirs.mask) + ")";
  }
  return text;
}

} // namespace weft::emu

using weft::emu::Sync;
using weft::emu::Way;

void weft_sw_sync_row(int mask) { Sync::get().meet(Way::Row, mask); }
void weft_sw_sync_column(int mask) { Sync::get().meet(Way::Column, mask); }

extern "C" {

/// Scope 0: row, 1: column, 2: array, whose mask has the rows that take part in a column's
/// synchronisation in its low byte and the columns that take part in a row's in its high byte.
int slave_athread_syn(int scope, int mask) {
  constexpr unsigned kColumnBits = 8;
  switch (scope) {
  case 0:
    Sync::get().meet(Way::Row, mask);
    return 0;
  case 1:
    Sync::get().meet(Way::Column, mask);
    return 0;
  case 2:
    Sync::get().meet(Way::Column, mask);
    Sync::get().meet(Way::Row, static_cast<int>(static_cast<unsigned>(mask) >> kColumnBits));
    return 0;
  default:
    return -EINVAL;
  }
}

/// A name that some releases of the library have for athread_syn(ARRAY_SCOPE, 0xffff).
void slave_sync_array() { slave_athread_syn(2, 0xffff); }
}
