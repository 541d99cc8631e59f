//===- SimplifyButterflies.cpp - butterflies to few real operations ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Stages become maps by codelets (Codelets.h) rather than by simplifying complex
// sums: the sums of a radix 16 have 256 terms, and the orders of evaluation with
// few operations are known. Other bodies are rewritten op by op (ComplexBodies.h)
// with the same arithmetic. FMAs are formed at the end, when it is known who uses
// each product (FmaForms.h).
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/Target.h"
#include "passes/ButterflyMaps.h"
#include "passes/ComplexBodies.h"
#include "passes/FmaForms.h"
#include "passes/WinogradMaps.h"

namespace weft {
#define GEN_PASS_DEF_SIMPLIFYBUTTERFLIES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {
struct SimplifyButterflies : public weft::impl::SimplifyButterfliesBase<SimplifyButterflies> {
  using SimplifyButterfliesBase::SimplifyButterfliesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = weft::Target::of(module);
    if (failed(target))
      return signalPassFailure();
    SmallVector<weft::ButterflyOp> butterflies;
    SmallVector<weft::TwiddleOp> twiddles;
    SmallVector<weft::WinogradTransformOp> transforms;
    SmallVector<weft::MapOp> others;
    module.walk([&](Operation *op) {
      if (auto butterfly = dyn_cast<weft::ButterflyOp>(op))
        butterflies.push_back(butterfly);
      else if (auto twiddle = dyn_cast<weft::TwiddleOp>(op))
        twiddles.push_back(twiddle);
      else if (auto transform = dyn_cast<weft::WinogradTransformOp>(op))
        transforms.push_back(transform);
      else if (auto map = dyn_cast<weft::MapOp>(op))
        others.push_back(map);
    });
    for (weft::MapOp map : others)
      if (failed(weft::makeReal(*map.bodyBlock())))
        return signalPassFailure();
    for (weft::TwiddleOp twiddle : twiddles)
      weft::expandTwiddle(twiddle);
    for (weft::ButterflyOp butterfly : butterflies)
      weft::expandButterfly(butterfly);
    // The last of a chain first: it takes the one before it along.
    while (!transforms.empty()) {
      weft::WinogradTransformOp last = transforms.pop_back_val();
      auto before = last.getInput().getDefiningOp<weft::WinogradTransformOp>();
      if (before && before->hasOneUse() && before.getAxis() != last.getAxis())
        llvm::erase(transforms, before);
      weft::expandWinogradTransform(last);
    }
    if (target->flag("fma"))
      module.walk([](weft::MapOp map) { weft::formFma(map.getBody()); });
  }
};
} // namespace
