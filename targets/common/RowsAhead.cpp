//===- RowsAhead.cpp - rows asked for line by line --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A first stage reads a line in as many places at once as its radix says. What is asked for with
// these loads comes in that order, and all of it while the first stage runs: a machine that brings
// lines on its own, one behind the other, does not see them coming, and what the core can ask for
// at a time is a fraction of what memory could bring.
//
//===-----------------------------------------------------------------------===//

#include "targets/common/RowsAhead.h"

#include "passes/loops/TurnLoops.h"
#include "targets/common/Prefetch.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {
namespace {

/// The loads of one array in a block.
struct Row {
  AffineForOp block;
  int64_t ahead = 0; ///< bytes to the row that is asked for
  SmallVector<Operation *> loads;
};

/// Whether the loops of the block around a load go through memory from there on.
bool goesForwards(Operation *load, const VectorAccess &access, AffineForOp block) {
  return llvm::all_of(loopsIn(block, load),
                      [&](AffineForOp loop) { return advance(access, loop).value_or(-1) >= 0; });
}

/// The load with which the row begins, if the loads read all of the row and nothing else, forwards,
/// and it is long enough. Short rows lie in few lines each, which the machine follows as they are.
/// An array that only the block names has no name where its loops ask.
Operation *beginOf(const Row &row, const CacheModel &cache) {
  VectorAccess first = *accessOf(row.loads.front());
  Operation *maker = first.memref.getDefiningOp();
  if (maker && AffineForOp(row.block)->isAncestor(maker))
    return nullptr;
  int64_t bytes = 0, least = 0;
  Operation *begin = row.loads.front();
  for (Operation *load : row.loads) {
    VectorAccess access = *accessOf(load);
    std::optional<int64_t> there = distance(first, access);
    if (!there || !goesForwards(load, access, row.block))
      return nullptr;
    if (*there < least) {
      least = *there;
      begin = load;
    }
    bytes += turnsOf(loopsIn(row.block, load)) * vectorBytes(load);
  }
  bool isWhole = bytes == advance(first, row.block) && bytes >= cache.inOrderBytes;
  return isWhole ? begin : nullptr;
}

/// Shares the row's lines out to the innermost loops of its block; nothing where it has none.
void shareOut(const Row &row, Operation *begin, const CacheModel &cache, RowsAhead &found) {
  AffineForOp block = row.block;
  auto loopsOf = [&](AffineForOp loop) { return loopsIn(block, loop.getBody()->getTerminator()); };
  auto turns = [&](AffineForOp loop) { return turnsOf(loopsOf(loop)); };
  SmallVector<AffineForOp> innermost;
  block.getBody()->walk([&](AffineForOp loop) {
    if (loop.getBody()->getOps<AffineForOp>().empty() && turns(loop) > 0)
      innermost.push_back(loop);
  });
  auto work = [](AffineForOp loop) { return int64_t(loop.getBody()->getOperations().size()); };
  int64_t all = 0;
  for (AffineForOp loop : innermost)
    all += turns(loop) * work(loop);

  VectorAccess access = *accessOf(begin);
  int64_t lines = llvm::divideCeil(*advance(access, block), cache.lineBytes), asked = 0;
  for (AffineForOp loop : innermost) {
    // A line with each turn at least, so that there may be none left for the last loops.
    if (asked >= lines)
      break;
    int64_t each = std::min<int64_t>(llvm::divideCeil(lines * work(loop), all),
                                     llvm::divideCeil(lines - asked, turns(loop)));
    RowAhead share{access.memref,
                   addressAtBegin(access, block),
                   access.operands,
                   row.ahead + asked * cache.lineBytes,
                   {},
                   each,
                   /*goesOn=*/true};
    followTurns(share, loopsOf(loop), cache.lineBytes);
    found.byLoop[loop].push_back(std::move(share));
    asked += each * turns(loop);
  }
  if (asked > 0)
    found.loads.insert(row.loads.begin(), row.loads.end());
}

/// Whether turns are whole numbers of bytes apart in each variable.
bool isEven(AffineForOp block, const CacheModel &cache) {
  return !block
              .walk([&](AffineForOp loop) {
                return loop.hasConstantBounds() && cache.lineBytes % loop.getStepAsInt() == 0
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

} // namespace

void followTurns(RowAhead &share, ArrayRef<AffineForOp> loops, int64_t lineBytes) {
  int64_t bytes = share.lines * lineBytes;
  for (AffineForOp loop : loops) {
    // From the loop's begin, which is not always 0, in steps.
    int64_t ofOne = bytes / loop.getStepAsInt();
    share.perTurn.push_back({loop.getInductionVar(), ofOne});
    share.bytes -= ofOne * loop.getConstantLowerBound();
    bytes *= turnsOf({loop});
  }
}

RowsAhead rowsAhead(func::FuncOp func, const CacheModel &cache) {
  RowsAhead found;
  if (cache.inOrderBytes == 0)
    return found;
  BroughtBytes brings(cache.askedBytes);
  llvm::MapVector<std::pair<Operation *, Value>, Row> rows;
  func.walk([&](affine::AffineVectorLoadOp load) {
    if (std::optional<int64_t> ahead = aheadOfLines(load, cache, brings)) {
      Row &row = rows[{blockAround(load), load.getMemRef()}];
      row.block = blockAround(load);
      row.ahead = *ahead;
      row.loads.push_back(load);
    }
  });
  for (auto &[key, row] : rows) {
    if (Operation *begin = isEven(row.block, cache) ? beginOf(row, cache) : nullptr)
      shareOut(row, begin, cache, found);
  }
  return found;
}

} // namespace weft
