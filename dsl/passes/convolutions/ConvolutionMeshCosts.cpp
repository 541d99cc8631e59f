//===- ConvolutionMeshCosts.cpp - convolutions by the cores of a mesh -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ConvolutionModel.h"

#include "passes/contractions/WindowSums.h"
#include "passes/panels/TilePlan.h"

#include <cmath>

using namespace mlir;

namespace weft {

std::optional<ConvChoice> ConvolutionModel::directOnMesh() const {
  if (!mesh || isComplex || sizes.hasStrides())
    return std::nullopt;
  WindowShape shape;
  shape.filters = sizes.K;
  shape.channels = sizes.C;
  shape.taps = sizes.window();
  shape.columns = sizes.result.back();
  shape.elementBytes = limits.elementBytes;
  // Lines are the rows of a plane, of signals all of them.
  int64_t pitch = sizes.phase(sizes.dims() - 1);
  bool hasRows = sizes.dims() > 1;
  shape.lines = hasRows ? sizes.result[sizes.dims() - 2] : sizes.N;
  shape.images = hasRows ? sizes.N * sizes.results() / (shape.lines * shape.columns) : 1;
  shape.pitch = hasRows ? pitch : pitch * sizes.C * sizes.G;
  shape.reach = sizes.filter.back() - 1;
  for (unsigned dim = sizes.dims() - 1; dim-- > 0;) {
    shape.reach += (sizes.filter[dim] - 1) * pitch;
    pitch *= sizes.phase(dim);
  }
  // Borders of rows and lines are folded into what share-panels fetches.
  int64_t bordered = ConvSizes::productOf(sizes.padded());
  bool isCopied = bordered != sizes.pixels();
  if (isCopied && layout == ConvLayout::Planes && shape.lines > 1 && hasRows &&
      llvm::all_of(ArrayRef(sizes.pad).drop_back(2), [](int64_t pad) { return pad == 0; })) {
    shape.rows = sizes.image[sizes.dims() - 2];
    shape.rowElements = sizes.image.back();
    shape.above = sizes.pad[sizes.dims() - 2];
    shape.beside = sizes.pad.back();
    isCopied = false;
  }
  std::string why;
  std::optional<WindowPlan> plan = planWindows(shape, *mesh, why);
  if (!plan)
    return std::nullopt;
  double copied = isCopied ? copyOfImages(bordered) : 0;
  return ConvChoice{{}, double(sizes.G) * plan->cycles + copied, DirectForm::Rows};
}

/// Images that are copied with their border, or up to whole tiles, so many pixels each.
double ConvolutionModel::copyOfImages(int64_t pixels) const {
  return copyTraffic(double(sizes.N) * sizes.G * sizes.C, sizes.pixels(), pixels,
                     limits.elementBytes, *mesh);
}

/// Results that are no whole tiles are copied from such.
double ConvolutionModel::copyOfResults(int64_t pixels) const {
  return copyTraffic(double(sizes.N) * sizes.G * sizes.K, pixels, sizes.results(),
                     limits.elementBytes, *mesh);
}

/// The tiles of a transform as share-panels finds them, if they can stay with the cores.
std::optional<double> ConvolutionModel::tilesWithCores(DictionaryAttr transform,
                                                       int64_t points) const {
  if (isComplex || sizes.G != 1)
    return std::nullopt;
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt();
  int64_t r = cast<IntegerAttr>(transform.get("r")).getInt();
  TileShape shape;
  shape.points = points;
  shape.filters = sizes.K;
  shape.channels = sizes.C;
  shape.elementBytes = limits.elementBytes;
  auto add = [](TileRegion &region, TileDim::Along along, unsigned axis, int64_t step,
                int64_t extent, int64_t whole, int64_t first = 0) {
    region.dims.push_back({along, axis, first, step, extent, whole});
  };
  for (auto [region, planes] : {std::pair(&shape.images, sizes.C), {&shape.results, sizes.K}}) {
    add(*region, TileDim::Along::Tiles, 0, 1, 1, sizes.N);
    add(*region, TileDim::Along::Planes, 0, 1, 1, planes);
  }
  shape.tiles.push_back(sizes.N);
  unsigned dims = 0;
  for (auto [results, extent, image, border] :
       llvm::zip_equal(sizes.result, sizes.filter, sizes.image, sizes.pad)) {
    bool isTransformed = extent == r;
    int64_t step = isTransformed ? m : 1, reach = isTransformed ? r - 1 : 0;
    int64_t tiles = llvm::divideCeil(results, step);
    unsigned axis = shape.tiles.size();
    shape.tiles.push_back(tiles);
    // Without the border, which share-panels folds into what it fetches.
    add(shape.images, TileDim::Along::Tiles, axis, step, step + reach, image, -border);
    add(shape.results, TileDim::Along::Tiles, axis, step, step, tiles * step);
    dims += isTransformed;
  }
  auto operations = [&](StringRef name) {
    auto matrix = cast<ElementsAttr>(transform.get(name));
    auto type = cast<ShapedType>(matrix.getType());
    return operationsOf(matrix, dims) + std::pow(double(type.getDimSize(0)), dims) +
           std::pow(double(type.getDimSize(1)), dims);
  };
  shape.imageOperations = operations("BT");
  shape.resultOperations = operations("AT");
  std::string why;
  std::optional<TilePlan> plan = planTiles(shape, *mesh, why);
  return plan ? std::optional(plan->cycles) : std::nullopt;
}

double ConvolutionModel::winogradOnMesh(DictionaryAttr transform) const {
  int64_t m = cast<IntegerAttr>(transform.get("m")).getInt();
  int64_t r = cast<IntegerAttr>(transform.get("r")).getInt();
  int64_t points = pointsOf(transform), inTiles = 1, outOfTiles = 1;
  for (auto [results, extent] : llvm::zip(sizes.result, sizes.filter)) {
    int64_t along = extent == r ? llvm::divideCeil(results, m) * m : results;
    inTiles *= along + extent - 1;
    outOfTiles *= along;
  }
  double groups = sizes.G;
  double cycles = products(points * groups, sizes.N * tilesOf(transform), sizes.K, sizes.C,
                           filterStream(points)) +
                  tileTraffic({groups * sizes.C, groups * sizes.K, sizes.N * tilesOf(transform),
                               sizes.N * sizes.pixels(), sizes.N * sizes.results()},
                              points, limits.elementBytes, *mesh);
  double copied = inTiles != sizes.pixels() ? copyOfImages(inTiles) : 0;
  double kept = tilesWithCores(transform, points).value_or(cycles + copied);
  cycles = std::min(cycles + copied, layout == ConvLayout::Planes ? kept : kept + copied);
  if (outOfTiles != sizes.results())
    cycles += copyOfResults(outOfTiles);
  return cycles + ofFilters(transform, double(limits.lanes));
}

} // namespace weft
