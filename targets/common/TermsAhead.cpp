//===- TermsAhead.cpp - what the next terms of a sum read -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The direct sum of a convolution in blocks of channels reads a piece of a row of the image for
// sixteen channels, then one as long a plane further on. The pieces are too short for the machine
// to find out, and all sums of a panel wait for each of them. A layer of 1024 channels of 14 by 14
// pixels and 256 filters of one place took 1.07 times as long.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/TermsAhead.h"

#include "passes/loops/BeyondCaches.h"
#include "passes/loops/Buffers.h"
#include "passes/loops/TurnLoops.h"
#include "targets/common/Memory.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// Fewer lines are there before it matters.
constexpr int64_t fewestLines = 4;
/// That a turn asks for at most: a core waits for about so many at a time.
constexpr int64_t mostLines = 12;
/// Terms between asking for vectors of a panel and reading them: 8 to 32 are equally good.
constexpr int64_t termsAhead = 16;
/// Where rows at the border of an image have fewer terms than others, the loops over these are
/// apart, and leave out what the loops beside them read: of filters of three places two, or one.
constexpr int64_t ofWhole = 3;

bool isSum(AffineForOp loop) {
  return loop && loop.getNumIterOperands() > 0 && loop.hasConstantBounds();
}

/// The loops over the terms of a sum, the innermost first.
SmallVector<AffineForOp> loopsOfTerms(AffineForOp innermost) {
  SmallVector<AffineForOp> loops;
  for (AffineForOp loop = innermost; isSum(loop); loop = loop->getParentOfType<AffineForOp>())
    loops.push_back(loop);
  return loops;
}

bool isBeyond(Value memref, int64_t cacheBytes) {
  return bytesOf(cast<MemRefType>(baseOf(memref).getType())) > cacheBytes;
}

int64_t elementBytes(const VectorAccess &access) {
  return weft::elementBytes(cast<MemRefType>(access.memref.getType()).getElementType());
}

/// What the loads of one array in the body of a sum read, one behind the other, with all turns of
/// some of its loops.
struct Run {
  VectorAccess first; ///< where it begins
  int64_t bytes = 0;
  unsigned loops = 0; ///< the innermost ones, that move on in it

  /// Of loads that each turn moves on by no more than `times` what the loops within read, and a
  /// line; nothing where one lies at no known distance from the others.
  static std::optional<Run> of(ArrayRef<VectorAccess> loads, int64_t vectorBytes,
                               ArrayRef<AffineForOp> terms, int64_t times, int64_t lineBytes);
};

std::optional<Run> Run::of(ArrayRef<VectorAccess> loads, int64_t vectorBytes,
                           ArrayRef<AffineForOp> terms, int64_t times, int64_t lineBytes) {
  int64_t least = 0, most = 0;
  Run run{loads.front()};
  for (const VectorAccess &load : loads) {
    std::optional<int64_t> there = distance(loads.front(), load);
    if (!there)
      return std::nullopt;
    if (*there < least)
      run.first = load;
    least = std::min(least, *there);
    most = std::max(most, *there);
  }
  run.bytes = (most - least) * elementBytes(run.first) + vectorBytes;
  for (AffineForOp loop : terms) {
    int64_t bytes = advance(run.first, loop).value_or(0);
    if (bytes <= 0 || bytes > times * run.bytes + lineBytes)
      break;
    run.bytes += (turnsOf({loop}) - 1) * bytes;
    ++run.loops;
  }
  return run;
}

/// Asks for the run that the next turn of the outermost loop reads, with each turn of the innermost
/// loop whose turns are not many more than its lines.
void askForNextRun(const Run &run, ArrayRef<AffineForOp> terms, const CacheModel &cache,
                   RowsAhead &found) {
  if (run.loops == 0 || run.loops == terms.size())
    return;
  int64_t next = advance(run.first, terms.back()).value_or(0);
  int64_t lines = llvm::divideCeil(run.bytes, cache.lineBytes);
  if (next <= run.bytes + cache.lineBytes || lines < fewestLines)
    return;
  ArrayRef<AffineForOp> loops = terms.take_front(run.loops);
  for (; !loops.empty(); loops = loops.drop_front()) {
    int64_t turns = turnsOf(loops), each = llvm::divideCeil(lines, turns);
    if (each > mostLines)
      return;
    bool isEven = llvm::all_of(
        loops, [&](AffineForOp loop) { return each * cache.lineBytes % loop.getStepAsInt() == 0; });
    if (4 * each * turns > 5 * lines || !isEven)
      continue;
    RowAhead share{run.first.memref,
                   addressAtBegin(run.first, terms[run.loops]),
                   run.first.operands,
                   next,
                   {},
                   each,
                   /*goesOn=*/false};
    followTurns(share, loops, cache.lineBytes);
    found.byLoop[loops.front()].push_back(std::move(share));
    return;
  }
}

/// Asks for the panel's vectors some terms further on, where all terms are one run.
void askForPanel(const Run &run, ArrayRef<AffineForOp> terms, const CacheModel &cache,
                 RowsAhead &found) {
  int64_t term = advance(run.first, terms.front()).value_or(0);
  // Where the innermost loop alone is a panel, the next one is asked for as a whole (Prefetch.h).
  if (run.loops != terms.size() || run.bytes <= cache.l1Bytes || term % cache.lineBytes != 0 ||
      term * turnsOf({terms.front()}) >= pageBytes)
    return;
  found.byLoop[terms.front()].push_back({run.first.memref,
                                         run.first.address,
                                         run.first.operands,
                                         termsAhead * term,
                                         {},
                                         term / cache.lineBytes,
                                         /*goesOn=*/false});
}

} // namespace

void addTermsAhead(func::FuncOp func, const CacheModel &cache, RowsAhead &found) {
  if (cache.aheadBytes == 0)
    return;
  func.walk([&](AffineForOp innermost) {
    SmallVector<AffineForOp> terms = loopsOfTerms(innermost);
    if (terms.size() < 2 || !innermost.getBody()->getOps<AffineForOp>().empty())
      return;
    llvm::MapVector<Value, SmallVector<VectorAccess>> numbers, vectors;
    int64_t vectorBytes = 0;
    for (Operation &op : *innermost.getBody()) {
      if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
        if (isBeyond(load.getMemRef(), cache.l1Bytes))
          numbers[load.getMemRef()].push_back(*accessOf(load));
      } else if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op)) {
        if (isBeyond(load.getMemRef(), cache.l1Bytes))
          vectors[load.getMemRef()].push_back(*accessOf(&op));
        auto type = load.getVectorType();
        vectorBytes = type.getNumElements() * weft::elementBytes(type.getElementType());
      }
    }
    for (const auto &[array, loads] : numbers)
      if (auto run =
              Run::of(loads, elementBytes(loads.front()), terms, /*times=*/1, cache.lineBytes))
        askForNextRun(*run, terms, cache, found);
    for (const auto &[array, loads] : vectors)
      if (auto run = Run::of(loads, vectorBytes, terms, ofWhole, /*lineBytes=*/0))
        askForPanel(*run, terms, cache, found);
  });
}

} // namespace weft
