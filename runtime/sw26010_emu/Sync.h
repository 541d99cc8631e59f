// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronisation of CPEs: synr and sync make the members of a row or column that a mask names wait
// for one another.
#pragma once

#include "Abi.h"
#include "Mesh.h"

#include <array>
#include <cstdint>
#include <string>

namespace weft::emu {

class Sync {
public:
  static Sync &get();

  /// The running CPE waits until all members of its row or column in `mask` (bit i: column i, or
  /// row i) have come with the same mask.
  void meet(Way way, int mask);

  /// Who a waiting core still waits for, for the report of a deadlock; empty if it does not.
  std::string describe(int core) const;

private:
  Sync();
  struct Waiting {
    unsigned mask = 0; // 0: does not wait
    Way way = Way::Row;
  };
  std::array<Waiting, WEFT_SW_CPES> waiting_;
  std::uint64_t latency_;
  bool here(int core, Way way, unsigned mask) const;
};

} // namespace weft::emu
