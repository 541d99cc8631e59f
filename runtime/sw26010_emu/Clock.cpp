// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Clock.h"

#include "AddressMap.h"
#include "Fault.h"
#include "Linked.h"
#include "ReadyTimes.h"

#include <algorithm>
#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

WeftCore *weft_sw_current = &weft_sw_host;
WeftCore weft_sw_host{};

namespace weft::emu {

namespace context = boost::context::detail;

namespace {

// The thread that the process began with; it only starts the MPE's fiber.
constexpr int kThread = WEFT_SW_CORES;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kFiberStack = 0x80000; // frames of compiled slave code; arrays lie elsewhere

enum class State : std::uint8_t { idle, ready, running, blocked };

struct Context {
  context::fcontext_t at = nullptr;
  Clock::Stack stack{};
  std::function<void()> body;
  void *fakeStack = nullptr; // AddressSanitizer's
};

struct Event {
  std::uint64_t cycle, order;
  std::function<void()> action;
  /// For a heap with the earliest on top.
  bool operator<(const Event &other) const {
    return cycle != other.cycle ? cycle > other.cycle : order > other.order;
  }
};

std::size_t hostStackSize() {
  constexpr std::size_t kMega = 1 << 20;
  // What the runtime itself and the C library need on top of what the program asks for.
  constexpr std::size_t kMargin = kMega;
  const char *text = std::getenv("WEFT_EMU_HOST_STACK");
  const long asked = text ? std::strtol(text, nullptr, 10) : 0;
  constexpr long kLargest = 7500; // as bsub
  return (asked > 0 ? static_cast<std::size_t>(std::min(asked, kLargest)) : 8) * kMega + kMargin;
}

} // namespace

struct Clock::Impl {
  WeftCore cpes[WEFT_SW_CPES] = {};
  Context contexts[WEFT_SW_CORES + 1];
  std::array<State, WEFT_SW_CORES> states = {};
  std::array<Wait, WEFT_SW_CORES> waits;
  // Of spins: turns made since anything last changed; whether it sleeps in one; how often its LDM
  // was changed from outside.
  unsigned turns[WEFT_SW_CORES] = {};
  std::uint64_t turnsSince[WEFT_SW_CORES] = {};
  bool asleep[WEFT_SW_CORES] = {};
  std::uint64_t touches[WEFT_SW_CORES] = {};

  ReadyTimes ready;
  std::vector<Event> events;
  std::uint64_t eventOrder = 0;

  std::uint64_t firstEvent() const {
    return events.empty() ? ReadyTimes::kNever : events.front().cycle;
  }

  void runFirstEvent() {
    std::pop_heap(events.begin(), events.end());
    Event event = std::move(events.back());
    events.pop_back();
    event.action();
  }
};

Clock &Clock::get() {
  static auto *clock = new Clock; // never destroyed: exit handlers of the program may need it
  return *clock;
}

Clock::Clock() : impl_(new Impl), functional_(isFunctional()) {
  char *fibers = mapAt(kFibers, kFiberStride * WEFT_SW_CPES, false);
  for (int index = 0; index < WEFT_SW_CPES; ++index) {
    char *low = fibers + kFiberStride * static_cast<std::size_t>(index) + kPage;
    makeAccessible(reinterpret_cast<std::uintptr_t>(low), kFiberStack);
    impl_->contexts[index].stack = {low, low + kFiberStack};
    impl_->cpes[index].index = static_cast<std::uint64_t>(index);
  }
  const std::size_t size = hostStackSize();
  char *low = mapAt(kHostStackTop - size - kPage, size + kPage, false) + kPage;
  makeAccessible(reinterpret_cast<std::uintptr_t>(low), size);
  impl_->contexts[WEFT_SW_MPE].stack = {low, low + size};
  weft_sw_host.index = WEFT_SW_MPE;
  weft_sw_host.limit = UINT64_MAX;
}

WeftCore &Clock::core(int index) {
  // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound): the analyzer loses ReadyTimes' core number
  return index == WEFT_SW_MPE ? weft_sw_host : impl_->cpes[index];
}

Clock::Stack Clock::stackOf(int core) const { return impl_->contexts[core].stack; }
void Clock::setHostStack(Stack stack) { impl_->contexts[WEFT_SW_MPE].stack = stack; }
bool Clock::blocked(int core) const { return impl_->states[core] == State::blocked; }
bool Clock::idle(int core) const { return impl_->states[core] == State::idle; }
bool Clock::eventsPending() const { return !impl_->events.empty(); }
const Wait &Clock::waitOf(int core) const { return impl_->waits[core]; }

// ---- fibers ----

namespace {

void leaving([[maybe_unused]] Context &from, [[maybe_unused]] const Context &to,
             [[maybe_unused]] bool forGood) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(forGood ? nullptr : &from.fakeStack, to.stack.low,
                                 static_cast<std::size_t>(to.stack.high - to.stack.low));
#endif
}

void arrived([[maybe_unused]] Context &here, [[maybe_unused]] Context &from) {
#if defined(__SANITIZE_ADDRESS__)
  const void *low = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(here.fakeStack, &low, &size);
  if (!from.stack.low) { // the thread's own stack, which only the sanitizer knows
    from.stack.low = static_cast<char *>(const_cast<void *>(low));
    from.stack.high = from.stack.low + size;
  }
#endif
}

} // namespace

