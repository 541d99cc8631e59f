// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When each core is ready, and who is the first: a tournament over 65 keys. A change costs seven
// comparisons whose other operands do not depend on one another.
#pragma once

#include "Abi.h"

#include <algorithm>
#include <cstdint>

namespace weft::emu {

class ReadyTimes {
  static constexpr int kCoreBits = 7; // of a key: the cycle above, the core below

public:
  static constexpr std::uint64_t kNever = UINT64_MAX >> kCoreBits;

  ReadyTimes() { std::fill(std::begin(tree_), std::end(tree_), UINT64_MAX); }

  void set(int core, std::uint64_t cycle) {
    put(core, cycle << kCoreBits | static_cast<std::uint64_t>(core));
  }
  void clear(int core) { put(core, UINT64_MAX); }

  /// kNever if no core is ready.
  std::uint64_t firstTime() const { return tree_[1] >> kCoreBits; }
  int firstCore() const { return static_cast<int>(tree_[1] & (kLeaves - 1)); }
  /// The next ready core by number, round about; there is one.
  int after(int core) const {
    do
      core = (core + 1) % WEFT_SW_CORES;
    while (tree_[kLeaves + core] == UINT64_MAX);
    return core;
  }

private:
  static constexpr int kLeaves = 1 << kCoreBits;
  std::uint64_t tree_[2 * kLeaves];

  void put(int core, std::uint64_t key) {
    auto node = static_cast<unsigned>(kLeaves + core);
    tree_[node] = key;
    while (node > 1) {
      key = std::min(key, tree_[node ^ 1]);
      node >>= 1;
      tree_[node] = key;
    }
  }
};

} // namespace weft::emu
