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

#include "passes/convolutions/ConvolutionCosts.h"

#include "passes/contractions/ColumnBlocks.h"
#include "passes/contractions/StripCosts.h"
#include "passes/contractions/WindowPanels.h"
#include "passes/convolutions/ConvolutionModel.h"
#include "passes/convolutions/WinogradTiles.h"
#include "passes/loops/Buffers.h"

#include <cmath>

using namespace mlir;

namespace weft {

using Costs = ConvolutionModel;

/// How much fewer cycles Winograd's algorithm must take than the direct sum. Of 60 layers none
/// is slower than the direct sum with anything from 1.1 to 1.25; beside the fastest algorithm they
/// run at 0.974 with 1.1 and 1.15, at 0.971 with 1.25.
constexpr double clearly = 1.15;

/// The same on a mesh, whose plans count what its emulator does: Winograd's algorithm was measured
/// with 1.3 times the cycles that were counted where transfers wait for one another, and with half
/// of them where images are small.
constexpr double clearlyOnMesh = 1.05;

/// How much fewer cycles larger tiles must take than smaller ones, whose error is smaller. On a
/// mesh only equals count as equal: what is counted there is within a tenth of what is taken,
/// mostly.
constexpr double slightly = 1.05, slightlyOnMesh = 1.01;

/// Cycles for an element of a row shorter than a vector that is cut from tiles which reach further:
/// those go one by one. Of 14 by 14 elements, tiles of 3 to 5 took 1.3 to 2 ns an element more.
constexpr double cutOne = 3.5;

/// Cycles for an element of a plane's row shorter than a vector where lanes lie along channels:
/// those come and go one by one.
constexpr double turnOne = 0.6;

/// How many times as fast as memory the strips are that lie between transforms and products: they
/// stay in the second cache.
constexpr double inStrips = 2;

/// How many times what is counted tiles of volumes take of which 125 or 216 elements go through
/// memory, not 64: 1.3 to 1.7 times as much was measured.
constexpr int64_t inRegisters = 64;
constexpr double largeVolumes = 1.5;

/// How many times what is counted tiles take for filters of so many elements a side, in more than
/// one dimension: 1.3 to 1.7 times as much was measured for 7 by 7, against what is for 3 by 3.
constexpr int64_t largeFilter = 7;
constexpr double ofLargeFilters = 1.4;

/// How many times what is counted products of tiles of so few channels (of a group) take: their
/// sums are over before transforms run beside them. 1.1 to 1.6 times as much was measured for 3
/// channels of 100 to 224 pixels by 32 and 64 filters, one image to 128.
constexpr int64_t fewChannels = 4;
constexpr double ofFewChannels = 1.3;

/// Transforms on a core group wait for transfers, and puts are slower than gets: what those of 50
/// by 50 pixels of 64 to 512 channels took, filters included, by what they move at the memory's
/// rate.
constexpr double aroundTransforms = 1.25;

/// Cycles for a product of a sum that is in no panel, of whose factors none lies as it is read: 6
/// to 11 were measured with one row.
constexpr double alone = 6;

/// How many times what is counted tiles take of groups that have a part of a block of channels: 32
/// groups of 8 channels of 28 by 28 pixels took 720 to 890 us, as directly 330.
constexpr double inPartsOfBlocks = 3;

/// Cycles, two pipes taken together, for a product of a group's few channels that is no vector's:
/// of 8 groups of 2 channels of 56 by 56 pixels 7, f32 and f64.
constexpr double oneByOne = 7;

/// Cycles for a result of a row's vector that goes where filters lie side by side, one by one: 17
/// to 24 filters of 3 by 5 over 16 channels of 48 by 48 pixels took 380 us along rows, and 190
/// along filters.
constexpr double scattered = 8;

/// Transforms of tiles of five and six do not stay in registers, and run beside products on some
/// CPUs.
double Costs::ofTiles(int64_t m, int64_t r, int64_t points, unsigned dims) const {
  if (dims > 2 && points > inRegisters)
    return largeVolumes;
  double large = dims > 1 && r >= largeFilter ? ofLargeFilters : 1;
  if (dims > 1 && sizes.C <= fewChannels)
    large *= ofFewChannels;
  return large * (m < 5 ? 1 : m == 5 ? measured.tilesOfFive : measured.tilesOfSix);
}

double Costs::products(double batch, int64_t rows, int64_t columns, int64_t terms,
                       std::optional<double> streams) const {
  // Sums of complex numbers stay loops: four products each, each with its loads.
  if (isComplex)
    return 4 * batch * rows * columns * terms;
  std::string why;
  if (mesh)
    if (auto plan = planPanels({static_cast<int64_t>(batch), rows, columns, terms,
                                limits.elementBytes, true, terms, columns, columns},
                               *mesh, why))
      return plan->cycles;
  if (!hasPanels(batch, rows, columns, terms, limits))
    return alone * batch * rows * terms * columns;
  PanelLimits own = limits;
  own.streams = streams.has_value();
  // Neither memory nor a cache is slower because products are.
  own.bytesPerCycle = measured.products * streams.value_or(own.bytesPerCycle);
  return measured.products * batch * chooseGrouping(rows, columns, terms, own).cycles;
}

ConvChoice Costs::direct() const {
  if (ConvSizes unit = sizes.sampled(); unit.stride != sizes.stride) {
    Costs ofUnit = *this;
    ofUnit.sizes = unit;
    ConvChoice best = ofUnit.direct();
    if (best.form == DirectForm::Plain && layout != ConvLayout::Planes)
      return best;
    double read = double(sizes.N) * sizes.G * sizes.C * double(unit.pixels());
    best.cycles += 2 * read * limits.elementBytes / limits.bytesPerCycle;
    return best;
  }
  if (std::optional<ConvChoice> shared = directOnMesh())
    return *shared;
  if (!mesh && isChannelByChannel(sizes, layout, outLayout))
    return byChannels();
  // Lanes lie along a row of the result, two loads a product.
  int64_t columns = sizes.result.back();
  double images = double(sizes.N) * sizes.G, rows = double(sizes.results()) / columns;
  double terms = double(sizes.C) * sizes.window();
  bool areInPlanes = layout == ConvLayout::Planes && outLayout == ConvLayout::Planes;
  // In other layouts they do not.
  double vectors = areInPlanes || mesh ? llvm::divideCeil(columns, limits.lanes) : columns;
  double loads = sizes.stride.back() > 1 && vectors < double(columns) ? 2 * stridden : 2;
  if (!mesh && !areInPlanes && sizes.G > 1)
    loads = oneByOne;
  ConvChoice best{
      {}, (isComplex ? 4 : 1) * loads * images * sizes.K * rows * terms * vectors / limits.pipes};
  if (isComplex)
    return best;
  // Filters that do not stay in the second cache come from farther away in each call.
  double filterBytes = double(sizes.G) * sizes.K * terms * limits.elementBytes;
  double ofFilters = filterBytes > double(limits.l2Bytes) ? filterBytes / rateOf(filterBytes) : 0;
  // Of few results, windows along their terms; of more than one, filters are put in panels.
  int64_t uses = sizes.N * sizes.results();
  bool haveFewUses = !mesh && uses < fewestUses;
  if (haveFewUses)
    best = {{},
            2 * double(sizes.G) * sizes.K * terms * double(uses) / limits.lanes / limits.pipes +
                ofFilters + (uses > 1 ? 2 * filterBytes / limits.bytesPerCycle : 0),
            DirectForm::Windows};
  int64_t ofOneRow = !mesh && sizes.window() > 1 ? int64_t(terms) : 0;
  auto consider = [&](DirectForm form, double panels, int64_t columns, double moved) {
    int64_t ofRow = sizes.K * columns * int64_t(terms);
    // Few filters are no reason for sums of single numbers.
    bool fits = areInPlanes || mesh
                    ? hasWindowPanels(sizes.K, columns, ofRow, limits, ofOneRow)
                    : columns >= limits.lanes && int64_t(terms) >= fewestTermsApart &&
                          panels * double(ofRow) >= leastWork;
    // Groups of few channels have vectors along rows of planes all the same, two loads a product.
    bool isOfGroups = !fits && !mesh && !areInPlanes && sizes.G > 1;
    if (!fits && !isOfGroups)
      return;
    double sums = isOfGroups
                      ? 2 * double(sizes.K) * terms *
                            double(llvm::divideCeil(columns, limits.lanes)) / limits.pipes
                      : measured.products * chooseGrouping(sizes.K, columns, terms, limits).cycles;
    double cycles =
        panels * sums + ofFilters + 2 * moved * limits.elementBytes / limits.bytesPerCycle;
    // Fewer filters than lanes have no vectors of their own: what is counted is what they cost.
    if (!mesh && outLayout != ConvLayout::Planes && sizes.K > limits.lanes)
      cycles += scattered * images * sizes.K * double(sizes.results());
    if (cycles < best.cycles)
      best = {{}, cycles, form};
  };
  // Vectors along rows want images and results by planes: others are copied there.
  double results = images * sizes.K * sizes.results();
  double inPlanes = layout == ConvLayout::Planes ? 0 : images * sizes.C * double(sizes.pixels());
  double fromPlanes = outLayout == ConvLayout::Planes ? 0 : results, sorted = inPlanes;
  if (sizes.hasStrides()) {
    sorted = images * sizes.C;
    for (unsigned dim = 0; dim < sizes.dims(); ++dim)
      sorted *= sizes.stride[dim] * sizes.phase(dim);
  }
  std::optional<int64_t> width = filtersSideBySide(sizes, outLayout);
  bool haveChannelsLast =
      layout == ConvLayout::ChannelsLast && outLayout == ConvLayout::ChannelsLast;
  // Several images are products of so many matrices where their pixels fill vectors.
  if (int64_t pixels = sizes.pixels();
      !mesh && areInPlanes && sizes.isOfPixels() &&
      (sizes.N == 1 || pixels >= fewestVectors * limits.lanes) &&
      hasPanels(sizes.N * sizes.G, sizes.K, pixels, sizes.C, limits)) {
    // Pixels are packed in panels. Where they lie, a term's are in another page of memory than
    // those of the one before.
    double packed = images * sizes.C * double(pixels);
    double cycles =
        measured.products * images * chooseGrouping(sizes.K, pixels, sizes.C, limits).cycles +
        ofFilters + 2 * packed * limits.elementBytes / limits.bytesPerCycle;
    if (cycles < best.cycles)
      best = {{}, cycles, DirectForm::Pixels};
  } else if (!mesh && haveChannelsLast && sizes.G == 1 && sizes.isOfPixels() && sizes.K == 1 &&
             sizes.C >= limits.lanes) {
    // Each pixel a sum along its channels, as it lies: two loads a product.
    double vectors = double(llvm::divideCeil(sizes.C, limits.lanes));
    double cycles = 2 * double(sizes.N * pixels) * vectors / limits.pipes;
    if (cycles < best.cycles)
      best = {{}, cycles, DirectForm::Pixels};
  } else if (!mesh && haveChannelsLast && sizes.G == 1 && sizes.isOfPixels() &&
             sizes.K < limits.lanes &&
             hasPanelsEitherWay(1, sizes.N * pixels, sizes.K, sizes.C, limits)) {
    // Filters that fill no vector as they lie side by side, all pixels the rows or the columns.
    best = {{},
            measured.products * chooseGrouping(sizes.N * pixels, sizes.K, sizes.C, limits).cycles,
            DirectForm::Pixels};
  } else if (!sizes.isOfPixels() || !width || *width < limits.lanes) {
    consider(DirectForm::Rows, images * rows, columns, sorted + fromPlanes);
    if (sizes.dims() > 1)
      consider(DirectForm::Flat, images * rows / sizes.result[sizes.dims() - 2],
               sizes.flatColumns(), sorted + (sizes.isOfPixels() ? fromPlanes : results));
  }
  auto alongFilters = [&](DirectForm form, int64_t side, double moved) {
    int64_t joined = sizes.withJoinedRows().result.back();
    bool byBlocks = layout == ConvLayout::Blocks || form == DirectForm::Blocks;
    int64_t turns = byBlocks && sizes.C % channelBlock == 0 ? channelBlock : sizes.C;
    if (haveFewUses || !hasWindowPanels(joined, side, joined * side * terms, limits))
      return;
    int64_t blocks = sizes.K / side;
    double ofRow = mesh ? double(blocks) * chooseGrouping(joined, side, terms, limits).cycles
                        : groupingOfBlocks(joined, side, blocks, terms, turns, limits).cycles;
    double cycles = measured.products * images * rows * columns / double(joined) * ofRow +
                    ofFilters + 2 * moved * limits.elementBytes / limits.bytesPerCycle;
    // Filters are put in vectors, in each call if they may have changed.
    if (!hasFixedFilters)
      cycles += 2 * filterBytes / limits.bytesPerCycle;
    if (cycles < best.cycles)
      best = {{}, cycles, form};
  };
  if (width)
    alongFilters(DirectForm::Filters, *width, 0);
  // Of planes put in blocks, and back.
  if (!mesh && areInPlanes && sizes.G == 1 && sizes.C % channelBlock == 0 &&
      sizes.K % channelBlock == 0)
    alongFilters(DirectForm::Blocks, channelBlock,
                 sizes.N * sizes.C * double(ConvSizes::productOf(sizes.padded())) + results);
  return best;
}

double Costs::operationsOf(ElementsAttr matrix, unsigned dims) {
  auto type = cast<ShapedType>(matrix.getType());
  double out = type.getDimSize(0), in = type.getDimSize(1), entries = 0;
  for (const APFloat &entry : matrix.getValues<APFloat>())
    entries += !entry.isZero();
  // Rows in pairs share half of their terms. Dimension by dimension: of those before, what comes
  // out, of those behind, what goes in.
  double lines = 0;
  for (unsigned dim = 0; dim < dims; ++dim)
    lines += std::pow(out, dim) * std::pow(in, dims - 1 - dim);
  return lines * entries / 2;
}

double Costs::lanesAlong(int64_t channels) const {
  auto lanes = double(limits.lanes);
  if (isMaskedVector(channels, limits))
    return double(channels);
  return channels < limits.lanes ? 1 : double(channels) / std::ceil(double(channels) / lanes);
}

double Costs::transforms(double squares, ElementsAttr matrix, unsigned dims, double lanes,
                         std::optional<double> far) const {
  auto type = cast<ShapedType>(matrix.getType());
  double out = type.getDimSize(0), in = type.getDimSize(1);
  double operations = operationsOf(matrix, dims);
  double elements = std::pow(in, dims) + std::pow(out, dims);
  double moved =
      (far ? *far + (elements - *far) / inStrips : elements) * double(limits.elementBytes);
  // Loads and stores of single numbers, or of parts of vectors, are as many as of whole ones.
  if (lanes < double(limits.lanes))
    operations += elements;
  double cores = 1;
  if (mesh) {
    cores = double(mesh->meshRows * mesh->meshColumns);
    moved *= aroundTransforms;
  }
  return squares * parts() *
         std::max(operations / lanes / limits.pipes / cores, moved / limits.bytesPerCycle);
}

int64_t Costs::pointsOf(DictionaryAttr transform) const {
  int64_t points = 1;
  for (const TileAxis &axis : tileAxes(sizes, transform))
    points *= axis.isTransformed ? axis.n : 1;
  return points;
}

unsigned Costs::dimsOf(DictionaryAttr transform) const {
  return llvm::count(sizes.filter, cast<IntegerAttr>(transform.get("r")).getInt());
}

int64_t Costs::tilesOf(DictionaryAttr transform) const {
  int64_t tiles = 1;
  for (const TileAxis &axis : tileAxes(sizes, transform))
    tiles *= axis.tiles;
  return tiles;
}

int64_t Costs::filterBytes(int64_t points) const {
  return sizes.G * sizes.K * sizes.C * points * limits.elementBytes;
}

double Costs::rateOf(double filterBytes) const {
  // What the last cache has room for, beside all else that the kernel is called with, is still
  // there from the call before.
  bool isKept = hasFixedFilters && filterBytes + double(otherBytes) <= double(measured.keptBytes);
  return isKept ? measured.lastCacheBytesPerCycle.value_or(limits.bytesPerCycle)
                : limits.bytesPerCycle;
}

std::optional<double> Costs::filterStream(int64_t points) const {
  if (!hasFixedFilters || filterBytes(points) <= limits.l2Bytes)
    return std::nullopt;
  return rateOf(double(filterBytes(points)));
}

Costs::ConvolutionModel(ConvOp op, PanelLimits limits, const Target &target)
    : mesh(MeshMachine::of(target)), sizes(ConvSizes::of(op)), limits(limits),
      measured(MeasuredCosts::of(target)), layout(*convLayoutNamed(op.getLayout(), sizes.dims())),
      outLayout(*convLayoutNamed(op.getOutLayout(), sizes.dims())),
      hasFixedFilters(isFixed(op.getFilters())), called(calledBytes(op)),
      otherBytes(called - bytesOf(cast<RankedTensorType>(op.getFilters().getType()))),
      isComplex(isa<ComplexType>(cast<RankedTensorType>(op.getType()).getElementType())) {}

double Costs::ofFilters(DictionaryAttr transform, double lanes) const {
  int64_t points = pointsOf(transform);
  if (!hasFixedFilters) {
    double made = transforms(double(sizes.G) * sizes.K * sizes.C,
                             cast<ElementsAttr>(transform.get("G")), dimsOf(transform), lanes);
    // Where they are many, a panel at a time between products that wait for it: with few rows
    // of tiles, 512 by 512 filters took so much longer.
    double given =
        parts() * sizes.G * sizes.K * sizes.C * double(sizes.window()) * limits.elementBytes;
    return filterBytes(points) > limits.l2Bytes ? made + given / limits.bytesPerCycle : made;
  }
  // Made once, they come from memory in each call: while they are multiplied, if they are many.
  return filterStream(points) ? 0 : double(filterBytes(points)) / limits.bytesPerCycle;
}

double Costs::turns(double squares, ConvLayout lies, double touched, double pixels) const {
  if (lies != ConvLayout::Planes)
    return 0;
  // One by one, or copied whole, a square of elements after the other.
  return squares * parts() *
         (sizes.result.back() < limits.lanes
              ? turnOne * touched
              : 2 * pixels * limits.elementBytes / limits.bytesPerCycle / inStrips);
}

double Costs::winograd(DictionaryAttr transform) const {
  // The cores of a mesh share sums whose tiles lie side by side.
  if (mesh)
    return sizes.hasStrides() ? ConvChoice::never : winogradOnMesh(transform);
  double ofPanels = winogradOfPanels(transform);
  return std::min(ofPanels, winogradInTiles(transform).value_or(ofPanels));
}

double Costs::winogradOfPanels(DictionaryAttr transform) const {
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt();
  int64_t r = cast<IntegerAttr>(transform.get("r")).getInt();
  int64_t tiles = tilesOf(transform), points = pointsOf(transform);
  unsigned dims = dimsOf(transform);
  // Lanes lie along filters and channels, else along rows of tiles that fill vectors; or along the
  // rows of planes, which no tile cuts.
  bool cutsRows = sizes.filter.back() == r || layout != ConvLayout::Planes;
  bool isAlongFilters = cutsRows && lanesLieAlongFilters(sizes.K, sizes.C, limits);
  int64_t ofRow = sizes.filter.back() == r ? int64_t(llvm::divideCeil(sizes.result.back(), m))
                                           : sizes.result.back();
  auto lanesOf = [&](int64_t channels, ConvLayout lies) {
    if (isAlongFilters || lies != ConvLayout::Planes)
      return lanesAlong(channels);
    return ofRow < limits.lanes ? 1 : lanesAlong(ofRow);
  };
  double cycles = ofFilters(transform, std::max(lanesAlong(sizes.K), lanesAlong(sizes.C)));
  if (!hasFixedFilters && filterBytes(points) > limits.l2Bytes &&
      !groupingInBlocks(points, sizes.N * tiles, sizes.K, sizes.C, limits))
    cycles = std::max(cycles, measured.filtersApart * double(filterBytes(points)));
  int64_t rows = sizes.N * tiles, columns = sizes.K;
  if (!isAlongFilters && columns < limits.lanes)
    std::swap(rows, columns);
  double groups = sizes.G, images = double(sizes.N) * groups * tiles;
  auto matrix = [&](StringRef name) { return cast<ElementsAttr>(transform.get(name)); };
  double pixels = std::pow(double(m), dims); // of a tile
  std::optional<double> ofStrips = isAlongFilters ? productsInStrips(transform) : std::nullopt;
  cycles += (ofStrips ? *ofStrips
                      : products(points * groups, rows, columns, sizes.C, filterStream(points))) +
            transforms(images * sizes.C, matrix("BT"), dims, lanesOf(sizes.C, layout), pixels) +
            transforms(images * sizes.K, matrix("AT"), dims, lanesOf(sizes.K, outLayout), pixels);
  bool isCut = sizes.filter.back() == r && sizes.result.back() % m != 0 &&
               sizes.result.back() < limits.lanes;
  if (isAlongFilters)
    cycles += turns(images * sizes.C, layout, double(points), pixels) +
              (isCut ? 0 : turns(images * sizes.K, outLayout, pixels, pixels));
  double cut = isCut ? cutOne * double(sizes.N) * groups * sizes.K * sizes.results() : 0;
  bool partsBlocks = groups > 1 && layout == ConvLayout::Blocks &&
                     (sizes.C % channelBlock != 0 || sizes.K % channelBlock != 0);
  return ofTiles(m, r, points, dims) * (partsBlocks ? inPartsOfBlocks : 1) * cycles + cut;
}

FailureOr<ConvChoice> bestDirect(ConvOp op, const Target &target) {
  FailureOr<PanelLimits> limits =
      PanelLimits::of(target, cast<RankedTensorType>(op.getType()).getElementType());
  if (failed(limits))
    return failure();
  return Costs(op, *limits, target).direct();
}

FailureOr<SmallVector<ConvChoice>> rankAlgorithms(ConvOp op, const Target &target) {
  FailureOr<PanelLimits> limits =
      PanelLimits::of(target, cast<RankedTensorType>(op.getType()).getElementType());
  if (failed(limits))
    return failure();
  Costs costs(op, *limits, target);
  SmallVector<ConvChoice> choices{costs.direct()};
  if (auto transforms = op.getTransforms())
    for (Attribute entry : *transforms) {
      auto transform = cast<DictionaryAttr>(entry);
      bool isLarge = costs.pointsOf(transform) > mostPoints;
      choices.push_back({transform, isLarge ? ConvChoice::never : costs.winograd(transform)});
    }
  llvm::stable_sort(choices, [](auto &a, auto &b) { return a.cycles < b.cycles; });
  // Small tiles, whose error is smaller, where they are nearly as fast, and the direct sum, unless
  // it is clearly slower.
  auto tileOf = [](const ConvChoice &choice) {
    return cast<IntegerAttr>(choice.transform.get("m")).getInt();
  };
  bool onMesh = MeshMachine::of(target).has_value();
  double pays = onMesh ? clearlyOnMesh : clearly, nearly = onMesh ? slightlyOnMesh : slightly;
  ConvChoice *direct = llvm::find_if(choices, [](auto &one) { return !one.transform; });
  ConvChoice *fewest = llvm::find_if(choices, [](auto &one) { return bool(one.transform); });
  ConvChoice *best = direct;
  if (fewest != choices.end() && fewest->cycles * pays <= direct->cycles) {
    best = fewest;
    for (ConvChoice &choice : choices)
      if (choice.transform && tileOf(choice) < tileOf(*best) &&
          choice.cycles <= fewest->cycles * nearly && choice.cycles * pays <= direct->cycles)
        best = &choice;
  }
  std::rotate(choices.begin(), best, std::next(best));
  return choices;
}

} // namespace weft
