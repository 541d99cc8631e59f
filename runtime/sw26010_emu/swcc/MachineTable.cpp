// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineTable.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <toml++/toml.h>

namespace weft::swcc {

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "weft-swcc: error: %s\n", what.c_str());
  std::_Exit(70);
}

std::string locate() {
  if (const char *named = std::getenv("WEFT_SW26010_MACHINE"))
    return named;
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void *>(&locate), &self) || !self.dli_fname)
    fail("the pass plugin has no path, so that the machine table cannot be found beside it");
  std::error_code failed;
  auto folder = std::filesystem::canonical(self.dli_fname, failed).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (auto table = folder / "targets/sw26010/machine.toml"; std::filesystem::exists(table))
      return table.string();
  return "targets/sw26010/machine.toml";
}

} // namespace

MachineTable::MachineTable() : path_(locate()), table_(nullptr) {
  // With exceptions, as in Machine.cpp: the two ways of toml++ share the names of their functions.
  try {
    table_ = new toml::table(toml::parse_file(path_));
  } catch (const toml::parse_error &error) {
    const auto &begin = error.source().begin;
    fail(path_ + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column) +
         ": the machine table cannot be read: " + std::string(error.description()));
  }
}

const MachineTable &MachineTable::get() {
  static const MachineTable table;
  return table;
}

unsigned MachineTable::number(const std::string &key) const {
  const auto value =
      static_cast<const toml::table *>(table_)->at_path(key)["value"].value<std::int64_t>();
  if (!value || *value < 0)
    fail(path_ + ": quantity '" + key + "' is missing or no whole number");
  return static_cast<unsigned>(*value);
}

} // namespace weft::swcc
