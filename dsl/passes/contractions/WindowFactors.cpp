//===- WindowFactors.cpp - windows over what codelets make --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/WindowFactors.h"

#include "passes/Notes.h"
#include "passes/contractions/WindowSums.h"
#include "passes/tensors/TensorLayouts.h"
#include "passes/transforms/WinogradMaps.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("arrange-contractions");

/// A tile that several windows read is transformed and stored for each of them. So many products
/// with each of its elements pay for that.
constexpr int64_t fewestProducts = 16;

/// Which of so many variables an expression follows.
SmallVector<unsigned> followed(AffineExpr index, unsigned variables) {
  SmallVector<unsigned> own;
  for (unsigned n = 0; n < variables; ++n)
    if (index.isFunctionOfDim(n))
      own.push_back(n);
  return own;
}

/// A factor that is read at windows, and its codelet.
struct WindowFactor {
  tensor::ExtractOp read;
  MapOp codelet;
  SmallVector<AffineExpr> index;             ///< of the read, over the variables
  SmallVector<unsigned> variables;           ///< of all indices, in their order
  SmallVector<std::optional<unsigned>> dims; ///< of the codelet, for each index that is a window

  /// Nothing where a value is something else.
  static std::optional<WindowFactor> of(Value value, ValueRange variables);
  /// Makes each window by itself, of so many points, and reads that.
  void rewrite(ValueRange variables, ArrayRef<int64_t> extents);
};

std::optional<WindowFactor> WindowFactor::of(Value value, ValueRange variables) {
  auto read = value.getDefiningOp<tensor::ExtractOp>();
  auto codelet = read ? read.getTensor().getDefiningOp<MapOp>() : MapOp();
  if (!codelet || !codelet->hasAttr(codeletMark) || !codelet->hasOneUse() ||
      !codelet.getInits().empty() ||
      llvm::any_of(codelet.getLower(), [](int64_t low) { return low != 0; }))
    return std::nullopt;
  auto index = indicesOver(read, variables);
  if (!index)
    return std::nullopt;
  WindowFactor factor{read, codelet, *index, {}, {}};
  for (auto [n, expr] : llvm::enumerate(*index)) {
    SmallVector<unsigned> own = followed(expr, variables.size());
    for (unsigned variable : own) {
      if (llvm::is_contained(factor.variables, variable))
        return std::nullopt;
      factor.variables.push_back(variable);
    }
    std::optional<unsigned> dim;
    if (!isa<AffineDimExpr>(expr)) {
      // The codelet stores all that it makes of one of its own there.
      auto first = dyn_cast<AffineDimExpr>(codelet.storeMap(0).getResult(n));
      for (unsigned store = 0; store < codelet.getStores().size(); ++store)
        if (!first || own.empty() || codelet.storeMap(store).getResult(n) != first)
          return std::nullopt;
      dim = first.getPosition();
    }
    factor.dims.push_back(dim);
  }
  // What one variable decides alone, a part or every second one, is no window.
  bool hasWindow = llvm::any_of(
      *index, [&](AffineExpr expr) { return followed(expr, variables.size()).size() > 1; });
  return hasWindow ? std::optional(factor) : std::nullopt;
}

/// The dimensions of a codelet that makes each window by itself: instead of one that is a window's,
/// one for each variable of the window.
struct WindowDomain {
  SmallVector<int64_t> upper;
  SmallVector<SmallVector<unsigned>> places; ///< the new dimensions, for each one before
  SmallVector<AffineExpr> before;            ///< each one before, over the new ones

  WindowDomain(const WindowFactor &factor, ArrayRef<int64_t> extents);
  /// Where a store that went to `before` goes to.
  AffineMap store(AffineMap before, const WindowFactor &factor) const;
};

WindowDomain::WindowDomain(const WindowFactor &factor, ArrayRef<int64_t> extents) {
  MapOp codelet = factor.codelet;
  MLIRContext *context = codelet.getContext();
  for (unsigned dim = 0; dim < codelet.rank(); ++dim) {
    SmallVector<unsigned> &own = places.emplace_back();
    auto next = [&](int64_t extent) {
      own.push_back(upper.size());
      upper.push_back(extent);
      return getAffineDimExpr(own.back(), context);
    };
    auto window = llvm::find(factor.dims, std::optional(dim));
    if (window == factor.dims.end()) {
      before.push_back(next(codelet.getUpper()[dim]));
      continue;
    }
    AffineExpr index = factor.index[window - factor.dims.begin()];
    SmallVector<AffineExpr> renumbered(extents.size(), getAffineConstantExpr(0, context));
    for (unsigned variable : followed(index, extents.size()))
      renumbered[variable] = next(extents[variable]);
    before.push_back(index.replaceDims(renumbered));
  }
}

