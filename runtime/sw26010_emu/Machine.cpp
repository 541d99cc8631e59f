// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Machine.h"

#include "Fault.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <toml++/toml.h>

namespace weft::emu {

namespace {

/// The emulator lies in native/ (installed) or native/ of the build folder; targets/ lies beside
/// it.
std::string locate() {
  if (const char *named = std::getenv("WEFT_SW26010_MACHINE"))
    return named;
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void *>(&locate), &self) || !self.dli_fname)
    bug("the emulator's own library has no path");
  auto folder = std::filesystem::canonical(self.dli_fname).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (auto table = folder / "targets/sw26010/machine.toml"; std::filesystem::exists(table))
      return table.string();
  return "targets/sw26010/machine.toml";
}

} // namespace

Machine::Machine(std::string path) : path_(std::move(path)), table_(nullptr) {
  try {
    table_ = new toml::table(toml::parse_file(path_));
  } catch (const toml::parse_error &error) {
    const auto &begin = error.source().begin;
    std::fprintf(stderr, "weft emu: error: %s:%u:%u: the machine table cannot be read: %s\n",
                 path_.c_str(), begin.line, begin.column, std::string(error.description()).c_str());
    std::_Exit(3);
  }
}

const Machine &Machine::get() {
  // Outlives static objects: reports are written while the program exits.
  static const auto *machine = new Machine(locate());
  return *machine;
}

bool Machine::has(std::string_view key) const {
  return static_cast<const toml::table *>(table_)->at_path(key)["value"].is_number();
}

double Machine::number(std::string_view key) const {
  auto value = static_cast<const toml::table *>(table_)->at_path(key)["value"].value<double>();
  if (!value)
    bug(path_ + ": no quantity '" + std::string(key) + "'");
  return *value;
}

std::uint64_t Machine::cycles(std::string_view key) const {
  const double value = number(key);
  if (value < 0 || value != std::floor(value))
    bug(path_ + ": '" + std::string(key) + "' is not a whole number");
  return static_cast<std::uint64_t>(value);
}

} // namespace weft::emu
