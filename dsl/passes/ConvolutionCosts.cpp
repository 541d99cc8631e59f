//===- ConvolutionCosts.cpp - what the algorithms of a convolution cost ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Cycles of one core, or of all cores of a mesh together: those of the products, by the panels that
// arrange-contractions would choose, and those of the transforms, by their operations or by the
// bytes that they move, whichever are more.
//
//===-----------------------------------------------------------------------===//

#include "passes/ConvolutionCosts.h"

#include "passes/FixedInputs.h"
#include "passes/WindowSums.h"

using namespace mlir;

namespace weft {

namespace {

/// How much fewer cycles Winograd's algorithm must take than the direct sum: what was counted
/// as 1.1 times as fast was measured as 0.75 times with three channels.
constexpr double clearly = 1.25;

/// How much fewer cycles larger tiles must take than smaller ones, whose error is smaller.
constexpr double slightly = 1.05;

/// What else tiles of five and six take, whose transforms do not stay in registers: those of 6 by
/// 6, counted as 1.15 times as fast as tiles of 4 by 4, were measured as 0.7 to 1.2 times, and
/// those of 5 by 5, counted as 1.26 times as fast, as 1.16 and 1.19 times (docs/performance.md).
double unseen(int64_t m) { return m < 5 ? 1 : m == 5 ? 1.15 : 1.25; }

/// Cycles for an element of a row shorter than a vector that is cut from tiles which reach further:
/// those go one by one. Of 14 by 14 elements, tiles of 3 to 5 took 1.3 to 2 ns an element more.
constexpr double cutOne = 3.5;

/// Transforms on a core group wait for transfers, and puts are slower than gets: what those of 50
/// by 50 pixels of 64 to 512 channels took, filters included, by what they move at the memory's
/// rate.
constexpr double aroundTransforms = 1.25;

class Costs {
public:
  Costs(ConvOp op, PanelLimits limits, std::optional<PanelMachine> mesh)
      : mesh(mesh), sizes(ConvSizes::of(op)), limits(limits), down(op.getStride()[0]),
        across(op.getStride()[1]), layout(*convLayoutNamed(op.getLayout())),
        outLayout(*convLayoutNamed(op.getOutLayout())), hasFixedFilters(isFixed(op.getFilters())),
        isComplex(isa<ComplexType>(cast<RankedTensorType>(op.getType()).getElementType())) {}

  ConvChoice direct() const;
  double winograd(DictionaryAttr transform) const;

private:
  /// `batch` products of matrices.
  double products(double batch, int64_t rows, int64_t columns, int64_t terms) const;
  /// Lines by a matrix, two passes over squares: (in + out) of them a square.
  double transforms(double squares, ElementsAttr matrix) const;

  /// The direct sum where the cores of a mesh share it; nothing where they do not.
  std::optional<ConvChoice> directOnMesh() const;

