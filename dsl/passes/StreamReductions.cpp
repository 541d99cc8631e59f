//===- StreamReductions.cpp - sums over rows, row by row --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A reduction along a strided dimension, one vector of columns at a time, touches one
// cache line of each row and none of its neighbours: neither pages nor prefetchers
// keep up. Here the sums of a block of columns lie in an array that stays in the first
// cache, and the rows pass by, a few at a time so that the array is read and written
// once for them all. Few columns need no array: their sums are carried by one loop over
// the rows, side by side, whose lanes, where rows are lanes, are picked from the same vectors.
// Each sum still takes its values in the same order.
//
// A long reduction to single numbers, whose order is free, becomes blocks (BlockedReduction).
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/BeyondCaches.h"
#include "passes/loops/Buffers.h"
#include "passes/reductions/BlockedReduction.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/IR/IRMapping.h"

namespace weft {
#define GEN_PASS_DEF_STREAMREDUCTIONS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("stream-reductions");

/// Operations of one iteration at most; of one row of few columns.
constexpr int64_t mostOperations = 24, mostTogether = 128;

class StreamedReduction {
public:
  explicit StreamedReduction(AffineForOp columns) : columns(columns) {}

  /// Whether the only inner loop of a lane loop reduces rows that no cache holds.
  bool fits(int64_t cacheBytes, int64_t vectorBytes) {
    return isReduction() && readsRows(cacheBytes) && hasSeveralVectors(vectorBytes);
  }
  void rewrite(int64_t cacheBytes, int64_t vectorBytes);
  /// Whether that of another loop reduces rows of so few columns that registers hold all sums.
  bool fitsRegisters(int64_t registers);
  void rewriteInRegisters();

  /// Why it does not fit; empty where there is no reduction of rows at all.
  const char *reason = "";
  int64_t found = 0, most = 0; ///< what the reason speaks of

private:
  bool isReduction();
  bool readsRows(int64_t cacheBytes);
  bool hasSeveralVectors(int64_t vectorBytes);
  bool refuse(const char *why, int64_t is = 0, int64_t allowed = 0) {
    reason = why;
    found = is;
    most = allowed;
    return false;
  }
  Value openLoop(OpBuilder &builder, AffineForOp like, int64_t lower, int64_t upper, int64_t step);
  int64_t columnsOfBlock(int64_t cacheBytes, int64_t vectorBytes);
  void emitBlock(OpBuilder &builder, Value start, int64_t count);
  void emitRows(OpBuilder &builder, ArrayRef<Value> sums, Value start, int64_t count,
                int64_t fromRow, int64_t toRow, int64_t step);
  IRMapping column(OpBuilder &builder, Value start, Value offset);

  AffineForOp columns, rows;
  int64_t columnBytes = 1; ///< of a row, the widest of those that lie side by side
  SmallVector<Operation *> before, after;
};

bool StreamedReduction::isReduction() {
  if (!columns.hasConstantBounds() || columns.getStepAsInt() != 1 ||
      columns.getNumIterOperands() != 0)
    return false;
  for (Operation &op : columns.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      if (rows)
        return false;
      rows = loop;
    } else if (op.getNumRegions() != 0) {
      return false;
    } else {
      (rows ? after : before).push_back(&op);
    }
  }
  // What stands before the rows is done again for each part: it may not store.
  auto repeatable = [](Operation *op) {
    return isMemoryEffectFree(op) || isa<affine::AffineLoadOp, memref::LoadOp>(op);
  };
  if (!rows || !rows.hasConstantBounds() || rows.getStepAsInt() != 1 ||
      rows.getNumIterOperands() == 0)
    return false;
  if (!llvm::all_of(before, repeatable) ||
      !llvm::all_of(rows.getBody()->without_terminator(),
                    [&](Operation &op) { return op.getNumRegions() == 0 && repeatable(&op); }))
    return refuse("what stands before the rows, or in them, stores or has a loop of its own");
  int64_t operations = llvm::range_size(rows.getBody()->without_terminator());
  if (operations > mostOperations)
    return refuse("{0} operations for each element; at most {1}", operations, mostOperations);
  return true;
}