AffineMap WindowDomain::store(AffineMap place, const WindowFactor &factor) const {
  MLIRContext *context = place.getContext();
  SmallVector<AffineExpr> results;
  for (auto [dim, expr] : llvm::zip_equal(factor.dims, place.getResults())) {
    if (!dim)
      results.push_back(expr.replaceDims(before));
    else
      for (unsigned own : places[*dim])
        results.push_back(getAffineDimExpr(own, context));
  }
  return AffineMap::get(upper.size(), 0, results, context);
}

void WindowFactor::rewrite(ValueRange all, ArrayRef<int64_t> extents) {
  OpBuilder builder(codelet);
  WindowDomain domain(*this, extents);
  SmallVector<AffineMap> stores;
  for (unsigned n = 0; n < codelet.getStores().size(); ++n)
    stores.push_back(domain.store(codelet.storeMap(n), *this));
  auto old = cast<RankedTensorType>(codelet.getResult(0).getType());
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::zip_equal(dims, old.getShape())) {
    if (!dim)
      shape.push_back(extent);
    else
      for (unsigned own : domain.places[*dim])
        shape.push_back(domain.upper[own]);
  }
  SmallVector<int64_t> lower(domain.upper.size(), 0);
  auto made = MapOp::create(
      builder, codelet.getLoc(), TypeRange{RankedTensorType::get(shape, old.getElementType())},
      lower, domain.upper, ValueRange{}, builder.getAffineMapArrayAttr(stores), nullptr);
  made->setAttr(codeletMark, builder.getUnitAttr());
  Block *body = &made.getBody().emplaceBlock();
  for (auto [argument, own] : llvm::zip_equal(codelet.bodyBlock()->getArguments(), domain.places))
    for (size_t n = 0; n < own.size(); ++n)
      body->addArgument(builder.getIndexType(), argument.getLoc());
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  IRMapping mapping;
  for (auto [dim, argument] : llvm::enumerate(codelet.bodyBlock()->getArguments())) {
    Value is = body->getArgument(domain.places[dim].front());
    if (!isa<AffineDimExpr>(domain.before[dim]))
      is = affine::makeComposedAffineApply(inner, codelet.getLoc(),
                                           AffineMap::get(lower.size(), 0, domain.before[dim]),
                                           getAsOpFoldResult(ValueRange(body->getArguments())));
    mapping.map(argument, is);
  }
  for (Operation &op : *codelet.bodyBlock())
    inner.clone(op, mapping);

  OpBuilder at(read);
  SmallVector<Value> place =
      llvm::map_to_vector(variables, [&](unsigned variable) { return all[variable]; });
  Value element = tensor::ExtractOp::create(at, read.getLoc(), made.getResult(0), place);
  read.replaceAllUsesWith(element);
  read.erase();
  codelet.erase();
}

} // namespace

void makeWindows(MapOp map, ReduceOp reduce, const Target &target) {
  auto product = reduce.yielded().getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != reduce.bodyBlock() || WindowSum::of(map, reduce))
    return;
  FailureOr<PanelLimits> limits = PanelLimits::of(target, reduce.getType());
  if (failed(limits))
    return;
  SmallVector<Value> variables = indicesOf(map, reduce);
  for (auto [one, other] : {std::pair{product.getLhs(), product.getRhs()},
                            std::pair{product.getRhs(), product.getLhs()}}) {
    auto factor = WindowFactor::of(one, variables);
    auto read = other.getDefiningOp<tensor::ExtractOp>();
    auto index = read ? indicesOver(read, variables) : std::nullopt;
    if (!factor || !index)
      continue;
    SmallVector<unsigned> others;
    for (AffineExpr expr : *index)
      llvm::append_range(others, followed(expr, variables.size()));
    auto indices = ProductIndices::of(factor->variables, others, map, reduce);
    if (!indices || indices->rows.empty() || indices->columns.empty())
      continue;
    auto count = [&](ArrayRef<unsigned> of) { return countOf(map, reduce, of); };
    int64_t products = count(indices->columns);
    if (!hasPanelsEitherWay(count(indices->batch), count(indices->rows), products,
                            count(indices->terms), *limits))
      continue;
    if (products < fewestProducts) {
      notes.rejected(reduce.getLoc(), "{0}: each window of a factor by itself", spoken(map))
          .because("{0} products with each of its elements; {1} pay for making it again for each "
                   "window",
                   products, fewestProducts)
          .number("products", products);
      continue;
    }
    bool isInnermost =
        llvm::any_of(llvm::zip_equal(factor->index, factor->dims), [&](const auto &entry) {
          auto [expr, dim] = entry;
          return dim && expr.isFunctionOfDim(variables.size() - 1);
        });
    notes.decided(reduce.getLoc(), "{0}: each window of a factor by itself", spoken(map))
        .because("{0} products with each of its elements; without windows they fill panels{1}",
                 products,
                 isInnermost ? ". With the window's index before the others of the sum the codelet "
                               "could store vectors"
                             : "")
        .number("products", products);
    SmallVector<unsigned> all = llvm::to_vector(llvm::seq<unsigned>(0, variables.size()));
    factor->rewrite(variables, extentsOf(map, reduce, all));
    return;
  }
}

} // namespace weft
