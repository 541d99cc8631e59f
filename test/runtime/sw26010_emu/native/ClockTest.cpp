// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clock by itself: who runs when. Built with sanitizers too, which know of its fibers.
#include "Clock.h"
#include "Child.h"
#include "Cores.h"
#include "Fault.h"
#include "ReadyTimes.h"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weft::emu;
using namespace weft::emu::test;

namespace {

using Log = std::vector<std::pair<std::uint64_t, int>>;

/// Goes `depth` calls deep, each with an object to destroy, and waits there.
int waitDeep(int depth) {
  std::string text(64, 'x');
  if (depth == 0)
    Clock::get().block({"for ever"});
  else
    text += std::to_string(waitDeep(depth - 1));
  return static_cast<int>(text.size());
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

TEST_CASE("a core that was cancelled deep in its calls begins anew on a clean stack") {
  Clock &clock = Clock::get();
  int ended = 0;
  for (int turn = 0; turn < 50; ++turn) {
    const std::uint64_t begin = future();
    clock.runHost([&] {
      clock.start(7, begin, [&] { waitDeep(100 + turn); });
      weft_sw_host.now = begin + 10;
      clock.arrive();
      clock.cancel(7);
      clock.start(7, begin + 20, [&] {
        // Other frames over those that nobody left.
        std::vector<std::string> texts(50, std::string(100, 'y'));
        ended += static_cast<int>(texts.size());
      });
      weft_sw_host.now = begin + 30;
      clock.arrive();
    });
  }
  CHECK(ended == 50 * 50);
}

TEST_CASE("a core that sleeps in a loop is cancelled like any other") {
  Clock &clock = Clock::get();
  const std::uint64_t begin = future();
  clock.runHost([&] {
    clock.start(3, begin, [&] {
      for (;;) {
        weft_sw_current->now += 5;
        clock.spin(&test::site, 5);
      }
    });
    weft_sw_host.now = begin + 100;
    clock.arrive();
    CHECK(clock.blocked(3));
    clock.cancel(3);
    clock.touched(3, begin + 100); // wakes nobody
    weft_sw_host.now = begin + 200;
    clock.arrive();
  });
  CHECK(clock.idle(3));
}

TEST_CASE("a loop that reads main memory goes on while anybody can change it") {
  const std::uint64_t begin = future();
  bool word = false;
  std::uint64_t seen = 0;
  onCpes(2, begin, [&](int core) {
    Clock &clock = Clock::get();
    if (core == 0) {
      while (!word) {
        weft_sw_current->now += 9;
        clock.polls();
        clock.spin(&test::site, 9);
      }
      seen = clock.now() - begin;
    } else {
      weft_sw_current->now += 1000;
      clock.arrive();
      word = true;
      clock.changed();
    }
  });
  CHECK(seen >= 1000);
  CHECK(seen <= 1000 + 2 * 9);
}

TEST_CASE("whoever waits for what none will do is named, with the place and the other core") {
  static constexpr WeftSite there{"receiver", "slave.c", 12, 3};
  const auto ending = inChild([] {
    onCpes(4, future(), [](int core) {
      weft_sw_current->now += static_cast<std::uint64_t>(core);
      Clock::get().block({"a word from the next", &there, core == 2 ? 9 : -1});
    });
  });
  CHECK(ending.status == 3);
  CHECK(ending.says("fault [deadlock]"));
  CHECK(ending.says("CPE 0-1, 3 wait for a word from the next"));
  CHECK(ending.says("CPE 2 waits for a word from the next"));
  CHECK(ending.says("from CPE 9 (row 1, column 1)"));
  CHECK(ending.says("slave.c:12:3, in receiver"));
  CHECK(ending.says("MPE waits for the test's CPEs"));
}

TEST_CASE("loops that read main memory for ever are found to wait in vain") {
  const auto ending = inChild([] {
    onCpes(2, future(), [](int) {
      for (;;) {
        weft_sw_current->now += 4;
        Clock::get().polls();
        Clock::get().spin(&test::site, 4);
      }
    });
  });
  CHECK(ending.status == 3);
  CHECK(ending.says("CPE 0-1 wait for a change of main memory"));
}

TEST_CASE("a wake-up of who does not wait is a fault of the emulator") {
  const auto ending = inChild([] {
    onCpes(2, future(), [](int core) {
      if (core == 1)
        Clock::get().wake(0, 0);
    });
  });
  CHECK(ending.status == 70);
  CHECK(ending.says("a core that does not wait was woken"));
}

TEST_CASE("without timing: cores run until they wait, and events come at once" *
          doctest::skip(!std::getenv("WEFT_EMU_FUNCTIONAL"))) {
  Clock &clock = Clock::get();
  REQUIRE(clock.functional());
  std::vector<int> order;
  onCpes(3, 0, [&](int core) {
    if (core == 0) {
      clock.at(1000000, [&] { order.push_back(-1); });
      clock.block({"the last"});
    }
    weft_sw_current->now += static_cast<std::uint64_t>(300 - 100 * core);
    clock.arrive();
    order.push_back(core);
    if (core == 2)
      clock.wake(0, 0);
  });
  // By number, whatever their cycles; the event before core 1 goes on.
  CHECK(order == std::vector<int>{-1, 1, 2, 0});
}

TEST_CASE("the same in a process that was started so") {
  const auto ending = anew("without timing*", {{"WEFT_EMU_FUNCTIONAL", "1"}});
  CHECK(ending.status == 0);
  CHECK(ending.says("1 passed"));
}
