// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of slave code through pointers: a CPE cannot run the MPE's code.
#include "Abi.h"
#include "Fault.h"
#include "Program.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <string_view>

namespace weft::emu {

namespace {

std::string hexadecimal(const void *address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

/// The function that begins there, of the program or of a library.
std::string_view nameOf(const void *target) {
  const auto address = reinterpret_cast<std::uintptr_t>(target);
  const auto &own = program::symbols();
  for (auto at = std::ranges::lower_bound(own, address, {}, &program::Symbol::address);
       at != own.end() && at->address == address; ++at)
    if (at->isFunction)
      return at->name;
  Dl_info found{};
  return dladdr(target, &found) && found.dli_sname && found.dli_saddr == target
             ? std::string_view(found.dli_sname)
             : std::string_view();
}

} // namespace

} // namespace weft::emu

void weft_sw_indirect_call(WeftCore *core, const void *target, const WeftSite *site) {
  using namespace weft::emu;
  const std::string_view name = nameOf(target);
  const bool known = !name.empty();
  if (name.starts_with("slave_"))
    return;
  std::string what = "a call through a null pointer";
  if (target)
    what = known ? "a CPE calls the host function '" + std::string(name) + "' through a pointer"
                 : "a call through a pointer to what is no slave function";
  raise({.name = "call-of-host-code",
         .core = static_cast<int>(core->index),
         .cycle = core->now,
         .site = site,
         .what = std::move(what),
         .expected = "the address of a function in a slave file, or of the slave library",
         .found = known ? std::string(name) + " at " + hexadecimal(target) : hexadecimal(target),
         .help = "take the address in slave code, or write slave_ before the name on the host"});
}
