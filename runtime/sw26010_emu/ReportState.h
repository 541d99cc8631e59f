// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run's report is made from: collected by Report.cpp, written by ReportText.cpp.
#pragma once

#include "Counters.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::emu::report {

struct Place {
  std::string function, file;
  std::uint32_t line = 0, column = 0;
};

struct Phase {
  std::string function;
  int cpes;
  std::uint64_t begin, end;
  bool ended;
  std::optional<Place> at;
  Values counts; // at its begin; once it has ended, what it added
};

/// All phases of one function.
struct Repeated {
  std::uint64_t times = 0, cycles = 0;
  Values counts{};
};

struct Party {
  std::string what;
  int core;
  std::uint64_t cycle;
  std::optional<Place> at;
};

/// A fault, or a hazard and how often it was met.
struct Incident {
  std::string name, what, expected, found, help;
  Party self;
  std::vector<Party> others;
  std::uint64_t times = 1;
};

struct CoreUse {
  std::uint64_t active = 0, activeSince = 0;
  bool isActive = false;
  std::map<std::string, std::uint64_t> ldm; // the most of each kind
};

struct State {
  std::vector<std::string> arguments;
  std::vector<Phase> phases;
  std::map<std::string, Repeated> repeated;
  std::uint64_t omitted = 0; // phases that are only in `repeated`
  std::vector<Incident> hazards;
  std::optional<Incident> fault;
  CoreUse cores[WEFT_SW_CORES];
  std::uint64_t cycles = 0;
  int status = 0;
};

/// The whole report.
std::string render(const State &state);

} // namespace weft::emu::report
