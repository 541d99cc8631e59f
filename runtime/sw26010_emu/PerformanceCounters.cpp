// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PerformanceCounters.h"

#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Machine.h"

#include <array>
#include <string>

namespace weft::emu {

namespace {

constexpr unsigned kCounters = 3;
// A counter's register: the event in the high five bits, the count below.
constexpr unsigned kEventShift = 59;
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kEventShift) - 1;
// The control register: a bit for each counter, beside it one for an interrupt where it overflows,
// and the kinds of floating-point instructions that count.
constexpr std::uint64_t enables(unsigned counter) { return std::uint64_t{1} << (2 * counter); }
constexpr std::uint64_t kFlopsAdd = std::uint64_t{0xf} << 16, kFlopsDivide = std::uint64_t{3} << 20;

struct Counting {
  std::array<std::uint64_t, kCounters> event{};
  std::array<std::uint64_t, kCounters> count{}; // until it was last stopped
  std::array<std::uint64_t, kCounters> from{};  // the emulator's value when it was started
  std::uint64_t control = 0;
};

std::array<Counting, WEFT_SW_CPES> countings;

struct Event {
  std::uint64_t number;
  const char *name;
  unsigned counter;
  bool known;
};

constexpr Event kEvents[] = {
#define WEFT_EVENT(counter, number, name, value) {number, #name, counter, true},
#define WEFT_NO_EVENT(counter, number, name) {number, #name, counter, false},
#include "PerformanceEvents.def"
};

const Event *find(unsigned counter, std::uint64_t number) {
  for (const Event &event : kEvents)
    if (event.counter == counter && event.number == number)
      return &event;
  return nullptr;
}

/// What the emulator counted of an event, since the program began.
std::uint64_t soFar(unsigned counter, std::uint64_t number) {
  const std::uint64_t now = weft_sw_current->now;
  if (number == 0 && counter < 2) // cycles need no sum over the program
    return now;
  static const std::uint64_t unitsOfLine = Machine::get().cycles("cpe.icache.line") / 16;
  const Values values = counted(static_cast<int>(weft_sw_current->index));
  switch (counter << 8 | number) {
#define of(name) at(values, Counter::name)
#define WEFT_EVENT(counter, number, name, value)                                                   \
  case (counter) << 8 | (number):                                                                  \
    return value;
#include "PerformanceEvents.def"
#undef of
  default:
    return 0;
  }
}

std::string hex(std::uint64_t value) {
  constexpr const char *kDigits = "0123456789abcdef";
  return std::string("0x") + (value > 0xf ? std::string(1, kDigits[value >> 4 & 0xf]) : "") +
         kDigits[value & 0xf];
}

[[noreturn]] void refuse(std::string what, std::string found, std::string help) {
  const WeftCore &core = *weft_sw_current;
  raise({.name = "unknown-counter",
         .core = static_cast<int>(core.index),
         .cycle = core.now,
         .site = core.site,
         .what = std::move(what),
         .expected = "an event that the emulator counts: docs/athread.md lists them",
         .found = std::move(found),
         .help = std::move(help)});
}

/// Ends the run if an enabled counter cannot be served.
void check(const Counting &own, unsigned counter) {
  const std::uint64_t number = own.event[counter];
  const Event *event = find(counter, number);
  if (!event || !event->known)
    refuse("performance counter " + std::to_string(counter) + " is started with an event that " +
               (event ? "the emulator does not model" : "is not known"),
           "event " + hex(number) + (event ? std::string(" (") + event->name + ")" : ""),
           "choose another event, or leave the counter off: weft emu run --report has the "
           "emulator's own counters");
  const std::uint64_t kinds = counter == 0 && number == 0x14   ? kFlopsAdd
                              : counter == 1 && number == 0x15 ? kFlopsDivide
                                                               : 0;
  if (const std::uint64_t chosen = own.control & kinds; chosen && chosen != kinds)
    refuse("a performance counter is started for some kinds of floating-point instructions only",
           "control register 8 is " + hex(own.control >> 16) + " << 16 and more",
           "enable all kinds (bits 16 to 19 of additions and products, 20 and 21 of divisions and "
           "roots), or none");
}

/// Floating-point operations count only where their kinds are enabled.
bool countsNothing(const Counting &own, unsigned counter) {
  return (counter == 0 && own.event[0] == 0x14 && !(own.control & kFlopsAdd)) ||
         (counter == 1 && own.event[1] == 0x15 && !(own.control & kFlopsDivide));
}

std::uint64_t valueOf(const Counting &own, unsigned counter) {
  std::uint64_t value = own.count[counter];
  if ((own.control & enables(counter)) && !countsNothing(own, counter))
    value += soFar(counter, own.event[counter]) - own.from[counter];
  return value & kCountMask;
}

void setControl(Counting &own, std::uint64_t control) {
  for (unsigned counter = 0; counter < kCounters; ++counter)
    own.count[counter] = valueOf(own, counter);
  own.control = control;
  for (unsigned counter = 0; counter < kCounters; ++counter) {
    if (!(control & enables(counter)))
      continue;
    check(own, counter);
    own.from[counter] = soFar(counter, own.event[counter]);
  }
}

void select(Counting &own, unsigned counter, std::uint64_t value) {
  own.event[counter] = value >> kEventShift;
  own.count[counter] = value & kCountMask;
  if (!(own.control & enables(counter)))
    return;
  check(own, counter);
  own.from[counter] = soFar(counter, own.event[counter]);
}

} // namespace

