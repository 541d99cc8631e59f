// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the emulator says of itself to those who load it without a program.
#include "Counters.h"
#include "Json.h"

/// The table of counters as JSON: name, unit, part and description of each, in its order.
extern "C" const char *weft_emu_counters() {
  static const auto *text = [] {
    weft::emu::Json json;
    json.beginArray();
    for (const auto &info : weft::emu::counterTable)
      json.beginObject()
          .field("name", info.name)
          .field("unit", info.unit)
          .field("part", info.part)
          .field("description", info.description)
          .endObject();
    json.endArray();
    return new std::string(json.text());
  }();
  return text->c_str();
}
