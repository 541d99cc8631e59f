// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Register communication by itself: capacity, latency, order. Each case has a process, for depths
// are read once and buffers outlive a function.
#include "Mesh.h"
#include "Child.h"
#include "Cores.h"
#include "Machine.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

using namespace weft::emu;
using namespace weft::emu::test;

namespace {

using Vector = std::array<std::uint64_t, 4>;

Vector numbered(std::uint64_t number) { return {number, ~number, number * 3, number << 32}; }

void put(Way way, int target, std::uint64_t number) {
  const Vector value = numbered(number);
  Mesh::get().put(way, value.data(), target);
}

/// The number of the message that comes; UINT64_MAX if its lanes are not those that were sent.
std::uint64_t take(Way way) {
  Vector value{};
  Mesh::get().take(way, value.data());
  return value == numbered(value[0]) ? value[0] : UINT64_MAX;
}

void setDepths(unsigned send, unsigned receive) {
  setenv("WEFT_EMU_MESH_SEND_DEPTH", std::to_string(send).c_str(), 1);
  setenv("WEFT_EMU_MESH_RECEIVE_DEPTH", std::to_string(receive).c_str(), 1);
}

std::uint64_t quantity(const char *key) { return Machine::get().cycles(key); }

} // namespace

TEST_CASE("mesh: the buffers hold what they are deep, and all arrives in order") {
  struct Seen {
    unsigned room, wrong;
  };
  for (unsigned send = 1; send <= 8; ++send)
    for (unsigned receive = 1; receive <= 8; ++receive) {
      CAPTURE(send);
      CAPTURE(receive);
      Shared<Seen> seen;
      const auto ending = inChild([&] {
        setDepths(send, receive);
        onCpes(2, future(), [&](int core) {
          constexpr std::uint64_t kLater = 100000, kMessages = 200;
          if (core == 0) {
            // One that nobody receives stays: first in the receiver's buffer, then in the own.
            while (!Mesh::get().cannotPut()) {
              put(Way::Row, 1, seen->room++);
              weft_sw_current->now += 50;
            }
            for (std::uint64_t next = seen->room; next < kMessages; ++next)
              put(Way::Row, 1, next);
          } else {
            weft_sw_current->now += kLater;
            Clock::get().arrive();
            for (std::uint64_t next = 0; next < kMessages; ++next) {
              seen->wrong += take(Way::Row) != next;
              weft_sw_current->now += next % 7;
            }
          }
        });
      });
      CHECK_MESSAGE(ending.status == 0, ending.error);
      CHECK(seen->room == send + receive);
      CHECK(seen->wrong == 0);
    }
}

TEST_CASE("mesh: a depth beyond what the model has is refused") {
  for (const char *depth : {"0", "9", "-1", "deep"}) {
    const auto ending = inChild([&] {
      setenv("WEFT_EMU_MESH_RECEIVE_DEPTH", depth, 1);
      Mesh::get();
    });
    CHECK(ending.status == 3);
    CHECK(ending.says("WEFT_EMU_MESH_RECEIVE_DEPTH"));
    CHECK(ending.says("expected: 1 to 8"));
  }
}

TEST_CASE("mesh: a message takes longer to a far place, along rows and columns alike") {
  for (const Way way : {Way::Row, Way::Column})
    for (int from = 0; from < 8; ++from)
      for (int to = 0; to < 8; ++to) {
        if (from == to)
          continue;
        Shared<std::uint64_t> taken;
        const int step = way == Way::Row ? 1 : 8;
        const auto ending = inChild([&] {
          const std::uint64_t begin = future();
          onCpes(64, begin, [&](int core) {
            if (core == from * step) {
              weft_sw_current->now += 20;
              put(way, to, 5);
            } else if (core == to * step) {
              take(way);
              *taken = weft_sw_current->now - begin - 20;
            }
          });
        });
        REQUIRE(ending.status == 0);
        const auto distance = static_cast<std::uint64_t>(std::abs(from - to));
        CHECK(*taken == (distance < quantity("mesh.far_distance") ? quantity("mesh.near_latency")
                                                                  : quantity("mesh.far_latency")));
      }
}

