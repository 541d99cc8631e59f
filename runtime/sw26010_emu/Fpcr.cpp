// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPE's floating-point control register, kept in the fiber's own MXCSR. Known of it is what
// public programs do: bits 2 and 60 set flush results to zero, bit 60 cleared no longer does, and
// bit 48 is cleared with the former.
#include "Fault.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <xmmintrin.h>

using namespace weft::emu;

namespace {

constexpr std::uint64_t kFlushEnabled = std::uint64_t{1} << 2;
constexpr std::uint64_t kFlush = std::uint64_t{1} << 60;

} // namespace

std::uint64_t weft_sw_read_fpcr() {
  return _MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_ON ? kFlush | kFlushEnabled : 0;
}

void weft_sw_write_fpcr(std::uint64_t value) {
  if (value & ~(kFlush | kFlushEnabled)) {
    char found[32];
    std::snprintf(found, sizeof found, "0x%016llx", static_cast<unsigned long long>(value));
    raise({.name = "unknown-fpcr",
           .core = static_cast<int>(weft_sw_current->index),
           .cycle = weft_sw_current->now,
           .site = weft_sw_current->site,
           .what = "wfpcr sets bits of the control register whose meaning is not known",
           .expected = "bits 2 and 60, which flush small results to zero",
           .found = found,
           .help = "leave the other bits as rfpcr gives them",
           .others = {}});
  }
  const bool flush = (value & kFlush) != 0 && (value & kFlushEnabled) != 0;
  _MM_SET_FLUSH_ZERO_MODE(flush ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
}
