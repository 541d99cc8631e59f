// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory: ldm_malloc against a list, and the shadow that tells which granules a transfer is
// under way in.
#include "Ldm.h"
#include "Child.h"
#include "Cores.h"
#include "Dma.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace weft::emu;
using namespace weft::emu::test;

namespace {

constexpr std::size_t kGranules = WEFT_SW_LDM_BYTES / WEFT_SW_GRANULE;

// Main memory of the test.
alignas(128) std::array<unsigned char, 1 << 16> memory;

void initialise() { Ldm::get().initialise(); }

/// The same with all of CPE 0's LDM allocated: its shadow tells of transfers alone.
void initialiseAllocated() {
  initialise();
  REQUIRE(Ldm::get().allocate(0, WEFT_SW_LDM_BYTES, &site) == Ldm::base(0));
  Ldm::written(0, 0, WEFT_SW_LDM_BYTES); // it is as if used before
}

DmaRequest request(DmaOp op, std::uint32_t ldm, std::int64_t size, std::uint32_t reply) {
  DmaRequest made;
  made.op = static_cast<std::uint64_t>(op);
  made.size = size;
  made.reply = reply;
  made.memory = reinterpret_cast<std::uintptr_t>(memory.data());
  made.ldm = ldm;
  return made;
}

/// Granules of CPE 0 that are marked, as "first-last first-last".
std::string marked() {
  const std::uint8_t *shadow = Clock::get().core(0).shadow;
  std::string text;
  for (std::size_t at = 0; at < kGranules; ++at) {
    if (!(shadow[at] & kUnderTransfer) || (at && shadow[at - 1] & kUnderTransfer))
      continue;
    std::size_t last = at;
    while (last + 1 < kGranules && shadow[last + 1] & kUnderTransfer)
      ++last;
    text += (text.empty() ? "" : " ") + std::to_string(at) + "-" + std::to_string(last);
  }
  return text;
}

char *ldm(std::uint32_t offset) { return reinterpret_cast<char *>(Ldm::base(0) + offset); }

void clearReply(std::uint32_t offset) { std::memset(ldm(offset), 0, 4); }

} // namespace

TEST_CASE("ldm: random allocations against a list of what lives") {
  const auto ending = inChild([] {
    initialise();
    std::mt19937 random(3);
    std::map<std::uintptr_t, std::uint64_t> live;
    const auto fail = [](const char *what) {
      std::fputs(what, stderr);
      std::_Exit(1);
    };
    for (int turn = 0; turn < 20000; ++turn) {
      if (live.empty() || random() % 5 < 3) {
        const std::uint64_t bytes = random() % 4 ? random() % 300 : random() % 9000;
        const std::uint64_t largest = Ldm::get().largestFree(5);
        const std::uintptr_t place = Ldm::get().allocate(5, bytes, &site);
        if (!place) {
          if (std::max<std::uint64_t>((bytes + 31) / 32 * 32, 32) <= largest)
            fail("refused what fits\n");
          continue;
        }
        if (place % 32 || Ldm::owner(place) != 5 || Ldm::owner(place + bytes) != 5)
          fail("not aligned, or outside\n");
        const auto after = live.lower_bound(place);
        if (after != live.end() && place + bytes > after->first)
          fail("overlaps the next\n");
        if (after != live.begin() && std::prev(after)->first + std::prev(after)->second > place)
          fail("overlaps the one before\n");
        live[place] = bytes;
      } else {
        auto chosen = live.begin();
        std::advance(chosen, random() % live.size());
        Ldm::get().free(5, chosen->first, chosen->second, &site);
        live.erase(chosen);
      }
    }
    for (const auto &[place, bytes] : live)
      Ldm::get().free(5, place, bytes, &site);
    if (Ldm::get().largestFree(5) != WEFT_SW_LDM_BYTES)
      fail("something is lost\n");
  });
  CHECK_MESSAGE(ending.status == 0, ending.error);
  CHECK(ending.error.empty());
}

TEST_CASE("ldm: all of it can be had, and not a byte more") {
  const auto ending = inChild([] {
    initialise();
    Ldm &local = Ldm::get();
    const std::uintptr_t whole = local.allocate(0, WEFT_SW_LDM_BYTES, &site);
    const bool full = whole == Ldm::base(0) && local.allocate(0, 1, &site) == 0 &&
                      local.largestFree(0) == 0 && local.allocate(1, 1, &site) == Ldm::base(1);
    local.free(0, whole, WEFT_SW_LDM_BYTES, &site);
    const bool more = local.allocate(0, WEFT_SW_LDM_BYTES + 1, &site) ||
                      local.allocate(0, UINT64_MAX, &site) ||
                      local.allocate(0, UINT64_MAX - 30, &site);
    std::_Exit(full && !more ? 0 : 1);
  });
  CHECK(ending.status == 0);
}

TEST_CASE("ldm: what is freed wrongly is told") {
  const auto inside = inChild([] {
    initialise();
    Ldm::get().free(0, Ldm::get().allocate(0, 100, &site) + 32, 100, &site);
  });
  CHECK(inside.status == 3);
  CHECK(inside.says("fault [ldm-free]"));
  CHECK(inside.says("byte 32 of ldm_malloc(100)"));
  const auto other = inChild([] {
    initialise();
    Ldm::get().free(1, Ldm::get().allocate(0, 100, &site), 100, &site);
  });
  CHECK(other.status == 3);
  CHECK(other.says("an address in the LDM of CPE 0"));
  const auto size = inChild([] {
    initialise();
    Ldm::get().free(0, Ldm::get().allocate(0, 100, &site), 400, &site);
  });
  CHECK(size.status == 0);
  CHECK(size.says("hazard [ldm-free-size]"));
}

