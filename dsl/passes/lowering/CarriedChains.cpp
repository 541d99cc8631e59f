//===- CarriedChains.cpp - next values where carried ones lie ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/CarriedChains.h"

#include "passes/lowering/InsertedParts.h"
#include "passes/lowering/Memories.h"
#include "passes/lowering/Overwriting.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace weft {

namespace {

/// Who uses a tensor, or another value that lies in the same memory (second).
SmallVector<std::pair<Operation *, bool>> usersWithViews(Value tensor) {
  SmallVector<std::pair<Operation *, bool>> users;
  SmallVector<Value> views{tensor};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers())
      if (sharedBy(user) == view)
        views.push_back(user->getResult(0));
      else
        users.push_back({user, view != tensor});
  }
  return users;
}

/// The value that an op adds its part to; null where it fills its result.
Value addedTo(Value result) {
  Operation *op = result.getDefiningOp();
  if (Value into = insertedInto(op))
    return into;
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getBase();
  return goneOnWith(result);
}

bool isEmpty(Value value) { return value && value.getDefiningOp<tensor::EmptyOp>(); }

/// Whether the op that makes `result` may store it where the carried value lies.
bool maySettleOver(Block *body, Value result, Value carried) {
  Operation *op = result.getDefiningOp();
  bool reads = false;
  for (auto [user, isOfView] : usersWithViews(carried)) {
    Operation *here = body->findAncestorOpInBlock(*user);
    if (!here || op->isBeforeInBlock(here) || (here == op && isOfView))
      return false;
    reads |= here == op;
  }
  if (!reads || insertedInto(op) == carried)
    return true;
  // What other parts lie in is copied as a whole, before this one reads anything.
  Value others = goneOnWith(result);
  bool copies = others && others != carried && !isEmpty(others);
  return mayOverwrite(op, result, carried) && !copies;
}

/// Whether `value`, made in the loop's body, may lie where `op` stores: nobody reads it later. The
/// op either reads it inside, or goes on with it and does nothing else with it.
bool mayLieUnder(Block *body, Value value, Operation *op, Type type, bool readInside) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getBlock() != body || value.getType() != type ||
      !(isa<MapOp, BlocksOp, ScatterOp>(made) || insertedInto(made)))
    return false;
  unsigned directUses = 0;
  for (auto [user, isOfView] : usersWithViews(value)) {
    Operation *here = body->findAncestorOpInBlock(*user);
    bool isInside = here == op && user != op;
    if (isOfView || !here || op->isBeforeInBlock(here) || (isInside && !readInside))
      return false;
    directUses += user == op;
  }
  return directUses == (readInside ? 0 : 1);
}

/// What an op reads and may overwrite, of which nobody needs anything later.
Value overwrittenBy(Block *body, Value result) {
  Operation *op = result.getDefiningOp();
  if (!isa<MapOp, BlocksOp>(op))
    return {};
  Value found;
  op->walk([&](tensor::ExtractOp extract) {
    Value input = extract.getTensor();
    if (!found && mayLieUnder(body, input, op, result.getType(), /*readInside=*/true) &&
        mayOverwrite(op, result, input))
      found = input;
  });
  return found;
}

} // namespace

SmallVector<Value> chainOver(scf::ForOp loop, Value carried, Value next) {
  Block *body = loop.getBody();
  while (Operation *made = next.getDefiningOp()) {
    Value under = sharedBy(made);
    if (!under || made->getBlock() != body)
      break;
    next = under;
  }
  SmallVector<Value> chain;
  size_t settled = 0; // how many of the chain may lie there
  Value value = next;
  while (value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != body)
      break;
    chain.push_back(value);
    if (maySettleOver(body, value, carried))
      settled = chain.size();
    Value before = addedTo(value);
    if (before == carried)
      break;
    if (before && !isEmpty(before)) {
      bool lies = mayLieUnder(body, before, op, next.getType(), /*readInside=*/false);
      value = lies ? before : Value();
      continue;
    }
    bool isOwnEmpty = isEmpty(before) && before.hasOneUse() && before.getParentBlock() == body &&
                      before.getType() == next.getType();
    if (isOwnEmpty) {
      chain.push_back(before);
      if (settled + 1 == chain.size())
        settled = chain.size();
    }
    value = overwrittenBy(body, value);
  }
  chain.truncate(settled);
  return chain;
}

} // namespace weft
