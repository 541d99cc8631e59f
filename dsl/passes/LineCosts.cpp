//===- LineCosts.cpp - what a target's table says of stages along lines -----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/LineCosts.h"

using namespace mlir;

namespace weft {

StageCosts stageCostsOf(RankedTensorType type, const Target &target) {
  StageCosts costs;
  costs.rows = target.numbers("dft_stage_cycles");
  if (!costs.isKnown())
    return costs;
  FailureOr<int64_t> perLine = target.number("dft_line_cycles");
  FailureOr<int64_t> perRound = target.number("dft_l2_stage_cycles");
  FailureOr<int64_t> vectorBytes = target.number("vector_bytes");
  FailureOr<int64_t> firstCache = target.number("l1d_bytes");
  if (failed(perLine) || failed(perRound) || failed(vectorBytes) || failed(firstCache))
    return {};
  int64_t pointBytes =
      2 * cast<ComplexType>(type.getElementType()).getElementType().getIntOrFloatBitWidth() / 8;
  costs.perLine = *perLine;
  costs.lanes = *vectorBytes / pointBytes;
  costs.pointBytes = pointBytes;
  costs.firstCache = *firstCache;
  costs.units = *vectorBytes / 16;
  int64_t lineBytes = type.getShape().back() * pointBytes;
  // Its input, what lies between two stages, and its result.
  costs.perRound = 3 * lineBytes > *firstCache ? *perRound : 0;
  costs.perSlabLine = target.numberIfAny("dft_slab_line_cycles").value_or(0);
  costs.perPacking = target.numberIfAny("dft_packing_cycles").value_or(0);
  costs.perOperation = target.numberIfAny("dft_packed_operation_cycles").value_or(0);
  // What a stage reads and what it stores, of a line a real lane.
  costs.perPackedStage = 2 * (2 * costs.lanes * lineBytes) > *firstCache ? *perRound : 0;
  return costs;
}

bool goesAlongInParts(RankedTensorType type, const StageCosts &costs, ArrayRef<int64_t> radices,
                      ArrayRef<int64_t> packed) {
  // Lines of one butterfly need no packing: they are turned in registers as they are.
  if (!costs.isKnown() || radices.size() < 2 || packed.size() < 2 ||
      !costs.mayBeginInParts(type.getShape().back(), radices.front()))
    return false;
  int64_t lines = type.getNumElements() / type.getShape().back();
  return lines < 2 * costs.lanes || costs.perPoint(radices) < costs.perPackedPoint(packed);
}

} // namespace weft
