// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all functions of the slave's C library share: cost, and checks of their operands; and those
// that fit no other file.
#include "SlaveLibrary.h"

#include "Clock.h"
#include "Counters.h"
#include "Fault.h"
#include "Heap.h"
#include "Ldm.h"
#include "Machine.h"
#include "VirtualTime.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <sys/time.h>
#include <unistd.h>

namespace weft::emu::slave {

namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(Cost::Kinds);

std::array<std::uint64_t, kKinds> costs() {
  constexpr std::array<std::string_view, kKinds> names = {
      "call", "simple", "root", "elementary", "power", "byte", "word", "heap", "output"};
  std::array<std::uint64_t, kKinds> cycles{};
  for (std::size_t kind = 0; kind < kKinds; ++kind)
    cycles[kind] = Machine::get().cycles("cpe.library." + std::string(names[kind]));
  return cycles;
}

std::uint64_t pageSize() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

} // namespace

void charge(Cost cost, std::uint64_t times) {
  static const std::array<std::uint64_t, kKinds> cycles = costs();
  const std::uint64_t taken = cycles[static_cast<std::size_t>(cost)] * times;
  WeftCore *core = weft_sw_current;
  core->now += taken;
  count(static_cast<int>(core->index), Counter::LibraryCycles, taken, core->site);
}

void reads(const void *address, std::size_t bytes) {
  WeftCore *core = weft_sw_current;
  weft_sw_range(core, address, bytes, WEFT_SW_LOAD, core->site);
}

void writes(void *address, std::size_t bytes) {
  WeftCore *core = weft_sw_current;
  weft_sw_range(core, address, bytes, WEFT_SW_STORE, core->site);
}

std::size_t lengthOf(const char *text, std::size_t most) {
  // Memory comes and goes by pages: each is checked before it is looked at.
  std::size_t length = 0;
  while (length < most) {
    const auto at = reinterpret_cast<std::uintptr_t>(text) + length;
    const std::size_t rest = std::min<std::size_t>(most - length, pageSize() - at % pageSize());
    weft_sw_access(weft_sw_current, text + length, 1, WEFT_SW_LOAD, weft_sw_current->site);
    const std::size_t here = strnlen(text + length, rest);
    length += here;
    if (here < rest)
      break;
  }
  if (length > 1)
    reads(text, length);
  charge(Cost::Byte, length);
  return length;
}

std::size_t lengthOf(const char *text) { return lengthOf(text, SIZE_MAX / 2); }

} // namespace weft::emu::slave

using namespace weft::emu;
using namespace weft::emu::slave;

#define CALLER __builtin_return_address(0)

namespace {

[[noreturn]] void stop(FaultName name, std::string what) {
  raise({.name = name,
         .core = static_cast<int>(weft_sw_current->index),
         .cycle = weft_sw_current->now,
         .site = weft_sw_current->site,
         .what = std::move(what),
         .expected = {},
         .found = {},
         .help = {},
         .others = {}});
}

/// A block that is given back must be one of malloc's, not LDM or a variable.
void requireBlock(const char *call, const void *block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (!block || heapOf(address))
    return;
  const bool local = Ldm::owner(address) >= 0;
  raise({.name = "bad-free",
         .core = static_cast<int>(weft_sw_current->index),
         .cycle = weft_sw_current->now,
         .site = weft_sw_current->site,
         .what = std::string(call) + " of an address that malloc did not return",
         .expected = {},
         .found = local ? "an address of LDM" : "an address of no heap",
         .help = local ? "give LDM back with ldm_free, if ldm_malloc returned it" : "",
         .others = {}});
}

/// Virtual nanoseconds since the program began.
std::uint64_t nanoseconds() {
  static const double perCycle = 1e9 / Machine::get().number("clock.hz");
  return static_cast<std::uint64_t>(static_cast<double>(weft_sw_current->now) * perCycle);
}

void waitFor(double seconds) {
  static const double hertz = Machine::get().number("clock.hz");
  const auto cycles = static_cast<std::uint64_t>(seconds * hertz);
  weft_sw_current->now += cycles;
  count(static_cast<int>(weft_sw_current->index), Counter::LibraryCycles, cycles,
        weft_sw_current->site);
  Clock::get().arrive();
}

} // namespace

