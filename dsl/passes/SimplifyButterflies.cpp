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
#include "passes/Notes.h"
#include "passes/transforms/ButterflyMaps.h"
#include "passes/transforms/Codelets.h"
#include "passes/transforms/ComplexBodies.h"
#include "passes/transforms/FmaForms.h"
#include "passes/transforms/WinogradMaps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_SIMPLIFYBUTTERFLIES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {
constexpr weft::Notes notes("simplify-butterflies");

void explain(weft::ButterflyOp op) {
  int64_t radix = op.getRadix();
  notes.decided(op, "{0}: the stage of radix {1} by a codelet", weft::spoken(op), radix)
      .because("{0} real operations for {1} points; the sums as they are defined have {2}",
               weft::codeletCost(radix), radix, 8 * radix * radix - 2 * radix)
      .number("operations", weft::codeletCost(radix));
}

void explainFma(mlir::func::FuncOp func, bool hasFma) {
  if (!weft::Notes::wanted(func.getLoc()))
    return;
  int64_t fused = 0, products = 0;
  func.walk([&](mlir::Operation *op) {
    fused += mlir::isa<mlir::math::FmaOp>(op);
    products += mlir::isa<mlir::arith::MulFOp>(op);
  });
  if (!hasFma)
    notes.rejected(func, "fused multiply-adds").because("the target has none (fma = false)");
  else if (fused)
    notes.decided(func, "fused multiply-adds: {0} in the text", fused)
        .because("a product whose only readers add it; {0} products have others", products)
        .number("fused", fused)
        .number("products", products);
}

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
      weft::expandTwiddle(twiddle, *target);
    llvm::for_each(butterflies, explain);
    for (weft::ButterflyOp butterfly : butterflies)
      weft::expandButterfly(butterfly);
    // The last of a chain first: it takes those before it along.
    while (!transforms.empty()) {
      weft::WinogradTransformOp last = transforms.back();
      for (weft::WinogradTransformOp step : weft::winogradChain(last))
        llvm::erase(transforms, step);
      weft::expandWinogradTransform(last);
    }
    if (target->flag("fma"))
      module.walk([](weft::MapOp map) { weft::formFma(map.getBody()); });
    for (auto func : module.getOps<func::FuncOp>())
      explainFma(func, target->flag("fma"));
  }
};
} // namespace
