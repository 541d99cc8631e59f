// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fault.h"

#include "Report.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <tuple>

namespace weft::emu {

namespace {

std::uint64_t hazards = 0;

[[noreturn]] void end(int status) {
  // What the program printed comes first; its own exit handlers do not run: its state is unknown.
  std::fflush(nullptr);
  std::_Exit(status);
}

void print(const std::string &text) { std::fputs(text.c_str(), stderr); }

} // namespace

std::string describeCore(int core) {
  if (core == WEFT_SW_MPE)
    return "MPE";
  return "CPE " + std::to_string(core) + " (row " + std::to_string(core / 8) + ", column " +
         std::to_string(core % 8) + ")";
}

std::string describe(const WeftSite *site) {
  if (!site)
    return "at an unknown place";
  return std::string(site->file) + ":" + std::to_string(site->line) + ":" +
         std::to_string(site->column) + ", in " + site->function;
}

std::string render(const Fault &fault, std::string_view severity) {
  std::string text = "weft emu: " + std::string(severity) + " [" + std::string(fault.name) +
                     "]: " + fault.what + "\n  " + describeCore(fault.core) + ", cycle " +
                     std::to_string(fault.cycle) + ", " + describe(fault.site) + "\n";
  if (!fault.expected.empty())
    text += "  expected: " + fault.expected + "\n";
  if (!fault.found.empty())
    text += "  found: " + fault.found + "\n";
  for (const auto &party : fault.others) {
    text += "  " + party.what;
    if (party.core >= 0)
      text += ": " + describeCore(party.core) + ", cycle " + std::to_string(party.cycle);
    if (party.site)
      text += ", " + describe(party.site);
    text += "\n";
  }
  if (!fault.help.empty())
    text += "  help: " + fault.help + "\n";
  return text;
}

void raise(const Fault &fault) {
  std::fflush(stdout);
  print(render(fault, "fault"));
  report::addFault(fault);
  report::finish(3, fault.cycle);
  end(3);
}

void warn(const Fault &hazard) {
  static const bool strict = std::getenv("WEFT_EMU_STRICT") != nullptr;
  if (strict)
    raise(hazard);
  static std::set<std::tuple<std::string, const WeftSite *, const WeftSite *>> told;
  ++hazards;
  report::addHazard(hazard);
  const WeftSite *other = hazard.others.empty() ? nullptr : hazard.others.front().site;
  if (told.emplace(hazard.name, hazard.site, other).second)
    print(render(hazard, "hazard"));
}

std::uint64_t hazardCount() { return hazards; }

void bug(std::string_view what) {
  print("weft emu: internal error: " + std::string(what) +
        "\n  This is a fault of Weft, not of the program; please report it.\n");
  end(70);
}

} // namespace weft::emu
