//===- LineCosts.cpp - what a target's table says of stages -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/LineCosts.h"

#include "passes/tensors/TransposedCopy.h"
#include "passes/transforms/BlockWidth.h"
#include "passes/transforms/LineShape.h"
#include "passes/transforms/Turns.h"

using namespace mlir;

namespace weft {

constexpr llvm::StringLiteral ofColumns = "dft_column_stage_cycles";

/// Their rows are those of another of the machine's tables.
static void takeTable(StageCosts &costs, llvm::StringRef table, const Target &target) {
  costs.table = table;
  costs.rows = target.numbers(table);
}

/// What lines and columns have in common.
static StageCosts commonCosts(RankedTensorType type, const Target &target) {
  StageCosts costs;
  takeTable(costs, costs.table, target);
  if (!costs.isKnown())
    return costs;
  FailureOr<int64_t> perRound = target.number("dft_l2_stage_cycles");
  FailureOr<int64_t> vectorBytes = target.number("vector_bytes");
  FailureOr<int64_t> firstCache = target.number("l1d_bytes");
  if (failed(perRound) || failed(vectorBytes) || failed(firstCache))
    return {};
  costs.pointBytes =
      2 * cast<ComplexType>(type.getElementType()).getElementType().getIntOrFloatBitWidth() / 8;
  costs.lanes = *vectorBytes / costs.pointBytes;
  costs.units = *vectorBytes / 16;
  costs.perRound = *perRound;
  costs.firstCache = *firstCache;
  return costs;
}

/// Whether the first cache holds the arrays of a line's stages.
static bool isHeld(int64_t arrayBytes, const StageCosts &costs) {
  return stageArrays * arrayBytes <= costs.firstCache;
}

StageCosts stageCostsOf(RankedTensorType type, const Target &target) {
  StageCosts costs = commonCosts(type, target);
  if (!costs.isKnown())
    return costs;
  FailureOr<int64_t> perLine = target.number("dft_line_cycles");
  if (failed(perLine))
    return {};
  int64_t lineBytes = type.getShape().back() * costs.pointBytes;
  costs.perLine = *perLine;
  costs.together = costs.lanes;
  costs.fewest = fewestBeside(costs.lanes, mostAlongOne(type.getShape().drop_back()), target);
  costs.perSlabLine = target.numberIfAny("dft_slab_line_cycles").value_or(0);
  costs.perPacking = target.numberIfAny("dft_packing_cycles").value_or(0);
  costs.perOperation = target.numberIfAny("dft_packed_operation_cycles").value_or(0);
  costs.perTurning = target.numberIfAny("dft_turning_cycles").value_or(0);
  costs.perTurnedOperation = target.numberIfAny("dft_turned_operation_cycles").value_or(0);
  costs.perPointOfLine = target.numberIfAny("dft_turned_point_cycles").value_or(0);
  bool isSingle = costs.pointBytes == 8;
  // First stages turn squares of 8 of them in three steps, of c128 4 in two: others pay.
  constexpr llvm::StringLiteral ofSingle = "dft_single_stage_cycles";
  if (isSingle && !target.numbers(ofSingle).empty())
    takeTable(costs, ofSingle, target);
  if (!isSingle)
    costs.perManyRows = target.numberIfAny("dft_double_many_rows_cycles").value_or(0);
  costs.mostTurned =
      target.numberIfAny(isSingle ? "dft_turned_single_points" : "dft_turned_double_points")
          .value_or(0);
  costs.mostPackedEdged = target.numberIfAny("dft_packed_edge_vectors").value_or(0) * costs.lanes;
  costs.mostTurnedOperations = target.numberIfAny("dft_turned_operations").value_or(0);
  std::optional<int64_t> mostPacked = target.numberIfAny("dft_packed_array_bytes");
  costs.isFar = mostPacked && type.getNumElements() * costs.pointBytes > *mostPacked;
  // What a stage reads and what it stores, of a line a real lane.
  costs.perPackedStage = 2 * (2 * costs.lanes * lineBytes) > costs.firstCache ? costs.perRound : 0;
  costs.ways = target.numberIfAny("l1d_ways").value_or(0);
  costs.crowdedRounds = target.numberIfAny("dft_crowded_rounds").value_or(0);
  costs.crowdedTurns = target.numberIfAny("dft_crowded_turns").value_or(0);
  costs.lineBytes = target.numberIfAny("line_bytes").value_or(0);
  if (isHeld(lineBytes, costs))
    costs.perRound = 0;
  return costs;
}

/// Bytes of what is read and written, up to which columns go by their own table.
static int64_t mostColumnBytes(const Target &target) {
  return target.numberIfAny("dft_column_array_bytes")
      .value_or(target.numberIfAny("l2_bytes").value_or(0));
}

/// The same of rows, from a point of a column to the next.
static int64_t longestColumnRow(const StageCosts &costs, const Target &target) {
  return target.numberIfAny("dft_column_row_bytes")
      .value_or(costs.ways == 0 ? 0 : costs.firstCache / costs.ways / 8);
}

/// Lines of such an array along that axis, which are no contiguous ones.
static Columns columnsOf(RankedTensorType type, int64_t axis, int64_t pointBytes) {
  int64_t length = type.getDimSize(axis);
  Columns columns;
  columns.count = type.getShape().back();
  columns.lines = type.getNumElements() / length;
  columns.lineBytes = length * pointBytes;
  columns.localBytes = 2 * columns.lineBytes; // what a stage reads, and what it fills
  columns.rowBytes = pointBytes;
  columns.points = length;
  for (int64_t extent : type.getShape().drop_front(axis + 1))
    columns.rowBytes *= extent;
  return columns;
}

StageCosts columnCostsOf(RankedTensorType type, int64_t axis, const Target &target) {
  std::optional<int64_t> perPairStage = target.numberIfAny("dft_pair_stage_cycles");
  StageCosts costs = perPairStage ? commonCosts(type, target) : StageCosts();
  if (!costs.isKnown())
    return costs;
  costs.areColumns = true;
  int64_t length = type.getDimSize(axis);
  Columns columns = columnsOf(type, axis, costs.pointBytes);
  bool isNear = areNear(columns, target);
  // Vectors are of real parts, then of imaginary parts. Fewer columns are no blocks, but pairs side
  // by side: 8 of 1024 points of c64 take 8 % less by 16, 8, 8 than by 8, 16, 8, where blocks of 8
  // of c128 take 4 % more.
  int64_t lanes = 2 * costs.lanes, beside = columns.rowBytes / costs.pointBytes, width = beside;
  if (columns.count >= lanes) {
    width = isNear ? lanes : blockWidth(columns, lanes, target);
  } else if (columns.count > costs.lanes) {
    // Of rows of several vectors, some of them not whole, the sum is wrong: 7 columns of 240 points
    // of c128 took 1.4 times as long by 6, 4, 10, which it prefers, as by 15, 16.
    return {};
  } else {
    costs.perPairStage = *perPairStage;
    costs.ties = RadixOrder::LargeFirst;
  }
  costs.pointBytes *= width;
  costs.rowBytes = columns.rowBytes;
  int64_t cacheLine = target.numberIfAny("line_bytes").value_or(costs.pointBytes);
  costs.together = std::max<int64_t>(cacheLine / costs.pointBytes, 1);
  costs.ways = target.numberIfAny("l1d_ways").value_or(0);
  // A block of all columns has its last array in the result's memory (lend-results).
  costs.crowdedRounds = width == beside ? 2 : 1;
  // Where rows lie half of a way apart or more, what the first stage reads is as crowded, and
  // nothing was won: 128 columns of 64 to 256 points of c128 0.90 to 1.05 times as fast.
  std::optional<int64_t> crowded = target.numberIfAny("dft_crowded_columns_cycles");
  if (crowded && costs.ways != 0 && width < beside && isNear &&
      2 * columns.rowBytes < costs.firstCache / costs.ways) {
    costs.perCrowdedResult = *crowded;
    costs.ties = RadixOrder::LargeFirst;
  }
  bool isInFirst = isHeld(length * costs.pointBytes, costs);
  if (isInFirst)
    costs.perRound = 0;
  // Pairs of parts go by the table of lines: 8 columns of 448 points of c64 took 1.15 times as
  // long, of 640 points 0.77 times. So do arrays that the second cache does not hold together, 16
  // columns of 4096 points of c64 0.8 to 1.25 times as long, by where they lay, and longer rows: 64
  // columns of 384 points of c128 1.25 times as long, of 224 points 0.75 times (a Zen 4).
  int64_t heldBytes = 2 * columns.lines * columns.lineBytes + length * costs.pointBytes;
  if (!target.numbers(ofColumns).empty() && costs.ways != 0 && isNear && columns.count >= lanes &&
      columns.rowBytes <= longestColumnRow(costs, target) && heldBytes <= mostColumnBytes(target)) {
    takeTable(costs, ofColumns, target);
    costs.hasOwnTable = true;
    costs.perRound = 0;
    if (costs.perCrowdedResult != 0)
      costs.perCrowdedResult =
          target.numberIfAny("dft_crowded_results_cycles").value_or(costs.perCrowdedResult);
    costs.perCrowdedRows =
        isInFirst ? 0 : target.numberIfAny("dft_crowded_rows_cycles").value_or(0);
    // 16 columns of 2048 points of c64 take 0.8 of the time by 4, 2, 8, 4, 8 that they take by
    // 4, 2, 4, 8, 8, which cost the same.
    costs.ties = RadixOrder::LargeFirst;
  }
  return costs;
}

StageCosts putCostsOf(DftOp op, const Target &target) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t line = type.getRank() - 1;
  std::optional<int64_t> perRound = target.numberIfAny("dft_put_round_cycles");
  auto transpose = op->hasOneUse() ? dyn_cast<TransposeOp>(*op->user_begin()) : nullptr;
  if (!perRound || !transpose || transpose->hasAttr(ofLineMark) ||
      static_cast<int64_t>(op.getAxis()) != line)
    return {};
  StageCosts costs = commonCosts(type, target);
  costs.ways = target.numberIfAny("l1d_ways").value_or(0);
  takeTable(costs, ofColumns, target);
  int64_t lanes = 2 * costs.lanes, bytes = type.getNumElements() * costs.pointBytes;
  ArrayRef<int64_t> perm = transpose.getPerm();
  costs.rowBytes = costs.pointBytes;
  for (int64_t axis : perm.drop_front(llvm::find(perm, line) - perm.begin() + 1))
    costs.rowBytes *= type.getDimSize(axis);
  bool arePacked = perm.back() != line && type.getDimSize(perm.back()) >= lanes;
  if (!costs.isKnown() || costs.ways == 0 || !arePacked || 2 * bytes > mostColumnBytes(target) ||
      costs.rowBytes > longestColumnRow(costs, target))
    return {};
  costs.areColumns = true;
  costs.hasOwnTable = true;
  costs.isPut = true;
  costs.pointBytes *= lanes;
  costs.perRound = *perRound;
  costs.perCrowdedRows = target.numberIfAny("dft_crowded_rows_cycles").value_or(0);
  costs.perCrowdedResult = target.numberIfAny("dft_crowded_results_cycles").value_or(0);
  return costs;
}

SmallVector<int64_t> packedOrder(ArrayRef<int64_t> shape, const StageCosts &costs) {
  if (costs.perPacking == 0 || costs.isFar || mostAlongOne(shape.drop_back()) < 2 * costs.lanes)
    return {};
  return factorise(shape.back(), RadixOrder::SmallFirst);
}

bool goesAlongInParts(RankedTensorType type, const StageCosts &costs, ArrayRef<int64_t> radices,
                      ArrayRef<int64_t> packed, bool hasEdges) {
  // Lines of one butterfly need no packing: they are turned in registers as they are.
  if (!costs.isKnown() || radices.size() < 2 || packed.size() < 2 ||
      !costs.mayBeginInParts(type.getShape().back(), radices.front()))
    return false;
  if (mostAlongOne(type.getShape().drop_back()) < 2 * costs.lanes)
    return true;
  bool isShort = type.getShape().back() < costs.mostPackedEdged;
  return !(hasEdges && isShort) &&
         (costs.isFar || costs.perPoint(radices) < costs.perPackedPoint(packed));
}

} // namespace weft
