// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction cache of a CPE, by regions: a function's code is in the cache or it is not. What
// was used longest ago makes room. A region's first run on a core, and each after it had to go,
// fetches its lines from memory; one larger than the cache does so on every entry.
#include "Clock.h"
#include "Counters.h"
#include "Machine.h"

#include <array>
#include <vector>

namespace weft::emu {

namespace {

struct Region {
  const void *code;
  std::uint64_t bytes;
};

/// Most recently used last.
std::array<std::vector<Region>, WEFT_SW_CPES> caches;

/// Whether the region was there. It is the most recently used afterwards.
bool touch(std::vector<Region> &cache, const Region &region, std::uint64_t capacity) {
  for (std::size_t at = cache.size(); at-- > 0;)
    if (cache[at].code == region.code) {
      cache.erase(cache.begin() + static_cast<std::ptrdiff_t>(at));
      cache.push_back(region);
      return true;
    }
  if (region.bytes > capacity) {
    cache.clear();
    return false;
  }
  std::uint64_t used = region.bytes;
  std::size_t kept = cache.size();
  while (kept > 0 && used + cache[kept - 1].bytes <= capacity)
    used += cache[--kept].bytes;
  cache.erase(cache.begin(), cache.begin() + static_cast<std::ptrdiff_t>(kept));
  cache.push_back(region);
  return false;
}

} // namespace

} // namespace weft::emu

extern "C" void weft_sw_code(WeftCore *core, const void *region, uint64_t bytes) {
  using namespace weft::emu;
  static const std::uint64_t capacity = Machine::get().cycles("cpe.icache.bytes");
  static const std::uint64_t line = Machine::get().cycles("cpe.icache.line");
  static const std::uint64_t miss = Machine::get().cycles("cpe.icache.miss");
  auto &cache = caches[core->index];
  if (!cache.empty() && cache.back().code == region)
    return;
  if (touch(cache, {region, bytes}, capacity))
    return;
  const std::uint64_t lines = (bytes + line - 1) / line;
  core->now += lines * miss;
  count(static_cast<int>(core->index), Counter::IcacheMisses, lines, core->site);
  count(static_cast<int>(core->index), Counter::IcacheCycles, lines * miss, core->site);
}