extern "C" {

// ---- main memory ----

void *slave_malloc(std::size_t bytes) {
  Clock::get().arrive();
  charge(Cost::Heap);
  return allocateForProgram(bytes, CALLER);
}

void *slave_calloc(std::size_t count, std::size_t bytes) {
  Clock::get().arrive();
  charge(Cost::Heap);
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  void *block = allocateForProgram(total, CALLER);
  if (block && total) {
    writes(block, total);
    std::fill_n(static_cast<char *>(block), total, '\0');
  }
  return block;
}

void *slave_realloc(void *block, std::size_t bytes) {
  Clock::get().arrive();
  charge(Cost::Heap);
  requireBlock("realloc", block);
  return reallocateForProgram(block, bytes, CALLER);
}

void slave_free(void *block) {
  Clock::get().arrive();
  charge(Cost::Heap);
  requireBlock("free", block);
  releaseForProgram(block, CALLER);
}

// ---- ends ----

[[noreturn]] void slave_abort() { stop("abort", "slave code calls abort"); }

// NOLINTNEXTLINE(bugprone-reserved-identifier): what <assert.h> calls
[[noreturn]] void slave___assert_fail(const char *condition, const char *file, unsigned line,
                                      const char *function) {
  stop("assertion", std::string(file) + ":" + std::to_string(line) + ": " + function +
                        ": assertion '" + condition + "' failed");
}

// NOLINTNEXTLINE(bugprone-reserved-identifier): what <errno.h> calls
int *slave___errno_location() { return &errno; }

// ---- numbers ----

int slave_abs(int value) {
  charge(Cost::Simple);
  return value < 0 ? static_cast<int>(0U - static_cast<unsigned>(value)) : value;
}
long slave_labs(long value) {
  charge(Cost::Simple);
  return value < 0 ? static_cast<long>(0UL - static_cast<unsigned long>(value)) : value;
}
long long slave_llabs(long long value) { return slave_labs(value); }

// The generator's state is one for the whole program: its order is that of virtual time.
int slave_rand() {
  Clock::get().arrive();
  charge(Cost::Simple);
  return std::rand();
}
void slave_srand(unsigned seed) {
  Clock::get().arrive();
  charge(Cost::Simple);
  std::srand(seed);
}
int slave_rand_r(unsigned *seed) {
  writes(seed, sizeof *seed);
  charge(Cost::Simple);
  return rand_r(seed);
}

int slave_atoi(const char *text) {
  charge(Cost::Byte, lengthOf(text));
  return static_cast<int>(std::strtol(text, nullptr, 10));
}
long slave_atol(const char *text) {
  charge(Cost::Byte, lengthOf(text));
  return std::strtol(text, nullptr, 10);
}
double slave_atof(const char *text) {
  charge(Cost::Byte, lengthOf(text));
  return std::strtod(text, nullptr);
}
long slave_strtol(const char *text, char **end, int base) {
  charge(Cost::Byte, lengthOf(text));
  if (end)
    writes(static_cast<void *>(end), sizeof *end);
  return std::strtol(text, end, base);
}
double slave_strtod(const char *text, char **end) {
  charge(Cost::Byte, lengthOf(text));
  if (end)
    writes(static_cast<void *>(end), sizeof *end);
  return std::strtod(text, end);
}

void slave_qsort(void *base, std::size_t count, std::size_t bytes,
                 int (*compare)(const void *, const void *)) {
  charge(Cost::Call);
  reads(base, count * bytes);
  writes(base, count * bytes);
  std::qsort(base, count, bytes, compare);
}

// ---- time: the virtual one ----

int slave_gettimeofday(struct timeval *time, void *) {
  constexpr std::uint64_t second = 1000000000;
  charge(Cost::Call);
  if (!time)
    return 0;
  writes(time, sizeof *time);
  const std::uint64_t now = nanoseconds();
  *time = {.tv_sec = static_cast<time_t>(kEpochSeconds + now / second),
           .tv_usec = static_cast<suseconds_t>(now % second / 1000)};
  return 0;
}
clock_t slave_clock() {
  charge(Cost::Call);
  return static_cast<clock_t>(nanoseconds() / (1000000000 / CLOCKS_PER_SEC));
}
time_t slave_time(time_t *time) {
  charge(Cost::Call);
  const auto now = static_cast<time_t>(kEpochSeconds + nanoseconds() / 1000000000);
  if (time) {
    writes(time, sizeof *time);
    *time = now;
  }
  return now;
}
int slave_usleep(unsigned microseconds) {
  waitFor(microseconds * 1e-6);
  return 0;
}
unsigned slave_sleep(unsigned seconds) {
  waitFor(seconds);
  return 0;
}

} // extern "C"
