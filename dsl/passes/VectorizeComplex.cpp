//===- VectorizeComplex.cpp - lane loops to vectors of real lanes -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The lanes of a vector are consecutive iterations of a loop that lower-to-loops
// marked `weft.lane`: points of the batch, or butterflies of one stage. Real and
// imaginary parts live in vectors of their own, so that complex arithmetic costs
// what its real operations cost; only interleaved memory pays shuffles, two for a
// load and two for a store. Iterations are independent (the mark says so), hence
// all loads of a block of lanes may come before all of its stores.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/Buffers.h"
#include "passes/loops/Hoist.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/transforms/FmaForms.h"
#include "passes/vectors/ComplexForms.h"
#include "passes/vectors/LaneBody.h"
#include "passes/vectors/PairBody.h"
#include "passes/vectors/ReadTiles.h"
#include "passes/vectors/TransposeCopy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {
#define GEN_PASS_DEF_VECTORIZECOMPLEX
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("vectorize-complex");

constexpr llvm::StringLiteral laneMark = "weft.lane", transposeMark = "weft.transpose";

class VectorizeComplex : public weft::impl::VectorizeComplexBase<VectorizeComplex> {
public:
  using VectorizeComplexBase::VectorizeComplexBase;
  void runOnOperation() override;

private:
  /// A lane loop, of whose iterations `counted` are not done by another, where that is given.
  void vectorize(AffineForOp loop, int64_t counted = 0);
  bool vectorizePairs(AffineForOp loop);
  std::optional<weft::ComplexForm> chooseForm(AffineForOp loop);
  void emitPairs(AffineForOp loop, bool byParts);
  void vectorizeReduction(AffineForOp loop, weft::LaneBody &body, int64_t whole, bool restIsMasked);
  void hoistOutwards(AffineForOp loop);
  void tileReadsAcrossRows(const weft::ReadCaches &caches);

  weft::VectorUnit vectors;
  std::optional<weft::PipeModel> pipes;
  int64_t registers = 0;
  /// Of tables that may take twice as many, with no load across lines of the cache: a quarter of
  /// the first cache; beyond it what they take from the lines of a transform costs more.
  int64_t twinBytes = 0;
  bool hasFma = false, hasMasks = false, hasFunctions = false;
};

/// The iterations from `from` on, as a scalar loop behind `loop`.
AffineForOp splitRemainder(AffineForOp loop, int64_t from) {
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  auto rest = cast<AffineForOp>(builder.clone(*loop));
  rest.setConstantLowerBound(from);
  rest->removeDiscardableAttr("weft.parallel");
  loop.setConstantUpperBound(from);
  return rest;
}

/// Leaves `loop` the iterations to `whole`; the last vector, behind it, begins earlier than there
/// and does again what the one before it has done.
AffineForOp splitLastVector(AffineForOp loop, int64_t whole, int64_t lanes) {
  OpBuilder behind(loop->getContext());
  behind.setInsertionPointAfter(loop);
  auto last = cast<AffineForOp>(behind.clone(*loop));
  last->removeDiscardableAttr("weft.parallel");
  last.setConstantLowerBound(loop.getConstantUpperBound() - lanes);
  loop.setConstantUpperBound(whole);
  return last;
}

/// Moves what does not vary in front of the lane loop, and on out of the loops
/// around it as long as its vectors leave half of the registers to the body.
void VectorizeComplex::hoistOutwards(AffineForOp loop) {
  weft::hoistInvariants(loop, true);
  weft::hoistOutwards(dyn_cast<AffineForOp>(loop->getParentOp()), registers / 2);
}

