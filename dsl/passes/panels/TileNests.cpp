//===- TileNests.cpp - products of transformed tiles as loops ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/panels/TileNests.h"

#include "passes/mesh/NestsAround.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static Value variableOf(AffineForOp loop) { return loop.getInductionVar(); }

namespace {

struct MatrixForm {
  Value root;
  PanelAccess access; ///< as the products have it
  Value point, plane; ///< variables of the products' loops
  int64_t planes, columns, points;
  bool isStored; ///< by the transform
};

bool isWrite(Operation *op) { return isa<affine::AffineStoreOp>(op); }

class Reader {
public:
  Reader(const MatrixForm &matrices, std::string &why) : matrices(matrices), why(why) {}

  std::optional<TransformNest> read(AffineForOp outermost);

private:
  bool refuse(const Twine &reason) {
    why = reason.str();
    return false;
  }
  bool findLoops(AffineForOp outermost);
  bool sortBody();
  bool findAxes();
  bool findPoints();
  bool findRegion();
  bool coversResults();

  const MatrixForm &matrices;
  std::string &why;
  SmallVector<AffineForOp> loops;
  SmallVector<Operation *> ofMatrices;
  TransformNest nest;
};

bool Reader::findLoops(AffineForOp outermost) {
  loops = perfectLoops(outermost);
  if (loops.empty())
    return refuse("its transforms are no loops one in the other, from 0 on");
  nest.outermost = outermost;
  nest.innermost = loops.back();
  return true;
}

/// Accesses of the matrices, of the images or results, and of others.
bool Reader::sortBody() {
  for (Operation &op : nest.innermost.getBody()->without_terminator()) {
    if (Value memref = arrayOf(&op)) {
      if (rootOf(memref) == matrices.root) {
        if (isWrite(&op) != matrices.isStored)
          return refuse("a transform reads what it writes");
        ofMatrices.push_back(&op);
      } else if (isWrite(&op) == matrices.isStored) {
        return refuse("a transform writes two arrays, or reads two");
      } else if (!nest.outer || memref == nest.outer) {
        nest.outer = memref;
        nest.outerAccesses.push_back(&op);
      } else {
        return refuse("a transform moves between more than two arrays");
      }
      continue;
    }
    if (!isArithmetic(op))
      return refuse("a transform does more than arithmetic");
  }
  return (!ofMatrices.empty() && nest.outer) || refuse("a transform is no loop of its own");
}

/// Which loop goes along planes, and which along tiles: these count the columns of the matrices.
bool Reader::findAxes() {
  auto access = PanelAccess::of(ofMatrices.front());
  if (!access)
    return refuse("matrices of tiles lie in memory in no known way");
  auto strideOf = [&](AffineForOp loop) { return access->strideOf(variableOf(loop)); };
  SmallVector<AffineForOp> single;
  for (AffineForOp loop : loops) {
    if (tripsOf(loop) == 1)
      single.push_back(loop);
    else if (!nest.planes && tripsOf(loop) == matrices.planes &&
             strideOf(loop) == matrices.access.strideOf(matrices.plane))
      nest.planes = loop;
    else
      nest.axes.push_back(loop);
  }
  if (!nest.planes)
    return refuse("a transform has no loop over channels or filters");
  llvm::stable_sort(nest.axes,
                    [&](AffineForOp a, AffineForOp b) { return strideOf(a) > strideOf(b); });
  int64_t columns = 1;
  for (AffineForOp loop : llvm::reverse(nest.axes)) {
    if (strideOf(loop) != columns)
      return refuse("tiles are not the columns of the products, one behind the other");
    columns *= tripsOf(loop);
  }
  nest.axes.insert(nest.axes.begin(), single.begin(), single.end());
  return (!nest.axes.empty() && columns == matrices.columns) ||
         refuse("tiles are not the columns of the products");
}

bool Reader::findPoints() {
  auto first = PanelAccess::of(ofMatrices.front());
  int64_t apart = matrices.access.strideOf(matrices.point);
  std::set<int64_t> seen;
  for (Operation *op : ofMatrices) {
    auto access = PanelAccess::of(op);
    bool isAlike = access && llvm::all_of(loops, [&](AffineForOp loop) {
                     return access->strideOf(variableOf(loop)) == first->strideOf(variableOf(loop));
                   });
    std::optional<int64_t> place = isAlike ? access->constant() : std::nullopt;
    if (!place || *place % apart != 0 || *place / apart >= matrices.points)
      return refuse("a transform's results are no points of the products");
    nest.points[op] = *place / apart;
    seen.insert(*place / apart);
  }
  return static_cast<int64_t>(seen.size()) == matrices.points ||
         refuse("a transform leaves out points of the products");
}

bool Reader::findRegion() {
  auto type = cast<MemRefType>(nest.outer.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return refuse("images or results lie in memory in no known way");
  for (int64_t extent : type.getShape()) {
    nest.region.dims.emplace_back();
    nest.region.dims.back().whole = extent;
  }
  bool isFirst = true;
  for (Operation *op : nest.outerAccesses) {
    auto indices = loopIndices(op);
    if (!indices)
      return refuse("an index of images or results is no multiple of a loop's");
    for (auto [dim, index] : llvm::zip_equal(nest.region.dims, *indices)) {
      auto axis =
          llvm::find_if(nest.axes, [&](auto one) { return index.value == variableOf(one); });
      TileDim::Along along = !index.value                             ? TileDim::Along::Nothing
                             : index.value == variableOf(nest.planes) ? TileDim::Along::Planes
                                                                      : TileDim::Along::Tiles;
      if (along == TileDim::Along::Tiles && axis == nest.axes.end())
        return refuse("an index of images or results is no loop's");
      unsigned number = along == TileDim::Along::Tiles ? axis - nest.axes.begin() : 0;
      int64_t last = isFirst ? index.constant : dim.first + dim.extent - 1;
      if (isFirst) {
        dim.along = along;
        dim.axis = number;
        dim.step = index.factor;
        dim.first = index.constant;
      } else if (dim.along != along || dim.axis != number || dim.step != index.factor) {
        return refuse("accesses of images or results differ in more than where they begin");
      }
      dim.first = std::min(dim.first, index.constant);
      dim.extent = std::max(last, index.constant) - dim.first + 1;
      if (dim.step < 0)
        return refuse("an index of images or results goes backwards");
    }
    isFirst = false;
  }
  return matrices.isStored || coversResults();
}

/// Whether what tiles write has no gaps, and no two tiles write one element.
bool Reader::coversResults() {
  std::set<SmallVector<int64_t>> written;
  for (Operation *op : nest.outerAccesses)
    written.insert(nest.offsets(op));
  int64_t elements = 1;
  SmallVector<bool> isAlong(nest.axes.size(), false);
  bool hasPlanes = false;
  for (const TileDim &dim : nest.region.dims) {
    elements *= dim.extent;
    if (dim.along == TileDim::Along::Nothing)
      continue;
    bool isNew = dim.along == TileDim::Along::Planes ? !hasPlanes : !isAlong[dim.axis];
    (dim.along == TileDim::Along::Planes ? hasPlanes : isAlong[dim.axis]) = true;
    if (!isNew || dim.step != dim.extent)
      return refuse("results of tiles leave gaps, or overlap");
  }
  for (auto [axis, is] : llvm::zip_equal(nest.axes, isAlong))
    hasPlanes &= is || tripsOf(axis) == 1;
  return (hasPlanes && static_cast<int64_t>(written.size()) == elements) ||
         refuse("results of tiles leave gaps, or overlap");
}

std::optional<TransformNest> Reader::read(AffineForOp outermost) {
  if (findLoops(outermost) && sortBody() && findAxes() && findPoints() && findRegion())
    return nest;
  return std::nullopt;
}

/// Whether what all tiles write is the whole array.
bool fills(const TransformNest &results) {
  return llvm::all_of(results.region.dims, [&](const TileDim &dim) {
    int64_t many = 1;
    if (dim.along == TileDim::Along::Planes)
      many = tripsOf(results.planes);
    else if (dim.along == TileDim::Along::Tiles)
      many = tripsOf(results.axes[dim.axis]);
    return dim.first == 0 && dim.elements(many) == dim.whole;
  });
}

} // namespace

double TransformNest::operations() const {
  auto loop = innermost;
  return llvm::count_if(loop.getBody()->without_terminator(), [](Operation &op) {
    return !isa<affine::AffineApplyOp>(op) && !op.hasTrait<OpTrait::ConstantLike>();
  });
}

SmallVector<int64_t> TransformNest::offsets(Operation *access) const {
  SmallVector<int64_t> all;
  for (auto [index, dim] : llvm::zip_equal(*loopIndices(access), region.dims))
    all.push_back(index.constant - dim.border - dim.first);
  return all;
}

std::optional<TileNests> TileNests::of(const PanelNest &products, const MeshMachine &machine,
                                       std::string &why) {
  TileNests found;
  found.products = products;
  ProductShape shape = products.shape();
  if (!products.batch || !shape.leftAlongTerms) {
    why = "its products are not those of several points";
    return std::nullopt;
  }
  AffineForOp nest = products.outermost;
  auto read = [&](const PanelAccess &access, AffineForOp planes, bool isStored, const char *whose) {
    std::optional<TransformNest> transform;
    AffineForOp loop = access.memref.getDefiningOp<memref::AllocOp>()
                           ? onlyNestOf(access.memref, nest)
                           : AffineForOp();
    if (!loop || loop->isBeforeInBlock(nest) != isStored) {
      why = llvm::formatv("{0} have no transform of their own before or behind", whose).str();
      return transform;
    }
    AffineForOp batch = products.batch, columns = products.columns;
    MatrixForm form{access.memref,   access,           variableOf(batch), variableOf(planes),
                    tripsOf(planes), tripsOf(columns), tripsOf(batch),    isStored};
    return Reader(form, why).read(loop);
  };
  auto images = read(products.right, products.terms, true, "tiles");
  auto results = images ? read(products.result, products.rows, false, "products") : std::nullopt;
  if (!results)
    return std::nullopt;
  found.images = std::move(*images);
  found.results = std::move(*results);
  auto tripsOfAxes = [](const TransformNest &transform) {
    return llvm::map_to_vector(transform.axes, [](AffineForOp axis) { return tripsOf(axis); });
  };
  if (tripsOfAxes(found.images) != tripsOfAxes(found.results)) {
    why = "images and results are in tiles in different ways";
    return std::nullopt;
  }
  if (writesBetween(found.images.outermost, found.results.outermost, rootOf(found.images.outer)) ||
      writesBetween(nest, found.results.outermost, products.left.memref) ||
      mayAlias(rootOf(found.images.outer), rootOf(found.results.outer))) {
    why = "images or filters are written before the last transform";
    return std::nullopt;
  }
  found.findBorder();
  if (fills(found.results))
    found.last = PointNest::behind(found.results.outermost, found.results.outer, machine);
  return found;
}

/// Images that are copied for their border alone are read as they are, from where it would begin.
void TileNests::findBorder() {
  auto found =
      BorderNest::forReader(images.outer, images.outermost, results.outermost, results.outer);
  if (!found)
    return;
  ArrayRef<int64_t> extents = cast<MemRefType>(found->source.getType()).getShape();
  for (auto [dim, extent, before] : llvm::zip_equal(images.region.dims, extents, found->before))
    if (dim.along == TileDim::Along::Planes && (before != 0 || dim.whole != extent))
      return;
  for (auto [dim, extent, before] : llvm::zip_equal(images.region.dims, extents, found->before)) {
    dim.first -= before;
    dim.border = before;
    dim.whole = extent;
  }
  images.outer = found->source;
  border = std::move(found);
}

TileShape TileNests::shape() const {
  ProductShape all = products.shape();
  TileShape shape;
  shape.points = all.batch;
  shape.filters = all.rows;
  shape.channels = all.terms;
  for (AffineForOp axis : images.axes)
    shape.tiles.push_back(tripsOf(axis));
  shape.images = images.region;
  shape.results = results.region;
  shape.imageOperations = images.operations();
  shape.resultOperations = results.operations();
  shape.elementBytes = all.elementBytes;
  shape.keptBytes = last ? last->keptBytes() : 0;
  return shape;
}

} // namespace weft
