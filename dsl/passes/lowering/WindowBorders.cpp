//===- WindowBorders.cpp - windows that reach beyond an image ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Found here, at the last moment: until then an image with its border is a tensor like any other,
// which every stage can run. Between this and the loops over panels, which leave the terms out,
// there is no stage.
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/WindowBorders.h"

#include "passes/Notes.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("lower-to-loops");

constexpr llvm::StringLiteral withinMark = "weft.within";

/// Results are of so many kinds at most, by the terms that they have: each kind is code of its own.
/// A border of one pixel has three along each dimension, with a stride of 2 mostly two.
constexpr size_t mostKinds = 9;

/// An image with a border of zeros around it.
struct Bordered {
  tensor::ExtractOp read;         ///< of the image, in the map that copies it
  SmallVector<int64_t> border;    ///< before the image, in each dimension
  SmallVector<MapOp> maps;        ///< the last one copies the image, others make zeros
  ArrayRef<int64_t> lower, upper; ///< where the image lies

  static std::optional<Bordered> of(Value tensor);
};

/// Whether a map makes zeros.
bool isOfZeros(MapOp map) {
  FloatAttr value;
  return map->getNumResults() == 1 && map.yielded().size() == 1 &&
         matchPattern(map.yielded().front(), m_Constant(&value)) && value.getValue().isPosZero();
}

std::optional<Bordered> Bordered::of(Value tensor) {
  auto copy = tensor.getDefiningOp<MapOp>();
  if (!copy || !tensor.hasOneUse() || copy->getNumResults() != 1 || copy.getInits().size() != 1 ||
      copy.getStores().size() != 1 || !copy.storeMap(0).isIdentity())
    return std::nullopt;
  auto read = copy.yielded().front().getDefiningOp<tensor::ExtractOp>();
  Block *body = copy.bodyBlock();
  if (!read || read->getBlock() != body ||
      llvm::any_of(body->without_terminator(), [&](Operation &op) {
        return &op != read && !isa<affine::AffineApplyOp, arith::ConstantOp>(op);
      }))
    return std::nullopt;
  auto index = indicesOver(read, body->getArguments());
  if (!index || index->size() != copy.rank())
    return std::nullopt;
  Bordered found{read, {}, {}, copy.getLower(), copy.getUpper()};
  for (auto [n, expr] : llvm::enumerate(*index)) {
    AffineExpr before =
        simplifyAffineExpr(getAffineDimExpr(n, copy.getContext()) - expr, copy.rank(), 0);
    auto constant = dyn_cast<AffineConstantExpr>(before);
    if (!constant)
      return std::nullopt;
    found.border.push_back(constant.getValue());
  }
  Value init = copy.getInits().front();
  while (auto zeros = init.getDefiningOp<MapOp>()) {
    if (!init.hasOneUse() || zeros.getInits().size() != 1 || !isOfZeros(zeros))
      return std::nullopt;
    found.maps.push_back(zeros);
    init = zeros.getInits().front();
  }
  if (found.maps.empty() || !init.getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  std::reverse(found.maps.begin(), found.maps.end());
  found.maps.push_back(copy);
  return found;
}

/// Which terms there are for a value of the map's dimension.
SmallVector<bool> termsOf(MapOp map, const Within &one, int64_t value) {
  auto reduce = *map.bodyBlock()->getOps<ReduceOp>().begin();
  SmallVector<bool> there;
  for (int64_t term = 0; term < reduce.getUpper()[one.term]; ++term)
    there.push_back(one.holds(value, term));
  return there;
}

/// What must be within the image; nothing where that is all, or cannot be told by one of the map's
/// dimensions, not the columns, and one of the sum's.
std::optional<SmallVector<Within>> conditionsOf(MapOp map, ReduceOp reduce, tensor::ExtractOp read,
                                                const Bordered &image) {
  SmallVector<Value> indices(map.bodyBlock()->getArguments().begin(),
                             map.bodyBlock()->getArguments().end());
  llvm::append_range(indices, reduce.bodyBlock()->getArguments());
  auto exprs = indicesOver(read, indices);
  if (!exprs)
    return std::nullopt;
  SmallVector<Within> all;
  for (auto [n, expr] : llvm::enumerate(*exprs)) {
    if (image.lower[n] == 0 && image.upper[n] == read.getTensor().getType().getDimSize(n))
      continue;
    std::optional<unsigned> dim, term;
    for (unsigned own = 0; own < indices.size(); ++own) {
      if (!expr.isFunctionOfDim(own))
        continue;
      std::optional<unsigned> &there = own < map.rank() ? dim : term;
      if (there || own + 1 == map.rank())
        return std::nullopt;
      there = own < map.rank() ? own : own - map.rank();
    }
    if (!dim || !term)
      return std::nullopt;
    all.push_back({expr, image.lower[n], image.upper[n], *dim, *term});
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

/// Of how many kinds results are, by the terms that they have.
size_t kindsOf(MapOp map, ArrayRef<Within> all) {
  size_t kinds = 1;
  for (const Within &one : all) {
    std::set<SmallVector<bool>> seen;
    for (int64_t value = 0; value < map.getUpper()[one.dim]; ++value)
      seen.insert(termsOf(map, one, value));
    kinds *= seen.size();
  }
  return kinds;
}

void mark(MapOp map, ArrayRef<Within> all) {
  Builder builder(map.getContext());
  auto reduce = *map.bodyBlock()->getOps<ReduceOp>().begin();
  SmallVector<Attribute> said;
  for (const Within &one : all)
    said.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "index", AffineMapAttr::get(AffineMap::get(map.rank() + reduce.rank(), 0, one.index))),
         builder.getNamedAttr("lower", builder.getI64IntegerAttr(one.lower)),
         builder.getNamedAttr("upper", builder.getI64IntegerAttr(one.upper)),
         builder.getNamedAttr("dim", builder.getI64IntegerAttr(one.dim)),
         builder.getNamedAttr("term", builder.getI64IntegerAttr(one.term))}));
  map->setAttr(withinMark, builder.getArrayAttr(said));
}

