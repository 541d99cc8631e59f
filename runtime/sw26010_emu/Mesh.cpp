// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mesh.h"

#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Machine.h"
#include "Trace.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <set>

namespace weft::emu {

namespace {

constexpr int kBroadcast = 8; // bit 3 of a target
constexpr int kHighest = 15;  // four bits of the operand are valid
constexpr std::size_t kMessageBytes = 32;
// A core sends up to so many cycles before others have come as far; each switch of cores saved
// costs as much as a message. Causes still come before effects, for a message is read after it was
// sent: all that can come out of order are messages of senders that nothing orders (a hazard, and
// told), and by no more than this.
constexpr std::uint64_t kAhead = 64;

std::string_view nameOf(Way way) { return way == Way::Row ? "row" : "column"; }
std::string_view putName(Way way) { return way == Way::Row ? "putr" : "putc"; }
std::string_view getName(Way way) { return way == Way::Row ? "getr" : "getc"; }

unsigned positionOf(int core, Way way) {
  return static_cast<unsigned>(way == Way::Row ? core % 8 : core / 8);
}

/// A depth of the machine table, or of the environment variable in its place.
unsigned depth(std::string_view key, const char *variable, unsigned deepest) {
  std::uint64_t value = Machine::get().cycles(key);
  std::string from = Machine::get().path() + ": " + std::string(key);
  if (const char *text = std::getenv(variable); text && *text) {
    value = std::strtoull(text, nullptr, 10);
    from = variable;
  }
  if (value < 1 || value > deepest)
    raise({.name = "mesh-depth",
           .core = WEFT_SW_MPE,
           .cycle = 0,
           .site = nullptr,
           .what = from + ": a buffer of register communication holds 1 to " +
                   std::to_string(deepest) + " messages",
           .expected = "1 to " + std::to_string(deepest),
           .found = std::to_string(value),
           .help = "",
           .others = {}});
  return static_cast<unsigned>(value);
}

Fault here(FaultName name, std::string what) {
  Fault fault;
  fault.name = name;
  fault.core = static_cast<int>(weft_sw_current->index);
  fault.cycle = weft_sw_current->now;
  fault.site = weft_sw_current->site;
  fault.what = std::move(what);
  return fault;
}

[[noreturn, gnu::cold]] void refuseHost(std::string_view instruction) {
  Fault fault = here("mesh-on-mpe", std::string(instruction) + " on the MPE");
  fault.expected = "register communication between CPEs only";
  fault.help = "call it in a function that athread_spawn starts";
  raise(fault);
}

} // namespace

Mesh &Mesh::get() {
  static auto *mesh = new Mesh; // never destroyed: fibers outlive static objects
  return *mesh;
}

Mesh::Mesh()
    : order_(Order::get()),
      inboxDepth_(depth("mesh.receive_depth", "WEFT_EMU_MESH_RECEIVE_DEPTH", kDeepest)),
      outboxDepth_(depth("mesh.send_depth", "WEFT_EMU_MESH_SEND_DEPTH", kDeepest)),
      wireMessages_(static_cast<unsigned>(Machine::get().cycles("mesh.wire_messages"))),
      places_(std::bit_ceil(inboxDepth_) - 1),
      nearLatency_(Machine::get().cycles("mesh.near_latency")),
      farLatency_(Machine::get().cycles("mesh.far_latency")),
      farDistance_(Machine::get().cycles("mesh.far_distance")) {
  takes_.fill(-1);
  Clock::get().inDeadlock([](int core, std::vector<Fault::Party> &parties) {
    if (std::string held = get().describe(core); !held.empty())
      parties.push_back({"CPE " + std::to_string(core) + " has " + held});
  });
}

int Mesh::member(int core, Way way, unsigned position) {
  return way == Way::Row ? core / 8 * 8 + static_cast<int>(position)
                         : static_cast<int>(position) * 8 + core % 8;
}

unsigned Mesh::waitingToLeave(Outbox &outbox, std::uint64_t now) {
  while (!outbox.departures.empty() && outbox.departures.front() <= now)
    outbox.departures.drop();
  return outbox.departures.size() + outbox.letters.size();
}

void Mesh::put(Way way, const void *value, int target, std::uint64_t readyAfter) {
  if (weft_sw_current->index == WEFT_SW_MPE)
    refuseHost(putName(way));
  WeftCore *core = weft_sw_current;
  const auto own = static_cast<int>(core->index);
  const unsigned position = positionOf(own, way);
  if (target < 0 || target > kHighest) {
    Fault fault =
        here("mesh-target", std::string(putName(way)) + " to target " + std::to_string(target) +
                                ", which is no place in a " + std::string(nameOf(way)));
    fault.expected = way == Way::Row ? "a column, 0 to 7, or 8 for all others of the row"
                                     : "a row, 0 to 7, or 8 for all others of the column";
    fault.found = std::to_string(target);
    fault.help = "a target is a place in the sender's own row or column, not the number of a CPE";
    raise(fault);
  }
  const bool broadcast = (target & kBroadcast) != 0;
  if (!broadcast && static_cast<unsigned>(target) == position) {
    Fault fault = here("mesh-self", std::string(putName(way)) + " to the sender itself");
    fault.expected = "another CPE of the " + std::string(nameOf(way));
    fault.found = std::string(nameOf(way == Way::Row ? Way::Column : Way::Row)) + " " +
                  std::to_string(target) + ", which is the sender's own";
    fault.help = "what the machine does then is not documented; keep the value in a register";
    raise(fault);
  }

  Clock::get().arrive(kAhead);
  Outbox &outbox = outboxes_[core->index];
  const std::uint64_t before = core->now;
  while (waitingToLeave(outbox, core->now) >= outboxDepth_)
    waitForRoom(own, way);
  if (core->now != before)
    count(own, Counter::PutFull, core->now - before, core->site);
  count(own, way == Way::Row ? Counter::RowSent : Counter::ColumnSent, 1, core->site);

  const auto fill = [&](Message &message, const Order::Stamp &stamp) {
    std::memcpy(message.value.data(), value, message.value.size());
    message.sentAt = core->now;
    message.site = core->site;
    message.sender = own;
    message.flow = trace::newFlow();
    message.stamp = stamp;
  };
  // Most messages leave at once for one receiver with room: they are written where they are read.
  if (!broadcast && outbox.letters.empty()) {
    const int receiver = member(own, way, static_cast<unsigned>(target));
    Inbox &box = inbox(receiver, way);
    if (!box.full(inboxDepth_)) {
      Message &message = box.messages[box.put & places_];
      fill(message, box.lastSender == own ? order_.sentAgain(own, receiver) : order_.sent(own, 1));
      const std::uint64_t departure =
          leave(outbox, way, own, freeFrom(box, std::max(core->now + readyAfter, outbox.next)));
      const std::uint64_t arrives = accept(receiver, way, message, departure);
      showMessage(way, message, 1U << target, departure, arrives);
      return;
    }
  }
  Letter &letter = outbox.letters.add();
  letter.way = way;
  letter.ready = core->now + readyAfter;
  letter.targets = static_cast<std::uint8_t>(broadcast ? 0xffU & ~(1U << position) : 1U << target);
  fill(letter.message, order_.sent(own, broadcast ? 7 : 1));
  if (outbox.letters.size() == 1)
    pump(own);
}

void Mesh::waitForRoom(int core, Way way) {
  Outbox &outbox = outboxes_[static_cast<unsigned>(core)];
  WeftCore &self = *weft_sw_current;
  if (!outbox.departures.empty()) { // when the next one leaves is known already
    self.now = std::max(self.now, outbox.departures.front());
    return;
  }
  const Letter &first = outbox.letters.front();
  int other = -1;
  for (unsigned position = 0; position < 8; ++position) {
    const int receiver = member(core, first.way, position);
    if ((first.targets >> position & 1) && inbox(receiver, first.way).full(inboxDepth_)) {
      other = receiver;
      break;
    }
  }
  outbox.blocked = true;
  Clock::get().block({first.way == Way::Row ? "room in the row buffer of a receiver of its putr"
                                            : "room in the column buffer of a receiver of its putc",
                      self.site, other});
  outbox.blocked = false;
}

void Mesh::pump(int sender) {
  Outbox &outbox = outboxes_[static_cast<unsigned>(sender)];
  while (!outbox.letters.empty()) {
    Letter &letter = outbox.letters.front();
    std::uint64_t departure = std::max(letter.ready, outbox.next);
    for (unsigned rest = letter.targets; rest; rest &= rest - 1) {
      const auto position = static_cast<unsigned>(std::countr_zero(rest));
      Inbox &box = inbox(member(sender, letter.way, position), letter.way);
      if (box.full(inboxDepth_)) {
        box.waitingSenders.push_back(sender);
        ++box.waiting;
        return;
      }
      departure = freeFrom(box, departure);
    }
    departure = leave(outbox, letter.way, sender, departure);
    deliver(sender, letter, departure);
    outbox.letters.drop();
    if (outbox.blocked && Clock::get().blocked(sender))
      Clock::get().wake(sender, departure);
  }
}

std::uint64_t Mesh::freeFrom(const Inbox &box, std::uint64_t from) const {
  return box.put < inboxDepth_ ? from
                               : std::max(from, box.freed[(box.put - inboxDepth_) & places_]);
}

std::uint64_t Mesh::leave(Outbox &outbox, Way way, int sender, std::uint64_t from) {
  const std::uint64_t departure = takeWires(way, sender, from);
  outbox.next = departure + 1;
  if (weft_sw_current->index != static_cast<unsigned>(sender) || departure > weft_sw_current->now)
    outbox.departures.add() = departure;
  return departure;
}

std::uint64_t Mesh::takeWires(Way way, int sender, std::uint64_t from) {
  const auto line = static_cast<unsigned>(way == Way::Row ? sender / 8 : sender % 8);
  Wires &wires = wires_[static_cast<unsigned>(way)][line];
  for (;; ++from) {
    auto &cycle = wires.cycles[from % Wires::kKept];
    auto &used = wires.used[from % Wires::kKept];
    if (cycle > from)
      return from;
    if (cycle < from) {
      cycle = from;
      used = 0;
    }
    if (used < wireMessages_) {
      ++used;
      return from;
    }
  }
}

void Mesh::deliver(int sender, const Letter &letter, std::uint64_t departure) {
  std::uint64_t last = departure;
  for (unsigned rest = letter.targets; rest; rest &= rest - 1) {
    const int receiver = member(sender, letter.way, static_cast<unsigned>(std::countr_zero(rest)));
    Inbox &box = inbox(receiver, letter.way);
    Message &message = box.messages[box.put & places_];
    message = letter.message;
    last = std::max(last, accept(receiver, letter.way, message, departure));
  }
  showMessage(letter.way, letter.message, letter.targets, departure, last);
}

std::uint64_t Mesh::accept(int receiver, Way way, Message &message, std::uint64_t departure) {
  Clock &clock = Clock::get();
  Inbox &box = inbox(receiver, way);
  const unsigned from = positionOf(message.sender, way), to = positionOf(receiver, way);
  const std::uint64_t latency =
      (to > from ? to - from : from - to) < farDistance_ ? nearLatency_ : farLatency_;
  if (box.lastSender >= 0 && box.lastSender != message.sender)
    checkOrder(receiver, way, box, message);
  // The buffer takes one message a cycle, in the order in which they were sent.
  message.arrives = std::max(departure + latency, box.lastArrival + 1);
  box.lastArrival = message.arrives;
  box.lastSender = message.sender;
  box.lastSend = message.stamp.send;
  box.lastSentAt = message.sentAt;
  box.lastSite = message.site;
  ++box.put;
  if (box.put == box.taken + 1 && clock.blocked(receiver) &&
      takes_[static_cast<unsigned>(receiver)] == static_cast<int>(way)) {
    takes_[static_cast<unsigned>(receiver)] = -1;
    clock.wake(receiver, message.arrives);
  }
  return message.arrives;
}

void Mesh::showMessage(Way way, const Message &message, unsigned targets, std::uint64_t departure,
                       std::uint64_t arrives) {
  if (!trace::on())
    return;
  trace::span(way == Way::Row ? trace::rowBus(message.sender / 8)
                              : trace::columnBus(message.sender % 8),
              departure, arrives, putName(way), message.site,
              {{"sender", static_cast<std::uint64_t>(message.sender)}, {"targets", targets}},
              {message.flow, trace::Flow::Begins});
}

void Mesh::checkOrder(int receiver, Way way, const Inbox &box, const Message &message) {
  if (Order::before(box.lastSender, box.lastSend, message.stamp))
    return;
  // Told once a pair of places; building the text costs more than the message.
  static std::set<std::pair<const WeftSite *, const WeftSite *>> told;
  if (!told.emplace(message.site, box.lastSite).second)
    return;
  Fault fault;
  fault.name = "unordered-senders";
  fault.core = message.sender;
  fault.cycle = message.sentAt;
  fault.site = message.site;
  fault.what = "which of two senders' messages comes first into the " + std::string(nameOf(way)) +
               " buffer of " + describeCore(receiver) + " depends on timing alone";
  fault.expected = "an order between senders to one buffer, by synchronisation or by messages";
  fault.others.push_back({"the other sender", box.lastSender, box.lastSentAt, box.lastSite});
  fault.help = "a message has no tag: the receiver cannot tell who sent it. Have the senders take "
               "turns (athread_syn, or a message from one to the next)";
  warn(fault);
}

void Mesh::take(Way way, void *value) {
  if (weft_sw_current->index == WEFT_SW_MPE)
    refuseHost(getName(way));
  WeftCore *core = weft_sw_current;
  const auto own = static_cast<int>(core->index);
  Inbox &box = inbox(own, way);
  const std::uint64_t before = core->now;
  while (box.put == box.taken) {
    takes_[core->index] = static_cast<int>(way);
    Clock::get().block(
        {way == Way::Row ? "a message from its row (getr)" : "a message from its column (getc)",
         core->site});
  }
  takes_[core->index] = -1;
  const Message &message = box.messages[box.taken & places_];
  core->now = std::max(core->now, message.arrives);
  std::memcpy(value, message.value.data(), message.value.size());
  order_.received(own, message.sender, message.stamp);
  box.freed[box.taken & places_] = core->now;
  ++box.taken;
  if (core->now != before)
    count(own, way == Way::Row ? Counter::GetrEmpty : Counter::GetcEmpty, core->now - before,
          core->site);
  count(own, way == Way::Row ? Counter::RowReceived : Counter::ColumnReceived, 1, core->site);
  if (trace::on())
    trace::span(trace::core(own), before, core->now, getName(way), core->site, {},
                {message.flow, trace::Flow::Ends});
  while (box.waiting && !box.full(inboxDepth_)) {
    const int sender = box.waitingSenders.front();
    box.waitingSenders.pop_front();
    --box.waiting;
    pump(sender);
  }
}

bool Mesh::nothingToTake(Way way) {
  if (weft_sw_current->index == WEFT_SW_MPE)
    refuseHost("rcsr of a receive buffer");
  Clock::get().arrive();
  const auto own = static_cast<int>(weft_sw_current->index);
  const Inbox &box = inbox(own, way);
  return box.put == box.taken || box.messages[box.taken & places_].arrives > weft_sw_current->now;
}

bool Mesh::cannotPut() {
  if (weft_sw_current->index == WEFT_SW_MPE)
    refuseHost("rcsr of the send buffer");
  Clock::get().arrive();
  return waitingToLeave(outboxes_[weft_sw_current->index], weft_sw_current->now) >= outboxDepth_;
}

void Mesh::joined(std::uint64_t cpes, const WeftSite *site) {
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    if (!(cpes >> core & 1))
      continue;
    for (const Way way : {Way::Row, Way::Column}) {
      Inbox &box = inbox(core, way);
      const std::uint64_t first = std::max(box.taken, box.told);
      if (first == box.put)
        continue;
      const Message &message = box.messages[first & places_];
      const std::uint64_t left = box.put - first;
      Fault fault;
      fault.name = "unreceived-message";
      fault.core = core;
      fault.cycle = weft_sw_current->now;
      fault.site = site;
      fault.what = std::to_string(left) + (left == 1 ? " message is" : " messages are") +
                   " left in its " + std::string(nameOf(way)) +
                   " buffer when its function has ended";
      fault.expected = "a " + std::string(getName(way)) + " for every message";
      fault.others.push_back(
          {"the first was sent by", message.sender, message.sentAt, message.site});
      fault.help = "the message stays there: the next function's first " +
                   std::string(getName(way)) + " gets it";
      warn(fault);
      box.told = box.put;
    }
    Outbox &outbox = outboxes_[static_cast<unsigned>(core)];
    if (!outbox.letters.empty()) {
      const Letter &letter = outbox.letters.front();
      Fault fault;
      fault.name = "unreceived-message";
      fault.core = core;
      fault.cycle = weft_sw_current->now;
      fault.site = letter.message.site;
      fault.what = std::to_string(outbox.letters.size()) +
                   " of its messages never left: the receiver's buffer is full";
      fault.others.push_back({"sent by", core, letter.message.sentAt, letter.message.site});
      warn(fault);
    }
  }
}

