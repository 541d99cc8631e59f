// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens before what: against a plain closure over all steps of random histories.
#include "Order.h"

#include <cstdint>
#include <deque>
#include <doctest/doctest.h>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace weft::emu;

namespace {

/// The same by sets: what each core knows of all sends.
struct Plain {
  using Sends = std::set<std::pair<int, std::uint32_t>>;
  std::vector<Sends> known = std::vector<Sends>(WEFT_SW_CORES);
  std::vector<Sends> words = std::vector<Sends>(4);
  std::vector<std::uint32_t> sent = std::vector<std::uint32_t>(WEFT_SW_CORES);
  Sends &of(int core) { return known[static_cast<unsigned>(core)]; }
};

struct InFlight {
  int sender;
  Order::Stamp stamp;
  Plain::Sends known;
};

} // namespace

TEST_CASE("order: a message after a message, through third parties and synchronisation") {
  const auto made = std::make_unique<Order>();
  Order &order = *made;
  const auto first = order.sent(1, 1);
  const auto alien = order.sent(2, 1);
  CHECK_FALSE(Order::before(1, first.send, alien)); // nobody told CPE 2
  order.received(3, 1, first);
  const auto told = order.sent(3, 1);
  CHECK(Order::before(1, first.send, told));
  order.received(2, 3, told);
  const auto after = order.sent(2, 1);
  CHECK(Order::before(1, first.send, after));
  CHECK(Order::before(3, told.send, after));
  CHECK_FALSE(Order::before(3, told.send, alien));

  const auto late = order.sent(4, 1);
  order.met({4, 5, 6});
  CHECK(Order::before(4, late.send, order.sent(6, 1)));
  CHECK_FALSE(Order::before(4, late.send, order.sent(7, 1)));

  order.follows(6, WEFT_SW_MPE); // the end of a function, and the start of the next
  order.follows(WEFT_SW_MPE, 7);
  CHECK(Order::before(4, late.send, order.sent(7, 1)));

  const auto published = order.sent(8, 1);
  order.published(8, 0x1000);
  order.observed(9, 0x2000);
  CHECK_FALSE(Order::before(8, published.send, order.sent(9, 1)));
  order.observed(9, 0x1000);
  CHECK(Order::before(8, published.send, order.sent(9, 1)));
}

TEST_CASE("order: random histories against sets") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto made = std::make_unique<Order>();
    Order &order = *made;
    Plain plain;
    std::deque<InFlight> inFlight;
    const auto any = [&] { return static_cast<int>(random() % 12); };
    for (int turn = 0; turn < 4000; ++turn) {
      switch (random() % 10) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const int core = any();
        const auto stamp = order.sent(core, 1);
        const std::uint32_t number = ++plain.sent[static_cast<unsigned>(core)];
        REQUIRE(stamp.send == number);
        plain.of(core).insert({core, number});
        for (int earlier = 0; earlier < 12; ++earlier)
          for (std::uint32_t send = 1; send <= plain.sent[static_cast<unsigned>(earlier)]; ++send)
            if (earlier != core) // what it sent itself is by program order
              REQUIRE(Order::before(earlier, send, stamp) ==
                      plain.of(core).contains({earlier, send}));
        inFlight.push_back({core, stamp, plain.of(core)});
        break;
      }
      case 4:
      case 5:
      case 6:
      case 7: {
        if (inFlight.empty())
          break;
        const int core = any();
        const InFlight message = inFlight.front();
        inFlight.pop_front();
        order.received(core, message.sender, message.stamp);
        plain.of(core).insert(message.known.begin(), message.known.end());
        break;
      }
      case 8: {
        const std::vector<int> cores{any() % 4, 4 + any() % 4, 8 + any() % 4};
        order.met(cores);
        Plain::Sends all;
        for (const int core : cores)
          all.insert(plain.of(core).begin(), plain.of(core).end());
        for (const int core : cores)
          plain.of(core) = all;
        break;
      }
      default: {
        const int core = any();
        const unsigned word = random() % 4;
        if (random() % 2) {
          order.published(core, 0x1000 + 8 * word);
          plain.words[word].insert(plain.of(core).begin(), plain.of(core).end());
        } else {
          order.observed(core, 0x1000 + 8 * word);
          plain.of(core).insert(plain.words[word].begin(), plain.words[word].end());
        }
      }
      }
    }
  }
}

TEST_CASE("order: what goes back to whom all came from leaves nothing out") {
  constexpr int kCores = 5; // few, so that pairs often talk to one another alone
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto made = std::make_unique<Order>();
    Order &order = *made;
    Plain plain;
    std::vector<std::deque<InFlight>> buffers(kCores);
    std::vector<int> last(kCores, -1);
    int again = 0;
    int partner = 0;
    for (int turn = 0; turn < 6000; ++turn) {
      const int core = static_cast<int>(random() % kCores);
      auto &own = buffers[static_cast<unsigned>(core)];
      if (random() % 2 && !own.empty()) {
        order.received(core, own.front().sender, own.front().stamp);
        plain.of(core).insert(own.front().known.begin(), own.front().known.end());
        own.pop_front();
        continue;
      }
      if (random() % 64 == 0)
        partner = static_cast<int>(random() % kCores);
      if (random() % 100 == 0) {
        order.met({core, partner});
        plain.of(core).insert(plain.of(partner).begin(), plain.of(partner).end());
        plain.of(partner) = plain.of(core);
      }
      const int to = random() % 8 ? (core ^ 1) % kCores : partner;
      if (to == core)
        continue;
      const std::uint32_t number = ++plain.sent[static_cast<unsigned>(core)];
      plain.of(core).insert({core, number});
      const bool same = std::exchange(last[static_cast<unsigned>(to)], core) == core;
      again += same;
      const auto stamp = same ? order.sentAgain(core, to) : order.sent(core, 1);
      REQUIRE(stamp.send == number);
      // Asked for where somebody else sent before.
      for (int earlier = 0; earlier < kCores && !same; ++earlier)
        for (std::uint32_t send = 1; send <= plain.sent[static_cast<unsigned>(earlier)]; ++send)
          if (earlier != core)
            REQUIRE(Order::before(earlier, send, stamp) ==
                    plain.of(core).contains({earlier, send}));
      buffers[static_cast<unsigned>(to)].push_back({core, stamp, plain.of(core)});
    }
    CHECK(again > 500);
  }
}
