// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fault.h"

#include "Aftermath.h"
#include "Callers.h"
#include "Clock.h"
#include "Linked.h"
#include "Report.h"

#include <algorithm>
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

constexpr std::string_view kAndSoOn = "and so on";

bool isCall(const Fault::Party &party) {
  return party.what.starts_with("called at") || party.what == kAndSoOn;
}

std::string render(const Fault::Party &party) {
  std::string text = isCall(party) ? "    " + party.what : "  " + party.what;
  if (party.core >= 0)
    text += ": " + describeCore(party.core) + ", cycle " + std::to_string(party.cycle);
  if (party.site)
    text += (party.what.ends_with(" at") ? " " : ", ") + describe(party.site);
  return text + "\n";
}

void print(const std::string &text) { std::fputs(text.c_str(), stderr); }

void addSameElsewhere(Fault &fault) {
  const std::uint64_t met = aftermath::sameElsewhere(fault);
  if (!met)
    return;
  std::vector<int> cores;
  for (int core = 0; core < WEFT_SW_CPES; ++core)
    if (met >> core & 1)
      cores.push_back(core);
  const auto count = static_cast<int>(cores.size());
  fault.others.push_back({"the same on " + std::to_string(count) +
                          (count == 1 ? " other CPE" : " other CPEs") + " (" +
                          describeCores(cores).substr(4) + ") within " +
                          std::to_string(aftermath::kCycles) + " cycles"});
}

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

std::string describeCores(const std::vector<int> &cores) {
  std::string text;
  for (std::size_t index = 0; index < cores.size();) {
    std::size_t last = index;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1 &&
           cores[last + 1] != WEFT_SW_MPE)
      ++last;
    text += text.empty() ? "" : ", ";
    if (cores[index] == WEFT_SW_MPE)
      text += "MPE";
    else
      text += (index ? "" : "CPE ") + std::to_string(cores[index]);
    if (last > index)
      text += "-" + std::to_string(cores[last]);
    index = last + 1;
  }
  return text;
}

void addCallers(std::vector<Fault::Party> &parties, const std::vector<const WeftSite *> &calls,
                std::size_t at) {
  constexpr std::size_t kMost = 8;
  std::vector<Fault::Party> added;
  for (std::size_t index = 0; index < calls.size();) {
    std::size_t next = index + 1; // a recursion is one line
    while (next < calls.size() && calls[next]->line == calls[index]->line &&
           std::string_view(calls[next]->function) == calls[index]->function)
      ++next;
    if (added.size() == kMost) {
      added.push_back({std::string(kAndSoOn)});
      break;
    }
    const std::size_t times = next - index;
    added.push_back(
        {times == 1 ? "called at" : "called at least " + std::to_string(times) + " times at", -1, 0,
         calls[index]});
    index = next;
  }
  parties.insert(parties.begin() + static_cast<std::ptrdiff_t>(at), added.begin(), added.end());
}

std::string render(const Fault &fault, std::string_view severity) {
  std::string text = "weft emu: " + std::string(severity) + " [" + std::string(fault.name) +
                     "]: " + fault.what + "\n  " + describeCore(fault.core) + ", cycle " +
                     std::to_string(fault.cycle) + ", " + describe(fault.site) + "\n";
  // The calls that led there belong to the place.
  const auto others = std::ranges::find_if_not(fault.others, isCall);
  for (auto call = fault.others.begin(); call != others; ++call)
    text += render(*call);
  if (!fault.expected.empty())
    text += "  expected: " + fault.expected + "\n";
  if (!fault.found.empty())
    text += "  found: " + fault.found + "\n";
  for (auto party = others; party != fault.others.end(); ++party)
    text += render(*party);
  if (!fault.help.empty())
    text += "  help: " + fault.help + "\n";
  return text;
}

Fault withWay(Fault fault) {
  if (Clock::get().running() != fault.core)
    return fault;
  const auto trail = callers::here();
  const auto places = callers::placesOf(trail, callers::placesOf(trail));
  if (!fault.site && !places.empty())
    fault.site = places.front();
  addCallers(fault.others, callers::callersOf(fault.site, places));
  return fault;
}

void tell(const Fault &fault, int status) {
  std::fflush(stdout);
  print(render(fault, "fault"));
  report::addFault(fault);
  report::finish(status, fault.cycle);
}

void raise(const Fault &fault) {
  if (aftermath::runs())
    aftermath::stopHere(fault);
  std::fflush(stdout);
  // A deadlock says of everybody where they stand.
  Fault whole = fault.name == "deadlock" ? fault : withWay(fault);
  if (fault.name != "deadlock")
    addSameElsewhere(whole);
  tell(whole, 3);
  end(3);
}

void warn(const Fault &hazard) {
  if (aftermath::runs())
    return;
  if (isStrict())
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
  if (aftermath::runs())
    aftermath::conclude();
  print("weft emu: internal error: " + std::string(what) +
        "\n  This is a fault of Weft, not of the program; please report it.\n");
  end(70);
}

} // namespace weft::emu
