// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DmaController.h"

#include "Abi.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace weft::emu {

bool DmaController::Later::operator()(const Completion &a, const Completion &b) const {
  return std::tie(a.cycle, a.core, a.ticket) > std::tie(b.cycle, b.core, b.ticket);
}

DmaController::DmaController(const DmaParameters &parameters)
    : parameters_(parameters), burst_(ticks(parameters.burst)),
      turnaround_(ticks(parameters.turnaround)), window_(ticks(parameters.window)),
      latency_(ticks(parameters.latency)),
      recent_(static_cast<std::size_t>(parameters.recentLines)) {
  for (Direction &direction : directions_)
    direction.left.fill(Never);
  const double pins = parameters.lineBytes / parameters.peakBandwidth;
  if (parameters.readLine < pins || parameters.writeLine < pins)
    throw std::invalid_argument("dma.read_line and dma.write_line: a line takes at least " +
                                std::to_string(pins) + " cycles of dma.peak_bandwidth");
  if (parameters.latency < 1)
    throw std::invalid_argument("dma.latency: at least 1 cycle");
  if (parameters.burst < 1)
    throw std::invalid_argument("dma.burst: at least 1 cycle");
}

DmaController::Ticks DmaController::ticks(double cycles) {
  return static_cast<Ticks>(std::llround(std::ldexp(cycles, Fraction)));
}

std::uint64_t DmaController::up(Ticks time) {
  return (time + (Ticks(1) << Fraction) - 1) >> Fraction;
}

// ---- turns
// ---------------------------------------------------------------------------------------

bool DmaController::Turn::operator<(const Turn &other) const {
  return std::tie(since, core) < std::tie(other.since, other.core);
}

DmaController::Ticks DmaController::nextBegin() const {
  Ticks since = Never;
  for (const Direction &direction : directions_)
    if (!direction.turns.empty())
      since = std::min(since, direction.turns.front().since);
  return since == Never ? Never : std::max(since, free_);
}

/// Goes on with one direction while somebody waits for it; but not longer than a window when
/// somebody waits for the other.
bool DmaController::nextDirection(Ticks now) const {
  const auto here = [&](bool toMemory) {
    return waiting(toMemory) && directions_[toMemory].turns.front().since <= now;
  };
  if (!here(writing_))
    return !writing_;
  return here(!writing_) && now >= turned_ + window_ ? !writing_ : writing_;
}

namespace {

/// This is asked for each completion: wide comparisons make it cheap.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
std::uint64_t leastOf(const std::uint64_t *values, std::size_t count) {
  std::uint64_t least = ~std::uint64_t(0);
  for (std::size_t index = 0; index < count; ++index)
    least = std::min(least, values[index]);
  return least;
}

} // namespace

/// Service until the first request of a direction is at its end, if that direction has the
/// controller for itself and nobody comes: whoever needs the fewest bursts, and of these the first
/// in turn. All have a burst in each round before that one's last, and those before it in turn one
/// more.
DmaController::Ticks DmaController::leastUntilServed(bool toMemory) const {
  const Direction &direction = directions_[toMemory];
  const bool serves = serving_ && writing_ == toMemory;
  if (direction.turns.empty() && !serves)
    return Never;
  const Ticks least = leastOf(direction.left.data(), direction.left.size());
  if (least == Never || least == 0)
    return least;
  const Ticks before = (least - 1) / burst_ * burst_;
  const Ticks rounds = (direction.turns.size() + (serves ? 1 : 0)) * before;
  Ticks turn = 0;
  const auto last = [&](int core) { return direction.left[core] <= before + burst_; };
  const auto end = [&](int core) { return rounds + turn + direction.left[core] - before; };
  // Who is being served waits from the end of its burst on.
  const Turn served = serves ? Turn{until_, *serving_} : Turn{Never, Cores};
  bool placed = !serves;
  for (unsigned n = 0; n < direction.turns.size(); ++n, turn += burst_) {
    const Turn &next = direction.turns[n];
    if (!placed && served < next) {
      if (last(served.core))
        return end(served.core);
      placed = true;
      turn += burst_;
    }
    if (last(next.core))
      return end(next.core);
  }
  return end(served.core);
}

