//===- SplitProducts.cpp - products of complex matrices as real ones -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The real and the imaginary parts of a matrix, one below the other, times those of another one,
// side by side, are four real products in one:
//
//   [ re a ]                     [ re a * re b   re a * im b ]
//   [ im a ] * [ re b  im b ] =  [ im a * re b   im a * im b ]
//
// from which the complex product is a difference and a sum an element. It is as many
// multiply-adds as the complex product has, and they have panels (arrange-contractions). A factor
// whose imaginary part is zero has half of the rows, or columns.
//
//===-----------------------------------------------------------------------===//

#include "passes/ComputedFactors.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/TensorLayouts.h"

#include "mlir/IR/Matchers.h"

namespace weft {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("split-products");

/// Real products for each number that is put in order before or goes to memory between, at least.
/// Measured: with 14 (200x16 by 16x200) the sums took 0.85 of the time, with 8 (16x16x16) 1.12
/// times, with 4 (2x200 by 200x300) 3.5 times.
constexpr int64_t fewestProducts = 10;

/// A product of complex matrices, in a sum.
class ComplexProduct {
public:
  /// Nothing where the sum is none, or too small for panels.
  static std::optional<ComplexProduct> of(ReduceOp reduce, const Target &target);
  void split();

private:
  ComplexProduct(MapOp map, ReduceOp reduce, ComputedFactor left, ComputedFactor right,
                 ProductIndices indices)
      : map(map), reduce(reduce), left(std::move(left)), right(std::move(right)),
        indices(std::move(indices)), builder(map) {}

  int64_t count(ArrayRef<unsigned> of) { return ProductIndices::count(of, map, reduce); }
  SmallVector<int64_t> extents(ArrayRef<unsigned> of) {
    return llvm::map_to_vector(of, [&](unsigned index) { return count({index}); });
  }
  /// The number of a point among those of some indices, where dimension n is index `order[n]`.
  AffineExpr number(ArrayRef<unsigned> of, ArrayRef<unsigned> order);
  MapOp mapOver(ArrayRef<int64_t> lower, ArrayRef<int64_t> upper, ArrayRef<int64_t> shape,
                ArrayRef<AffineExpr> store, Value init,
                llvm::function_ref<Value(OpBuilder &, ValueRange)> body);
  /// The indices of the batch that a factor has in their order.
  SmallVector<unsigned> batchOf(const ComputedFactor &factor);
  /// [index of the batch.., part and index of its own, term]
  Value partsOf(const ComputedFactor &factor, ArrayRef<unsigned> own);
  /// [index of the batch.., row, column]
  Value realProduct(Value ofLeft, int64_t rows, Value ofRight, int64_t columns);