TEST_CASE("mesh: a broadcast reaches all others of the row, or of the column, and nobody else") {
  for (const Way way : {Way::Row, Way::Column}) {
    Shared<std::array<std::uint64_t, 64>> got;
    const auto ending = inChild([&] {
      constexpr int kSender = 19; // row 2, column 3
      onCpes(64, future(), [&](int core) {
        const bool line = way == Way::Row ? core / 8 == 2 : core % 8 == 3;
        if (core == kSender) {
          put(way, 8, 77);
        } else if (line) {
          (*got)[static_cast<unsigned>(core)] = take(way);
        }
        weft_sw_current->now += 1000;
        Clock::get().arrive();
        if (!Mesh::get().nothingToTake(Way::Row) || !Mesh::get().nothingToTake(Way::Column))
          (*got)[static_cast<unsigned>(core)] = 1;
      });
    });
    CHECK_MESSAGE(ending.status == 0, ending.error);
    for (int core = 0; core < 64; ++core) {
      CAPTURE(core);
      const bool line = way == Way::Row ? core / 8 == 2 : core % 8 == 3;
      CHECK((*got)[static_cast<unsigned>(core)] == (line && core != 19 ? 77U : 0U));
    }
  }
}

TEST_CASE("mesh: all 64 send to all of their rows and columns at once") {
  Shared<std::uint64_t> wrong;
  const auto ending = inChild([&] {
    setDepths(1, 1);
    onCpes(64, future(), [&](int core) {
      constexpr std::uint64_t kTurns = 50;
      // In a ring: each to the next place, from the one before.
      for (std::uint64_t turn = 0; turn < kTurns; ++turn)
        for (const Way way : {Way::Row, Way::Column}) {
          const int own = way == Way::Row ? core % 8 : core / 8;
          if (own % 2 == 0) {
            put(way, (own + 1) % 8, turn);
            *wrong += take(way) != turn;
          } else {
            *wrong += take(way) != turn;
            put(way, (own + 1) % 8, turn);
          }
        }
    });
  });
  CHECK_MESSAGE(ending.status == 0, ending.error);
  CHECK(*wrong == 0);
}

TEST_CASE("mesh: two senders that nothing orders are told, ordered ones are not") {
  const auto run = [](bool ordered) {
    return inChild([=] {
      onCpes(3, future(), [&](int core) {
        if (core == 0) {
          put(Way::Row, 2, 1);
          if (ordered)
            put(Way::Row, 1, 0);
        } else if (core == 1) {
          weft_sw_current->now += 500;
          if (ordered)
            take(Way::Row);
          put(Way::Row, 2, 2);
        } else {
          take(Way::Row);
          take(Way::Row);
        }
      });
    });
  };
  const auto unordered = run(false);
  CHECK(unordered.status == 0);
  CHECK(unordered.says("hazard [unordered-senders]"));
  const auto ordered = run(true);
  CHECK(ordered.status == 0);
  CHECK(ordered.error.empty());
}

TEST_CASE("mesh: wrong targets, and messages that nobody sends or takes") {
  const auto target = inChild([] { onCpes(1, future(), [](int) { put(Way::Row, 16, 0); }); });
  CHECK(target.status == 3);
  CHECK(target.says("fault [mesh-target]"));
  const auto self = inChild([] { onCpes(1, future(), [](int) { put(Way::Column, 0, 0); }); });
  CHECK(self.status == 3);
  CHECK(self.says("fault [mesh-self]"));
  const auto host = inChild([] { Clock::get().runHost([] { put(Way::Row, 1, 0); }); });
  CHECK(host.status == 3);
  CHECK(host.says("fault [mesh-on-mpe]"));

  const auto nobody = inChild([] {
    onCpes(2, future(), [](int core) {
      if (core == 0) {
        put(Way::Column, 1, 4); // into CPE 8's buffer
        take(Way::Row);
      }
    });
  });
  CHECK(nobody.status == 3);
  CHECK(nobody.says("CPE 0 waits for a message from its row (getr)"));

  const auto left = inChild([] {
    onCpes(2, future(), [](int core) {
      if (core == 0)
        put(Way::Row, 1, 4);
    });
    Mesh::get().joined(3, &site);
  });
  CHECK(left.status == 0);
  CHECK(left.says("hazard [unreceived-message]"));
  CHECK(left.says("1 message is left in its row buffer"));
}
