//===- ResultsInPlace.cpp - results in the memory of what they are made of ----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// An LDM plan shares memory between arrays whose lives do not meet, and counts lives by ops of a
// block. What a piece reads and what it writes is in use from its first line to its last, so that
// both would have memory of their own, though a line of the one is needed no more when that of
// the other is made. Here lives are counted within an iteration: where each one reads its share
// of an array before it writes its share of a result, and both shares are the same bytes of a
// piece, counted from its start, the result lies where the input lay. No iteration touches what is
// another one's, so that it does not matter in which order they run, side by side or with parts of
// the input still on their way.
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/ResultsInPlace.h"

#include "passes/transfers/TransferParts.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

ResultsInPlace::ResultsInPlace(AffineForOp loop, int64_t most)
    : loop(loop), ops(opsOf(innermostOnce(*loop.getBody()))), one(ops, most) {}

/// The footprint of an array, unless there are several that start apart.
const Footprint *ResultsInPlace::onlyOne(const FootprintAnalysis &analysis, Value array) const {
  auto isOfIt = [&](const Footprint &footprint) { return footprint.array == array; };
  return llvm::count_if(analysis.footprints(), isOfIt) == 1 ? analysis.of(array) : nullptr;
}

/// Whether the ops of an iteration that read the one all run before those that touch the other.
bool ResultsInPlace::isDoneBefore(Value read, Value written) const {
  unsigned lastRead = 0, firstTouch = std::numeric_limits<unsigned>::max();
  for (const Touch &touch : onlyOne(one, read)->touches)
    lastRead = std::max(lastRead, touch.section);
  for (const Touch &touch : onlyOne(one, written)->touches)
    firstTouch = std::min(firstTouch, touch.section);
  return lastRead < firstTouch;
}

InPlace ResultsInPlace::of(const FootprintAnalysis &whole, int64_t times) {
  auto isInTurn = [&](const Footprint &footprint) {
    return onlyOne(whole, footprint.array) && onlyOne(one, footprint.array) &&
           isTouchedInTurn(loop, times, footprint, one);
  };
  auto elementOf = [](const Footprint &footprint) {
    return cast<MemRefType>(footprint.array.getType()).getElementType();
  };
  InPlace pairs;
  SmallVector<Value> given;
  for (const Footprint &result : whole.footprints()) {
    // What is fetched as well needs its place from the start.
    if (!result.isWritten || result.needsGet || !isInTurn(result))
      continue;
    for (const Footprint &input : whole.footprints())
      if (!input.isWritten && !llvm::is_contained(given, input.array) &&
          input.region.elements() == result.region.elements() &&
          elementOf(input) == elementOf(result) &&
          whole.isOfPairs(input) == whole.isOfPairs(result) && isInTurn(input) &&
          isDoneBefore(input.array, result.array)) {
        pairs[result.array] = input.array;
        given.push_back(input.array);
        break;
      }
  }
  return pairs;
}

} // namespace weft