/// The sums of a loop in lanes: several vectors of them, so that one addition need not
/// wait for the one before; then one vector for what is left of whole vectors; then
/// all lanes by halves; then the rest of the iterations, in order. The sizes and the
/// target alone say which element goes where.
/// Whose iterations beyond `whole` are in a vector that is not full, or left over.
void VectorizeComplex::vectorizeReduction(AffineForOp loop, weft::LaneBody &body, int64_t whole,
                                          bool restIsMasked) {
  constexpr int64_t mostSums = 8;
  int64_t lower = loop.getConstantLowerBound(), upper = loop.getConstantUpperBound();
  int64_t kinds = body.reductions().size(), lanes = body.lanes();
  int64_t copies = 1;
  while (2 * copies * kinds <= mostSums && 2 * copies * lanes <= whole - lower)
    copies *= 2;

  OpBuilder builder(loop);
  Location where = loop.getLoc();
  SmallVector<Value> sums;
  auto run = [&](int64_t from, int64_t to, int64_t times) {
    auto main = AffineForOp::create(builder, where, from, to, lanes * times, sums);
    main.getInductionVar().setLoc(loop.getInductionVar().getLoc());
    body.emitInto(main, times);
    sums.assign(main.getResults().begin(), main.getResults().end());
    main.getBody()->walk([&](AffineForOp inner) { weft::hoistInvariants(inner, false); });
    weft::hoistInvariants(main, false);
    builder.setInsertionPointAfter(main);
  };
  for (int64_t copy = 0; copy < copies; ++copy)
    for (const weft::Reduction &reduction : body.reductions()) {
      auto type = VectorType::get({lanes}, reduction.carried.getType());
      sums.push_back(arith::ConstantOp::create(
          builder, where, DenseElementsAttr::get(type, Attribute(reduction.neutral(builder)))));
    }
  int64_t inCopies = lower + (whole - lower) / (lanes * copies) * lanes * copies;
  if (lower < inCopies)
    run(lower, inCopies, copies);
  for (int64_t half = copies / 2; half > 0; half /= 2)
    for (int64_t n = 0; n < half * kinds; ++n)
      sums[n] = body.reductions()[n % kinds].combined(builder, sums[n], sums[n + half * kinds]);
  sums.resize(kinds);
  if (inCopies < whole)
    run(inCopies, whole, 1);
  if (restIsMasked) {
    body.leaveOut(upper - whole);
    run(whole, whole + lanes, 1);
    whole = upper;
  }
  for (auto [sum, reduction, start] : llvm::zip(sums, body.reductions(), loop.getInits()))
    sum = reduction.combined(builder, start, reduction.acrossLanes(builder, sum));

  if (whole == upper) {
    loop.replaceAllUsesWith(sums);
    loop.erase();
    return;
  }
  loop.getInitsMutable().assign(sums);
  loop.setConstantLowerBound(whole);
}

/// An empty loop over whole vectors in front of `loop`, which keeps only what is left.
static AffineForOp takeWholeVectors(AffineForOp loop, int64_t whole, int64_t lanes) {
  if (whole < loop.getConstantUpperBound())
    splitRemainder(loop, whole);
  OpBuilder builder(loop);
  auto main =
      AffineForOp::create(builder, loop.getLoc(), loop.getConstantLowerBound(), whole, lanes);
  main->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  main.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  return main;
}

/// The loop on vectors of interleaved complex numbers, where that takes fewer operations
/// than vectors of real and of imaginary parts.
bool VectorizeComplex::vectorizePairs(AffineForOp loop) {
  weft::PairBody body(loop, vectors, hasFma);
  bool isPairs = body.analyse();
  std::string name = weft::spokenLoop(loop.getInductionVar());
  auto rejected = [&] {
    return notes.rejected(loop, "{0} in vectors of complex numbers, parts by turns", name);
  };
  if (!isPairs) {
    if (!body.reason().empty())
      rejected().because("{0}", body.reason());
    return false;
  }
  int64_t lower = loop.getConstantLowerBound(), upper = loop.getConstantUpperBound();
  int64_t whole = lower + (upper - lower) / body.step() * body.step();
  bool onlyForm = upper - lower < 2 * body.lanes();
  bool isMasked = whole == lower && upper - lower > 1 && hasMasks && body.mayBeMasked();
  if (isMasked) {
    whole = lower + body.step();
    body.leaveOut(upper - lower);
  }
  if (whole == lower) {
    rejected()
        .because("{0} iterations do not fill {1} lanes", upper - lower, body.step())
        .number("iterations", upper - lower)
        .number("lanes", body.step());
    return false;
  }
  if (!onlyForm && body.operations() >= body.operationsSplit()) {
    rejected().because("{0} operations for {1} iterations; {2} with parts in vectors of their own",
                       body.operations(), 2 * body.lanes(), body.operationsSplit());
    return false;
  }
  weft::Note note = notes.decided(loop, "{0} in vectors of {1} complex numbers, parts by turns",
                                  name, body.lanes());
  if (onlyForm)
    note.because("{0} iterations do not fill {1} lanes{2}", upper - lower,
                 isMasked ? body.lanes() : 2 * body.lanes(),
                 isMasked ? "; the others are masked" : "");
  else
    note.because("{0} operations for {1} iterations; {2} with parts in vectors of their own",
                 body.operations(), 2 * body.lanes(), body.operationsSplit());
  note.number("iterations", upper - lower).number("lanes", body.lanes());
  if (whole < upper && body.mayRepeat())
    vectorizePairs(splitLastVector(loop, whole, body.step()));
  else if (whole + 1 < upper && hasMasks && body.mayBeMasked())
    vectorizePairs(splitRemainder(loop, whole));
  AffineForOp main = takeWholeVectors(loop, whole, body.step());
  body.allowTwins(twinBytes);
  body.emitInto(main);
  loop.erase();
  weft::eraseUnused(main);
  hoistOutwards(main);
  return true;
}

