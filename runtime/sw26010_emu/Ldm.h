// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPEs' local memories: 64 KiB each, below the program's __thread_local variables, above them
// the heap of ldm_malloc, and with -b the stack, which grows down from the top.
#pragma once

#include "Abi.h"

#include <cstdint>
#include <map>
#include <string>

namespace weft::emu {

class Ldm {
public:
  static Ldm &get();

  /// Every CPE's image as the program was linked. Raises "ldm-overflow" if it does not fit.
  void initialise();
  /// A CPE begins to run a function: an empty stack.
  void resetStack(int core);

  /// Tells report and trace how much is in use: a CPE begins or ends a function, or its heap
  /// changes.
  void tellUse(int core) const;

  static std::uintptr_t base(int core);
  /// Which CPE's window the address is in; -1 if in none.
  static int owner(std::uintptr_t address);

  /// 0 if there is no room.
  std::uintptr_t allocate(int core, std::uint64_t bytes, const WeftSite *site);
  void free(int core, std::uintptr_t address, std::uint64_t bytes, const WeftSite *site);
  std::uint64_t largestFree(int core) const;
  /// What lies at an offset of a CPE's LDM, in words: "variable x + 8", "ldm_malloc of 64 bytes
  /// ...".
  std::string place(int core, std::uint32_t offset) const;

private:
  struct Block {
    std::uint32_t bytes, asked;
    const WeftSite *site;
  };
  using Blocks = std::map<std::uint32_t, Block>; // by offset
  Blocks blocks_[WEFT_SW_CPES];
  std::uint32_t imageEnd_ = 0;

  Ldm();
  std::uint32_t heapLimit(int core) const;
  void setStackEnd(int core);
};

} // namespace weft::emu
