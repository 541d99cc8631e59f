// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When DMA requests of a core group complete: one memory controller that all cores share. Times
// only: it moves no bytes, knows no fibers and nothing of the host.
//
// Cores with requests take turns, a burst each, so that they share the controller evenly and a
// later request may delay an earlier one; each core's gets are served in order, and its puts. The
// controller pays for each change between gets and puts, and puts it off while it can.
#pragma once

#include "DmaCost.h"
#include "DmaParameters.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

namespace weft::emu {

class DmaController {
public:
  /// 64 CPEs and the MPE.
  static constexpr int Cores = 65;

  struct Completion {
    std::uint64_t ticket = 0;
    int core = 0;
    std::uint64_t cycle = 0;
    std::uint64_t submitted = 0;
    std::uint64_t alone = 0; // cycles that it takes when nobody else uses the memory
    std::uint64_t lines = 0;
    std::uint64_t blocks = 0;
    /// Cycles lost to the requests of others and to changes of direction.
    std::uint64_t waited() const {
      const std::uint64_t taken = cycle - submitted;
      return taken > alone ? taken - alone : 0;
    }
  };

  struct Totals {
    std::uint64_t requests = 0, blocks = 0, lines = 0, bytesRead = 0, bytesWritten = 0;
    std::uint64_t turnarounds = 0, singles = 0;
    double busy = 0; // cycles in which the controller served; see totals()
  };

  /// Parameters that would beat the memory's pins are refused with std::invalid_argument.
  explicit DmaController(const DmaParameters &parameters);

  /// A request reaches the controller at `cycle`, which no call may precede afterwards. The core's
  /// own time for giving it, DmaParameters::issue, is the caller's to charge before.
  std::uint64_t submit(std::uint64_t cycle, int core, const DmaShape &shape);

  /// A gld or gst at `cycle`: the cycle at which it is done. Later requests do not delay it.
  std::uint64_t single(std::uint64_t cycle, int core);

  /// Nothing completes before this cycle. It may be a little early: whoever finds nothing to pop
  /// then asks again, and gets a later one. None when no request is outstanding.
  std::optional<std::uint64_t> nextCompletion() const;

  /// The earliest completion that is not after `upTo`, in order of (cycle, core, ticket). Between
  /// two calls no submission may precede `upTo`.
  std::optional<Completion> popCompletion(std::uint64_t upTo);

  Totals totals() const;
  const DmaParameters &parameters() const { return parameters_; }

private:
  // Times in a fixed point, so that sums do not depend on rounding: 2^-16 cycles.
  using Ticks = std::uint64_t;
  static constexpr int Fraction = 16;
  static constexpr Ticks Never = ~Ticks(0);

  struct Request {
    std::uint64_t ticket = 0, submitted = 0, alone = 0, lines = 0, blocks = 0;
    Ticks service = 0;
    Ticks delivery = 0;
    std::optional<Ticks> begun;
  };

  /// Whose turn comes next: cores in the order in which they began to wait.
  struct Turn {
    Ticks since = 0;
    int core = 0;
    bool operator<(const Turn &other) const;
  };

  /// Turns in order, at most one a core: a ring, since a burst takes the first and adds it last.
  class Turns {
  public:
    bool empty() const { return count_ == 0; }
    unsigned size() const { return count_; }
    Turn &operator[](unsigned n) { return places_[(first_ + n) % Places]; }
    const Turn &operator[](unsigned n) const { return places_[(first_ + n) % Places]; }
    const Turn &front() const { return (*this)[0]; }
    const Turn &back() const { return (*this)[count_ - 1]; }
    void popFront() {
      first_ = (first_ + 1) % Places;
      --count_;
    }
    /// At the end, but for those who came at the same time: the order of calls is not the
    /// machine's.
    void insert(const Turn &turn) {
      unsigned place = count_++;
      for (; place > 0 && turn < (*this)[place - 1]; --place)
        (*this)[place] = (*this)[place - 1];
      (*this)[place] = turn;
    }

  private:
    static constexpr unsigned Places = 128; // a power of two with room for all cores
    static_assert(Places >= Cores);
    std::array<Turn, Places> places_;
    unsigned first_ = 0, count_ = 0;
  };

  /// Gets, or puts: requests of each core, and the turns of cores that have any.
  struct Direction {
    std::array<std::deque<Request>, Cores> requests;
    std::array<Ticks, Cores> left; // service that each core's first request still needs; or Never
    Turns turns;
  };

  /// What a request takes of the controller, among the gets and puts before it.
  double serviceOf(Ticks now, const DmaCost &cost, bool toMemory);

  static Ticks ticks(double cycles);
  static std::uint64_t up(Ticks time); // to whole cycles
  bool waiting(bool toMemory) const { return !directions_[toMemory].turns.empty(); }
  bool active() const { return waiting(false) || waiting(true) || serving_; }

  /// Ends and begins service up to `now`.
  void advance(Ticks now);
  /// When it can begin to serve somebody, if nobody else comes.
  Ticks nextBegin() const;
  /// No request is served to its end before.
  Ticks nextServed() const;
  Ticks leastUntilServed(bool toMemory) const;
  bool nextDirection(Ticks now) const;
  void begin(Ticks now);
  void end();
  /// Whole rounds of bursts from `now` on, as begin() and end() would serve them, if that changes
  /// nothing but how much is left: nobody comes to an end, comes, or turns the direction.
  bool serveRounds(Ticks now, Ticks horizon);
  /// Bursts from `now` on that end at `horizon` or before and with which nothing else ends, begins
  /// or turns.
  bool serveBursts(Ticks now, Ticks horizon);

  struct Later {
    bool operator()(const Completion &a, const Completion &b) const;
  };

  DmaParameters parameters_;
  // The parameters that are asked for at every burst.
  Ticks burst_ = 0, turnaround_ = 0, window_ = 0, latency_ = 0;
  DmaRecentLines recent_;
  Totals totals_;
  Ticks busy_ = 0;
  std::size_t noRounds_ = 0;             // bursts before it is worth looking for whole rounds again
  std::array<Direction, 2> directions_;  // gets, puts
  std::array<Ticks, Cores> delivered_{}; // when the core's last request had been moved
  std::optional<int> serving_;           // the core that is being served
  Ticks until_ = 0;                      // the end of that
  Ticks free_ = 0;                       // the controller's next free time
  bool writing_ = false;                 // the direction that it serves, or served last
  Ticks turned_ = 0;                     // since when
  Ticks singleFree_ = 0;
  double unmatched_ = 0;    // lines of gets that no line of a put was matched with yet
  double unmatchedNow_ = 0; // what requests of this cycle change of that
  Ticks lastAsked_ = 0;     // when the last request came
  std::uint64_t lastTicket_ = 0;
  std::priority_queue<Completion, std::vector<Completion>, Later> done_;
  mutable std::optional<Ticks> nextServed_; // forgotten when anything changes
};

} // namespace weft::emu