/// The loop on vectors of interleaved complex numbers, products on parts apart or not.
void VectorizeComplex::emitPairs(AffineForOp loop, bool byParts) {
  weft::PairBody body(loop, vectors, hasFma, byParts);
  [[maybe_unused]] bool isPairs = body.analyse();
  assert(isPairs && "only what was tried is chosen");
  int64_t lower = loop.getConstantLowerBound(), upper = loop.getConstantUpperBound();
  int64_t whole = lower + (upper - lower) / body.step() * body.step();
  if (whole < upper && body.mayRepeat())
    emitPairs(splitLastVector(loop, whole, body.step()), byParts);
  AffineForOp main = takeWholeVectors(loop, whole, body.step());
  body.emitInto(main);
  loop.erase();
  weft::eraseUnused(main);
  hoistOutwards(main);
}

/// How the complex numbers of a loop lie in vectors: as the kernel's schedule asks, else in the
/// fewest cycles, and of equals with the fewest shuffles. Nothing where there are none.
std::optional<weft::ComplexForm> VectorizeComplex::chooseForm(AffineForOp loop) {
  using weft::ComplexForm;
  std::string name = weft::spokenLoop(loop.getInductionVar());
  weft::PairBody probe(loop, vectors, hasFma);
  if (!probe.analyse()) {
    if (!probe.reason().empty())
      notes.rejected(loop, "{0} in vectors of complex numbers, parts by turns", name)
          .because("{0}", probe.reason());
    return std::nullopt;
  }
  auto kernel = loop->getParentOfType<func::FuncOp>();
  auto asked = kernel ? kernel->getAttrOfType<StringAttr>("weft.complex") : StringAttr();
  std::optional<ComplexForm> wanted =
      asked ? weft::complexFormOf(asked.getValue()) : std::optional<ComplexForm>();

  std::optional<ComplexForm> best;
  weft::PipeModel::Work least;
  std::string told;
  llvm::raw_string_ostream text(told);
  for (ComplexForm form : weft::complexForms) {
    weft::FormCost cost = weft::costOf(form, loop, vectors, hasFma, *pipes);
    text << (told.empty() ? "" : "; ") << weft::spelled(form) << ": ";
    if (!cost.work) {
      text << cost.why;
      continue;
    }
    text << cost.work->cycles << " cycles, " << cost.work->shuffles << " shuffles";
    bool better = !best || cost.work->cycles < least.cycles ||
                  (cost.work->cycles == least.cycles && cost.work->shuffles < least.shuffles);
    if (wanted ? form == *wanted : better) {
      best = form;
      least = *cost.work;
    }
  }
  if (!best) {
    notes.rejected(loop, "{0} in vectors of complex numbers", name).because("{0}", told);
    return std::nullopt;
  }
  notes.decided(loop, "{0}: complex numbers {1} in vectors", name, weft::spelled(*best))
      .because("{0}for {1} iterations, {2}", wanted ? "the schedule asks for it; " : "",
               weft::comparedVectors * 2 * probe.lanes(), told)
      .number("cycles", least.cycles)
      .number("bound", least.bound)
      .number("shuffles", least.shuffles);
  return best;
}

