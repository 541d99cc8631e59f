// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes wrong in an emulated program. A fault ends the run: the machine itself would stop or
// hang. A hazard is a race whose outcome the machine leaves open: it is told once a pair of places
// and counted, and the run goes on (--strict makes it a fault).
#pragma once

#include "Abi.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::emu {

/// A stable word for reports and tests, such as "ldm-overflow": one of Faults.def.
class FaultName {
public:
  constexpr FaultName() = default;
  consteval FaultName(const char *name) : name_(name) {
    for (const std::string_view known : {
#define WEFT_FAULT(word, meaning) std::string_view(word),
#define WEFT_HAZARD(word, meaning) std::string_view(word),
#include "Faults.def"
#undef WEFT_HAZARD
#undef WEFT_FAULT
         })
      if (known == name_)
        return;
    throw "no name of Faults.def"; // what does not compile then
  }
  constexpr operator std::string_view() const { return name_; }
  friend constexpr bool operator==(FaultName one, std::string_view other) {
    return one.name_ == other;
  }

private:
  std::string_view name_;
};

struct Fault {
  FaultName name;
  int core = WEFT_SW_MPE;
  std::uint64_t cycle = 0;
  const WeftSite *site = nullptr;
  std::string what;                        // one line
  std::string expected{}, found{}, help{}; // each may be empty
  struct Party {                           // who else takes part: a core, a transfer, a sender
    std::string what;
    int core = -1;
    std::uint64_t cycle = 0;
    const WeftSite *site = nullptr;
  };
  std::vector<Party> others{};
};

/// Prints the fault with the calls that led to it and how many CPEs meet the same, writes what
/// reports were asked for, and ends the process with exit status 3.
[[noreturn]] void raise(const Fault &fault);
/// The same without looking further, and without ending the process.
void tell(const Fault &fault, int status);
/// The fault with the calls of the running core that led to it.
Fault withWay(Fault fault);
/// Tells a hazard once a pair of places; ends the run as `raise` does when strict.
void warn(const Fault &hazard);
/// A fault of the emulator itself: exit status 70.
[[noreturn]] void bug(std::string_view what);

std::string render(const Fault &fault, std::string_view severity);
std::string describe(const WeftSite *site);
std::string describeCore(int core);
/// "CPE 0-7, 9, MPE"; the numbers rise.
std::string describeCores(const std::vector<int> &cores);
/// Puts calls, the innermost first, before the party number `at`: "called at m.c:3:5, in main".
void addCallers(std::vector<Fault::Party> &parties, const std::vector<const WeftSite *> &calls,
                std::size_t at = 0);
/// How many hazards were told, for the report and the closing line.
std::uint64_t hazardCount();

} // namespace weft::emu