DmaController::Ticks DmaController::nextServed() const {
  if (!nextServed_) {
    const auto end = [](Ticks from, Ticks least) { return least == Never ? Never : from + least; };
    const Ticks from = serving_ ? until_ : nextBegin();
    const Ticks here = leastUntilServed(writing_);
    // While somebody waits here, the other direction waits for the end of the window; and when
    // nobody waits here any longer, somebody has been served.
    Ticks other = from;
    if (here != Never && here != 0)
      other = from < turned_ + window_ ? turned_ + window_ + turnaround_
                                       : std::max(from, free_ + turnaround_); // as in begin()
    nextServed_ = std::min(end(from, here), end(other, leastUntilServed(!writing_)));
  }
  return *nextServed_;
}

void DmaController::begin(Ticks now) {
  nextServed_.reset();
  if (const bool toMemory = nextDirection(now); toMemory != writing_) {
    writing_ = toMemory;
    ++totals_.turnarounds;
    // A change that was over while nobody asked costs nothing.
    turned_ = now = std::max(now, free_ + turnaround_);
  }
  Direction &direction = directions_[writing_];
  const int core = direction.turns.front().core;
  direction.turns.popFront();
  Request &request = direction.requests[core].front();
  if (!request.begun)
    request.begun = std::max(now, delivered_[core]);
  const Ticks burst = std::min(direction.left[core], burst_);
  direction.left[core] -= burst;
  busy_ += burst;
  serving_ = core;
  until_ = free_ = now + burst;
}

void DmaController::end() {
  nextServed_.reset();
  const int core = *serving_;
  serving_.reset();
  Direction &direction = directions_[writing_];
  auto &requests = direction.requests[core];
  if (direction.left[core] == 0) {
    const Request &request = requests.front();
    delivered_[core] = std::max(until_, *request.begun + request.delivery);
    const Ticks replied = delivered_[core] + latency_;
    done_.push({request.ticket, core, up(replied), request.submitted, request.alone, request.lines,
                request.blocks});
    requests.pop_front();
    direction.left[core] = requests.empty() ? Never : requests.front().service;
  }
  if (!requests.empty())
    direction.turns.insert({until_, core});
}

bool DmaController::serveRounds(Ticks now, Ticks horizon) {
  // A look costs as much as a few bursts: one a round is enough.
  if (noRounds_ > 0) {
    --noRounds_;
    return false;
  }
  Direction &direction = directions_[writing_];
  noRounds_ = direction.turns.size();
  if (direction.turns.empty() || direction.turns.back().since > now)
    return false;
  if (waiting(!writing_))
    horizon = std::min(horizon, turned_ + window_);
  const Ticks round = burst_ * direction.turns.size();
  if (horizon < now + round)
    return false;
  Ticks rounds = (horizon - now) / round;
  for (unsigned n = 0; n < direction.turns.size(); ++n) {
    const int core = direction.turns[n].core;
    if (!direction.requests[core].front().begun)
      return false;
    rounds = std::min(rounds, (direction.left[core] - 1) / burst_);
  }
  if (rounds == 0)
    return false;
  nextServed_.reset();
  Ticks end = now + (rounds - 1) * round;
  for (unsigned n = 0; n < direction.turns.size(); ++n) {
    Turn &turn = direction.turns[n];
    direction.left[turn.core] -= rounds * burst_;
    turn.since = end += burst_;
  }
  until_ = free_ = end;
  busy_ += rounds * round;
  noRounds_ = 0;
  return true;
}

bool DmaController::serveBursts(Ticks now, Ticks horizon) {
  Direction &direction = directions_[writing_];
  Turns &turns = direction.turns;
  const Ticks begin = now;
  // Whoever waits on the other side turns the direction at the end of the window.
  if (waiting(!writing_))
    horizon =
        std::min(horizon, std::max(turned_ + window_, directions_[!writing_].turns.front().since) +
                              burst_ - 1);
  while (!turns.empty() && now + burst_ <= horizon) {
    const Turn turn = turns.front();
    Ticks &left = direction.left[turn.core];
    if (turn.since > now || left <= burst_ || !direction.requests[turn.core].front().begun)
      break;
    left -= burst_;
    now += burst_;
    turns.popFront();
    turns.insert({now, turn.core});
  }
  if (now == begin)
    return false;
  nextServed_.reset();
  busy_ += now - begin;
  until_ = free_ = now;
  return true;
}

void DmaController::advance(Ticks now) {
  for (;;) {
    if (serving_) {
      if (until_ > now)
        return;
      end();
    }
    const Ticks next = nextBegin();
    if (next > now)
      return;
    if (!serveRounds(next, now) && !serveBursts(next, now))
      begin(next);
  }
}