void Clock::enter(void *transfer) {
  const auto &from = *static_cast<context::transfer_t *>(transfer);
  Clock &clock = get();
  auto &contexts = clock.impl_->contexts;
  auto &previous = contexts[reinterpret_cast<std::uintptr_t>(from.data)];
  previous.at = from.fctx;
  arrived(contexts[clock.running_], previous);
  {
    const auto body = std::exchange(contexts[clock.running_].body, nullptr);
    body();
  }
  clock.finish();
}

void Clock::jump(int core) {
  const int from = running_;
  auto &contexts = impl_->contexts;
  running_ = core;
  if (core != kThread) {
    weft_sw_current = &this->core(core);
    impl_->states[core] = State::running;
  }
  leaving(contexts[from], contexts[core], from != kThread && impl_->states[from] == State::idle);
  const auto transfer = context::jump_fcontext(
      contexts[core].at, reinterpret_cast<void *>(static_cast<std::uintptr_t>(from)));
  auto &previous = contexts[reinterpret_cast<std::uintptr_t>(transfer.data)];
  previous.at = transfer.fctx;
  arrived(contexts[from], previous);
  // Who only asks where this core stands gets the answer, and is gone on with.
  if (asks_ >= 0) {
    asked_ = callers::here();
    jump(std::exchange(asks_, -1));
  }
}

callers::Trail Clock::callersOf(int core) {
  const auto &own = impl_->contexts[core];
  if (core == running_)
    return callers::here();
  // One that has not begun has nowhere to be asked.
  if (impl_->states[core] == State::idle || own.body || !own.at)
    return {};
  const State state = impl_->states[core];
  const State before = impl_->states[running_];
  const int asking = asks_ = running_;
  jump(core);
  impl_->states[core] = state;
  impl_->states[asking] = before;
  return std::move(asked_);
}

void Clock::start(int core, std::uint64_t cycle, std::function<void()> body) {
  auto &own = impl_->contexts[core];
  own.body = std::move(body);
#if defined(__SANITIZE_ADDRESS__)
  own.fakeStack = nullptr;
  __asan_unpoison_memory_region(own.stack.low,
                                static_cast<std::size_t>(own.stack.high - own.stack.low));
#endif
  own.at = context::make_fcontext(own.stack.high,
                                  static_cast<std::size_t>(own.stack.high - own.stack.low),
                                  [](context::transfer_t from) { enter(&from); });
  auto &state = this->core(core);
  state.now = std::max(state.now, cycle);
  impl_->states[core] = State::ready;
  impl_->ready.set(core, state.now);
  quiet_ = 0;
  ++progress_;
}

void Clock::finish() {
  impl_->states[running_] = State::idle;
  ++progress_;
  if (running_ == WEFT_SW_MPE)
    jump(kThread);
  else
    switchToNext();
  bug("a fiber that has ended was resumed");
}

void Clock::cancel(int core) {
  impl_->states[core] = State::idle;
  impl_->asleep[core] = false;
  impl_->ready.clear(core);
  ++progress_;
}

void Clock::runHost(std::function<void()> body) {
  running_ = kThread;
  start(WEFT_SW_MPE, weft_sw_host.now, std::move(body));
  impl_->ready.clear(WEFT_SW_MPE);
  quiet_ = 0;
  jump(WEFT_SW_MPE);
  running_ = WEFT_SW_MPE;
}

// ---- order ----