void VectorizeComplex::vectorize(AffineForOp loop, int64_t counted) {
  loop->removeDiscardableAttr(laneMark);
  auto asked = dyn_cast_if_present<StringAttr>(loop->removeDiscardableAttr(weft::vectorizeMark));
  std::string name = weft::spokenLoop(loop.getInductionVar());
  auto refused = [&](const Twine &why, const Twine &expected) {
    if (asked && failed(weft::refuse(loop.getLoc(), asked.getValue(), why, expected)))
      signalPassFailure();
  };
  if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1) {
    notes.rejected(loop, "{0} in vectors", name).because("its bounds are not constant with step 1");
    refused("its bounds are not constant with step 1", "another loop");
    return;
  }
  if (pipes) {
    auto form = chooseForm(loop).value_or(weft::ComplexForm::Split);
    if (form != weft::ComplexForm::Split)
      return emitPairs(loop, form == weft::ComplexForm::SixShuffle);
  } else if (!vectors.onlyFloats() && vectorizePairs(loop)) {
    return;
  }
  weft::LaneBody body(loop, vectors, hasFunctions);
  if (!body.analyse()) {
    notes.rejected(loop, "{0} in vectors", name).because("{0}", body.reason());
    refused(body.reason(), "another loop");
    return;
  }
  if (!asked && body.isBetterPlain()) {
    notes.rejected(loop, "{0} in vectors", name)
        .because("numbers of two widths meet: the C compiler widens whole vectors of a plain loop");
    return;
  }
  int64_t lower = loop.getConstantLowerBound(), upper = loop.getConstantUpperBound();
  int64_t whole = lower + (upper - lower) / body.lanes() * body.lanes();
  // What loops in it do pays for a smaller part of a vector, too.
  bool hasLoops = !loop.getBody()->getOps<AffineForOp>().empty();
  auto mayBeMasked = [&](int64_t iterations) {
    return hasMasks && iterations >= (hasLoops ? 2 : weft::fewestMasked(body.lanes())) &&
           body.mayBeMasked(iterations);
  };
  // What lanes accumulate is put together at the end: that is not paid by a part of one vector.
  bool isMasked = whole == lower && body.reductions().empty() && mayBeMasked(upper - lower);
  if (isMasked) {
    whole = lower + body.lanes();
    body.leaveOut(upper - lower);
  }
  if (counted != 0)
    body.countOnly(counted);
  // But where one by one each waits for three operations on the one before: of 5 numbers a row they
  // take 0.8 of the time of a vector, of 7 twice.
  constexpr int64_t fewestInLanes = 6;
  bool isShortExtreme =
      whole == lower && !isMasked && upper - lower >= fewestInLanes &&
      llvm::any_of(body.reductions(),
                   [](const weft::Reduction &reduction) {
                     return isa<arith::MaximumFOp, arith::MinimumFOp>(reduction.combine);
                   }) &&
      mayBeMasked(upper - lower);
  if (whole == lower && !isShortExtreme) {
    notes.rejected(loop, "{0} in vectors", name)
        .because("{0} iterations do not fill {1} lanes", upper - lower, body.lanes())
        .number("iterations", upper - lower)
        .number("lanes", body.lanes());
    refused(llvm::formatv("{0} iterations do not fill {1} lanes", upper - lower, body.lanes()),
            llvm::formatv("a loop of {0} or more", body.lanes()));
    return;
  }
  bool repeats = whole < upper && body.mayRepeat();
  bool restIsMasked = mayBeMasked(upper - whole);
  weft::Note note = notes.decided(loop, "{0} in vectors of {1} lanes", name, body.lanes());
  if (isMasked || isShortExtreme)
    note.because("{0} iterations do not fill {1} lanes; the others are masked", upper - lower,
                 body.lanes());
  else
    note.because("{0} iterations: {1} in whole vectors, {2} {3}{4}", upper - lower, whole - lower,
                 upper - whole,
                 repeats        ? "in one that does others again"
                 : restIsMasked ? "in one that is not full"
                                : "one by one",
                 body.reductions().empty() ? ""
                                           : "; what it combines may be combined in any order");
  note.number("iterations", upper - lower).number("lanes", body.lanes());
  if (!body.reductions().empty())
    return vectorizeReduction(loop, body, whole, restIsMasked);
  if (repeats)
    vectorize(splitLastVector(loop, whole, body.lanes()), upper - whole);
  else if (restIsMasked)
    vectorize(splitRemainder(loop, whole));
  AffineForOp main = takeWholeVectors(loop, whole, body.lanes());
  body.emitInto(main);
  loop.erase();
  weft::eraseUnused(main);
  main.getBody()->walk([&](AffineForOp inner) { weft::hoistInvariants(inner, false); });
  hoistOutwards(main);
}

