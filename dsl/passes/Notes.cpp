//===- Notes.cpp - what a pass says of its choices --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Notes.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace weft {

std::string spoken(Value value) {
  if (StringRef name = nameIn(value.getLoc()); !name.empty())
    return ("'" + name + "'").str();
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "a value of type " << value.getType();
  return text;
}

std::string spokenLoop(Value variable) {
  StringRef name = nameIn(variable.getLoc());
  return name.empty() ? "a loop" : ("the loop over '" + name + "'").str();
}

std::string spoken(Operation *op) {
  if (StringRef name = nameIn(op->getLoc()); !name.empty())
    return ("'" + name + "'").str();
  return op->getNumResults() ? spoken(op->getResult(0)) : op->getName().getStringRef().str();
}

} // namespace weft
