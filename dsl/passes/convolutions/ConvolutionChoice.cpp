//===- ConvolutionChoice.cpp - which algorithm a convolution takes ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionChoice.h"

#include "passes/Notes.h"
#include "passes/convolutions/ConvolutionCosts.h"
#include "passes/convolutions/ConvolutionInPlanes.h"
#include "passes/convolutions/ConvolutionMaps.h"
#include "passes/loops/Buffers.h"
#include "passes/panels/PanelPlan.h"
#include "passes/panels/TilePlan.h"
#include "passes/tensors/TensorLayouts.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("factor-transform");

/// An extent in each of the dimensions in which filters have `r` elements: "4 by 4".
std::string square(ConvOp op, int64_t extent, int64_t r) {
  auto filters = cast<RankedTensorType>(op.getFilters().getType());
  auto count = llvm::count(filters.getShape().drop_front(2), r);
  return llvm::join(SmallVector<std::string>(count, std::to_string(extent)), " by ");
}

std::string algorithmOf(ConvOp op, const ConvChoice &choice) {
  if (!choice.transform)
    return choice.form == DirectForm::Plain      ? "the direct sum"
           : choice.form == DirectForm::Windows  ? "the direct sum, of whole windows"
           : choice.form == DirectForm::Rows     ? "the direct sum, along rows"
           : choice.form == DirectForm::Flat     ? "the direct sum, over all rows as one"
           : choice.form == DirectForm::Pixels   ? "the direct sum, as products of matrices"
           : choice.form == DirectForm::Channels ? "the direct sum, channel by channel"
           : choice.form == DirectForm::TurnedChannels
               ? "the direct sum, channel by channel, through blocks of channels"
           : choice.form == DirectForm::Blocks
               ? "the direct sum, along filters, through blocks of channels"
               : "the direct sum, along filters";
  auto number = [&](StringRef key) { return choice.transform.getAs<IntegerAttr>(key).getInt(); };
  return llvm::formatv("Winograd's algorithm with tiles of {0} for filters of {1}",
                       square(op, number("m"), number("r")), square(op, number("r"), number("r")));
}

/// The algorithm of a convolution, and those that cost more; none where it was named.
void explain(ConvOp op, const ConvChoice &chosen, ArrayRef<ConvChoice> ranked) {
  if (!Notes::wanted(op.getLoc()))
    return;
  std::string name = spoken(op);
  Note note = notes.decided(op, "{0} by {1}", name, algorithmOf(op, chosen));
  if (op.getAlgorithm() != "auto") {
    note.because("algorithm= or the schedule says so");
    return;
  }
  if (ranked.empty()) {
    note.because(
        "no other one fits: Winograd's needs a stride of 1 or 2, filters of one length in all "
        "dimensions, or 1, and the error");
    return;
  }
  auto cycles = [](double value) { return static_cast<int64_t>(std::llround(value)); };
  bool fewest = llvm::none_of(
      ranked, [&](const ConvChoice &other) { return other.cycles < ranked.front().cycles; });
  note.because("{0} cycles by the machine's table, {1}", cycles(ranked.front().cycles),
               fewest ? "the fewest" : "nearly the fewest, with a smaller error")
      .number("cycles", cycles(ranked.front().cycles));
  for (const ConvChoice &other : ranked.drop_front()) {
    if (other.cycles == ConvChoice::never) {
      notes.rejected(op, "{0} by {1}", name, algorithmOf(op, other))
          .because("a tile has more than {0} elements: its code would keep a C compiler busy",
                   mostPoints);
      continue;
    }
    notes.rejected(op, "{0} by {1}", name, algorithmOf(op, other))
        .because("{0} cycles rather than {1}", cycles(other.cycles), cycles(ranked.front().cycles))
        .number("cycles", cycles(other.cycles));
  }
}

/// The direct sum with all results of stride 1, in front of the one with strides, whose transforms
/// are none of its own.
ConvOp withAllResults(ConvOp op) {
  ConvSizes sizes = ConvSizes::of(op);
  OpBuilder builder(op);
  auto whole = cast<ConvOp>(builder.clone(*op));
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> shape(type.getShape());
  ConvSizes::Extents padded = sizes.padded();
  unsigned first =
      firstOfPixel(*convLayoutNamed(op.getOutLayout(), sizes.dims()), type.getRank(), sizes.dims());
  for (unsigned n = 0; n < sizes.dims(); ++n)
    shape[first + n] = padded[n] - sizes.filter[n] + 1;
  whole.setStride(SmallVector<int64_t>(sizes.dims(), 1));
  whole.setAlgorithm("direct");
  whole.removeTransformsAttr();
  whole.getResult().setType(RankedTensorType::get(shape, type.getElementType()));
  return whole;
}

