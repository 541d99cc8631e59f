//===- Broadcasts.cpp - messages to all cores of a row or a column -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

/// The sync keeps two cores from sending to one; the one that sends keeps a copy. A message is a
/// register as memory has it, whatever its elements are. A few messages at a time, all of which are
/// loaded before the first is sent: so none waits, whether the C compiler keeps this order or not.
LogicalResult FunctionEmitter::emitBroadcast(cpe::BroadcastOp op) {
  constexpr int64_t registerBytes = 32, together = 8;
  cpe::SpreadOp spread = cpe::spreadArray(op.getFrom());
  int64_t bytes = op.sent() * elementBytes(spread.getType().getElementType());
  int64_t lanes = registerBytes / elementBytes(spread.getType().getElementType());
  if (bytes % registerBytes != 0)
    return refuse(op, "expected whole messages of " + Twine(registerBytes) + " bytes, found " +
                          Twine(bytes) + " bytes");
  bool alongRows = op.getAlongRows();
  std::string way = alongRows ? "row" : "column";
  std::string columns = std::to_string(spread.getType().getDimSize(1));
  int64_t messages = bytes / registerBytes, group = std::min(messages, together);
  auto startOf = [&](Value array, Value part) {
    std::string start = bufferNames.lookup(array);
    IndexForm first = part ? form(part).times(op.sent()) : IndexForm();
    return first.asConstant() == 0 ? start : start + " + " + first.text().text;
  };
  std::string from = startOf(op.getFrom(), op.getFromPart()),
              to = startOf(op.getTo(), op.getToPart());

  beginNest(op, "broadcast");
  names.open();
  std::string n = names.unique("n");
  line("weft_sync_" + way + "();");
  auto open = [&](const std::string &text) {
    line(text + " {");
    ++depth;
  };
  auto close = [&] {
    --depth;
    line("}");
  };
  auto move = [&](bool sends, ArrayRef<std::string> places) {
    SmallVector<std::string> loaded;
    if (sends)
      for (const std::string &at : places) {
        loaded.push_back(names.unique("message"));
        line("const doublev4 " + loaded.back() + " = weft_message(" + from + " + " + at + ");");
      }
    for (auto [number, at] : llvm::enumerate(places)) {
      std::string there = to + " + " + at;
      line(sends ? "weft_send_" + way + "(" + loaded[number] + ", " + there + ");"
                 : "weft_receive_" + way + "(" + there + ");");
    }
  };
  int64_t whole = messages / group * group;
  for (bool sends : {true, false}) {
    open(sends ? "if (" + core + (alongRows ? " % " : " / ") + columns +
                     " == " + form(op.getPlace()).text().text + ")"
               : std::string("else"));
    open(llvm::formatv("for (int {0} = 0; {0} < {1}; {0} += {2})", n, whole * lanes, group * lanes)
             .str());
    SmallVector<std::string> places, rest;
    for (int64_t one = 0; one < group; ++one)
      places.push_back(one ? n + " + " + std::to_string(one * lanes) : n);
    names.open();
    move(sends, places);
    names.close();
    close();
    for (int64_t one = whole; one < messages; ++one)
      rest.push_back(std::to_string(one * lanes));
    move(sends, rest);
    close();
  }
  names.close();
  return success();
}

} // namespace weft