  MapOp map;
  ReduceOp reduce;
  ComputedFactor left, right;
  ProductIndices indices;
  OpBuilder builder;
};

/// The real number of which a complex one consists, or nothing.
Value realOf(Value value) {
  auto create = value.getDefiningOp<complex::CreateOp>();
  return create && matchPattern(create.getImaginary(), m_AnyZeroFloat()) ? create.getReal()
                                                                         : Value();
}

int64_t parts(const ComputedFactor &factor) { return realOf(factor.value) ? 1 : 2; }

std::optional<ComplexProduct> ComplexProduct::of(ReduceOp reduce, const Target &target) {
  auto map = dyn_cast<MapOp>(reduce->getParentOp());
  auto product = reduce.yielded().getDefiningOp<complex::MulOp>();
  if (!map || !product || product->getBlock() != reduce.bodyBlock())
    return std::nullopt;
  auto left = ComputedFactor::of(product.getLhs(), map, reduce);
  auto right = ComputedFactor::of(product.getRhs(), map, reduce);
  if (!left || !right || (parts(*left) == 1 && parts(*right) == 1))
    return std::nullopt;
  auto indices = ProductIndices::of(*left, *right, map, reduce);
  if (!indices || indices->rows.empty() || indices->columns.empty())
    return std::nullopt;
  FailureOr<PanelLimits> limits = PanelLimits::of(target, reduce.getType());
  if (failed(limits))
    return std::nullopt;
  ComplexProduct found(map, reduce, *left, *right, *indices);
  int64_t batch = found.count(indices->batch), terms = found.count(indices->terms),
          rows = parts(*left) * found.count(indices->rows),
          columns = parts(*right) * found.count(indices->columns);
  int64_t moved = (rows + columns) * terms + rows * columns, products = rows * columns * terms;
  if (fewestProducts * moved <= products && (hasPanels(batch, rows, columns, terms, *limits) ||
                                             hasPanels(batch, columns, rows, terms, *limits)))
    return found;
  notes.rejected(reduce.getLoc(), "{0}: its complex products as real ones", spoken(map))
      .because("{0} rows by {1} columns of {2} terms: {3} products for {4} numbers that are moved",
               rows, columns, terms, products, moved);
  return std::nullopt;
}

AffineExpr ComplexProduct::number(ArrayRef<unsigned> of, ArrayRef<unsigned> order) {
  auto places = llvm::map_to_vector(of, [&](unsigned index) {
    return getAffineDimExpr(llvm::find(order, index) - order.begin(), map.getContext());
  });
  return linear(places, extents(of), map.getContext());
}

MapOp ComplexProduct::mapOver(ArrayRef<int64_t> lower, ArrayRef<int64_t> upper,
                              ArrayRef<int64_t> shape, ArrayRef<AffineExpr> store, Value init,
                              llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  Location loc = reduce.getLoc();
  Type element = cast<ComplexType>(reduce.getType()).getElementType();
  auto stored = AffineMap::get(upper.size(), 0, store, map.getContext());
  auto made = MapOp::create(builder, loc, TypeRange{RankedTensorType::get(shape, element)}, lower,
                            upper, init ? ValueRange{init} : ValueRange{},
                            builder.getAffineMapArrayAttr({stored}), nullptr);
  Block *block = &made.getBody().emplaceBlock();
  block->addArguments(SmallVector<Type>(upper.size(), builder.getIndexType()),
                      SmallVector<Location>(upper.size(), loc));
  OpBuilder inner = OpBuilder::atBlockBegin(block);
  YieldOp::create(inner, loc, body(inner, block->getArguments()));
  return made;
}

SmallVector<unsigned> ComplexProduct::batchOf(const ComputedFactor &factor) {
  SmallVector<unsigned> own;
  llvm::copy_if(indices.batch, std::back_inserter(own),
                [&](unsigned index) { return llvm::is_contained(factor.indices, index); });
  return own;
}

Value ComplexProduct::partsOf(const ComputedFactor &factor, ArrayRef<unsigned> own) {
  int64_t each = count(own);
  SmallVector<unsigned> batch = batchOf(factor);
  SmallVector<int64_t> shape = extents(batch);
  llvm::append_values(shape, parts(factor) * each, count(indices.terms));
  SmallVector<int64_t> upper = extents(factor.indices), lower(upper.size(), 0);
  Value made;
  if (parts(factor) == 2)
    made = tensor::EmptyOp::create(builder, reduce.getLoc(), shape,
                                   cast<ComplexType>(reduce.getType()).getElementType());
  for (int64_t part = 0; part < parts(factor); ++part) {
    SmallVector<AffineExpr> store;
    for (unsigned index : batch)
      store.push_back(number({index}, factor.indices));
    store.push_back(number(own, factor.indices) + part * each);
    store.push_back(number(indices.terms, factor.indices));
    made = mapOver(lower, upper, shape, store, made, [&](OpBuilder &at, ValueRange point) -> Value {
             Location loc = factor.value.getLoc();
             Value value = factor.cloneAt(at, map, reduce, point);
             if (part == 0)
               return complex::ReOp::create(at, loc, value);
             return complex::ImOp::create(at, loc, value);
           }).getResult(0);
  }
  return made;
}

Value ComplexProduct::realProduct(Value ofLeft, int64_t rows, Value ofRight, int64_t columns) {
  int64_t terms = count(indices.terms);
  Location loc = reduce.getLoc();
  SmallVector<int64_t> shape = extents(indices.batch);
  llvm::append_values(shape, rows, columns);
  auto body = [&](OpBuilder &at, ValueRange point) -> Value {
    auto sum =
        ReduceOp::create(at, loc, cast<ComplexType>(reduce.getType()).getElementType(),
                         at.getStringAttr("sum"), ArrayRef<int64_t>{0}, ArrayRef<int64_t>{terms});
    Block *term = &sum.getBody().emplaceBlock();
    Value k = term->addArgument(at.getIndexType(), loc);
    OpBuilder inner = OpBuilder::atBlockBegin(term);
    auto element = [&](const ComputedFactor &factor, Value tensor, Value own) {
      SmallVector<Value> place;
      for (auto [index, value] : llvm::zip(indices.batch, point))
        if (llvm::is_contained(factor.indices, index))
          place.push_back(value);
      llvm::append_values(place, own, k);
      return tensor::ExtractOp::create(inner, loc, tensor, place).getResult();
    };
    Value ofRow = element(left, ofLeft, point[point.size() - 2]);
    Value ofColumn = element(right, ofRight, point.back());
    YieldOp::create(inner, loc, arith::MulFOp::create(inner, loc, ofRow, ofColumn).getResult());
    return sum.getResult();
  };
  SmallVector<int64_t> lower(shape.size(), 0);
  SmallVector<AffineExpr> store;
  for (unsigned n = 0; n < shape.size(); ++n)
    store.push_back(builder.getAffineDimExpr(n));
  return mapOver(lower, shape, shape, store, {}, body).getResult(0);
}

void ComplexProduct::split() {
  int64_t rows = count(indices.rows), columns = count(indices.columns);
  notes.decided(reduce.getLoc(), "{0}: its complex products as real ones", spoken(map))
      .because("{0} rows by {1} columns of parts have panels; a complex product has as many "
               "multiply-adds",
               parts(left) * rows, parts(right) * columns);
  Value ofLeft = partsOf(left, indices.rows), ofRight = partsOf(right, indices.columns);
  Value product = realProduct(ofLeft, parts(left) * rows, ofRight, parts(right) * columns);

  Location loc = reduce.getLoc();
  OpBuilder at(reduce);
  SmallVector<unsigned> order;
  for (unsigned index = 0; index < map.rank(); ++index)
    order.push_back(index);
  SmallVector<OpFoldResult> point(map.bodyBlock()->getArguments().begin(),
                                  map.bodyBlock()->getArguments().end());
  auto elementOf = [&](int64_t part, int64_t otherPart) -> Value {
    SmallVector<AffineExpr> place;
    for (unsigned index : indices.batch)
      place.push_back(number({index}, order));
    place.push_back(number(indices.rows, order) + part * rows);
    place.push_back(number(indices.columns, order) + otherPart * columns);
    SmallVector<Value> where;
    for (AffineExpr expr : place)
      where.push_back(getValueOrCreateConstantIndexOp(
          at, loc,
          affine::makeComposedFoldedAffineApply(at, loc, AffineMap::get(map.rank(), 0, expr),
                                                point)));
    return tensor::ExtractOp::create(at, loc, product, where);
  };
  Value re = elementOf(0, 0), im = parts(right) == 2 ? elementOf(0, 1) : elementOf(1, 0);
  if (parts(left) == 2 && parts(right) == 2) {
    re = arith::SubFOp::create(at, loc, re, elementOf(1, 1));
    im = arith::AddFOp::create(at, loc, im, elementOf(1, 0));
  }
  Value sum = complex::CreateOp::create(at, loc, cast<ComplexType>(reduce.getType()), re, im);
  reduce.replaceAllUsesWith(sum);
  reduce.erase();
}

struct SplitProducts : public weft::impl::SplitProductsBase<SplitProducts> {
  using SplitProductsBase::SplitProductsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp reduce) {
      if (isa<ComplexType>(reduce.getType()))
        sums.push_back(reduce);
    });
    for (ReduceOp reduce : sums)
      if (auto product = ComplexProduct::of(reduce, *target))
        product->split();
  }
};

} // namespace