std::string Mesh::describe(int core) const {
  std::string text;
  if (core == WEFT_SW_MPE)
    return text;
  for (const Way way : {Way::Row, Way::Column}) {
    const Inbox &box = inboxes_[static_cast<unsigned>(core)][static_cast<unsigned>(way)];
    if (box.put == box.taken)
      continue;
    const Message &first = box.messages[box.taken & places_];
    text += text.empty() ? "" : "; ";
    text += std::to_string(box.put - box.taken) + " received in its " + std::string(nameOf(way)) +
            " buffer, the first from CPE " + std::to_string(first.sender) + ", sent at " +
            emu::describe(first.site);
  }
  const Outbox &outbox = outboxes_[static_cast<unsigned>(core)];
  if (!outbox.letters.empty())
    text +=
        (text.empty() ? "" : "; ") + std::to_string(outbox.letters.size()) + " put and not sent";
  return text;
}

namespace {

/// vldr, vldc, ldder and lddec: the register is the sender's too.
void loadAndPut(Way way, void *value, const void *address, bool splat) {
  const std::string_view name =
      splat ? (way == Way::Row ? "ldder" : "lddec") : (way == Way::Row ? "vldr" : "vldc");
  if (weft_sw_current->index == WEFT_SW_MPE)
    refuseHost(name);
  WeftCore *core = weft_sw_current;
  const std::size_t bytes = splat ? sizeof(double) : kMessageBytes;
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - core->ldm;
  if (offset > WEFT_SW_LDM_BYTES - bytes) {
    Fault fault = here("load-and-send-outside-ldm",
                       std::string(name) + " from an address outside the CPE's LDM");
    fault.expected = "an address in its LDM: the instruction loads from there alone";
    fault.help = "load the value with simd_load and send it with simd_putr or simd_putc; arrays on "
                 "the stack are in LDM with -b";
    raise(fault);
  }
  if (offset % bytes != 0 || core->shadow[offset / WEFT_SW_GRANULE])
    weft_sw_access(core, address, bytes, WEFT_SW_LOAD, core->site);
  std::array<unsigned char, kMessageBytes> message;
  for (std::size_t at = 0; at < kMessageBytes; at += bytes)
    std::memcpy(message.data() + at, address, bytes);
  static const std::uint64_t latency = Machine::get().cycles("mesh.load_latency");
  Mesh::get().put(way, message.data(), kBroadcast, latency);
  count(static_cast<int>(core->index),
        way == Way::Row ? Counter::RowLoadsSent : Counter::ColumnLoadsSent, 1, core->site);
  std::memcpy(value, message.data(), kMessageBytes);
}

} // namespace

} // namespace weft::emu

using weft::emu::Mesh;
using weft::emu::Way;

void weft_sw_put_row(const void *value, int destination) {
  Mesh::get().put(Way::Row, value, destination);
}

void weft_sw_put_column(const void *value, int destination) {
  Mesh::get().put(Way::Column, value, destination);
}

void weft_sw_load_row(void *value, const void *address, int splat) {
  weft::emu::loadAndPut(Way::Row, value, address, splat != 0);
}

void weft_sw_load_column(void *value, const void *address, int splat) {
  weft::emu::loadAndPut(Way::Column, value, address, splat != 0);
}

void weft_sw_get_row(void *value) { Mesh::get().take(Way::Row, value); }
void weft_sw_get_column(void *value) { Mesh::get().take(Way::Column, value); }
