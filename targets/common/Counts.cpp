//===- Counts.cpp - operations and bytes of a kernel -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Counts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <vector>

using llvm::StringRef;

namespace weft {

void Counts::add(StringRef kind, int64_t lanes, StringRef element) {
  if (times == 0)
    return;
  bool byInstruction = llvm::StringSwitch<bool>(kind)
                           .Cases({"load", "store", "shuffle", "broadcast"}, true)
                           .Default(false);
  byKind[kind.str()] += times * (byInstruction ? 1 : lanes);
  if (!byInstruction && !element.empty())
    byType[element.str()][kind.str()] += times * lanes;
}

void Counts::addBytes(StringRef memory, bool written, int64_t bytes) {
  if (times == 0)
    return;
  byMemory[(memory + (written ? "_written" : "_read")).str()] += times * bytes;
}

std::map<std::string, int64_t> Counts::operations() const {
  std::map<std::string, int64_t> all = byKind;
  auto of = [&](const char *kind) {
    auto found = byKind.find(kind);
    return found == byKind.end() ? 0 : found->second;
  };
  all["flops"] = of("add") + of("mul") + 2 * of("fma") + of("div") + of("sqrt");
  return all;
}

static std::string plural(StringRef kind) {
  return llvm::StringSwitch<std::string>(kind)
      .Case("add", "additions")
      .Case("mul", "multiplications")
      .Case("fma", "fused multiply-adds")
      .Case("div", "divisions")
      .Case("sqrt", "square roots")
      .Case("function", "function values")
      .Case("sign", "changes of sign")
      .Case("compare", "comparisons")
      .Case("select", "selections")
      .Case("convert", "conversions")
      .Case("integer", "integer operations")
      .Case("shuffle", "shuffles")
      .Case("broadcast", "broadcasts")
      .Case("load", "loads")
      .Case("store", "stores")
      .Default(kind.str());
}

/// Items joined by commas, in lines that fit.
static std::string wrapped(StringRef title, const std::vector<std::string> &items) {
  std::string text, line = (" *   " + title + ": ").str();
  for (size_t n = 0; n < items.size(); ++n) {
    std::string item = items[n] + (n + 1 < items.size() ? "," : "");
    if (line.size() + item.size() > 96) {
      text += StringRef(line).rtrim().str() + "\n";
      line = " *     ";
    }
    line += item + " ";
  }
  return text + StringRef(line).rtrim().str() + "\n";
}

std::string Counts::comment() const {
  std::map<std::string, int64_t> all = operations();
  std::vector<std::string> items{std::to_string(all["flops"]) + " flops"};
  for (const char *kind : {"add", "mul", "fma", "div", "sqrt", "function", "sign", "compare",
                           "select", "convert", "integer", "shuffle", "broadcast", "load", "store"})
    if (all[kind])
      items.push_back(std::to_string(all[kind]) + " " + plural(kind));
  std::string text = wrapped("operations", items);
  items.clear();
  for (auto &[memory, amount] : byMemory) {
    auto [where, direction] = StringRef(memory).split('_');
    items.push_back((where + " " + std::to_string(amount) + " " + direction).str());
  }
  return items.empty() ? text : text + wrapped("bytes", items);
}

} // namespace weft
