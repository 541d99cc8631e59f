//===- Directives.cpp - what a kernel's schedule asks of a pass --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Directives.h"

#include "dialect/Places.h"
#include "dialect/Weft.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

namespace {

bool opensClause(StringRef token) {
  return llvm::is_contained({"by", "over", "in", "into", "as"}, token);
}

Directive parsed(StringRef text) {
  Directive made;
  made.text = text;
  SmallVector<StringRef> tokens;
  llvm::SplitString(text, tokens, " ");
  made.word = tokens.front();
  std::vector<StringRef> *into = &made.operands;
  bool goesOn = true; // a comma stood before
  for (StringRef token : llvm::drop_begin(tokens)) {
    if (token == "->" || opensClause(token)) {
      into = token == "->" ? &made.names : &made.behind;
      goesOn = true;
      continue;
    }
    bool ends = !token.consume_back(",");
    (goesOn ? *into : made.flags).push_back(token);
    goesOn = !ends;
  }
  return made;
}

} // namespace

int64_t Directive::number() const {
  int64_t value = 0;
  if (behind.size() != 1 || behind.front().getAsInteger(0, value))
    return 0;
  return value;
}

std::vector<Directive> directivesOf(func::FuncOp func, ArrayRef<StringRef> words) {
  std::vector<Directive> found;
  if (auto all = func->getAttrOfType<ArrayAttr>("weft.schedule"))
    for (auto text : all.getAsRange<StringAttr>())
      if (Directive one = parsed(text.getValue()); llvm::is_contained(words, one.word))
        found.push_back(one);
  return found;
}

LogicalResult refuse(Location at, StringRef directive, const Twine &why, const Twine &expected) {
  return emitError(at) << "schedule: " << directive << ": " << why.str() << "; expected "
                       << expected.str();
}

std::optional<NamedAxis> axisNamed(func::FuncOp func, StringRef place) {
  if (auto [value, axis] = place.split('.'); axis.consume_front("axis")) {
    NamedAxis found{value, 0, {}};
    if (axis.getAsInteger(10, found.axis))
      return std::nullopt;
    return found;
  }
  for (const Directive &tile : directivesOf(func, "tile"))
    for (auto [n, name] : llvm::enumerate(tile.names))
      if (name == place)
        if (auto around = axisNamed(func, tile.operands.front())) {
          around->parts.push_back({tile, n == 1});
          return around;
        }
  return std::nullopt;
}

void markDistributed(Operation *op, unsigned dim, StringRef directive) {
  op->setAttr(sharedDimMark, OpBuilder(op).getI64IntegerAttr(dim));
  op->setAttr(distributeMark, OpBuilder(op).getStringAttr(directive));
}

StringRef ownName(Location where) {
  if (auto name = dyn_cast<NameLoc>(where))
    if (!isa<CallSiteLoc>(name.getChildLoc()))
      return name.getName().getValue();
  return isa<CallSiteLoc, NameLoc>(where) ? StringRef() : nameIn(where);
}

std::string anyAxisIn(func::FuncOp func, StringRef but) {
  llvm::SetVector<StringRef> names;
  func.walk([&](Operation *op) {
    if (isa<MapOp, BlocksOp>(op) && isa<func::FuncOp, scf::ForOp>(op->getParentOp()))
      if (StringRef name = ownName(op->getLoc()); !name.empty() && name != but)
        names.insert(name);
  });
  return names.empty() ? "none: no other value has loops that can be named"
                       : "an axis of one of " + llvm::join(names, ", ");
}

} // namespace weft