TEST_CASE("shadow: granules of a transfer are marked from its issue to its completion") {
  struct Case {
    std::uint32_t ldm, bytes;
    const char *granules;
  };
  for (const Case &one : {Case{1024, 1024, "32-63"}, Case{1024, 32, "32-32"},
                          Case{1028, 4, "32-32"}, Case{1052, 8, "32-33"}, Case{1024, 36, "32-33"},
                          Case{65536 - 64, 64, "2046-2047"}, Case{0, 128, "0-3"}}) {
    CAPTURE(one.ldm);
    CAPTURE(one.bytes);
    Shared<std::array<char, 64>> during, after;
    Shared<int> windows;
    const auto ending = inChild([&] {
      initialiseAllocated();
      onCpes(1, future(), [&](int) {
        constexpr std::uint32_t kReply = 32768;
        clearReply(kReply);
        Dma::get().submit(request(DmaOp::Get, one.ldm, one.bytes, kReply));
        std::strcpy(during->data(), marked().c_str());
        const WeftCore *core = weft_sw_current;
        const std::uintptr_t begin = core->ldm + one.ldm, end = begin + one.bytes;
        *windows = weft_sw_window(core, begin, end, 0);
        if (one.ldm >= 32) // the granules beside it are free
          *windows |= weft_sw_window(core, begin / 32 * 32 - 32, begin / 32 * 32, 0) ? 0 : 2;
        Dma::get().wait(kReply, 1);
        std::strcpy(after->data(), marked().c_str());
        *windows |= weft_sw_window(core, begin, end, 0) ? 0 : 4;
      });
    });
    CHECK_MESSAGE(ending.status == 0, ending.error);
    CHECK(std::string(during->data()) == one.granules);
    CHECK(after->data()[0] == 0);
    CHECK(*windows == 0);
  }
}

TEST_CASE("shadow: a granule stays marked until the last of its transfers is complete") {
  Shared<std::array<char, 64>> first, last;
  const auto ending = inChild([&] {
    initialiseAllocated();
    onCpes(1, future(), [&](int) {
      constexpr std::uint32_t kOne = 32768, kOther = 32772;
      clearReply(kOne);
      clearReply(kOther);
      // They meet in granule 2, not in a byte.
      Dma::get().submit(request(DmaOp::Get, 0, 80, kOne));
      Dma::get().submit(request(DmaOp::Get, 80, 16000, kOther));
      Dma::get().wait(kOne, 1);
      std::strcpy(first->data(), marked().c_str());
      Dma::get().wait(kOther, 1);
      std::strcpy(last->data(), marked().c_str());
    });
  });
  CHECK_MESSAGE(ending.status == 0, ending.error);
  CHECK(ending.error.empty());
  CHECK(std::string(first->data()) == "2-502");
  CHECK(last->data()[0] == 0);
}

TEST_CASE("shadow: what overlaps, or is touched too early, is told with both places") {
  const auto overlap = inChild([] {
    initialiseAllocated();
    onCpes(1, future(), [](int) {
      constexpr std::uint32_t kReply = 32768;
      clearReply(kReply);
      Dma::get().submit(request(DmaOp::Get, 0, 256, kReply));
      Dma::get().submit(request(DmaOp::Get, 252, 256, kReply));
      Dma::get().wait(kReply, 2);
    });
  });
  CHECK(overlap.status == 0);
  CHECK(overlap.says("hazard ["));
  const auto early = inChild([] {
    initialiseAllocated();
    onCpes(1, future(), [](int) {
      constexpr std::uint32_t kReply = 32768;
      clearReply(kReply);
      Dma::get().submit(request(DmaOp::Get, 64, 256, kReply));
      weft_sw_access(weft_sw_current, ldm(100), 4, WEFT_SW_LOAD, &site);
      Dma::get().wait(kReply, 1);
      weft_sw_access(weft_sw_current, ldm(100), 4, WEFT_SW_LOAD, &site); // now it may
    });
  });
  CHECK(early.status == 0);
  CHECK(early.says("hazard ["));
  CHECK(early.says("test.c:1:1, in function"));
}

TEST_CASE("dma: the bytes that a get brings are those that a put took away") {
  Shared<int> wrong;
  const auto ending = inChild([&] {
    initialiseAllocated();
    std::mt19937 random(9);
    onCpes(1, future(), [&](int) {
      constexpr std::uint32_t kReply = 65532;
      for (int turn = 0; turn < 300; ++turn) {
        const std::int64_t bytes = 4 * (1 + random() % 8000);
        const std::uint32_t from = random() % 8 * 4, to = 32768 + random() % 8 * 4;
        if (to + bytes > kReply)
          continue;
        for (std::int64_t at = 0; at < bytes; ++at)
          ldm(from)[at] = static_cast<char>(random());
        clearReply(kReply);
        Dma::get().submit(request(DmaOp::Put, from, bytes, kReply));
        Dma::get().wait(kReply, 1);
        Dma::get().submit(request(DmaOp::Get, to, bytes, kReply));
        Dma::get().wait(kReply, 2);
        *wrong += std::memcmp(ldm(from), ldm(to), static_cast<std::size_t>(bytes)) != 0;
        *wrong += std::memcmp(memory.data(), ldm(to), static_cast<std::size_t>(bytes)) != 0;
      }
    });
  });
  CHECK_MESSAGE(ending.status == 0, ending.error);
  CHECK(*wrong == 0);
}
