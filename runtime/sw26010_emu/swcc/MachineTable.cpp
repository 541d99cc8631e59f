// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MachineTable.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#define TOML_EXCEPTIONS 0
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
  toml::parse_result parsed = toml::parse_file(path_);
  if (!parsed)
    fail(path_ + ":" + std::to_string(parsed.error().source().begin.line) +
         ": the machine table cannot be read: " + std::string(parsed.error().description()));
  table_ = new toml::table(std::move(parsed).table());
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
