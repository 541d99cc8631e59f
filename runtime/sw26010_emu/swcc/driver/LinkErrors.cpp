// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LinkErrors.h"

#include <sstream>
#include <string_view>

namespace weft::swcc {

namespace {

bool take(std::string_view &text, std::string_view start) {
  if (text.substr(0, start.size()) != start)
    return false;
  text.remove_prefix(start.size());
  return true;
}

std::string error(const std::string &what, const std::string &help) {
  return "weft-swcc: error: " + what + "\nweft-swcc: help: " + help + "\n";
}

/// The library of the SW26010-Pro, which is another machine.
bool isOfSuccessor(std::string_view name) {
  for (const std::string_view part :
       {"rma_", "CRTS_", "ssync", "athread_dma_", "athread_memcpy_", "_cgs"})
    if (name.find(part) != std::string_view::npos)
      return name != "athread_dma_barrier";
  return false;
}

std::string undefined(std::string_view symbol) {
  const bool ofSlave = take(symbol, "slave_");
  if (isOfSuccessor(symbol))
    return error("'" + std::string(symbol) + "' is a function of the SW26010-Pro's library",
                 "on the SW26010 CPEs exchange data by register communication (simd_putr, "
                 "simd_getr), get it by athread_get, and meet in athread_syn");
  if (ofSlave) {
    const std::string name(symbol);
    return error("no slave file defines the function '" + name +
                     "', and the slave library does not have it",
                 "compile the file that defines " + name +
                     " with -slave and link its object; docs/athread.md lists the slave library");
  }
  if (symbol == "__real_main")
    return error("the program has no main", "link the object of the host file that defines it");
  return error("nothing defines '" + std::string(symbol) + "'",
               "link the object or library that does; functions of slave files are slave_" +
                   std::string(symbol) +
                   " to host code, functions of host files do not exist on "
                   "a CPE");
}

} // namespace

std::string rewordLinkErrors(const std::string &text) {
  std::istringstream lines(text);
  std::string made;
  bool known = false; // the lines that follow belong to an error that is told already
  bool tooLarge = false, places = true;
  for (std::string line; std::getline(lines, line);) {
    std::string_view rest = line;
    if (take(rest, "ld.lld: error: undefined symbol: ")) {
      made += undefined(rest);
      known = places = true;
    } else if (take(rest, "ld.lld: error: unable to find library ")) {
      made += error("no library " + std::string(rest),
                    "the machine's own libraries are not here: compile the library's source "
                    "with weft-swcc, or leave it out if the emulator has its functions");
      known = places = true;
    } else if (rest.starts_with("ld.lld: error: ") &&
               rest.find("relocation ") != std::string_view::npos &&
               rest.find(" out of range") != std::string_view::npos) {
      // Each reference to what lies too far is an error of its own.
      if (!tooLarge)
        made += error("the program's static data takes more than 2 GB",
                      "the machine's linker has a like limit; take large arrays from malloc");
      known = tooLarge = true;
      places = false;
    } else if (known && places && take(rest, ">>> referenced by ")) {
      // A call and what checks it are at one place.
      const std::string place = "  used at " + std::string(rest.substr(0, rest.find(" ("))) + "\n";
      if (!made.ends_with(place))
        made += place;
    } else if (known && (take(rest, ">>> ") || rest.empty())) {
      // where in the object: of no use beside the source line
    } else if (rest.find("linker command failed") == std::string_view::npos) {
      known = false;
      made += line + "\n";
    }
  }
  return made;
}

} // namespace weft::swcc