void Clock::arriveSlowly(std::uint64_t slack) {
  if (functional_)
    return arriveUntimed();
  auto &ready = impl_->ready;
  const std::uint64_t now = weft_sw_current->now;
  const std::uint64_t deadline = now > slack ? now - slack : 0;
  for (;;) {
    const std::uint64_t event = impl_->firstEvent();
    const std::uint64_t first = ready.firstTime();
    if (event <= deadline && event <= first) {
      impl_->runFirstEvent();
      continue;
    }
    // A core of the same cycle goes first if its number is smaller.
    if (first > deadline || (first == deadline && ready.firstCore() > running_)) {
      quiet_ = std::min(event, first);
      quiet_ -= quiet_ ? 1 : 0;
      return;
    }
    const int next = ready.firstCore();
    ready.clear(next);
    ready.set(running_, now);
    impl_->states[running_] = State::ready;
    quiet_ = 0;
    // Whoever switches back here has found this core to be the earliest.
    return jump(next);
  }
}

void Clock::arriveUntimed() {
  while (!impl_->events.empty())
    impl_->runFirstEvent();
  quiet_ = ReadyTimes::kNever / 2;
}

void Clock::switchToNext() {
  auto &ready = impl_->ready;
  for (;;) {
    const std::uint64_t event = impl_->firstEvent();
    if (event != ReadyTimes::kNever && (functional_ || event <= ready.firstTime())) {
      impl_->runFirstEvent();
      continue;
    }
    if (ready.firstTime() == ReadyTimes::kNever)
      deadlock();
    const int next = functional_ ? ready.after(running_) : ready.firstCore();
    ready.clear(next);
    quiet_ = 0;
    if (next == running_) { // an event woke the core that was about to leave
      impl_->states[next] = State::running;
      return;
    }
    return jump(next);
  }
}

void Clock::block(const Wait &wait) {
  impl_->waits.at(static_cast<std::size_t>(running_)) = wait;
  impl_->states.at(static_cast<std::size_t>(running_)) = State::blocked;
  ++progress_;
  switchToNext();
}

void Clock::wake(int core, std::uint64_t cycle) {
  if (impl_->states[core] != State::blocked)
    bug("a core that does not wait was woken");
  auto &state = this->core(core);
  state.now = std::max(state.now, cycle);
  impl_->states[core] = State::ready;
  impl_->asleep[core] = false;
  impl_->ready.set(core, state.now);
  quiet_ = 0;
  ++progress_;
}

void Clock::at(std::uint64_t cycle, std::function<void()> action) {
  impl_->events.push_back({cycle, impl_->eventOrder++, std::move(action)});
  std::push_heap(impl_->events.begin(), impl_->events.end());
  quiet_ = 0;
}

// ---- waiting by looking ----

void Clock::touched(int core, std::uint64_t cycle) {
  ++impl_->touches[core];
  ++progress_;
  if (impl_->asleep[core])
    wake(core, cycle);
}

void Clock::giveWay() {
  ++progress_; // it may have changed what others wait for
  if (!functional_)
    return arrive();
  impl_->ready.set(running_, core(running_).now);
  impl_->states[running_] = State::ready;
  switchToNext();
}

void Clock::spin(const WeftSite *site, std::uint64_t turn) {
  const int own = running_;
  auto &state = core(own);
  turn = std::max<std::uint64_t>(turn, 1);

  if (own != WEFT_SW_MPE && !polling_[own]) {
    const std::uint64_t touches = impl_->touches[own];
    arrive();
    if (impl_->touches[own] != touches)
      return;
    const std::uint64_t before = state.now;
    impl_->asleep[own] = true;
    block({"a change of its LDM (a reply word)", site});
    // It looks once a turn: it sees the change at the first turn's end after it.
    state.now = before + (state.now - before + turn - 1) / turn * turn;
    return;
  }

  polling_[own] = false;
  if (impl_->turnsSince[own] != progress_) {
    impl_->turnsSince[own] = progress_;
    impl_->turns[own] = 0;
  }
  ++impl_->turns[own];
  impl_->waits[own] = {"a change of main memory that it reads in a loop", site};
  // Stuck if everybody who could change anything has looked several times in vain.
  constexpr unsigned kInVain = 3;
  bool hope = impl_->firstEvent() != ReadyTimes::kNever;
  for (int index = 0; index < WEFT_SW_CORES && !hope; ++index) {
    const bool runs = index == own || impl_->states[index] == State::ready;
    hope = runs && (impl_->turnsSince[index] != progress_ || impl_->turns[index] < kInVain);
  }
  if (!hope)
    deadlock();
  if (functional_) {
    impl_->ready.set(own, state.now);
    impl_->states[own] = State::ready;
    return switchToNext();
  }
  // Nothing changes before the next of the others does something.
  const std::uint64_t next = std::min(impl_->firstEvent(), impl_->ready.firstTime());
  if (next != ReadyTimes::kNever && next > state.now)
    state.now += (next - state.now + turn - 1) / turn * turn;
  arrive();
}

} // namespace weft::emu
