// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lines of main memory strided gets took lately, and for whom: the memory's open rows still
// have them, so that another core gets them without what opening a block costs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::emu {

class DmaRecentLines {
public:
  /// Remembers about so many lines; 0 remembers none.
  explicit DmaRecentLines(std::size_t lines);

  /// Whether lines `first` to `last` are all here and were taken for other cores than `core`. They
  /// are its own from now on.
  bool take(std::uint64_t first, std::uint64_t last, int core);

private:
  static constexpr std::size_t Ways = 8;

  struct Line {
    std::uint64_t number = 0;
    std::uint64_t taken = 0; // when, in lines taken; 0: never
    int core = 0;
  };

  bool takeLine(std::uint64_t number, int core);

  std::vector<std::array<Line, Ways>> sets_; // a power of two of them
  int shift_ = 64;                           // of a hash that leaves a set's index
  std::uint64_t taken_ = 0;
};

} // namespace weft::emu