std::uint64_t readCounterRegister(int index) {
  const Counting &own = countings.at(weft_sw_current->index);
  if (index == kCounterControlRegister)
    return own.control;
  const auto counter = static_cast<unsigned>(index - kFirstCounterRegister);
  return own.event.at(counter) << kEventShift | valueOf(own, counter);
}

void writeCounterRegister(int index, std::uint64_t value) {
  Counting &own = countings.at(weft_sw_current->index);
  if (index == kCounterControlRegister)
    return setControl(own, value);
  select(own, static_cast<unsigned>(index - kFirstCounterRegister), value);
}

namespace {

/// penv_slave<counter>_<event>_init of the library: on a CPE its own counter, on the MPE that of
/// every CPE.
void initialise(unsigned counter, std::uint64_t number) {
  const auto begin = [&](WeftCore &core) {
    WeftCore *running = weft_sw_current;
    weft_sw_current = &core;
    Counting &own = countings.at(core.index);
    // The event first: number 0 of counter 2 is none that could be started.
    select(own, counter, number << kEventShift);
    setControl(own, own.control | enables(counter) | kFlopsAdd | kFlopsDivide);
    weft_sw_current = running;
  };
  if (weft_sw_current->index != WEFT_SW_MPE)
    return begin(*weft_sw_current);
  for (int cpe = 0; cpe < WEFT_SW_CPES; ++cpe)
    begin(Clock::get().core(cpe));
}

void chargeCall() {
  static const std::uint64_t cycles = Machine::get().cycles("slave.call");
  WeftCore &core = *weft_sw_current;
  core.now += cycles;
  if (core.index != WEFT_SW_MPE)
    count(static_cast<int>(core.index), Counter::LibraryCycles, cycles, core.site);
}

} // namespace

} // namespace weft::emu

extern "C" {

#define WEFT_EVENT(counter, number, name, value)                                                   \
  void penv_slave##counter##_##name##_init() { weft::emu::initialise(counter, number); }           \
  void slave_penv_slave##counter##_##name##_init() {                                               \
    weft::emu::chargeCall();                                                                       \
    weft::emu::initialise(counter, number);                                                        \
  }                                                                                                \
  void slave_penv_slave##counter##_##name##_count(unsigned long *count) {                          \
    weft::emu::chargeCall();                                                                       \
    *count = weft::emu::valueOf(weft::emu::countings.at(weft_sw_current->index), counter);         \
  }
#include "PerformanceEvents.def"

} // extern "C"
