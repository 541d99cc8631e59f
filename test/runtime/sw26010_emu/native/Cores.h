// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ in place of compiled slave code: bodies that run on CPEs.
#pragma once

#include "Clock.h"

#include <algorithm>

namespace weft::emu::test {

/// A place in a source that no file has.
inline constexpr WeftSite site{"function", "test.c", 1, 1};

/// Runs `body` on the first `count` CPEs from cycle `begin` on; the MPE waits for all.
template <typename Body> void onCpes(int count, std::uint64_t begin, Body body) {
  Clock &clock = Clock::get();
  clock.runHost([&] {
    int left = count;
    for (int core = 0; core < count; ++core)
      clock.start(core, begin, [&, core] {
        weft_sw_current->site = &site;
        body(core);
        if (--left == 0)
          clock.wake(WEFT_SW_MPE, clock.now());
      });
    clock.block({"the test's CPEs"});
  });
}

/// A cycle that no core has reached.
inline std::uint64_t future() {
  std::uint64_t last = weft_sw_host.now;
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    last = std::max(last, Clock::get().core(core).now);
  return last + 1000;
}

} // namespace weft::emu::test
