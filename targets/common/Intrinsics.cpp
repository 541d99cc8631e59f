//===- Intrinsics.cpp - a target's table of vector operations -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Intrinsics.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <toml++/toml.h>

using namespace mlir;

namespace weft {

static std::string keyOf(StringRef op, StringRef types) { return (op + " : " + types).str(); }

Intrinsics::Intrinsics(StringRef toml) {
  auto table = toml::parse(std::string_view(toml.data(), toml.size()));
  for (auto &&[name, value] : *table["types"].as_table())
    types[std::string(name.str())] = value.value_or<std::string>("");
  for (auto &&element : *table["ops"].as_array()) {
    const toml::table &row = *element.as_table();
    auto text = [&](const char *key) { return row[key].value_or<std::string>(""); };
    std::string key = keyOf(text("op"), text("types"));
    if (!entries.try_emplace(key, Intrinsic{text("c"), text("cost")}).second)
      llvm::report_fatal_error(llvm::Twine("intrinsics.toml: two entries for ") + key);
  }
}

const Intrinsic *Intrinsics::find(StringRef op, StringRef types) const {
  auto found = entries.find(keyOf(op, types));
  return found == entries.end() ? nullptr : &found->second;
}

StringRef Intrinsics::cType(Type type) const {
  auto found = types.find(typeKey(type));
  return found == types.end() ? StringRef() : StringRef(found->second);
}

std::string typeKey(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::string key;
    for (int64_t extent : vector.getShape())
      key += std::to_string(extent) + "x";
    return key + typeKey(vector.getElementType());
  }
  std::string key;
  llvm::raw_string_ostream(key) << type;
  return key;
}

} // namespace weft