bool StreamedReduction::fitsRegisters(int64_t registers) {
  if (!isReduction() || !readsRows(0))
    return false;
  int64_t width = columns.getConstantUpperBound() - columns.getConstantLowerBound();
  int64_t operations = llvm::range_size(rows.getBody()->without_terminator());
  found = width * rows.getNumIterOperands();
  return width > 1 && found <= registers / 2 && width * operations <= mostTogether;
}

/// Whether some rows lie side by side across the columns, and are too many for a cache.
bool StreamedReduction::readsRows(int64_t cacheBytes) {
  weft::AddressSpace space;
  weft::LaneBlock acrossColumns{columns.getInductionVar(), 1, 0};
  weft::LaneBlock alongRows{rows.getInductionVar(), 1, 0};
  int64_t width = columns.getConstantUpperBound() - columns.getConstantLowerBound();
  int64_t height = rows.getConstantUpperBound() - rows.getConstantLowerBound();
  int64_t bytesOfRows = 0;
  for (Operation &op : *rows.getBody()) {
    std::optional<weft::Access> access = weft::Access::of(&op, space);
    if (!access || access->isStore)
      continue;
    std::optional<int64_t> across = access->slope(acrossColumns, space);
    std::optional<int64_t> along = access->slope(alongRows, space);
    if (!across || !along || (*across != 1 && !(*across == 2 && access->complexPart())))
      continue;
    auto type = cast<MemRefType>(access->memref.getType());
    int64_t rowBytes = width * *across * type.getElementTypeBitWidth() / 8;
    if (*along < width * *across)
      continue;
    bytesOfRows = std::max(bytesOfRows, height * rowBytes);
    columnBytes = std::max(columnBytes, rowBytes / width);
  }
  if (bytesOfRows == 0)
    return refuse("no rows lie side by side across its columns");
  if (bytesOfRows <= cacheBytes)
    return refuse("its rows have {0} bytes and stay in a cache of {1} (l1d_bytes)", bytesOfRows,
                  cacheBytes);
  found = bytesOfRows;
  return true;
}

/// Sums of one vector stay in its register while the rows pass by, whole ones as well.
bool StreamedReduction::hasSeveralVectors(int64_t vectorBytes) {
  int64_t width = columns.getConstantUpperBound() - columns.getConstantLowerBound();
  int64_t lanes = vectorBytes / columnBytes;
  for (Type type : rows->getResultTypes())
    lanes = std::min<int64_t>(lanes, vectorBytes * 8 / type.getIntOrFloatBitWidth());
  return width > lanes ||
         refuse("its {0} sums of one vector of {1} stay in a register", width, lanes);
}

Value StreamedReduction::openLoop(OpBuilder &builder, AffineForOp like, int64_t lower,
                                  int64_t upper, int64_t step) {
  auto loop = AffineForOp::create(builder, like.getLoc(), lower, upper, step);
  loop.getInductionVar().setLoc(like.getInductionVar().getLoc());
  builder.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

/// The column `start` + `offset`, and what is computed there before the rows.
IRMapping StreamedReduction::column(OpBuilder &builder, Value start, Value offset) {
  IRMapping mapping;
  AffineMap sum = AffineMap::get(2, 0, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1));
  mapping.map(
      columns.getInductionVar(),
      affine::AffineApplyOp::create(builder, columns.getLoc(), sum, ValueRange{start, offset}));
  for (Operation *op : before)
    builder.clone(*op, mapping);
  return mapping;
}

void StreamedReduction::emitRows(OpBuilder &builder, ArrayRef<Value> sums, Value start,
                                 int64_t count, int64_t fromRow, int64_t toRow, int64_t step) {
  if (fromRow == toRow)
    return;
  OpBuilder::InsertionGuard guard(builder);
  Location where = rows.getLoc();
  Value row = openLoop(builder, rows, fromRow, toRow, step);
  Value offset = openLoop(builder, columns, 0, count, 1);
  offset.getParentBlock()->getParentOp()->setAttr("weft.lane", builder.getUnitAttr());
  IRMapping mapping = column(builder, start, offset);
  SmallVector<Value> carried;
  for (Value sum : sums)
    carried.push_back(affine::AffineLoadOp::create(builder, where, sum, offset));
  for (int64_t ahead = 0; ahead < step; ++ahead) {
    AffineMap next = AffineMap::get(1, 0, builder.getAffineDimExpr(0) + ahead);
    mapping.map(rows.getInductionVar(),
                affine::AffineApplyOp::create(builder, where, next, ValueRange{row}));
    mapping.map(rows.getRegionIterArgs(), carried);
    for (Operation &op : rows.getBody()->without_terminator())
      builder.clone(op, mapping);
    for (auto [value, result] : llvm::zip(carried, rows.getBody()->getTerminator()->getOperands()))
      value = mapping.lookupOrDefault(result);
  }
  for (auto [value, sum] : llvm::zip(carried, sums))
    affine::AffineStoreOp::create(builder, where, value, sum, offset);
}