/// The results of `whole` that strides leave, in the place of `op`.
void takeEvery(ConvOp op, ConvOp whole) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType());
  unsigned rank = type.getRank(), dims = op.getStride().size();
  unsigned first = firstOfPixel(*convLayoutNamed(op.getOutLayout(), dims), rank, dims);
  SmallVector<AffineExpr> read;
  for (unsigned n = 0; n < rank; ++n)
    read.push_back(builder.getAffineDimExpr(n));
  for (unsigned n = 0; n < dims; ++n)
    read[first + n] = read[first + n] * op.getStride()[n];
  auto place = AffineMap::get(rank, 0, read, op.getContext());
  MapOp taken =
      makeMap(builder, op.getLoc(), type, SmallVector<int64_t>(rank, 0), type.getShape(),
              builder.getMultiDimIdentityMap(rank), [&](OpBuilder &inner, ValueRange point) {
                return elementAt(inner, op.getLoc(), whole, place, point);
              });
  op.replaceAllUsesWith(taken->getResult(0));
  op.erase();
}

/// On a mesh of cores images and filters pass by as messages where windows lie side by side: with
/// strides all results are computed so, and some of them taken, where that takes fewer cycles.
bool goesByAllResults(ConvOp op, ConvOp whole, const Target &target) {
  FailureOr<ConvChoice> own = bestDirect(op, target), all = bestDirect(whole, target);
  if (failed(own) || failed(all))
    return false;
  ConvSizes some = ConvSizes::of(op), every = ConvSizes::of(whole);
  auto type = cast<RankedTensorType>(op.getType());
  double copied = copyTraffic(double(every.N) * every.G * every.K, every.results(), some.results(),
                              bytesOf(type) / type.getNumElements(), *MeshMachine::of(target));
  return all->cycles + copied < own->cycles;
}

/// The convolution as the cores of a mesh share it: in planes, where each element that is turned
/// for that is used so often that it pays.
ConvOp onMesh(ConvOp op, const Target &target) {
  constexpr int64_t fewestUses = 40; // of 21 to 29 turning lost up to a fifth, of 51 it won half
  ConvSizes sizes = ConvSizes::of(op);
  bool isOften = sizes.C * sizes.K * sizes.window() >= fewestUses * (sizes.C + sizes.K);
  if (!MeshMachine::of(target) || isInPlanes(op) || !isOften || sizes.dims() > 2)
    return op;
  notes.decided(op, "{0}: images and results as planes between", spoken(op))
      .because("rows of pixels pass by the cores as messages; of channels side by side there are "
               "no such rows");
  return inPlanes(op);
}

void expandWinogradFor(ConvOp op, DictionaryAttr transform, const Target &target) {
  if (!sumsInTiles(op, transform, target))
    return expandWinograd(onMesh(op, target), transform);
  notes
      .decided(op, "{0}: sums of {1} terms where results are transformed", spoken(op),
               ConvSizes::of(op).C)
      .because("to store sums for it and to load them takes longer than so few products");
  expandInTiles(op, transform);
}

} // namespace

LogicalResult expandConvolution(ConvOp op) {
  auto transforms = op.getTransforms();
  auto module = op->getParentOfType<ModuleOp>();
  if (op.getAlgorithm() == "winograd") {
    auto chosen = cast<DictionaryAttr>((*transforms)[0]);
    explain(op, {chosen, 0}, {});
    auto target = Target::isGiven(module) ? Target::of(module) : FailureOr<Target>(failure());
    if (succeeded(target))
      expandWinogradFor(op, chosen, *target);
    else
      expandWinograd(op, chosen);
    return success();
  }
  SmallVector<ConvChoice> all;
  if (op.getAlgorithm() == "direct" && !Target::isGiven(module)) {
    explain(op, {}, {});
    expandDirect(op, DirectForm::Plain);
    return success();
  }
  auto target = Target::of(module);
  if (failed(target))
    return failure();
  if (op.getAlgorithm() == "auto" && transforms && !transforms->empty()) {
    auto ranked = rankAlgorithms(op, *target);
    if (failed(ranked))
      return failure();
    all = *ranked;
    if (DictionaryAttr chosen = all.front().transform) {
      explain(op, all.front(), all);
      expandWinogradFor(op, chosen, *target);
      return success();
    }
  }
  ConvSizes sizes = ConvSizes::of(op).sampled();
  if (sizes.hasStrides() && MeshMachine::of(*target)) {
    ConvOp whole = withAllResults(op);
    if (goesByAllResults(op, whole, *target)) {
      notes.decided(op, "{0} by all results of stride 1, of which some are taken", spoken(op))
          .because("these pass by the cores as messages");
      takeEvery(op, whole);
      return expandConvolution(whole);
    }
    whole.erase();
  }
  auto direct = bestDirect(op, *target);
  if (failed(direct))
    return failure();
  explain(op, *direct, all);
  if (direct->form == DirectForm::Rows)
    op = onMesh(op, *target);
  expandDirect(op, direct->form);
  return success();
}

} // namespace weft
