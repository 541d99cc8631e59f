//===- Broadcasts.cpp - messages to all cores of a row or a column -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/FunctionEmitter.h"

using namespace mlir;

namespace weft {

/// The sync keeps two cores from sending to one; the one that sends keeps a copy. A few messages at
/// a time, whose loads and stores the pipe does not wait for.
LogicalResult FunctionEmitter::emitBroadcast(cpe::BroadcastOp op) {
  // A message is a vector.
  constexpr int64_t lanes = 4, together = 8;
  cpe::SpreadOp spread = cpe::spreadArray(op.getFrom());
  int64_t elements = spread.elements();
  if (elements % lanes != 0)
    return refuse(op, "expected whole messages of " + Twine(lanes) + " elements, found " +
                          Twine(elements));
  bool isDouble = spread.getType().getElementType().isF64();
  StringRef vector = isDouble ? "_v4d(" : "_v4f(", type = isDouble ? "doublev4" : "floatv4";
  bool alongRows = op.getAlongRows();
  int64_t columns = spread.getType().getDimSize(1);
  int64_t messages = elements / lanes, group = std::min(messages, together);
  std::string from = bufferNames.lookup(op.getFrom()), to = bufferNames.lookup(op.getTo());

  place(op.getLoc());
  names.open();
  std::string n = names.unique("n"), message = names.unique("message");
  line(alongRows ? "weft_sync_row();" : "weft_sync_column();");
  auto open = [&](const Twine &text) {
    line(text + " {");
    ++depth;
  };
  auto close = [&] {
    --depth;
    line("}");
  };
  auto move = [&](bool sends, const Twine &index) {
    std::string at = " + " + index.str();
    if (!sends)
      return line("simd_store(weft_from_" + Twine(alongRows ? "row" : "column") + vector + "), " +
                  to + at + ");");
    open("");
    line("const " + type + " " + message + " = weft_load" + vector + from + at + ");");
    line(Twine("simd_put") + (alongRows ? "r(" : "c(") + message + ", 8);");
    line("simd_store(" + message + ", " + to + at + ");");
    close();
  };
  for (bool sends : {true, false}) {
    open(sends ? Twine("if (") + core + (alongRows ? " % " : " / ") + Twine(columns) +
                     " == " + form(op.getPlace()).text().text + ")"
               : Twine("else"));
    int64_t whole = messages / group * group;
    open("for (int " + n + " = 0; " + n + " < " + Twine(whole * lanes) + "; " + n +
         " += " + Twine(group * lanes) + ")");
    for (int64_t one = 0; one < group; ++one)
      move(sends, one ? n + " + " + Twine(one * lanes) : Twine(n));
    close();
    for (int64_t one = whole; one < messages; ++one)
      move(sends, Twine(one * lanes));
    close();
  }
  names.close();
  return success();
}

} // namespace weft