/// All rows for `count` columns from `start` on.
void StreamedReduction::emitBlock(OpBuilder &builder, Value start, int64_t count) {
  Location where = rows.getLoc();
  SmallVector<Value> sums;
  for (Value init : rows.getInits())
    sums.push_back(
        memref::AllocaOp::create(builder, where, MemRefType::get({count}, init.getType())));
  auto acrossColumns = [&](llvm::function_ref<void(Value, IRMapping &)> body) {
    OpBuilder::InsertionGuard guard(builder);
    Value offset = openLoop(builder, columns, 0, count, 1);
    offset.getParentBlock()->getParentOp()->setAttr("weft.lane", builder.getUnitAttr());
    IRMapping mapping = column(builder, start, offset);
    body(offset, mapping);
  };
  acrossColumns([&](Value offset, IRMapping &mapping) {
    for (auto [init, sum] : llvm::zip(rows.getInits(), sums))
      affine::AffineStoreOp::create(builder, where, mapping.lookupOrDefault(init), sum, offset);
  });
  int64_t fromRow = rows.getConstantLowerBound(), toRow = rows.getConstantUpperBound();
  int64_t operations = llvm::range_size(rows.getBody()->without_terminator());
  int64_t together = operations <= 4 ? 4 : operations <= 8 ? 2 : 1;
  int64_t whole = fromRow + (toRow - fromRow) / together * together;
  emitRows(builder, sums, start, count, fromRow, whole, together);
  emitRows(builder, sums, start, count, whole, toRow, 1);
  acrossColumns([&](Value offset, IRMapping &mapping) {
    for (auto [result, sum] : llvm::zip(rows.getResults(), sums))
      mapping.map(result, affine::AffineLoadOp::create(builder, where, sum, offset).getResult());
    for (Operation *op : after)
      builder.clone(*op, mapping);
  });
}

/// Columns of a block. The machine follows a row within a page: of 2048 rows of 8 KB, blocks of
/// half a page take 1.17 times as long as whole rows, of a page 1.07 times. Rows of less than two
/// pages are halved all the same, for two threads. Blocks of one size are best: what is left over
/// has a loop of its own, for one thread. Their sums take a quarter of the first cache at most.
int64_t StreamedReduction::columnsOfBlock(int64_t cacheBytes, int64_t vectorBytes) {
  int64_t width = columns.getConstantUpperBound() - columns.getConstantLowerBound();
  int64_t ofSums = 0;
  for (Type type : rows->getResultTypes())
    ofSums += llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  int64_t lanes = std::max<int64_t>(vectorBytes / columnBytes, 1);
  int64_t most = std::max(cacheBytes / 4 / ofSums / lanes * lanes, lanes);
  int64_t pages = width * columnBytes / weft::pageBytes;
  int64_t fewest = std::max<int64_t>(pages == 1 ? 2 : std::max<int64_t>(pages, 1),
                                     llvm::divideCeil(width, most));
  if (fewest == 1)
    return width;
  for (int64_t blocks = fewest; blocks <= 3 * fewest; ++blocks)
    if (width % (blocks * lanes) == 0)
      return width / blocks;
  return std::min({weft::pageBytes / 2 / columnBytes, most, width});
}

void StreamedReduction::rewrite(int64_t cacheBytes, int64_t vectorBytes) {
  OpBuilder builder(columns);
  int64_t lower = columns.getConstantLowerBound(), upper = columns.getConstantUpperBound();
  int64_t block = columnsOfBlock(cacheBytes, vectorBytes);
  int64_t whole = lower + (upper - lower) / block * block;
  {
    OpBuilder::InsertionGuard guard(builder);
    Value start = openLoop(builder, columns, lower, whole, block);
    start.getParentBlock()->getParentOp()->setAttr("weft.independent", builder.getUnitAttr());
    emitBlock(builder, start, block);
  }
  if (whole < upper) {
    // A loop of its own, so that its array lives no longer than it.
    Value start = openLoop(builder, columns, whole, upper, upper - whole);
    emitBlock(builder, start, upper - whole);
  }
  columns.erase();
}

