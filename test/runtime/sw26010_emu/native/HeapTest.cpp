// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap at a fixed address, against a plain list of what lives; and malloc above it.
#include "Heap.h"
#include "AddressMap.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <malloc.h>
#include <map>
#include <random>
#include <unistd.h>
#include <vector>

using namespace weft::emu;

namespace {

constexpr std::size_t kPage = 4096;

/// A heap of its own, where neither the machine's memory nor another test's heap is.
Heap &heapAnew() {
  static std::uintptr_t next = kRegions + 0xA000000000;
  auto *heap = new Heap; // its memory stays taken
  heap->open(next);
  next += 0x8000000000;
  static auto *kept = new std::vector<Heap *>; // the leak sanitizer looks for it
  kept->push_back(heap);
  return *heap;
}

std::uintptr_t number(const void *block) { return reinterpret_cast<std::uintptr_t>(block); }

const void *caller() { return reinterpret_cast<const void *>(&caller); }

/// Whether a byte can be read, asked of the system.
bool readable(std::uintptr_t address) {
  static int pipes[2] = {-1, -1};
  if (pipes[0] < 0)
    REQUIRE(pipe2(pipes, O_NONBLOCK) == 0);
  if (write(pipes[1], reinterpret_cast<const void *>(address), 1) != 1)
    return false;
  char byte;
  return read(pipes[0], &byte, 1) == 1;
}

struct Live {
  std::size_t bytes;
  unsigned char pattern;
  std::size_t asked = 0; // at first; a large block keeps its pages when it is given another size
};

bool holds(std::uintptr_t block, const Live &live) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(block);
  return std::all_of(bytes, bytes + live.bytes,
                     [&](unsigned char byte) { return byte == live.pattern; });
}

} // namespace

TEST_CASE("heap: every size and alignment gets an aligned block of that size") {
  Heap &heap = heapAnew();
  for (std::size_t alignment = 1; alignment <= 1 << 20; alignment *= 2)
    for (const std::size_t bytes :
         {0,    1,    15,   16,    17,    127,   128,   129,    160,     161,
          1000, 4096, 4097, 20481, 32767, 32768, 32769, 100000, 1 << 20, (1 << 20) + 1}) {
      CAPTURE(alignment);
      CAPTURE(bytes);
      void *block = heap.allocate(bytes, alignment, caller(), false);
      REQUIRE(block);
      CHECK(number(block) % std::max<std::size_t>(alignment, 16) == 0);
      std::memset(block, 0xA5, bytes);
      const auto known = heap.blockAt(number(block) + bytes / 2);
      REQUIRE(known);
      CHECK(known->address == number(block));
      CHECK(known->bytes == bytes);
      CHECK(known->live);
      CHECK(heap.usable(number(block)) == bytes);
    }
}

TEST_CASE("heap: random calls against a list of what lives") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    CAPTURE(seed);
    Heap &heap = heapAnew();
    std::mt19937 random(seed);
    std::map<std::uintptr_t, Live> live;
    const auto pick = [&] {
      auto chosen = live.begin();
      std::advance(chosen, random() % live.size());
      return chosen;
    };
    const auto some = [&]() -> std::size_t {
      const unsigned kind = random() % 10;
      return kind < 6 ? random() % 600 : kind < 9 ? random() % 50000 : random() % 3000000;
    };
    for (int turn = 0; turn < 6000; ++turn) {
      const unsigned what = random() % 100;
      if (live.empty() || (what < 55 && live.size() < 400)) {
        const std::size_t bytes = some();
        const std::size_t alignment = std::size_t{1} << random() % 14;
        const bool zeroed = random() % 2;
        void *block = heap.allocate(bytes, alignment, caller(), zeroed);
        REQUIRE(block);
        REQUIRE(number(block) % alignment == 0);
        if (zeroed)
          REQUIRE(holds(number(block), {bytes, 0}));
        // Nobody else's.
        const auto after = live.lower_bound(number(block));
        if (after != live.end())
          REQUIRE(number(block) + std::max<std::size_t>(bytes, 1) <= after->first);
        if (after != live.begin())
          REQUIRE(std::prev(after)->first + std::prev(after)->second.bytes <= number(block));
        const Live made{bytes, static_cast<unsigned char>(random() | 1), bytes};
        std::memset(block, made.pattern, bytes);
        live[number(block)] = made;
      } else if (what < 85) {
        const auto chosen = pick();
        REQUIRE(holds(chosen->first, chosen->second));
        REQUIRE(heap.release(chosen->first, caller()));
        REQUIRE_FALSE(heap.release(chosen->first, caller()));
        const auto known = heap.blockAt(chosen->first);
        REQUIRE(known);
        REQUIRE_FALSE(known->live);
        REQUIRE(known->freedAt == caller());
        if (chosen->second.bytes > 1 << 20)
          REQUIRE_FALSE(readable(chosen->first));
        live.erase(chosen);
      } else {
        const auto chosen = pick();
        const std::size_t bytes = some() + 1;
        if (heap.resize(chosen->first, bytes, caller())) {
          auto &[block, now] = *chosen;
          REQUIRE(holds(block, {std::min(now.bytes, bytes), now.pattern}));
          now.bytes = bytes;
          std::memset(reinterpret_cast<void *>(block), now.pattern, bytes);
        }
        if (chosen->second.asked > 32768) { // what runs over meets the guard
          const std::uintptr_t end = chosen->first + chosen->second.asked;
          REQUIRE_FALSE(readable((end + kPage - 1) / kPage * kPage));
        }
      }
    }
    for (const auto &[block, known] : live)
      REQUIRE(holds(block, known));
  }
}