/// Nests around lanes that read across rows, on CPUs.
void VectorizeComplex::tileReadsAcrossRows(const weft::ReadCaches &caches) {
  SmallVector<AffineForOp> nests;
  getOperation()->walk([&](AffineForOp loop) {
    auto around = dyn_cast<AffineForOp>(loop->getParentOp());
    if (around && (loop->hasAttr(laneMark) || loop->hasAttr("weft.independent")))
      nests.push_back(around);
  });
  for (AffineForOp nest : nests) {
    Location where = nest.getLoc();
    std::string name = weft::spokenLoop(nest.getInductionVar());
    if (weft::tileReads(nest, caches))
      notes.decided(where, "{0}: in tiles", name)
          .because("it reads across rows, whose lines the caches would lose before the next one");
  }
}

void VectorizeComplex::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<weft::VectorUnit> unit = target->vectors();
  FailureOr<int64_t> vectorRegisters = target->number("vector_registers");
  FailureOr<int64_t> lineBytes = target->number("line_bytes");
  FailureOr<int64_t> l2Bytes = target->number("l2_bytes");
  int64_t l1Bytes = target->numberIfAny("l1d_bytes").value_or(0);
  if (failed(unit) || failed(vectorRegisters) || failed(lineBytes) || failed(l2Bytes))
    return signalPassFailure();
  vectors = *unit;
  pipes = weft::PipeModel::of(*target, vectors);
  registers = *vectorRegisters;
  twinBytes = target->numberIfAny("twin_table_bytes").value_or(l1Bytes / 4);
  hasFma = target->flag("fma");
  hasMasks = target->flag("masked_lanes");
  hasFunctions = target->flag("vector_functions");

  // The management core of a core group is given plain C.
  if (target->numberIfAny("cores"))
    getOperation()->walk([&](AffineForOp loop) {
      if (!loop->getParentOfType<weft::cpe::CoresOp>()) {
        loop->removeDiscardableAttr(laneMark);
        loop->removeDiscardableAttr(transposeMark);
      }
    });

  SmallVector<AffineForOp> copies;
  getOperation()->walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (loop->removeDiscardableAttr(transposeMark))
      copies.push_back(loop);
  });
  for (AffineForOp copy : copies) {
    bool allFloats = true;
    copy.walk([&](affine::AffineLoadOp load) { allFloats &= isa<FloatType>(load.getType()); });
    if (vectors.onlyFloats() && !allFloats)
      continue;
    Location loc = copy.getLoc();
    std::string what = weft::spokenLoop(copy.getInductionVar()) + ": a transposing copy";
    if (weft::transposeInRegisters(copy, vectors, {*lineBytes, *l2Bytes}, hasMasks))
      notes.decided(loc, "{0} through registers", what)
          .because("squares of {0} bytes a side are turned by shuffles", vectors.bytes);
    else
      notes.rejected(loc, "{0} through registers", what)
          .because("it has no squares of {0} bytes a side", vectors.bytes);
  }

  if (std::optional<int64_t> ways = target->numberIfAny("l1d_ways");
      ways && l1Bytes && !target->numberIfAny("cores"))
    tileReadsAcrossRows({*lineBytes, l1Bytes, *l2Bytes, *ways});

  // A loop inside of a lane loop belongs to its lanes and makes none of its own.
  SmallVector<AffineForOp> loops;
  getOperation()->walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (!loop->hasAttr(laneMark))
      return WalkResult::advance();
    loops.push_back(loop);
    return WalkResult::skip();
  });
  for (AffineForOp loop : loops)
    vectorize(loop);
  if (hasFma)
    getOperation()->walk([](AffineForOp loop) { weft::formCarriedFma(loop); });
  weft::keepCarriedNames(getOperation());
}

} // namespace