void StreamedReduction::rewriteInRegisters() {
  OpBuilder builder(columns);
  SmallVector<IRMapping> mappings;
  SmallVector<Value> inits;
  for (int64_t at = columns.getConstantLowerBound(); at < columns.getConstantUpperBound(); ++at) {
    IRMapping &mapping = mappings.emplace_back();
    mapping.map(columns.getInductionVar(),
                arith::ConstantIndexOp::create(builder, columns.getLoc(), at).getResult());
    for (Operation *op : before)
      builder.clone(*op, mapping);
    for (Value init : rows.getInits())
      inits.push_back(mapping.lookupOrDefault(init));
  }
  auto together = AffineForOp::create(builder, rows.getLoc(), rows.getConstantLowerBound(),
                                      rows.getConstantUpperBound(), 1, inits,
                                      [](OpBuilder &, Location, Value, ValueRange) {});
  together.getInductionVar().setLoc(rows.getInductionVar().getLoc());
  // Where rows are lanes, all columns are picked from the same vectors.
  together->setDiscardableAttrs(rows->getDiscardableAttrDictionary());
  OpBuilder inside = OpBuilder::atBlockBegin(together.getBody());
  SmallVector<Value> next;
  unsigned kinds = rows.getNumIterOperands();
  for (auto [n, mapping] : llvm::enumerate(mappings)) {
    mapping.map(rows.getInductionVar(), together.getInductionVar());
    mapping.map(rows.getRegionIterArgs(), together.getRegionIterArgs().slice(n * kinds, kinds));
    for (Operation &op : rows.getBody()->without_terminator())
      inside.clone(op, mapping);
    for (Value result : rows.getBody()->getTerminator()->getOperands())
      next.push_back(mapping.lookupOrDefault(result));
  }
  affine::AffineYieldOp::create(inside, rows.getLoc(), next);
  for (auto [n, mapping] : llvm::enumerate(mappings)) {
    mapping.map(rows.getResults(), together.getResults().slice(n * kinds, kinds));
    for (Operation *op : after)
      builder.clone(*op, mapping);
  }
  columns.erase();
}

struct StreamReductions : public weft::impl::StreamReductionsBase<StreamReductions> {
  using StreamReductionsBase::StreamReductionsBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    FailureOr<int64_t> bytes = failure(), registers = failure(), vectorBytes = failure();
    if (succeeded(target)) {
      bytes = target->number("l1d_bytes");
      registers = target->number("vector_registers");
      vectorBytes = target->number("vector_bytes");
    }
    if (failed(bytes) || failed(registers) || failed(vectorBytes))
      return signalPassFailure();
    SmallVector<AffineForOp> loops;
    getOperation()->walk([&](AffineForOp loop) {
      if (loop->hasAttr("weft.independent"))
        loops.push_back(loop);
    });
    for (AffineForOp loop : loops) {
      StreamedReduction reduction(loop);
      Location where = loop.getLoc();
      std::string name = weft::spokenLoop(loop.getInductionVar());
      if (!loop->hasAttr("weft.lane")) {
        if (!reduction.fitsRegisters(*registers))
          continue;
        notes.decided(where, "{0}: sums side by side in one loop over the rows", name)
            .because("{0} sums stay in {1} registers (vector_registers)", reduction.found,
                     *registers)
            .number("sums", reduction.found);
        reduction.rewriteInRegisters();
        continue;
      }
      if (!reduction.fits(*bytes, *vectorBytes)) {
        if (*reduction.reason)
          notes.rejected(where, "{0}: rows that pass by an array of sums", name)
              .because(reduction.reason, reduction.found, reduction.most);
        continue;
      }
      notes.decided(where, "{0}: rows that pass by an array of sums", name)
          .because("its rows have {0} bytes, a cache {1} (l1d_bytes)", reduction.found, *bytes)
          .number("bytes", reduction.found);
      reduction.rewrite(*bytes, *vectorBytes);
    }
    // Last: sums side by side are such a reduction.
    weft::reduceInBlocks(getOperation(), weft::Sharing::Threads, notes);
    weft::keepCarriedNames(getOperation());
  }
};

} // namespace
