//===- ConvolutionOfLines.cpp - by which convolution a prime goes -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/ConvolutionOfLines.h"

#include "dialect/Target.h"
#include "passes/transforms/Bluestein.h"
#include "passes/transforms/Codelets.h"
#include "passes/transforms/LineShape.h"
#include "passes/transforms/Rader.h"

using namespace mlir;

namespace weft {

bool usesRader(DftOp op, int64_t prime) {
  auto module = op->getParentOfType<ModuleOp>();
  auto type = cast<RankedTensorType>(op.getType());
  bool isLast = static_cast<int64_t>(op.getAxis()) + 1 == type.getRank();
  bool isFar =
      module->hasAttr("weft.target") && Target::of(module)->numberIfAny("ldm_bytes").has_value();
  return suitsRader(prime) && (isLast || !isFar);
}

/// Whether whole lines by Bluestein's convolution, its transforms along them, are faster than what
/// a prime without a butterfly takes across lines: these and what else the length has fill lanes.
static bool convolvesAlongLine(DftOp op, ArrayRef<int64_t> radices, const StageCosts &costs,
                               const Target &target) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t length = type.getShape().back(), others = length / radices.front();
  bool fillsLanes = mostAlongOne(type.getShape().drop_back()) >= 2 * costs.lanes;
  auto isFrom = [&](StringRef key) {
    std::optional<int64_t> least = target.numberIfAny(key);
    return least && length * costs.pointBytes >= *least;
  };
  // Rader's convolution is half as long.
  if (usesRader(op, radices.front()))
    return !fillsLanes && 2 * others <= costs.lanes && isFrom("dft_rader_line_bytes") &&
           costs.pointBytes == 8;
  return fillsLanes ? others == 1 && isFrom("dft_convolution_line_bytes") : others < costs.lanes;
}

SmallVector<int64_t> convolutionAlongLine(DftOp op, ArrayRef<int64_t> radices,
                                          const StageCosts &costs) {
  auto type = cast<RankedTensorType>(op.getType());
  bool isAsked = op.getRadices() && radices.size() > 1;
  if (radices.empty() || hasCodelet(radices.front()) || isAsked || !costs.isKnown() ||
      !costs.turnsLines() || static_cast<int64_t>(op.getAxis()) + 1 != type.getRank())
    return {};
  Target target = *Target::of(op->getParentOfType<ModuleOp>());
  return convolvesAlongLine(op, radices, costs, target) ? radicesAlongLine(type, target)
                                                        : SmallVector<int64_t>();
}

} // namespace weft