/// Lets a map's sums read the image where they read it with its border.
void readDirectly(MapOp map) {
  auto grouping = groupingOf(map);
  auto sums = map.bodyBlock()->getOps<ReduceOp>();
  if (!grouping || grouping->shared || grouping->depth != 0 || llvm::range_size(sums) != 1)
    return;
  ReduceOp reduce = *sums.begin();
  auto product = reduce.yielded().getDefiningOp<arith::MulFOp>();
  if (!product)
    return;
  for (Value factor : {product.getLhs(), product.getRhs()}) {
    auto read = factor.getDefiningOp<tensor::ExtractOp>();
    auto image = read ? Bordered::of(read.getTensor()) : std::nullopt;
    auto all = image ? conditionsOf(map, reduce, read, *image) : std::nullopt;
    if (!all)
      continue;
    if (size_t kinds = kindsOf(map, *all); kinds > mostKinds) {
      notes.rejected(map, "{0}: its image as it lies, without a border", spoken(map))
          .because("results of {0} kinds, by what of their windows is in the image, would each be "
                   "code of their own; {1} are allowed",
                   kinds, mostKinds)
          .number("kinds", kinds);
      continue;
    }
    mark(map, *all);
    OpBuilder at(read);
    SmallVector<Value> index;
    for (auto [place, before] : llvm::zip_equal(read.getIndices(), image->border))
      index.push_back(
          before == 0
              ? Value(place)
              : affine::AffineApplyOp::create(
                    at, read.getLoc(), AffineMap::get(1, 0, at.getAffineDimExpr(0) - before), place)
                    .getResult());
    Value element = tensor::ExtractOp::create(at, read.getLoc(), image->read.getTensor(), index);
    read.replaceAllUsesWith(element);
    read.erase();
    Value start = image->maps.front().getInits().front();
    for (MapOp made : llvm::reverse(image->maps))
      made.erase();
    if (start.use_empty())
      start.getDefiningOp()->erase();
    notes.decided(map, "{0}: its image as it lies, without a border", spoken(map))
        .because("what windows have beyond it adds nothing: those terms are left out, and a copy "
                 "with zeros around is not made");
    return;
  }
}

} // namespace

bool Within::holds(int64_t ofDim, int64_t ofTerm) const {
  unsigned dims = 0;
  index.walk([&](AffineExpr expr) {
    if (auto one = dyn_cast<AffineDimExpr>(expr))
      dims = std::max(dims, one.getPosition() + 1);
  });
  // Two dimensions alone occur; the one of the map comes first.
  MLIRContext *context = index.getContext();
  SmallVector<AffineExpr> values(dims, getAffineConstantExpr(ofTerm, context));
  values[dim] = getAffineConstantExpr(ofDim, context);
  int64_t is = cast<AffineConstantExpr>(index.replaceDims(values)).getValue();
  return lower <= is && is < upper;
}

void readWithoutBorders(func::FuncOp func) {
  // None of these goes: a map that copies an image has no panels.
  SmallVector<MapOp> sums;
  func.walk([&](MapOp map) {
    if (map->getParentOp() == func && groupingOf(map))
      sums.push_back(map);
  });
  for (MapOp map : sums)
    readDirectly(map);
}

SmallVector<Within> withinOf(MapOp map) {
  SmallVector<Within> all;
  if (auto said = map->getAttrOfType<ArrayAttr>(withinMark))
    for (auto one : said.getAsRange<DictionaryAttr>()) {
      auto number = [&](StringRef name) { return one.getAs<IntegerAttr>(name).getInt(); };
      all.push_back({one.getAs<AffineMapAttr>("index").getValue().getResult(0), number("lower"),
                     number("upper"), static_cast<unsigned>(number("dim")),
                     static_cast<unsigned>(number("term"))});
    }
  return all;
}

bool haveSameTerms(MapOp map, ArrayRef<Within> within, unsigned dim, int64_t value, int64_t other) {
  return llvm::all_of(within, [&](const Within &one) {
    return one.dim != dim || termsOf(map, one, value) == termsOf(map, one, other);
  });
}

SmallVector<Run> runsOf(MapOp map, ArrayRef<Within> within, unsigned dim) {
  if (llvm::none_of(within, [&](const Within &one) { return one.dim == dim; }))
    return {{map.getLower()[dim], map.getUpper()[dim]}};
  SmallVector<Run> runs;
  for (int64_t value = map.getLower()[dim]; value < map.getUpper()[dim]; ++value) {
    if (runs.empty() || !haveSameTerms(map, within, dim, value, runs.back().lower))
      runs.push_back({value, value});
    ++runs.back().upper;
  }
  return runs;
}

} // namespace weft
