//===- ComplexForms.cpp - how vectors hold complex numbers, by cost ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/ComplexForms.h"

#include "passes/loops/Hoist.h"
#include "passes/vectors/LaneBody.h"
#include "passes/vectors/PairBody.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

StringRef spelled(ComplexForm form) {
  switch (form) {
  case ComplexForm::Split:
    return "split";
  case ComplexForm::Interleaved:
    return "interleaved";
  case ComplexForm::SixShuffle:
    return "six_shuffle";
  }
  llvm_unreachable("all forms are named");
}

std::optional<ComplexForm> complexFormOf(StringRef word) {
  for (ComplexForm form : complexForms)
    if (spelled(form) == word)
      return form;
  return std::nullopt;
}

namespace {

/// One turn of a body in front of `loop`, measured without what does not vary, and taken away.
template <typename Body>
PipeModel::Work measured(AffineForOp loop, Body &body, int64_t step, int64_t copies,
                         const PipeModel &model) {
  OpBuilder builder(loop);
  int64_t lower = loop.getConstantLowerBound();
  // Everything behind the mark is of the trial.
  auto mark = arith::ConstantIndexOp::create(builder, loop.getLoc(), 0);
  auto main = AffineForOp::create(builder, loop.getLoc(), lower, lower + step, step);
  main->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  body.emitInto(main);
  eraseUnused(main);
  hoistInvariants(main, true);
  PipeModel::Work work = model.work(*main.getBody(), copies);
  while (loop->getPrevNode() != mark)
    loop->getPrevNode()->erase();
  mark->erase();
  return work;
}

} // namespace

FormCost costOf(ComplexForm form, AffineForOp loop, const VectorUnit &unit, bool hasFma,
                const PipeModel &model) {
  FormCost cost;
  int64_t extent = loop.getConstantUpperBound() - loop.getConstantLowerBound();
  auto fills = [&](int64_t step) {
    if (extent < step)
      cost.why = llvm::formatv("{0} iterations do not fill {1} lanes", extent, step).str();
    return extent >= step;
  };
  if (form == ComplexForm::Split) {
    LaneBody body(loop, unit, /*hasFunctions=*/false);
    if (!body.analyse())
      cost.why = body.reason();
    else if (fills(body.lanes()))
      cost.work = measured(loop, body, body.lanes(), comparedVectors, model);
    return cost;
  }
  PairBody body(loop, unit, hasFma, form == ComplexForm::SixShuffle);
  if (!body.analyse())
    cost.why = body.reason();
  else if (fills(body.step()))
    cost.work =
        measured(loop, body, body.step(), comparedVectors * 2 * body.lanes() / body.step(), model);
  return cost;
}

} // namespace weft