  std::optional<PanelMachine> mesh;
  ConvSizes sizes;
  PanelLimits limits;
  int64_t down, across;
  ConvLayout layout, outLayout;
  bool hasFixedFilters, isComplex;
};

double Costs::products(double batch, int64_t rows, int64_t columns, int64_t terms) const {
  // Sums of complex numbers stay loops: four products each, each with its loads.
  if (isComplex)
    return 4 * batch * rows * columns * terms;
  std::string why;
  if (mesh)
    if (auto plan = planPanels(
            {static_cast<int64_t>(batch), rows, columns, terms, limits.elementBytes, true}, *mesh,
            why))
      return plan->cycles;
  if (!hasPanels(batch, rows, columns, terms, limits))
    return 2.0 * batch * rows * terms * llvm::divideCeil(columns, limits.lanes) / limits.pipes;
  return batch * chooseGrouping(rows, columns, terms, limits).cycles;
}

std::optional<ConvChoice> Costs::directOnMesh() const {
  if (!mesh || isComplex || down * across > 1)
    return std::nullopt;
  WindowShape shape;
  shape.images = sizes.N;
  shape.filters = sizes.K;
  shape.channels = sizes.C;
  shape.taps = sizes.R * sizes.S;
  shape.lines = sizes.rows;
  shape.columns = sizes.columns;
  shape.pitch = sizes.phaseColumns(1);
  shape.reach = (sizes.R - 1) * shape.pitch + sizes.S - 1;
  shape.elementBytes = limits.elementBytes;
  std::string why;
  std::optional<WindowPlan> plan = planWindows(shape, *mesh, why);
  if (!plan)
    return std::nullopt;
  return ConvChoice{{}, double(sizes.G) * plan->cycles, DirectForm::Rows};
}

ConvChoice Costs::direct() const {
  if (std::optional<ConvChoice> shared = directOnMesh())
    return *shared;
  // Lanes lie along a row of the result, two loads a product.
  double lines = double(sizes.N) * sizes.G * sizes.K * sizes.rows;
  double terms = double(sizes.C) * sizes.R * sizes.S;
  double vectors = llvm::divideCeil(sizes.columns, limits.lanes);
  ConvChoice best{{}, (isComplex ? 4 : 1) * 2 * lines * terms * vectors / limits.pipes};
  if (isComplex)
    return best;
  // Filters that do not stay in the second cache come from memory in each call.
  double filterBytes = double(sizes.G) * sizes.K * terms * limits.elementBytes;
  double ofFilters = filterBytes > double(limits.l2Bytes) ? filterBytes / limits.bytesPerCycle : 0;
  auto consider = [&](DirectForm form, double panels, int64_t columns, double moved) {
    if (!hasWindowPanels(sizes.K, columns, sizes.K * columns * terms, limits))
      return;
    double cycles = panels * chooseGrouping(sizes.K, columns, terms, limits).cycles + ofFilters +
                    2 * moved * limits.elementBytes / limits.bytesPerCycle;
    if (cycles < best.cycles)
      best = {{}, cycles, form};
  };
  double images = double(sizes.N) * sizes.G;
  // Vectors along rows want images and results by planes: others are copied there.
  double results = images * sizes.K * sizes.rows * sizes.columns;
  double inPlanes =
      layout == ConvLayout::NCHW ? 0 : images * sizes.C * double(sizes.H) * double(sizes.W);
  double fromPlanes = outLayout == ConvLayout::NCHW ? 0 : results;
  double sorted = down * across > 1 ? images * sizes.C * down * across * sizes.phaseRows(down) *
                                          sizes.phaseColumns(across)
                                    : inPlanes;
  consider(DirectForm::Rows, images * sizes.rows, sizes.columns, sorted + fromPlanes);
  consider(DirectForm::Flat, images, sizes.flatColumns(across), sorted + results);
  if (std::optional<int64_t> width = filtersSideBySide(sizes, outLayout))
    if (hasWindowPanels(sizes.columns, *width, sizes.columns * *width * terms, limits)) {
      int64_t blocks = sizes.K / *width;
      double cycles = images * double(sizes.rows * blocks) *
                          chooseGrouping(sizes.columns, *width, terms, limits).cycles +
                      ofFilters;
      if (cycles < best.cycles)
        best = {{}, cycles, DirectForm::Filters};
    }
  return best;
}

double Costs::transforms(double squares, ElementsAttr matrix) const {
  auto type = cast<ShapedType>(matrix.getType());
  double out = type.getDimSize(0), in = type.getDimSize(1), entries = 0;
  for (const APFloat &entry : matrix.getValues<APFloat>())
    entries += !entry.isZero();
  // Rows in pairs share half of their terms.
  double operations = (in + out) * entries / 2, parts = isComplex ? 2 : 1;
  double moved = (in * in + out * out) * limits.elementBytes;
  double cores = 1;
  if (mesh) {
    cores = double(mesh->meshRows * mesh->meshColumns);
    moved *= aroundTransforms;
  }
  return squares * parts *
         std::max(operations / limits.lanes / limits.pipes / cores, moved / limits.bytesPerCycle);
}

double Costs::winograd(DictionaryAttr transform) const {
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt(), n = m + sizes.R - 1;
  int64_t tiles = llvm::divideCeil(sizes.rows, m) * llvm::divideCeil(sizes.columns, m);
  auto matrix = [&](StringRef name) { return cast<ElementsAttr>(transform.get(name)); };
  double groups = sizes.G, images = double(sizes.N) * groups * tiles;
  double filters = groups * sizes.K * sizes.C;
  // Made once, they come from memory in each call.
  double ofFilters = hasFixedFilters ? filters * n * n * limits.elementBytes / limits.bytesPerCycle
                                     : transforms(filters, matrix("G"));
  bool isCut = sizes.columns % m != 0 && sizes.columns < limits.lanes;
  double cut = isCut ? cutOne * double(sizes.N) * groups * sizes.K * sizes.rows * sizes.columns : 0;
  return unseen(m) * (products(n * n * groups, sizes.N * tiles, sizes.K, sizes.C) +
                      transforms(images * sizes.C, matrix("BT")) + ofFilters +
                      transforms(images * sizes.K, matrix("AT"))) +
         cut;
}

} // namespace

FailureOr<ConvChoice> bestDirect(ConvOp op, const Target &target) {
  FailureOr<PanelLimits> limits =
      PanelLimits::of(target, cast<RankedTensorType>(op.getType()).getElementType());
  if (failed(limits))
    return failure();
  return Costs(op, *limits, PanelMachine::of(target)).direct();
}

FailureOr<SmallVector<ConvChoice>> rankAlgorithms(ConvOp op, const Target &target) {
  FailureOr<PanelLimits> limits =
      PanelLimits::of(target, cast<RankedTensorType>(op.getType()).getElementType());
  if (failed(limits))
    return failure();
  Costs costs(op, *limits, PanelMachine::of(target));
  SmallVector<ConvChoice> choices{costs.direct()};
  if (auto transforms = op.getTransforms())
    for (Attribute entry : *transforms) {
      auto transform = cast<DictionaryAttr>(entry);
      choices.push_back({transform, costs.winograd(transform)});
    }
  llvm::stable_sort(choices, [](auto &a, auto &b) { return a.cycles < b.cycles; });
  // Small tiles, whose error is smaller, where they are nearly as fast, and the direct sum, unless
  // it is clearly slower.
  auto tileOf = [](const ConvChoice &choice) {
    return cast<IntegerAttr>(choice.transform.get("m")).getInt();
  };
  ConvChoice *direct = llvm::find_if(choices, [](auto &one) { return !one.transform; });
  ConvChoice *fewest = llvm::find_if(choices, [](auto &one) { return bool(one.transform); });
  ConvChoice *best = direct;
  if (fewest != choices.end() && fewest->cycles * clearly <= direct->cycles) {
    best = fewest;
    for (ConvChoice &choice : choices)
      if (choice.transform && tileOf(choice) < tileOf(*best) &&
          choice.cycles <= fewest->cycles * slightly && choice.cycles * clearly <= direct->cycles)
        best = &choice;
  }
  std::rotate(choices.begin(), best, std::next(best));
  return choices;
}

} // namespace weft
