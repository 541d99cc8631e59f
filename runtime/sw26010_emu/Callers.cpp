// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Callers.h"

#include "Symbolizer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <sstream>
#include <string_view>
#include <unwind.h>

namespace weft::emu::callers {

namespace {

struct Code {
  std::uintptr_t begin = 0, end = 0;
};

/// The executable segments of the program itself, the first object that is loaded.
const std::vector<Code> &programCode() {
  static const auto *code = [] {
    auto *found = new std::vector<Code>;
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *all) {
          for (int index = 0; index < object->dlpi_phnum; ++index) {
            const auto &header = object->dlpi_phdr[index];
            const std::uintptr_t begin = object->dlpi_addr + header.p_vaddr;
            if (header.p_type == PT_LOAD && header.p_flags & PF_X)
              static_cast<std::vector<Code> *>(all)->push_back({begin, begin + header.p_memsz});
          }
          return 1;
        },
        found);
    return found;
  }();
  return *code;
}

struct Walk {
  Trail trail;
  std::size_t frames = 0;
};

_Unwind_Reason_Code step(_Unwind_Context *context, void *state) {
  auto &walk = *static_cast<Walk *>(state);
  // A few of the emulator's own come first; a recursion has no end that matters.
  constexpr std::size_t kMostFrames = 4 * kMost;
  int exact = 0;
  const std::uintptr_t counter = _Unwind_GetIPInfo(context, &exact);
  // A return address is behind its call.
  const std::uintptr_t place = exact ? counter : counter - 1;
  if (isProgram(place))
    walk.trail.push_back(place);
  return ++walk.frames >= kMostFrames || walk.trail.size() >= kMost ? _URC_END_OF_STACK
                                                                    : _URC_NO_REASON;
}

const char *kept(std::string_view text) { return strndup(text.data(), text.size()); }

/// "m.c:3:7" and the function's name as a place; null if the line is not known. Kept for good.
const WeftSite *siteOf(std::string_view function, std::string_view place) {
  const auto column = place.rfind(':');
  const auto line = column == std::string_view::npos || column == 0 ? std::string_view::npos
                                                                    : place.rfind(':', column - 1);
  if (line == std::string_view::npos || place.starts_with("??"))
    return nullptr;
  constexpr std::string_view kSlave = "slave_";
  if (function.starts_with(kSlave))
    function.remove_prefix(kSlave.size());
  const auto number = [&](std::size_t at) {
    return static_cast<std::uint32_t>(std::strtoul(place.data() + at + 1, nullptr, 10));
  };
  if (number(line) == 0)
    return nullptr;
  return new WeftSite{kept(function), kept(place.substr(0, line)), number(line), number(column)};
}

std::string_view nameOf(const char *path) {
  const std::string_view text = path ? path : "";
  return text.substr(text.find_last_of('/') + 1);
}

bool isSame(const WeftSite &one, const WeftSite &other) {
  return one.line == other.line && nameOf(one.file) == nameOf(other.file) &&
         std::strcmp(one.function, other.function) == 0;
}

} // namespace

bool isProgram(std::uintptr_t counter) {
  return std::ranges::any_of(programCode(), [counter](const Code &code) {
    return counter >= code.begin && counter < code.end;
  });
}

Trail here() {
  Walk walk;
  _Unwind_Backtrace(step, &walk);
  return std::move(walk.trail);
}

std::map<std::uintptr_t, Places> placesOf(const std::vector<std::uintptr_t> &counters) {
  std::map<std::uintptr_t, Places> found;
  for (const std::uintptr_t counter : counters)
    found[counter];
  if (found.empty())
    return found;
  std::vector<std::uintptr_t> addresses;
  addresses.reserve(found.size());
  for (const auto &[counter, places] : found)
    addresses.push_back(counter);
  std::istringstream lines(symbolized(addresses));
  auto place = found.begin();
  for (std::string function; place != found.end() && std::getline(lines, function);) {
    std::string source;
    if (function.empty())
      ++place;
    else if (std::getline(lines, source))
      if (const WeftSite *site = siteOf(function, source))
        place->second.push_back(site);
  }
  return found;
}

Places placesOf(const Trail &trail, const std::map<std::uintptr_t, Places> &known) {
  Places places;
  for (const std::uintptr_t counter : trail)
    if (const auto found = known.find(counter); found != known.end())
      places.insert(places.end(), found->second.begin(), found->second.end());
  return places;
}

Places callersOf(const WeftSite *site, const Places &places) {
  auto self = places.begin();
  if (site) {
    self = std::ranges::find_if(places, [&](const WeftSite *one) { return isSame(*one, *site); });
    // A function's entry has machine code of several lines.
    if (self == places.end())
      self = std::ranges::find_if(places, [&](const WeftSite *one) {
        return std::strcmp(one->function, site->function) == 0;
      });
  }
  return self == places.end() ? Places{} : Places(std::next(self), places.end());
}

} // namespace weft::emu::callers
