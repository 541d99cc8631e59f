// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPEs' local memories: 64 KiB each, below the program's __thread_local variables, above them
// the heap of ldm_malloc, and with -b the stack, which grows down from the top.
#pragma once

#include "Abi.h"
#include "Fault.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::emu {

/// Why an access to a granule of LDM asks the runtime first: bits of the core's shadow.
enum Granule : std::uint8_t {
  kUnderTransfer = 1, // a transfer moves bytes of it
  kAwaited = 2,       // it has a reply word that was not looked at
  kFree = 4,          // nothing is allocated there
  kUnwritten = 8,     // allocated, and nothing was written there yet
};

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
  /// By which address the MPE reaches a CPE's LDM.
  static std::uintptr_t seenByMpe(int core, std::size_t offset);
  /// Ends the run if the MPE uses the address that a CPE has of its LDM.
  static void requireNotWindow(std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind);
  /// Which CPE's window the address is in; -1 if in none.
  static int owner(std::uintptr_t address);

  /// 0 if there is no room.
  std::uintptr_t allocate(int core, std::uint64_t bytes, const WeftSite *site);
  void free(int core, std::uintptr_t address, std::uint64_t bytes, const WeftSite *site);
  std::uint64_t largestFree(int core) const;
  /// What lies at an offset of a CPE's LDM, in words: "variable x + 8", "ldm_malloc of 64 bytes
  /// ...".
  std::string place(int core, std::uint32_t offset) const;
  /// Who has how much of a CPE's LDM, and what its last ldm_malloc that found no room asked for.
  std::vector<Fault::Party> use(int core) const;
  std::vector<Fault::Party> failure(int core) const;
  /// Tells a use of LDM that was freed or never allocated: a hazard. With -b the stack may be
  /// anywhere above the last block, where nothing is told.
  void accessed(int core, std::uint32_t offset, std::uint64_t bytes, std::string_view use,
                const WeftSite *site) const;
  /// Tells a use of what ldm_malloc gave before anything was written there: a hazard. Nothing is
  /// told where only a part was not written: a structure may have gaps.
  void used(int core, std::uint32_t offset, std::uint64_t bytes, std::string_view use,
            const WeftSite *site) const;
  static void written(int core, std::uint32_t offset, std::uint64_t bytes);

private:
  struct Block {
    std::uint32_t bytes, asked;
    const WeftSite *site;
    const WeftSite *freed = nullptr;
  };
  struct Failure {
    std::uint64_t asked = 0, free = 0, cycle = 0;
    const WeftSite *site = nullptr;
  };
  using Blocks = std::map<std::uint32_t, Block>; // by offset
  Blocks blocks_[WEFT_SW_CPES];
  Blocks freed_[WEFT_SW_CPES];
  Failure failures_[WEFT_SW_CPES];
  // How often a place has allocated: only the first blocks are watched for uses before a write.
  std::map<const WeftSite *, unsigned> watched_[WEFT_SW_CPES];
  std::uint32_t imageEnd_ = 0;

  Ldm();
  std::uint32_t heapLimit(int core) const;
  void setStackEnd(int core);
  std::uint32_t heapEnd(int core) const;
  static void mark(int core, std::uint32_t begin, std::uint32_t end, unsigned set,
                   unsigned cleared);
};

} // namespace weft::emu