/// Puts are slow where gets come between them. Which come between is counted over the requests of
/// late, not from who waits at this cycle: cores whose loops take equal times would else go in
/// step, all getting and then all putting, which cores of a machine do not. Requests of this very
/// cycle do not count for each other, since their order is not the machine's.
double DmaController::serviceOf(Ticks now, const DmaCost &cost, bool toMemory) {
  if (now != lastAsked_) {
    // No more has been got and not been put back than the LDMs hold.
    const double held = (Cores - 1) * WEFT_SW_LDM_BYTES / parameters_.lineBytes;
    unmatched_ = std::clamp(unmatched_ + unmatchedNow_, 0.0, held);
    if (now > std::max(lastAsked_, free_) + ticks(parameters_.mixing))
      unmatched_ = 0;
    unmatchedNow_ = 0;
    lastAsked_ = now;
  }
  const auto lines = static_cast<double>(cost.lines);
  if (!toMemory)
    unmatchedNow_ += lines;
  if (!toMemory || cost.lines == 0)
    return cost.service;
  const double matched = std::min(lines, unmatched_);
  unmatchedNow_ -= matched;
  return cost.undisturbed + (cost.service - cost.undisturbed) * (matched / lines);
}

// ---- what the machine calls
// ----------------------------------------------------------------------

DmaController::Totals DmaController::totals() const {
  Totals totals = totals_;
  totals.busy = std::ldexp(static_cast<double>(busy_), -Fraction);
  return totals;
}

std::uint64_t DmaController::submit(std::uint64_t cycle, int core, const DmaShape &shape) {
  const Ticks now = cycle << Fraction;
  // What happens at this very cycle waits for all submissions of it: their order is not the
  // machine's.
  if (now != 0)
    advance(now - 1);
  const DmaCost cost = costAmong(shape, core, parameters_, recent_);
  nextServed_.reset();
  Request request;
  request.ticket = ++lastTicket_;
  request.submitted = cycle;
  const double service = serviceOf(now, cost, shape.toMemory);
  request.service = ticks(service);
  request.delivery = ticks(cost.delivery);
  request.alone =
      static_cast<std::uint64_t>(std::ceil(std::max(service, cost.delivery) + parameters_.latency));
  request.lines = cost.lines;
  request.blocks = cost.blocks;
  Direction &direction = directions_[shape.toMemory];
  auto &requests = direction.requests[core];
  requests.push_back(request);
  if (requests.size() == 1) {
    direction.left[core] = request.service;
    direction.turns.insert({now, core});
  }
  ++totals_.requests;
  totals_.lines += cost.lines;
  totals_.blocks += cost.blocks;
  (shape.toMemory ? totals_.bytesWritten : totals_.bytesRead) += shape.bytes;
  return request.ticket;
}

std::uint64_t DmaController::single(std::uint64_t cycle, int /*core*/) {
  const Ticks now = cycle << Fraction;
  if (now != 0)
    advance(now - 1);
  // Single accesses go before the next burst, but leave half of the time to the requests there.
  nextServed_.reset();
  const Ticks service = ticks(parameters_.singleService);
  const Ticks start = std::max(now, singleFree_);
  singleFree_ = start + (active() ? 2 : 1) * service;
  free_ = std::max(free_, now) + service;
  ++totals_.singles;
  return up(start + std::max(service, ticks(parameters_.singleLatency)));
}

std::optional<std::uint64_t> DmaController::nextCompletion() const {
  if (done_.empty() && !active())
    return std::nullopt;
  const Ticks served = nextServed();
  if (served == Never)
    return done_.top().cycle;
  const std::uint64_t cycle = up(served + latency_);
  return done_.empty() ? cycle : std::min(cycle, done_.top().cycle);
}

std::optional<DmaController::Completion> DmaController::popCompletion(std::uint64_t upTo) {
  // Only what was served a latency ago can be here. To serve more now would decide what
  // submissions of this cycle still change.
  const Ticks now = upTo << Fraction, latency = latency_;
  if (now >= latency)
    advance(now - latency);
  if (done_.empty() || done_.top().cycle > upTo)
    return std::nullopt;
  const Completion first = done_.top();
  done_.pop();
  return first;
}

} // namespace weft::emu
