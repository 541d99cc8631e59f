// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock by itself: who runs when. Built with sanitizers too, which know of its fibers.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "Clock.h"
#include "Heap.h"
#include "ReadyTimes.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weft::emu;

namespace {

using Log = std::vector<std::pair<std::uint64_t, int>>;

/// Runs `body` on the first `count` CPEs from cycle `begin` on; the MPE waits for all.
template <typename Body> void onCpes(int count, std::uint64_t begin, Body body) {
  Clock &clock = Clock::get();
  clock.runHost([&] {
    int left = count;
    for (int core = 0; core < count; ++core)
      clock.start(core, begin, [&, core] {
        body(core);
        if (--left == 0)
          clock.wake(WEFT_SW_MPE, clock.now());
      });
    clock.block({"the test's CPEs"});
  });
}

/// A cycle that no core has reached.
std::uint64_t future() {
  std::uint64_t last = weft_sw_host.now;
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    last = std::max(last, Clock::get().core(core).now);
  return last + 1000;
}

} // namespace

TEST_CASE("ready times: the least, and the smallest number among equals") {
  ReadyTimes times;
  CHECK(times.firstTime() == ReadyTimes::kNever);
  std::uint64_t state = 1;
  std::vector<std::uint64_t> known(WEFT_SW_CORES, ReadyTimes::kNever);
  for (int turn = 0; turn < 20000; ++turn) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const auto core = static_cast<int>(state >> 33) % WEFT_SW_CORES;
    if (state >> 60 < 4) {
      times.clear(core);
      known[static_cast<unsigned>(core)] = ReadyTimes::kNever;
    } else {
      times.set(core, state >> 40 & 63);
      known[static_cast<unsigned>(core)] = state >> 40 & 63;
    }
    const auto least = std::min_element(known.begin(), known.end());
    REQUIRE(times.firstTime() == *least);
    if (*least != ReadyTimes::kNever)
      REQUIRE(times.firstCore() == least - known.begin());
  }
}

TEST_CASE("cores arrive in the order of their cycles, then of their numbers") {
  const std::uint64_t begin = future();
  Log log;
  onCpes(64, begin, [&](int core) {
    for (int step = 0; step < 200; ++step) {
      weft_sw_current->now += static_cast<std::uint64_t>((core * 7 + step * 13) % 11);
      Clock::get().arrive();
      log.emplace_back(weft_sw_current->now, core);
    }
  });
  REQUIRE(log.size() == 64 * 200);
  // A core that does two things in one cycle does them in a row; others of that cycle are sorted.
  for (std::size_t index = 1; index < log.size(); ++index)
    CHECK(log[index - 1] <= log[index]);
}

TEST_CASE("slack lets a core go on, but never further than it says") {
  const std::uint64_t begin = future();
  std::uint64_t most = 0;
  std::vector<std::uint64_t> reached(64, begin);
  onCpes(64, begin, [&](int core) {
    for (int step = 0; step < 200; ++step) {
      weft_sw_current->now += static_cast<std::uint64_t>(1 + (core + step) % 5);
      Clock::get().arrive(8);
      reached[static_cast<unsigned>(core)] = weft_sw_current->now;
      for (int other = 0; other < 64; ++other)
        if (!Clock::get().idle(other)) {
          const std::uint64_t behind = Clock::get().core(other).now;
          if (weft_sw_current->now > behind)
            most = std::max(most, weft_sw_current->now - behind);
        }
    }
  });
  CHECK(most <= 8);
  CHECK(most > 0);
}

TEST_CASE("events come before cores of their cycle, in the order in which they were made") {
  const std::uint64_t begin = future();
  std::vector<int> seen;
  onCpes(2, begin, [&](int core) {
    Clock &clock = Clock::get();
    if (core == 0) {
      clock.at(begin + 20, [&] { seen.push_back(2); });
      clock.at(begin + 10, [&] { seen.push_back(0); });
      clock.at(begin + 10, [&] { seen.push_back(1); });
    }
    weft_sw_current->now += 20;
    clock.arrive();
    seen.push_back(10 + core);
  });
  CHECK(seen == std::vector<int>{0, 1, 2, 10, 11});
}

TEST_CASE("a blocked core goes on when it is woken, not before its own time or the waker's") {
  const std::uint64_t begin = future();
  std::uint64_t early = 0, late = 0;
  onCpes(3, begin, [&](int core) {
    Clock &clock = Clock::get();
    if (core == 0) {
      clock.block({"test"});
      late = clock.now() - begin;
    } else if (core == 1) {
      weft_sw_current->now += 100;
      clock.block({"test"});
      early = clock.now() - begin;
    } else {
      weft_sw_current->now += 50;
      clock.arrive();
      clock.wake(0, begin + 70);
      weft_sw_current->now += 100;
      clock.arrive();
      clock.wake(1, begin + 60);
    }
  });
  CHECK(late == 70);
  CHECK(early == 100);
}

TEST_CASE("a loop that waits sees a change of its LDM at the end of a turn") {
  const std::uint64_t begin = future();
  std::uint64_t seen = 0;
  bool word = false;
  onCpes(1, begin, [&](int) {
    Clock &clock = Clock::get();
    clock.at(begin + 100, [&] {
      word = true;
      clock.touched(0, begin + 100);
    });
    while (!word) {
      weft_sw_current->now += 7;
      clock.spin(nullptr, 7);
    }
    seen = clock.now() - begin;
  });
  CHECK(seen == 105); // the 15th turn
}

TEST_CASE("exceptions stay on their fiber, and a core's fiber is used again") {
  for (int turn = 0; turn < 3; ++turn) {
    const std::uint64_t begin = future();
    std::set<std::string> caught;
    onCpes(64, begin, [&](int core) {
      try {
        weft_sw_current->now += static_cast<std::uint64_t>(64 - core);
        Clock::get().arrive();
        throw std::runtime_error(std::to_string(core));
      } catch (const std::exception &error) {
        caught.insert(error.what());
      }
    });
    CHECK(caught.size() == 64);
  }
}

TEST_CASE("a cancelled core runs no more") {
  Clock &clock = Clock::get();
  const std::uint64_t begin = future();
  bool went = false;
  clock.runHost([&] {
    clock.start(5, begin, [&] {
      clock.block({"for ever"});
      went = true;
    });
    weft_sw_host.now = begin + 10;
    clock.arrive();
    CHECK(clock.blocked(5));
    clock.cancel(5);
    CHECK(clock.idle(5));
  });
  CHECK_FALSE(went);
}
