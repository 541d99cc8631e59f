// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Awaited.h"

#include <array>

namespace weft::emu {

namespace {
std::array<Awaited, WEFT_SW_CORES> all;
} // namespace

const Awaited &awaitedBy(int core) { return all.at(static_cast<unsigned>(core)); }

} // namespace weft::emu

void weft_sw_awaits(const WeftCore *core, const void *address, std::uint64_t value,
                    std::uint32_t bytes, const WeftSite *site) {
  weft::emu::all.at(core->index) = {reinterpret_cast<std::uintptr_t>(address), value, bytes, site};
}