TEST_CASE("heap: the room of freed blocks is taken again, and joined") {
  Heap &heap = heapAnew();
  constexpr std::size_t kBlock = 100000;
  std::vector<std::uintptr_t> blocks;
  for (int index = 0; index < 100; ++index)
    blocks.push_back(number(heap.allocate(kBlock, 1, caller(), false)));
  const std::uintptr_t top = *std::ranges::max_element(blocks);
  for (std::size_t index = 0; index < 100; index += 2)
    REQUIRE(heap.release(blocks[index], caller()));
  for (int index = 0; index < 50; ++index) // in the holes
    CHECK(number(heap.allocate(kBlock, 1, caller(), false)) <= top);
  for (std::size_t index = 10; index < 20; ++index)
    REQUIRE(heap.release(blocks[index], caller()));
  const std::uintptr_t wide = number(heap.allocate(9 * kBlock, 1, caller(), false));
  CHECK(wide >= blocks[10]);
  CHECK(wide < blocks[20]);

  // Small ones: the last freed of a class is the first to be used again.
  const std::uintptr_t first = number(heap.allocate(40, 1, caller(), false));
  const std::uintptr_t second = number(heap.allocate(40, 1, caller(), false));
  heap.release(first, caller());
  heap.release(second, caller());
  CHECK(number(heap.allocate(48, 1, caller(), false)) == second);
  CHECK(number(heap.allocate(33, 1, caller(), false)) == first);
}

TEST_CASE("heap: what is free is not forgotten when there is no memory left") {
  Heap &heap = heapAnew();
  constexpr std::size_t kMega = 1 << 20;
  heap.setLimit(16 * kMega);
  std::vector<std::uintptr_t> large;
  while (void *block = heap.allocate(kMega, 1, caller(), false))
    large.push_back(number(block));
  CHECK(large.size() == 16);
  CHECK(heap.allocate(1, 1, caller(), false) == nullptr);
  REQUIRE(heap.release(large[7], caller()));
  std::size_t small = 0;
  while (heap.allocate(64, 1, caller(), false))
    ++small;
  CHECK(small == kMega / 64);
  REQUIRE(heap.release(large[8], caller()));
  CHECK(heap.allocate(kMega, 1, caller(), true) != nullptr);
  // More than there is, in bytes or in alignment.
  Heap &other = heapAnew();
  CHECK(other.allocate(SIZE_MAX, 1, caller(), false) == nullptr);
  CHECK(other.allocate(SIZE_MAX - kPage, 16, caller(), false) == nullptr);
  CHECK(other.allocate(100, std::size_t{1} << 62, caller(), false) == nullptr);
  CHECK(other.allocate(100, 1, caller(), false) != nullptr);
}

TEST_CASE("heap: only what begins a live block is freed") {
  Heap &heap = heapAnew();
  for (const std::size_t bytes : {24, 5000, 200000}) {
    const std::uintptr_t block = number(heap.allocate(bytes, 1, caller(), false));
    CHECK_FALSE(heap.release(block + 1, caller()));
    CHECK_FALSE(heap.release(block + 16, caller()));
    CHECK_FALSE(heap.release(block - 16, caller()));
    CHECK(heap.usable(block + 8) == 0);
    CHECK(heap.runsOver(block + bytes - 4, 8));
    CHECK_FALSE(heap.runsOver(block + bytes, 8));
    CHECK(heap.release(block, caller()));
    CHECK(heap.usable(block) == 0);
  }
  CHECK_FALSE(heap.blockAt(kRegions + 0xA000000000 + (1 << 30)));
}

// In a sanitized build the tests' own malloc is the sanitizer's.
#if !defined(WEFT_SANITIZE)

TEST_CASE("malloc: what the C library promises") {
  volatile std::size_t huge = SIZE_MAX / 2;
  errno = 0;
  CHECK(calloc(huge, 4) == nullptr);
  CHECK(errno == ENOMEM);
  void *block = malloc(100);
  REQUIRE(heapOf(number(block)));
  std::memset(block, 7, 100);
  errno = 0;
  CHECK(reallocarray(block, huge, 4) == nullptr);
  CHECK(errno == ENOMEM);
  CHECK(holds(number(block), {100, 7}));
  block = realloc(block, 200000); // NOLINT(bugprone-suspicious-realloc-usage): it may not fail
  CHECK(holds(number(block), {100, 7}));
  CHECK(malloc_usable_size(block) >= 200000);
  // NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): what the C library does then
  CHECK(realloc(block, 0) == nullptr);

  void *aligned = nullptr;
  CHECK(posix_memalign(&aligned, 24, 100) == EINVAL);
  CHECK(posix_memalign(&aligned, 4, 100) == EINVAL);
  CHECK(posix_memalign(&aligned, huge / 2 + 1, 100) == ENOMEM);
  CHECK(posix_memalign(&aligned, 256, 100) == 0);
  CHECK(number(aligned) % 256 == 0);
  free(aligned);
  errno = 0;
  CHECK(memalign(SIZE_MAX, 100) == nullptr);
  CHECK(errno == EINVAL);
  free(nullptr);
}

#endif
