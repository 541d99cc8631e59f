// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library as slave code calls it: every function has the prefix slave_, checks the memory
// that it is given like the program's own accesses, and costs a CPE the cycles of its class
// ([cpe.library] of the machine's table).
#pragma once

#include "Abi.h"

#include <cstddef>
#include <cstdint>

namespace weft::emu::slave {

/// Classes of functions, each a quantity cpe.library.<name>.
enum class Cost : unsigned {
  Call,       // a call that does next to nothing, and what each other call begins with
  Simple,     // rounding, signs, comparison: a few dependent instructions
  Root,       // a square root
  Elementary, // a polynomial and its range reduction
  Power,      // pow: a logarithm and an exponential, more precisely
  Byte,       // text, a byte
  Word,       // copies and fills of LDM, eight bytes
  Heap,       // an allocation in main memory
  Output,     // formatted text to a file of the host
  Kinds,
};

/// Charges the running CPE `times` of a class.
void charge(Cost cost, std::uint64_t times = 1);

/// A CPE reads (writes) `bytes` from the address: checked and charged like a memcpy of its own.
void reads(const void *address, std::size_t bytes);
void writes(void *address, std::size_t bytes);
/// Length of a string that a CPE reads; the string is checked before it is touched.
std::size_t lengthOf(const char *text);
/// The same, but no further than `most` bytes, which need not end in a zero.
std::size_t lengthOf(const char *text, std::size_t most);

} // namespace weft::emu::slave
