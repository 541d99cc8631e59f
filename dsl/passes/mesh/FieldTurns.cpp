//===- FieldTurns.cpp - fields that take turns in memory ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/FieldTurns.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {

FieldTurns takeTurns(Fields &fields) {
  FieldTurns turns;
  SmallVector<std::pair<Value, Value>> pairs; // to, from
  llvm::SmallPtrSet<Operation *, 4> nests;
  Operation *last = fields.time.getBody()->getTerminator()->getPrevNode();
  for (const FieldNest &nest : llvm::reverse(fields.nests)) {
    Operation *root = nest.root;
    if (!nest.to || root != last)
      break;
    pairs.insert(pairs.begin(), {nest.to, nest.source});
    nests.insert(root);
    last = last->getPrevNode();
  }
  if (pairs.empty())
    return turns;
  llvm::MapVector<Value, Value> memory; // of each name, behind a step
  llvm::SetVector<Value> names;
  for (auto [to, from] : pairs)
    names.insert_range(SmallVector<Value>{to, from});
  for (Value name : names)
    memory[name] = name;
  for (auto [to, from] : pairs)
    memory[to] = memory[from];
  // What is made anew in each step takes what is free.
  llvm::SetVector<Value> used, free, anew;
  for (Value name : names) {
    auto *first = llvm::find_if(fields.nests, [&](const FieldNest &nest) {
      return writes(nest, name) || reads(nest, name);
    });
    // Where a condition does not hold, the number of the step before stays.
    bool mayStay = false;
    forEachAccess(name, [&](Operation *user) {
      mayStay |= isa<affine::AffineStoreOp>(user) && user->getParentOfType<affine::AffineIfOp>();
    });
    bool isMade = !fields.isUsedOutside(name) && !mayStay && !reads(*first, name) &&
                  !nests.contains(first->root.getOperation());
    if (isMade)
      anew.insert(name);
    else if (!used.insert(memory[name]))
      return turns;
  }
  for (Value name : names)
    if (!used.contains(name))
      free.insert(name);
  if (free.size() != anew.size())
    return turns;
  for (auto [name, place] : llvm::zip_equal(anew, free))
    memory[name] = place;
  // Steps until every name has its own again.
  constexpr int64_t longest = 3;
  llvm::MapVector<Value, Value> at = memory;
  int64_t steps = 1;
  auto isBack = [&] { return llvm::all_of(at, [](auto &one) { return one.first == one.second; }); };
  for (; !isBack() && steps <= longest; ++steps)
    for (auto &[name, place] : at)
      place = memory[place];
  if (steps == 1 || steps > longest)
    return turns;
  // All have room for the same halos.
  Field widest = fields.fields.find(names.front())->second;
  for (Value name : names) {
    const Field &field = fields.fields.find(name)->second;
    if (field.dim != widest.dim)
      return turns;
    widest.before = std::max(widest.before, field.before);
    widest.after = std::max(widest.after, field.after);
    widest.wraps |= field.wraps;
  }
  for (Value name : names) {
    Field &field = fields.fields.find(name)->second;
    field.before = widest.before;
    field.after = widest.after;
    field.wraps = widest.wraps;
  }
  turns.period = steps;
  turns.copies = std::move(nests);
  for (auto &[name, place] : memory)
    turns.next.push_back({name, place});
  return turns;
}

} // namespace weft
