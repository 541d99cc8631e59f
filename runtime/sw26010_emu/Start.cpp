// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the C library's start to the program's main, on the MPE.
#include "AddressMap.h"
#include "Clock.h"
#include "Fault.h"
#include "Group.h"
#include "Heap.h"
#include "Ldm.h"
#include "Linked.h"
#include "Machine.h"
#include "Memory.h"
#include "Report.h"
#include "Signals.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace weft::emu {

namespace {

WeftProgram current{};

/// Arguments and environment, copied to where they lie in every run: their natural place depends on
/// the host.
class Arguments {
public:
  Arguments() : begin_(mapAt(kArguments, kArgumentsSize)) {}

  /// The environment gets a block of its own, so that the arguments do not move with it.
  void skipTo(std::size_t offset) { next_ = begin_ + offset; }

  char **copy(char **texts) {
    std::size_t count = 0;
    while (texts[count])
      ++count;
    auto **copies = reinterpret_cast<char **>(take((count + 1) * sizeof(char *)));
    // NOLINTBEGIN(clang-analyzer-core.FixedAddressDereference): mapped there on purpose
    for (std::size_t index = 0; index < count; ++index) {
      const std::size_t bytes = std::strlen(texts[index]) + 1;
      copies[index] = static_cast<char *>(std::memcpy(take(bytes), texts[index], bytes));
    }
    copies[count] = nullptr;
    // NOLINTEND(clang-analyzer-core.FixedAddressDereference)
    return copies;
  }

private:
  char *begin_, *next_ = begin_, *end_ = begin_ + kArgumentsSize;

  char *take(std::size_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    if (static_cast<std::size_t>(end_ - next_) < bytes) {
      std::fputs("weft emu: error: arguments and environment take more than 16 MiB\n", stderr);
      std::_Exit(3);
    }
    char *taken = next_;
    next_ += bytes;
    return taken;
  }
};

} // namespace

const WeftProgram &linked() { return current; }

long setting(const char *name, long otherwise, long least, long most) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end || value < least || value > most) {
    std::fprintf(stderr, "weft emu: error: %s is '%s'; expected a whole number from %ld to %ld\n",
                 name, text, least, most);
    std::_Exit(2);
  }
  return value;
}

int cpes() {
  static const auto count =
      static_cast<int>(setting("WEFT_EMU_CPES", WEFT_SW_CPES, 1, WEFT_SW_CPES));
  return count;
}

bool stackInLdm() {
  static const bool asked = setting("WEFT_EMU_LDM_STACK", 0, 0, 1) != 0;
  return asked;
}

bool isFunctional() {
  static const bool asked = setting("WEFT_EMU_FUNCTIONAL", 0, 0, 1) != 0;
  return asked;
}

bool isStrict() {
  static const bool asked = setting("WEFT_EMU_STRICT", 0, 0, 1) != 0;
  return asked;
}

char *mapAt(std::uintptr_t address, std::size_t size, bool accessible) {
  void *mapped =
      mmap(reinterpret_cast<void *>(address), size, accessible ? PROT_READ | PROT_WRITE : PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == reinterpret_cast<void *>(address))
    return static_cast<char *>(mapped);
  std::fprintf(stderr,
               "weft emu: error: no place for the machine's memory at 0x%zx (%zu bytes): %s\n"
               "  The program's own code and data may reach there, or the system limits memory.\n",
               static_cast<std::size_t>(address), size,
               mapped == MAP_FAILED ? std::strerror(errno) : "it is taken");
  std::_Exit(70);
}

void makeAccessible(std::uintptr_t address, std::size_t size) {
  if (mprotect(reinterpret_cast<void *>(address), size, PROT_READ | PROT_WRITE) == 0)
    return;
  std::fprintf(stderr, "weft emu: error: no memory (%zu bytes): %s\n", size, std::strerror(errno));
  std::_Exit(70);
}

} // namespace weft::emu

int weft_sw_start(const WeftProgram *program, int argc, char **argv, char **envp) {
  using namespace weft::emu;
  current = *program;
  Arguments arguments;
  char **copiedArguments = arguments.copy(argv);
  constexpr std::size_t kEnvironment = 0x800000;
  arguments.skipTo(kEnvironment);
  environ = arguments.copy(envp);
  report::start(argc, argv);
  (void)Ldm::get();
  // Registered before the program can register anything: it runs after all of the program's.
  std::atexit([] { Group::get().requireJoined("the program ends"); });
  constexpr long kMega = 1 << 20;
  const auto memory = static_cast<long>(Machine::get().number("memory.bytes"));
  limitHeap(static_cast<std::uint64_t>(
      setting("WEFT_EMU_SHARE_SIZE", memory / kMega, 1, memory / kMega) * kMega));
  (void)Memory::get();
  catchSignals();
  setProgramRuns(true);
  Clock::get().runHost([&] { std::exit(current.main(argc, copiedArguments, environ)); });
  bug("the MPE's main came back");
}
