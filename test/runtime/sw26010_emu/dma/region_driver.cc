// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of regions from standard input, a line each: first block period bytes, twice. Prints a byte
// that both have, or "none".
#include "DmaRegion.h"

#include <iostream>

int main() {
  std::uint64_t values[8];
  for (;;) {
    for (auto &value : values)
      if (!(std::cin >> value))
        return 0;
    const weft::emu::DmaRegion one(values[0], values[1], values[2], values[3]);
    const weft::emu::DmaRegion other(values[4], values[5], values[6], values[7]);
    if (const auto byte = commonByte(one, other))
      std::cout << *byte << '\n';
    else
      std::cout << "none\n";
  }
}
