//===- FactorTransform.cpp - transforms to stages of butterflies ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Stockham stages: each writes its result in the order that the next reads, so no
// digit reversal is left over, and every line of a transform is worked on by the
// same stages. A prime without a codelet is a stage of its own (Bluestein.h), first
// in the chain: its transforms inside then act on the longest runs.
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "passes/Bluestein.h"
#include "passes/Codelets.h"
#include "passes/ConvolutionCosts.h"
#include "passes/Convolutions.h"
#include "passes/Factorisation.h"
#include "passes/Stages.h"

namespace weft {
#define GEN_PASS_DEF_FACTORTRANSFORM
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

LogicalResult checkRadices(weft::DftOp op) {
  for (int64_t radix : op.getRadices().value_or(ArrayRef<int64_t>()))
    if (radix != 1 && !weft::hasCodelet(radix) && !weft::isPrime(radix))
      return op.emitError("no stage of radix ")
             << radix << ": expected radices from 2 to " << weft::largestRadix
             << " or primes, with the product "
             << cast<RankedTensorType>(op.getType()).getDimSize(op.getAxis());
  return success();
}

void factor(weft::DftOp op, int64_t group) {
  OpBuilder builder(op);
  int64_t axis = op.getAxis();
  int64_t length = cast<RankedTensorType>(op.getType()).getDimSize(axis);
  SmallVector<int64_t> radices =
      op.getRadices() ? SmallVector<int64_t>(*op.getRadices()) : weft::factorise(length);
  llvm::erase(radices, 1);
  weft::Chain chain{builder, op.getLoc(), group, axis};
  std::optional<double> scale;
  if (op.getScale())
    scale = op.getScale()->convertToDouble();
  Value value = op.getInput();
  if (radices.empty() && scale)
    value = chain.scaled(value, *scale);
  int64_t done = 1;
  for (int64_t radix : radices) {
    value = weft::hasCodelet(radix)
                ? chain.stage(value, radix, done, op.getSign(), scale)
                : weft::bluesteinStage(chain, value, radix, done, op.getSign(), scale);
    scale.reset();
    done *= radix;
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

LogicalResult expandConvolution(weft::ConvOp op) {
  auto transforms = op.getTransforms();
  DictionaryAttr chosen;
  if (op.getAlgorithm() == "winograd")
    chosen = cast<DictionaryAttr>((*transforms)[0]);
  if (op.getAlgorithm() == "auto" && transforms && !transforms->empty()) {
    auto target = weft::Target::of(op->getParentOfType<ModuleOp>());
    if (failed(target))
      return failure();
    auto ranked = weft::rankAlgorithms(op, *target);
    if (failed(ranked))
      return failure();
    chosen = ranked->front().transform;
  }
  if (chosen)
    weft::expandWinograd(op, chosen);
  else
    weft::expandDirect(op);
  return success();
}

struct FactorTransform : public weft::impl::FactorTransformBase<FactorTransform> {
  using FactorTransformBase::FactorTransformBase;

  void runOnOperation() override {
    SmallVector<weft::DftOp> transforms;
    SmallVector<weft::ConvOp> convolutions;
    getOperation().walk([&](weft::DftOp op) { transforms.push_back(op); });
    getOperation().walk([&](weft::ConvOp op) { convolutions.push_back(op); });
    for (weft::DftOp op : transforms)
      if (failed(checkRadices(op)))
        return signalPassFailure();
    for (auto [group, op] : llvm::enumerate(transforms))
      factor(op, static_cast<int64_t>(group));
    for (weft::ConvOp op : convolutions)
      if (failed(expandConvolution(op)))
        return signalPassFailure();
  }
};
} // namespace
